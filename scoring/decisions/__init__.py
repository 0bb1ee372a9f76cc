"""Scores of decisions: policies, loss curves, elementary scores, pairs, averages, margins."""
