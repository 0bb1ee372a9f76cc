"""From columns along the roots to figures: means, measures, the bootstrap, exact tests."""
