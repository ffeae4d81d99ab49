"""The only way to the terminal: every command prints through this module.

Text of runs is foreign, so control characters are removed from all of it; colours, bars and the bell are added after.
A test fails when another module of the command line prints by itself.
"""

from __future__ import annotations

import builtins
import sys
import threading
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from rl_lab.core.words.shown_text import on_one_line, without_controls

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

BELL = "\a"


def print(
    *values: object, sep: str = " ", end: str = "\n", file: TextIO | None = None, flush: bool = False
) -> None:
    """The built-in `print`, without control characters in the values; `end` is ours and is printed as it is."""
    text = without_controls(sep.join(map(str, values)))
    builtins.print(text, end=end, file=sys.stdout if file is None else file, flush=flush)


def confirm(question: str, *, default: bool = False) -> bool:
    """Asks on stderr."""
    import typer

    return typer.confirm(on_one_line(question), default=default, err=True)


def ring_bell() -> None:
    print(end=BELL, file=sys.stderr, flush=True)


def make_console(*, stderr: bool = False, **options: Any) -> Console:
    """A console of rich whose texts are cleaned before they are coloured."""
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class CleanConsole(Console):
        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else segment._replace(text=without_controls(segment.text))

    return CleanConsole(stderr=stderr, **options)


def make_progress(*columns: Any) -> Progress:
    """Bars on stderr, shown while it is entered or started."""
    from rich.progress import Progress

    return Progress(*columns, console=make_console(stderr=True), refresh_per_second=4)


def clean_tracebacks() -> None:
    """The message of an unexpected error may contain foreign text as well."""
    sys.excepthook = _print_traceback
    threading.excepthook = lambda failed: _print_traceback(
        failed.exc_type, failed.exc_value, failed.exc_traceback
    )


def _print_traceback(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> None:
    print("".join(traceback.format_exception(kind, error, trace)), end="", file=sys.stderr, flush=True)
