"""A process that makes no frames: it never imports pandas.

Arrow imports pandas, where it is installed, for its first array. That takes longer than many a command.
"""

import sys
from importlib.abc import MetaPathFinder


class _Frameless(MetaPathFinder):
    """What finds no pandas, and leaves every other module to those that come next."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(f"no pandas in this process: {__name__}")


def frameless() -> None:
    """Let this process do without pandas from now on, if it has not imported it yet."""
    sys.meta_path.insert(0, _Frameless())
