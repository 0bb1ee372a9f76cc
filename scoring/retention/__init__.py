"""Retention between ways of asking: joint tables, outcomes, fidelity, trajectories, exact intervals."""
