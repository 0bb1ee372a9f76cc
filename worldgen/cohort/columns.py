"""What the tables of a cohort say: a row of each, its key, and every column."""

from collections.abc import Mapping

ROWS: Mapping[str, str] = {
    "roots": "one draw of a world: what its requests show",
    "requests": "one request of a root: the text that a model receives, and the answers that it allows",
    "truth": "the exact posterior of one root, what stayed hidden, and what came out",
    "targets": "the exact answer to one request, row by row as in `requests`",
    "relations": "one demand of probability on the answers to several requests of a root",
    "pool": "one case to learn from, with its outcome: no request asks about it",
    "geometry": "the candidates of one root: what each beginning of the right one leaves open",
}
"""What one row is."""

KEYS: Mapping[str, tuple[str, ...]] = {
    "roots": ("root_id",),
    "requests": ("request_id",),
    "truth": ("root_id",),
    "targets": ("request_id",),
    "relations": ("root_id", "relation"),
    "pool": ("pool_id",),
    "geometry": ("root_id",),
}
"""The columns that together name a row."""

DESCRIPTIONS: Mapping[str, Mapping[str, str]] = {
    "roots": {
        "root_id": "Name of the root, unique in the cohort; differs between specs and between seeds.",
        "world": "Name of the world that it was drawn from.",
        "stratum": "Name of the stratum: the world in one encoding.",
        "view": "Name of the view: which variables of the world its requests show.",
        "visible": "Values of the shown variables as texts, in the order in which manifest.json names them, "
        "under worlds, the world, visible; of a world with several views under strata, the stratum.",
        "semantic_digest": "SHA-256 of all that the posterior depends on: roots that share it ask the same. "
        "Encoding, metadata and order of display leave it as it is.",
    },
    "requests": {
        "request_id": "Name of the request, unique in the cohort: the root_id, then the variant.",
        "root_id": "The root that it asks about.",
        "variant": "Name of the variant: what is asked for and how it is presented.",
        "position": "Place of the variant among the requests of its root, from 0.",
        "form": "What kind of answer is wanted: event (is it so?), choice (which one?) or score (how much?).",
        "wire": "The format in which the payload is written down.",
        "payload": "The request body, a JSON text: send it byte for byte as it stands. Null if not eligible.",
        "options": "Names of the options, in the order in which the payload displays them.",
        "answer_ids": "What an answer calls each option, in the same order: its label in the payload, or "
        "what it says, where the payload asks for that.",
        "eligible": "Whether the question has an answer; it has none given something of probability zero, "
        "or at a position beyond the answer.",
        "portable": "Whether the payload stays within what every server of the wire accepts.",
    },
    "truth": {
        "root_id": "The root.",
        "view": "Name of the view that the posterior is given.",
        "posterior": "Exact probability of each atom, as texts like 1/35, in the order in which "
        "manifest.json names them, under worlds, the world, atoms.",
        "hidden": "Values of the variables that are drawn and never shown, in the order in which "
        "manifest.json names them, under worlds, the world, hidden; of a world with several views under "
        "strata, the stratum.",
        "outcome": "Position of the atom that came out. All requests of the root read their outcome from it.",
    },
    "targets": {
        "request_id": "The request that this row answers.",
        "event_map": "For each option, in displayed order, the positions of the atoms that it stands for.",
        "given": "Positions of the atoms that the question takes for granted: all, if it has no condition.",
        "q": "Exact probability of each option, in displayed order, as texts like 220/317. "
        "Null if not eligible.",
        "q_float": "The doubles nearest to q, for convenience; nothing is ever computed from them.",
        "outcome": "Position, in displayed order, of the option that came out true. Null if not eligible, "
        "or if the condition did not come out true.",
        "ineligible_reason": "Why the question has no answer. Null if it has one.",
    },
    "relations": {
        "root_id": "The root whose requests are compared.",
        "relation": "Name of the relation.",
        "request_ids": "The requests compared, in the order in which the relation takes them.",
        "eligible": "Whether every request compared is eligible.",
        "reason": "Why the relation cannot be judged on this root. Null if it can.",
        "tolerance": "The largest residual that passes, as a decimal text.",
        "primary": "Whether the relation counts in the joint criterion; the others are diagnostics.",
        "identity_control": "Whether the requests compared are written in the very same way, so that a "
        "residual says something of the system's own noise only.",
    },
    "pool": {
        "pool_id": "Name of the case, unique in the cohort.",
        "stratum": "Name of the stratum whose requests may demonstrate it.",
        "view": "Name of the view: which variables of the world it shows.",
        "position": "Place of the case in the pool, from 0: what demonstrates k cases shows the first k.",
        "visible": "Values of the shown variables as texts, in the order in which manifest.json names them, "
        "under worlds, the world, visible; of a world with several views under strata, the stratum.",
        "case": "The case as a request shows it.",
        "outcome": "Name of the class that came true.",
    },
    "geometry": {
        "root_id": "The root, of a world of candidates.",
        "gold": "The right answer. In views that have a wrong word copied, this is not the outcome.",
        "length": "L, the number of its characters.",
        "counts": "K(k), the number of candidates that begin with the first k characters of the right "
        "answer, for k = 0 to L.",
        "entropies": "log2 K(k) in bits, for the same k, exact: a number, or log2(RATIO)/PARTS where it "
        "is not rational.",
        "mean_entropy": "The mean of log2 K(k) over k = 0 to L - 1, likewise.",
        "branch_entropies": "Entropy of the next character given the first k of the right answer, each "
        "candidate that begins so as likely, for k = 0 to L - 1, likewise.",
        "first_unique": "The least k with K(k) = 1.",
        "branches": "Positions, counted from 1, at which candidates that begin as the right one does differ.",
        "unions": "The characters that candidates have at each position, in the order of the alphabet.",
        "mean_union": "The mean number of these, as an exact text.",
        "cartesian": "How many words have one of these characters at every position.",
    },
}
"""Table -> column -> its meaning, columns in the order of the schema."""
