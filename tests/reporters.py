"""Simulated systems whose right scores are known in closed form. Each is a rule from a request to masses."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from worldgen.scoring.reports.report import Report
from worldgen.scoring.reports.tables import Request

Masses = tuple[Fraction, ...]
Rule = Callable[[Request], Masses]

BIAS = Fraction(1, 50)


def reports_of(rule: Rule, requests: Iterable[Request], system: str) -> list[Report]:
    """The reports of a system that answers every eligible request by a rule."""
    found = []
    for request in requests:
        if request.eligible:
            written = zip(request.answer_ids, map(str, rule(request)), strict=True)
            found.append(Report(system, request.request_id, probabilities=tuple(written)))
    return found


def exact(request: Request) -> Masses:
    """The exact answer q. Total variation, every residual and regret are 0."""
    assert request.q is not None
    return request.q


def rounded(request: Request) -> Masses:
    """q to two decimals that sum to 1, by the largest remainder.

    Of K options whose remainders f_k sum to m hundredths, the m with the largest are rounded up. Total
    variation is what the others lose, at most (K - m) m / K hundredths, hence at most K / 4.
    """
    return rounded_to(exact(request), 100)


def rounded_to(q: Sequence[Fraction], unit: int) -> Masses:
    """Multiples of 1 / unit that sum to 1: floors, and one more for the largest remainders, earlier first."""
    floors = [value * unit // 1 for value in q]
    rising = sorted(range(len(q)), key=lambda k: floors[k] - q[k] * unit)[: unit - sum(floors)]
    return tuple(Fraction(floor + (k in rising), unit) for k, floor in enumerate(floors))


def sharpened(request: Request) -> Masses:
    """q at temperature 1/2: q_k^2 over their sum. Its best class is q's, hence Bayes accuracy."""
    squares = [value * value for value in exact(request)]
    return tuple(square / sum(squares) for square in squares)


def affirming(request: Request) -> Masses:
    """On events (1 - 2 d) q + 2 d for yes, d = BIAS; q elsewhere. As q and 1 - q sum to 1, an event and its
    complement together get 1 + 2 d: the complement residual is 2 d on every root, and total variation
    2 d (1 - q).
    """
    q = exact(request)
    if request.form != "event":
        return q
    said = (1 - 2 * BIAS) * q[request.options.index("true")] + 2 * BIAS
    return tuple(said if option == "true" else 1 - said for option in request.options)


def uniform(request: Request) -> Masses:
    """1 / K for each of K options: it defers at every cost below 1 - 1 / K, and then loses the cost."""
    return (Fraction(1, len(request.options)),) * len(request.options)


def leaking(request: Request) -> Masses:
    """All mass on what came true, which no honest system can know."""
    if request.outcome is None:
        return uniform(request)
    return tuple(Fraction(place == request.outcome) for place in range(len(request.options)))


RULES: dict[str, Rule] = {
    rule.__name__: rule for rule in (exact, rounded, sharpened, affirming, uniform, leaking)
}
