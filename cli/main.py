"""The group of all commands, and how every one of them ends."""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

import click

from worldgen.cli.check import check
from worldgen.cli.construct import construct
from worldgen.cli.design import design
from worldgen.cli.emit import emit
from worldgen.cli.oracle import oracle
from worldgen.cli.preview import preview
from worldgen.cli.reference import reference
from worldgen.cli.retention import retention
from worldgen.cli.score import score
from worldgen.cli.show import show
from worldgen.cli.start import say
from worldgen.cli.verify import verify
from worldgen.cli.worlds import worlds
from worldgen.exact.errors import WorldgenError
from worldgen.interrupts import Handler, heeded

REFUSED, MISUSED, INTERRUPTED, UNREAD, TERMINATED = 1, 2, 130, 141, 143


class Front(click.Group):
    """A group that ends without a traceback for anything that is not a fault of this library.

    Exit codes: 0 fine; 1 a finding, a refusal, or a file that cannot be read or written; 2 wrong use;
    130 interrupted; 141 when the reader of stdout went away, as for any other program in a pipe; 143
    terminated.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they are used, not of the alphabet."""
        return list(self.commands)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> NoReturn:
        """Run one command line and exit."""
        _write_anything(sys.stdout)
        _write_anything(sys.stderr)
        extra["standalone_mode"] = False
        try:
            with _answered(), heeded():
                code = super().main(args, *rest, **extra)
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except WorldgenError as error:
            code = _refused(str(error))
        except (click.Abort, KeyboardInterrupt):
            say("interrupted")
            code = INTERRUPTED
        except SystemExit as end:
            if end.code == TERMINATED:
                say("terminated")
            code = end.code
        except BrokenPipeError:
            code = _unread()
        except OSError as error:
            code = _refused(_os_message(error))
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Two endings are told apart here, which click would both call 1."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None
        except BrokenPipeError:
            raise click.exceptions.Exit(_unread()) from None


@contextmanager
def _answered() -> Iterator[None]:
    """Let SIGINT and SIGTERM end a command by an exception, so that terminals and files are left in order. A
    signal that is ignored stays ignored.
    """

    def terminate(number: int, frame: FrameType | None) -> NoReturn:
        sys.exit(TERMINATED)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    answers: dict[int, Handler] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: terminate,
    }
    before = {
        number: signal.signal(number, answer)
        for number, answer in answers.items()
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _write_anything(stream: Any) -> None:
    """Let a stream escape the characters that its encoding lacks, rather than fail at them."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")


def _refused(message: str) -> int:
    click.echo(f"Error: {message}", err=True)
    return REFUSED


def _os_message(error: OSError) -> str:
    if error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _unread() -> int:
    # The interpreter flushes stdout once more when it ends, and would complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return UNREAD


@click.command(cls=Front, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="worldgen", message="%(package)s %(version)s")
def main() -> None:
    """Make benchmarks whose every probability is exact, check them, and score answers to them.

    \b
    worldgen preview contracts --seed 7
    worldgen emit contracts --roots 1000 --seed 7 --out cohort
    worldgen verify cohort
    worldgen oracle cohort --out oracle.jsonl
    worldgen score cohort oracle.jsonl

    Results go to stdout, progress and errors to stderr. Exit codes: 0 fine, 1 a finding or a refused
    file, 2 wrong use, 130 interrupted, 143 terminated.
    """


for command in (
    worlds,
    show,
    design,
    preview,
    check,
    emit,
    reference,
    verify,
    oracle,
    score,
    construct,
    retention,
):
    main.add_command(command)
