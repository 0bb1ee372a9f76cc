"""Scores of completed strings, and whether they say which of them are right."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from worldgen.scoring.figures.auroc import auroc, dense_ranks
from worldgen.scoring.retention.confidence import (
    Confidence,
    common_length,
    geometric_bin,
    geometric_ranks,
    weighted_mean,
)
from worldgen.scoring.retention.reliability import (
    BINS,
    Bin,
    average_precision,
    bin_of,
    bins,
    brier,
    calibration_error,
)
from worldgen.scoring.retention.rows import Row, number, who
from worldgen.scoring.retention.runs import Item, Runs

LENGTH = "length"
"""The reference that ranks by length alone, short strings first. It is no probability."""


@dataclass(frozen=True)
class Scored:
    """Completed strings of a setting by one score: their ranks and whether they are right; where the score is
    a probability, its values, and the reliability bin that each is in.
    """

    name: str
    ranks: Sequence[int]
    right: Sequence[bool]
    values: Sequence[Fraction] | None = None
    places: Sequence[int] = ()

    def bins(self, weights: Sequence[int]) -> tuple[Bin, ...]:
        """The reliability bins; none for what is no probability."""
        return () if self.values is None else bins(self.values, self.right, weights, self.places)


@dataclass(frozen=True)
class Strings:
    """The completed strings of a setting: what their steps reported, their lengths, and which are right."""

    known: Sequence[Confidence]
    lengths: Sequence[int]
    right: Sequence[bool]

    @cached_property
    def mixtures(self) -> Mapping[str, Sequence[int]]:
        """The weights of strings, with lengths as they occur and with every length weighing the same."""
        return {"as they occur": [1] * len(self.lengths), "alike": common_length(self.lengths)}

    @cached_property
    def scores(self) -> Sequence[Scored]:
        """The strings by each score, and by their length."""
        products, means, tops = (
            [getattr(each, field) for each in self.known]
            for field in ("product", "geometric_mean", "minimum_top")
        )
        shorter = dense_ranks([Fraction(-length) for length in self.lengths]).tolist()
        in_bins = [geometric_bin(each) for each in self.known]
        return (
            self._probabilities("product", products),
            Scored("geometric mean", geometric_ranks(self.known), self.right, means, in_bins),
            self._probabilities("minimum top", tops),
            Scored(LENGTH, shorter, self.right),
        )

    def _probabilities(self, name: str, values: Sequence[Fraction]) -> Scored:
        return Scored(name, dense_ranks(values).tolist(), self.right, values, [bin_of(one) for one in values])


def strings_of(items: Mapping[str, Item], runs: Runs) -> Iterator[tuple[Row, Strings]]:
    """Whose they are, and the completed strings of each setting that has some with masses at all steps."""
    for setting, by_root in runs.items():
        known = [(items[name], run, found) for name, run in by_root.items() if (found := run.confidence)]
        if known:
            lengths = [item.candidates.length for item, _, _ in known]
            yield (
                who(setting),
                Strings([one for *_, one in known], lengths, [run.right for _, run, _ in known]),
            )


def confidence_rows(items: Mapping[str, Item], runs: Runs) -> Iterator[Row]:
    """A row for each setting, score and mixture of lengths: the mean score and the share of right strings,
    the Brier score beside that of stating this share for each, the expected calibration error over ten bins,
    and two figures of the ranking. Those are undefined where all strings are right or none is.
    """
    for whose, strings in strings_of(items, runs):
        for scored in strings.scores:
            for mixture, weights in strings.mixtures.items():
                share = weighted_mean([Fraction(one) for one in scored.right], weights)
                values = scored.values
                yield {
                    **whose,
                    "score": scored.name,
                    "lengths": mixture,
                    "items": len(scored.ranks),
                    "value": None if values is None else number(weighted_mean(values, weights)),
                    "accuracy": number(share),
                    "brier": None if values is None else number(brier(values, scored.right, weights)),
                    "prevalence": None if values is None or share is None else number(share * (1 - share)),
                    "calibration_error": number(calibration_error(scored.bins(weights))),
                    "auroc": number(auroc(scored.ranks, scored.right, weights)),
                    "average_precision": number(average_precision(scored.ranks, scored.right, weights)),
                }


def reliability_rows(items: Mapping[str, Item], runs: Runs) -> Iterator[Row]:
    """A row for each setting, score that is a probability, mixture of lengths and reliability bin: from where
    to where it goes, the strings in it, their mean score and the share that is right, null in an empty one.
    """
    for whose, strings in strings_of(items, runs):
        for scored in strings.scores:
            for mixture, weights in strings.mixtures.items():
                for place, one in enumerate(scored.bins(weights)):
                    yield {
                        **whose,
                        "score": scored.name,
                        "lengths": mixture,
                        "from": number(Fraction(place, BINS)),
                        "to": number(Fraction(place + 1, BINS)),
                        "items": one.strings,
                        "value": number(one.score),
                        "accuracy": number(one.right),
                    }
