"""`rl-lab check-worker -- COMMAND`: runs a program and reports every line that violates the worker protocol."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.orchestrator.ingest.conformance import Conformance

STOP = b'{"cmd":"stop"}\n'
GRACE_S = 10.0
"""How long a program may take to obey a stop message."""
NOT_CONFINED = "Not confined: the program runs with all your permissions. As a run of the lab it is confined."
CHUNK = 1 << 16
MOST_BUFFERED = 4 << 20


def register(app: typer.Typer) -> None:
    settings = {"ignore_unknown_options": True, "allow_interspersed_args": False}
    app.command("check-worker", context_settings=settings)(check_worker)


def check_worker(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND…", help="The command line of the program.")
    ],
    seconds: Annotated[
        float, typer.Option(min=0.1, max=3600, help="Ask the program to stop after this time.")
    ] = 20.0,
    lines: Annotated[
        int | None,
        typer.Option(min=1, help="Ask the program to stop after this many lines.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check a program against the worker protocol; exit code 0 if it conforms, otherwise 1.

    The program is not confined: it runs as if you had started it yourself.
    """
    from rl_lab.orchestrator.ingest.conformance import Conformance

    if not as_json:
        print(NOT_CONFINED, file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="rl-lab-check-") as folder:
        checked = Conformance(folders=(folder, os.path.realpath(folder)))
        exit_code, stop = CheckedProgram(command, checked, quiet=as_json).run(folder, seconds, lines)
    checked.end(exit_code, was_ended=stop == "ignored")
    if as_json:
        print_json(_result(checked, exit_code, stop))
    else:
        _print(checked, exit_code, stop)
    return 0 if checked.is_conformant else 1


class CheckedProgram:
    """One run of the program, in a temporary folder."""

    def __init__(self, command: list[str], checked: Conformance, *, quiet: bool) -> None:
        self._command = command
        self._checked = checked
        self._quiet = quiet
        self._rest = b""
        self._ended_at: float | None = None

    def run(self, folder: str, seconds: float, lines: int | None) -> tuple[int, str]:
        """The exit code, and the result of the stop message: `not asked`, `heeded` or `ignored`."""
        with self._start(folder) as process:
            try:
                stop = self._listen(process, time.monotonic() + seconds, lines)
            finally:
                with contextlib.suppress(OSError):
                    os.killpg(process.pid, signal.SIGKILL)
        if self._rest:
            self._checked.feed(self._rest)
        return process.returncode, stop

    def _start(self, folder: str) -> subprocess.Popen[bytes]:
        from rl_lab.core.errors import InvalidInput

        # The program runs in another folder, so relative paths are made absolute.
        first, *rest = self._command
        argv = [str(Path(first).absolute()) if "/" in first else first]
        argv += [str(Path(word).absolute()) if Path(word).exists() else word for word in rest]
        try:
            return subprocess.Popen(
                argv,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
                stderr=subprocess.DEVNULL if self._quiet else None,
            )
        except OSError as error:
            raise InvalidInput(f"{argv[0]} cannot be started: {error.strerror}.") from None

    def _listen(self, process: subprocess.Popen[bytes], deadline: float, lines: int | None) -> str:
        stop, grace_ends = "not asked", float("inf")
        assert process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                now = time.monotonic()
                is_enough = lines is not None and self._checked.lines >= lines
                if stop == "not asked" and (now >= deadline or is_enough):
                    stop, grace_ends = "heeded", now + GRACE_S
                    self._ask_to_stop(process)
                if now >= grace_ends:
                    return "ignored"
                wait_until = deadline if stop == "not asked" else grace_ends
                if selector.select(max(0.0, wait_until - now)) and not self._read(process):
                    break
        try:
            process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            return "ignored"
        return stop

    def _ask_to_stop(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        with contextlib.suppress(OSError):  # stdin is closed; the program then counts as ignoring the stop
            process.stdin.write(STOP)
            process.stdin.flush()

    def _read(self, process: subprocess.Popen[bytes]) -> bool:
        """Reads the available output and checks its complete lines; False at the end of the output."""
        assert process.stdout is not None
        chunk = os.read(process.stdout.fileno(), CHUNK)
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        for line in whole:
            self._checked.feed(line)
        if len(self._rest) > MOST_BUFFERED:  # an endless line is checked as far as it was read
            self._checked.feed(self._rest)
            self._rest = b""
        return bool(chunk)


STOPS = {
    "not asked": "It exited before it was asked to stop; use --lines 3 to ask earlier.",
    "heeded": "It stopped when asked.",
    "ignored": f'It did not exit within {GRACE_S:.0f} s after {{"cmd":"stop"}} on its stdin; the lab would kill it.',
}


def _result(checked: Conformance, exit_code: int, stop: str) -> dict[str, Any]:
    return {
        "conformant": checked.is_conformant,
        "isolation": "none",
        "lines": checked.lines,
        "events": checked.counts,
        "stop": stop,
        "exit_code": exit_code,
        "remarks": [remark._asdict() for remark in checked.remarks],
    }


def _print(checked: Conformance, exit_code: int, stop: str) -> None:
    for remark in checked.remarks:
        place = f"line {remark.line}" if remark.line is not None else "program"

        print(f"{place}: {remark.level}: {remark.what}\n    {remark.instead}")
    events = ", ".join(f"{count} {name}" for name, count in sorted(checked.counts.items())) or "no events"
    print(f"{checked.lines} lines ({events}), exit code {exit_code}. {STOPS[stop]}")
    faults = sum(remark.level == "fault" for remark in checked.remarks)
    print(f"Not conformant: {faults} faults." if faults else "Conformant.", file=sys.stdout)
