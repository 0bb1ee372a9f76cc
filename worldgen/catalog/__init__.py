"""The worlds and cohort specs that ship with the library, a folder each."""

from pathlib import Path

_HERE = Path(__file__).parent


def worlds() -> dict[str, Path]:
    """The shipped worlds: name -> spec.

    >>> list(worlds())[:3]
    ['arithmetic', 'covert-transfer', 'credit-risk']
    """
    return _shipped("world.yaml")


def cohorts() -> dict[str, Path]:
    """The shipped cohort specs: name -> spec.

    >>> list(cohorts())
    ['contracts', 'headroom', 'recoding']
    """
    return _shipped("cohort.yaml")


def specs() -> dict[str, Path]:
    """Worlds and cohorts together."""
    return worlds() | cohorts()


def _shipped(file: str) -> dict[str, Path]:
    return {path.parent.name: path for path in sorted(_HERE.glob(f"*/{file}"))}
