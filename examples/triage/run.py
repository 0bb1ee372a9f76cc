"""A world of one's own, from its spec to scores: python examples/triage/run.py"""

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import worldgen

SPEC = Path(__file__).with_name("cohort.yaml")


def certain(truth: worldgen.Report) -> worldgen.Report:
    """What a system reports that takes its best guess for a fact: 1 on it, and 0 on every other option."""
    options = truth.probabilities or ()
    best = max(options, key=lambda option: Fraction(option[1]))
    guess = tuple((answer, str(int(answer == best[0]))) for answer, _ in options)
    return worldgen.Report("certain", truth.request_id, probabilities=guess)


def run(folder: Path) -> None:
    """Check the spec, look at a request, write and verify a cohort, and score two systems on it."""
    spec = worldgen.read_spec(SPEC)
    print(len(worldgen.check(spec)), "payloads proved readable back\n")
    shown = worldgen.preview(spec, seed=5, variant="score")
    print(shown.parts["state"], shown.parts["question"], sep="\n\n")
    print(*(f"  {option.name}: {option.q}" for option in shown.options), sep="\n")
    worldgen.emit(spec, 60, 5, folder)
    assert worldgen.verify(folder).ok
    cohort = worldgen.open(folder)
    truth = worldgen.oracle_reports(cohort)
    print("\nmean distance from the truth, and from what the relations demand")
    for found in worldgen.score(cohort, *truth, *map(certain, truth)).figures:
        what = found.label
        if what.metric in {"total_variation", "residual"} and not (found.stratum or what.against):
            print(f"  {what.system:8} {what.metric:16} {what.subject:24} {found.value or 0:6.3f}")


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        run(Path(temporary) / "cohort")
