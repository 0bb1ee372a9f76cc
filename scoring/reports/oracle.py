"""The oracle: a system that answers every eligible request with the exact truth."""

from worldgen.scoring.reports.report import Report
from worldgen.scoring.reports.tables import Rows, table_rows


def oracle_reports(requests: Rows, targets: Rows, system: str = "oracle") -> list[Report]:
    """One report per eligible request, its probabilities the texts of q just as the targets write them.

    It scores 0 on total variation and on every residual, exactly; a cohort or a scorer for which it does
    not is wrong.

    >>> request = {"request_id": "r", "answer_ids": ["A", "B"], "eligible": True}
    >>> oracle_reports([request], [{"request_id": "r", "q": ["1/3", "2/3"]}])[0].probabilities
    (('A', '1/3'), ('B', '2/3'))
    """
    gold = {row["request_id"]: row["q"] for row in table_rows(targets, ("request_id", "q"), table="targets")}
    asked = table_rows(requests, ("request_id", "answer_ids", "eligible"), table="requests")
    return [
        Report(
            system,
            row["request_id"],
            probabilities=tuple(zip(row["answer_ids"], gold[row["request_id"]], strict=True)),
        )
        for row in asked
        if row["eligible"]
    ]
