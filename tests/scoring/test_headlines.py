"""Headlines: the worst of each kind of figure, and who has it."""

from fractions import Fraction

from tests.scoring.test_summary import answers, cohorts, key_of
