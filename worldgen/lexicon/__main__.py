"""Makes the lexicon that ships: `python -m worldgen.lexicon FOLDER`, with worldgen[lexical] installed."""

import sys
from pathlib import Path

from worldgen.exact.errors import WorldgenError
from worldgen.lexicon.files import lexicon
from worldgen.worlds.pairs import pairs


def main(words: list[str]) -> str:
    """Write the files into a folder that exists; what is to be said of that, or why it could not be done."""
    try:
        from worldgen.lexicon.sources import screen  # noqa: PLC0415  (only those who make it have the sources)
    except ModuleNotFoundError as error:
        return f"{error.name} is not installed; install worldgen[lexical]"
    if len(words) != 1 or not Path(words[0]).is_dir():
        return "usage: python -m worldgen.lexicon FOLDER, where the folder exists"
    slots = {name: (length, branch) for name, (length, _, branch) in pairs().items()}
    try:
        made = lexicon(screen(), slots)
        for name, text in made.items():
            (Path(words[0]) / name).write_text(text, encoding="utf-8", newline="\n")
    except (WorldgenError, OSError) as error:
        return str(error)
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or None)
