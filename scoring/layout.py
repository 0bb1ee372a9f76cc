"""The columns of every table of results, and what they hold.

They are declared here and not read off the rows, so that a table without rows still has its columns, and so
that a column which happens to hold nothing in one run has the type that it has in all others.
"""

from collections.abc import Mapping

Kind = type[str] | type[bool] | type[int] | type[float]

_WORDS: Mapping[Kind, str] = {
    str: """
        system against other family metric subject stratum view variant kind reason condition contrast
        relation policy actions midpoint root_id requested reported empty_strata p_text
        exact exact_at exact_certificate exact_mean_error exact_hidden_error
    """,
    bool: "met flagged",
    int: """
        valid eligible infinite emptied intended rejected unavailable missing unfinished earlier selected
        misnamed rows count of reports cases correct sign helps equal harms lower higher both_below_defer
        queries decisions optimal suboptimal tied
        pairs act_guaranteed act_same class_guaranteed class_same action_same
    """,
    float: """
        at coverage value low high low_support high_support native_validity service_availability bound
        bayes_expected expected z p_value p_adjusted certificate mean_error hidden_error
        cost loss left right threshold inclusive strict amount mean_penalty
    """,
}

KINDS: Mapping[str, Kind] = {name: kind for kind, names in _WORDS.items() for name in names.split()}
"""What a column holds, by its name: the same in every table. Any of them may be null."""

_TABLES = {
    "figures": """
        system against family metric subject at coverage stratum view value low high low_support high_support
        valid eligible infinite empty_strata emptied exact
    """,
    "accounting": """
        system variant intended eligible valid rejected unavailable missing unfinished earlier selected
        misnamed native_validity service_availability
    """,
    "rejections": "system variant reason reports",
    "refused": "system reason rows",
    "criterion": "system condition value bound met",
    "views": "system other kind subject view count of",
    "models": "system requested reported reports",
    "leakage": """
        system variant cases correct bayes_expected expected z p_value p_text p_adjusted flagged
    """,
    "roots": """
        system root_id stratum reports certificate mean_error hidden_error
        exact_certificate exact_mean_error exact_hidden_error
    """,
    "policies": "system policy queries",
    "optimality": "system policy cost decisions optimal suboptimal tied",
    "helps_and_harms": "system contrast cost helps equal harms",
    "penalties": "system relation cost actions midpoint pairs mean_penalty",
    "margins": """
        system relation cost pairs act_guaranteed act_same class_guaranteed class_same action_same
    """,
    "differing_roots": "system contrast cost root_id sign amount exact",
    "loss_curves": "system policy cost loss",
    "loss_breakpoints": "system policy at exact_at left value right",
    "loss_signs": "system contrast lower equal higher both_below_defer",
    "murphy_curves": "system policy threshold inclusive strict",
    "murphy_breakpoints": "system policy at exact_at left right",
}

TABLES: Mapping[str, tuple[str, ...]] = {name: tuple(words.split()) for name, words in _TABLES.items()}
"""The columns of each table in their order."""
