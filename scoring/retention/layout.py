"""The columns of every table of retention, and what they hold; `scoring.layout` says why here."""

from collections.abc import Mapping

Kind = type[str] | type[bool] | type[int] | type[float]

_SHARES = """
    native built scr by_length loss gain gain_rate beyond_independence beyond mean worst difference extra_loss
    interaction
"""
_ENDPOINTS = "mean_turn final_state trajectory retained"


def _with_ends(names: str) -> str:
    return " ".join(f"{name} {name}_low {name}_high" for name in names.split())


_WORDS: Mapping[Kind, str] = {
    str: "system arm against stratum domain worst_at class outcome score reason family measure lengths",
    int: """
        items both native_only built_only arm_only against_only neither draws templates runs right valid
        calls fills decisions ended cap aborted answers of content beginning exhausted of_wrong
        positions dialogues turns failed recovered recovered_finally rows
    """,
    float: f"""
        {_with_ends(_SHARES)} {_with_ends(_ENDPOINTS)} exact_low exact_high least greatest mcnemar
        mcnemar_holm signs signs_holm aligned conflicting opaque remapped independent_raw
        independent_indexed serial_raw serial_indexed arm_share against_share composed accuracy fidelity
        on_right on_wrong whole local total_variation jensen_shannon unsupported reference value
        auroc brier
        prevalence calibration_error average_precision from to
    """,
}

KINDS: Mapping[str, Kind] = {name: kind for kind, names in _WORDS.items() for name in names.split()}
"""What a column holds, by its name: the same in every table. Any of them may be null."""

_JOINT = "items both native_only built_only neither"

_TABLES = {
    "joint": f"""
        system arm against {_JOINT} {_with_ends("native built scr")} exact_low exact_high least greatest
        {_with_ends("by_length loss gain gain_rate beyond_independence")}
    """,
    "tests": "system arm native_only built_only mcnemar mcnemar_holm signs signs_holm draws",
    "common": f"system arm {_JOINT} scr exact_low exact_high",
    "strata": f"""
        system arm stratum {_JOINT} scr exact_low exact_high built composed {_with_ends("beyond")}
    """,
    "domains": f"system arm domain {_JOINT} {_with_ends('scr')} exact_low exact_high",
    "templates": f"system arm templates items {_with_ends('mean worst')} worst_at",
    "contrasts": f"""
        system arm family against measure items both arm_only against_only neither arm_share against_share
        {_with_ends("difference")} mcnemar mcnemar_holm signs signs_holm draws
    """,
    "bindings": f"""
        system arm measure items aligned conflicting opaque remapped {_with_ends("extra_loss")} signs
        signs_holm draws
    """,
    "interactions": f"""
        system arm measure items serial_indexed serial_raw independent_indexed independent_raw
        {_with_ends("interaction")} signs signs_holm draws
    """,
    "runs": "system arm runs right accuracy valid calls fills decisions ended cap aborted",
    "classes": "system arm class answers of",
    "words": "system arm class runs of",
    "stopping": "system arm outcome runs of content beginning exhausted",
    "fidelity": "system arm items of_wrong fidelity on_right on_wrong accuracy",
    "projection": """
        system arm items positions whole local total_variation jensen_shannon unsupported reference
    """,
    "confidence": """
        system arm score lengths items value accuracy brier prevalence calibration_error auroc
        average_precision
    """,
    "reliability": "system arm score lengths from to items value accuracy",
    "dialogues": f"""
        system arm dialogues turns calls valid {_with_ends("mean_turn final_state trajectory")} failed
        recovered recovered_finally {_with_ends("retained")} signs signs_holm draws
    """,
    "refused": "reason rows",
}

TABLES: Mapping[str, tuple[str, ...]] = {name: tuple(words.split()) for name, words in _TABLES.items()}
"""The columns of each table in their order."""
