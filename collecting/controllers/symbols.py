"""Symbols: what one step of a construction may give, each with a name."""

DIGITS = tuple("0123456789")
LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")
END = "END"
"""The mark that nothing follows. It is longer than a character, so no character can be mistaken for it."""

_MARKS = {
    ".": "full stop",
    ",": "comma",
    "!": "exclamation mark",
    "?": "question mark",
    ";": "semicolon",
    ":": "colon",
    "'": "apostrophe",
    '"': "quotation mark",
    "-": "hyphen",
    "(": "opening parenthesis",
    ")": "closing parenthesis",
}
_BLANKS = {" ": "space", "\n": "newline", "\t": "tab"}

PUNCTUATION = tuple(_MARKS)

STOPPING = (*LETTERS, *DIGITS, *_MARKS, *_BLANKS, END)
"""The 51 symbols of the track in which a system itself says where its answer ends."""


def name_of(symbol: str) -> str:
    """The name of a symbol: of a mark or a blank what it is called, of any other the symbol itself.

    >>> name_of("7"), name_of("("), name_of(" "), len(set(map(name_of, STOPPING)))
    ('7', 'opening parenthesis', 'space', 51)
    """
    return {**_MARKS, **_BLANKS}.get(symbol, symbol)
