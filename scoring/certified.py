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

from worldgen.exact.numbers import read_number
from worldgen.relations.aligned import Aligned, AlignmentError
from worldgen.relations.certificate import Certificate, certificate, mean_error
from worldgen.scoring.accounting import Verdicts
from worldgen.scoring.means import MacroMean, mean
from worldgen.scoring.reader import Valid
from worldgen.scoring.tables import AnswerKey, Request, Rows, TablesError, table_rows

Posteriors = Mapping[str, tuple[Fraction, ...]]


def posteriors(truth: Rows) -> dict[str, tuple[Fraction, ...]]:
    """The exact posterior of each root, one mass per atom, from the truth table of a cohort.

    >>> posteriors([{"root_id": "r", "posterior": ["1/3", "2/3"]}])
    {'r': (Fraction(1, 3), Fraction(2, 3))}
    """
    rows = table_rows(truth, ("root_id", "posterior"), unique="root_id", table="truth")
    return {row["root_id"]: tuple(map(read_number, row["posterior"])) for row in rows}


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


def certified(key: AnswerKey, verdicts: Verdicts, truth: Posteriors) -> Iterator[CertifiedRoot]:
    """Every root of the key with one system, in table order, one at a time: each is solved when it is taken.

    `truth` gives the posterior of every root. Raises TablesError for a root that it lacks, and for requests
    that speak of atoms it does not have.
    """
    asked: dict[str, list[Request]] = {root_id: [] for root_id in key.strata}
    for request in key.requests.values():
        asked[request.root_id].append(request)
    for root_id, requests in asked.items():
        if root_id not in truth:
            raise TablesError(f"truth: there is no posterior of root {root_id!r}")
        try:
            repeats = {
                repeat: _repeat(valid, truth[root_id])
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


@dataclass(frozen=True)
class CertifiedMeans:
    """Macro means over roots with a valid report, strata weighing equally."""

    certificate: MacroMean
    error: MacroMean

    @classmethod
    def of(cls, roots: Iterable[CertifiedRoot]) -> "CertifiedMeans":
        """The means over some roots of one system."""
        certificates: dict[str, list[Fraction]] = {}
        errors: dict[str, list[Fraction]] = {}
        for root in roots:
            proved, actual = (found.setdefault(root.stratum, []) for found in (certificates, errors))
            if root.certificate is not None and root.error is not None:
                proved.append(root.certificate)
                actual.append(root.error)
        return cls(MacroMean.of(certificates), MacroMean.of(errors))

    @property
    def hidden(self) -> Fraction | None:
        """The mean error that no contradiction gives away; None where no root has a valid report."""
        proved, actual = self.certificate.value, self.error.value
        return None if proved is None or actual is None else actual - proved

    @property
    def share(self) -> Fraction | None:
        """The certified share of the mean error, certificate / error, in [0, 1]; None where there is no error
        to share.
        """
        proved, actual = self.certificate.value, self.error.value
        return proved / actual if proved is not None and actual else None
