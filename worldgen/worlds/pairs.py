"""The table of pairs that `arithmetic` ships: which geometry each of its items shares with its partner.

The figures of the published design are kept: lengths 3 to 8, 64 items each, of K = (8, 2 for 1 <= k < j, then
1) candidates left by a prefix of length k. Where its branch positions j come from a lexicon, these take the
positions 2 .. L in turn, so that no lexicon is needed; j moves on by one with each item and by one more after
each cell of carry and structure, so that every cell has every j.
"""

LENGTHS = range(3, 9)
ITEMS = 64
CELLS = 4


def pairs() -> dict[str, tuple[int, int, int]]:
    """The name of each pair with its length, the first position 1, and the branch position j.

    >>> len(pairs()), pairs()["p000"], pairs()["p383"]
    (384, (3, 1, 2), (8, 1, 6))
    """
    found: dict[str, tuple[int, int, int]] = {}
    for length in LENGTHS:
        for item in range(ITEMS):
            branch = 2 + (item // CELLS + item % CELLS) % (length - 1)
            found[f"p{len(found):03d}"] = (length, 1, branch)
    return found


def table() -> str:
    """The text of the file that ships: a line for each pair."""
    lines = (f"{name}: [{', '.join(map(str, numbers))}]" for name, numbers in pairs().items())
    return "\n".join(
        ["# name of the pair: [length, first position, branch position], by worlds/pairs.py", *lines, ""]
    )
