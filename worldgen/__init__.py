"""Finite worlds whose every probability is known exactly."""
