"""How much of a system's error its own answers give away, without the truth, and how much they hide.

The reports on one root that are valid in one repeat have a certificate (`relations.certificate`): the least
mean error that any truth would leave them with. Under the posterior of the root they have their actual mean
error, measured alike, hence at least as large. The certificate is what contradictions alone prove; the
rest is *hidden*: errors that fit together. Every valid report counts the same, identity controls and exact
repeats included. Where a root was asked in several repeats, figures are means over those with a valid report.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from worldgen.relations.aligned import Aligned, AlignmentError
from worldgen.relations.certificate import Certificate, certificate, mean_error
from worldgen.scoring.figures.columns import Axis, Column
from worldgen.scoring.figures.means import mean
from worldgen.scoring.figures.measures import Label, Mean, Ratio
from worldgen.scoring.reports.accounting import Verdicts
from worldgen.scoring.reports.reader import Valid
from worldgen.scoring.reports.tables import AnswerKey, Request, TablesError


@dataclass(frozen=True)
class CertifiedRepeat:
    """The valid reports on one root in one repeat: their request ids and claims, the certificate of these,
    and their actual mean error under the posterior of the root.
    """

    requests: tuple[str, ...]
    claims: tuple[Aligned, ...]
    certificate: Certificate
    error: Fraction


@dataclass(frozen=True)
class CertifiedRoot:
    """One root with one system: `repeats` holds those with a valid report, by their number.

    `certificate` is the mean of their certificates, `error` of their actual mean errors, and `hidden` the
    difference, which is at least 0. All three are None for a root without a valid report.
    """

    root_id: str
    stratum: str
    repeats: Mapping[int, CertifiedRepeat]

    @property
    def reports(self) -> int:
        """The number of valid reports, over all repeats."""
        return sum(len(repeat.claims) for repeat in self.repeats.values())

    @property
    def certificate(self) -> Fraction | None:
        """The mean of the certificates."""
        return _mean([repeat.certificate.value for repeat in self.repeats.values()])

    @property
    def error(self) -> Fraction | None:
        """The mean of the actual mean errors."""
        return _mean([repeat.error for repeat in self.repeats.values()])

    @property
    def hidden(self) -> Fraction | None:
        """The error that no contradiction gives away."""
        return None if self.error is None or self.certificate is None else self.error - self.certificate


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return mean(values) if values else None


def certified(key: AnswerKey, verdicts: Verdicts) -> Iterator[CertifiedRoot]:
    """Every root of the key with one system, in table order, one at a time: each is solved when it is taken.

    Raises TablesError for a root whose posterior the key lacks, and for requests that speak of atoms that it
    does not have.
    """
    asked: dict[str, list[Request]] = {root_id: [] for root_id in key.strata}
    for request in key.requests.values():
        asked[request.root_id].append(request)
    for root_id, requests in asked.items():
        if root_id not in key.posteriors:
            raise TablesError(f"truth: there is no posterior of root {root_id!r}")
        try:
            repeats = {
                repeat: _repeat(valid, key.posteriors[root_id])
                for repeat, valid in sorted(_valid(requests, verdicts).items())
            }
        except AlignmentError as error:
            raise TablesError(f"truth: root {root_id!r}: {error.message}") from error
        yield CertifiedRoot(root_id, key.strata[root_id], repeats)


def _valid(requests: Iterable[Request], verdicts: Verdicts) -> dict[int, dict[str, Aligned]]:
    """The claims of the valid reports on some requests, by repeat and request id."""
    found: dict[int, dict[str, Aligned]] = {}
    for request in requests:
        for repeat, verdict in verdicts.get(request.request_id, {}).items():
            if request.eligible and isinstance(verdict, Valid):
                claim = Aligned(request.events, request.given, verdict.masses)
                found.setdefault(repeat, {})[request.request_id] = claim
    return found


def _repeat(valid: Mapping[str, Aligned], posterior: Sequence[Fraction]) -> CertifiedRepeat:
    claims = tuple(valid.values())
    found = certificate(claims, len(posterior))
    return CertifiedRepeat(tuple(valid), claims, found, mean_error(claims, posterior))


def certificate_measures(roots: Iterable[CertifiedRoot], axis: Axis, system: str) -> Iterator[Mean | Ratio]:
    """The mean certificate, actual and hidden error of roots with a valid report, and the certified share:
    mean certificate / mean error, in [0, 1], undefined where there is no error to share.
    """
    by_root = {root.root_id: root for root in roots}
    ordered = [by_root[root_id] for root_id in axis.roots]
    columns = {
        "certificate": Column.of([root.certificate for root in ordered]),
        "mean_error": Column.of([root.error for root in ordered]),
        "hidden_error": Column.of([root.hidden for root in ordered]),
    }
    asked = np.ones(len(axis), dtype=np.bool_)

    def label(metric: str) -> Label:
        return Label("certificate", metric, "all reports", system, "natively valid")

    for metric, column in columns.items():
        yield Mean(label(metric), column, asked)
    yield Ratio(label("certified_share"), columns["certificate"], columns["mean_error"], asked)
