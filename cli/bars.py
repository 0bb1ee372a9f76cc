"""A bar of progress in roots: how many, at what rate, and how long it takes from here."""

from time import monotonic
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from worldgen.cli.output import counted


class Rate(ProgressColumn):
    """Roots a second since the work began; what was found finished is not counted."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        """The rate, once there is one."""
        written = task.completed - task.fields["found"]
        seconds = monotonic() - task.fields["began"]
        return Text(f"{counted(round(written / seconds), 'root')}/s" if written and seconds else "")


class RootsBar:
    """A bar that is there while it is entered, and leaves nothing behind."""

    def __init__(self, console: Console) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[said]}"),
            Rate(),
            TimeRemainingColumn(compact=True),
        )
        self._progress = Progress(*columns, console=console, transient=True)
        self._task = self._progress.add_task("looking", total=None, said="", found=0, began=monotonic())
        self._begun = False

    def __enter__(self) -> "RootsBar":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def update(self, done: int, total: int) -> None:
        """Show how many roots of how many are written. The first call says how many were found."""
        if not self._begun:
            self._begun = True
            self._progress.reset(
                self._task, total=total, completed=done, found=done, said="", began=monotonic()
            )
        description = "finishing" if done == total else "writing"
        said = f"{done:,} of {counted(total, 'root')}"
        self._progress.update(self._task, completed=done, description=description, said=said)
