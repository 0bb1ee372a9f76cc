"""The chat wire: how a state and a question with labelled options are written down as messages.

The body is {"model": ..., "messages": [system, user]}. The system message says how to answer: one JSON
object, label to probability, or the description of an option to its probability (BY_ANSWER), or one such
object for each of several positions (JOINT). The user message is the state, the question, and a line an
option, `label: description`. Every option is labelled, so an event is asked for as a choice between itself
and its negation.
"""

from collections.abc import Sequence
from string import ascii_uppercase

from worldgen.renderers.lines import Item, Leaf, Literal, Tree

PREAMBLE = (
    "You estimate probabilities from complete information. The user gives a situation, a question and "
    "labelled answers. Reply with one JSON object and nothing else: its keys are the labels, its values the "
    "probabilities of the answers, as decimals that sum to 1."
)
BY_ANSWER = (
    "You estimate probabilities from complete information. The user gives a situation, a question and "
    "labelled answers. Reply with one JSON object and nothing else: its keys are the answers as they stand "
    "behind the labels, not the labels; its values are their probabilities, as decimals that sum to 1."
)
_JOINT = (
    "You estimate probabilities from complete information. The user gives a situation, a question about "
    "several positions and labelled answers. Reply with one JSON object and nothing else: its keys are the "
    "positions, and each of its values is a JSON object for the one position: its keys are the {}, its "
    "values the probabilities there, as decimals that sum to 1."
)
JOINT = _JOINT.format("labels")
JOINT_BY_ANSWER = _JOINT.format("answers as they stand behind the labels, not the labels")
PORTABLE_OPTIONS = 26


def letters(count: int) -> tuple[str, ...]:
    """The labels of `count` options: A to Z, then AA, AB and on.

    >>> letters(28)[-3:]
    ('Z', 'AA', 'AB')
    """
    pairs = [first + second for first in ascii_uppercase for second in ascii_uppercase]
    return tuple([*ascii_uppercase, *pairs][:count])


def payload(
    state: Leaf,
    model: str,
    instructions: Leaf,
    options: Sequence[tuple[Leaf, Leaf]],
    preamble: str = PREAMBLE,
) -> Tree:
    r"""The JSON tree of one request, for a Plan; each option is its label and its description.

    >>> from worldgen.renderers.lines import straight
    >>> say = lambda text: Leaf((Literal(text),))
    >>> tree = payload(say("a coin"), "m", say("Which side?"), [(say("A"), say("heads"))])
    >>> straight(tree).write({})[-63:]
    '{"role":"user","content":"a coin\\n\\nWhich side?\\n\\nA: heads"}]}'
    """
    items: list[Item] = [*state.items, Literal("\n\n"), *instructions.items, Literal("\n")]
    for label, description in options:
        items += [Literal("\n"), *label.items, Literal(": "), *description.items]
    messages: list[Tree] = [
        {"role": "system", "content": preamble},
        {"role": "user", "content": Leaf(tuple(items))},
    ]
    return {"model": model, "messages": messages}
