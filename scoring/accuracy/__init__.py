"""Scores against the exact truth: accuracy, coherence, certificates, leakage, selection, contrasts."""
