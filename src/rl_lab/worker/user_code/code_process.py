"""The confined process of one piece of user code, as its worker sees it: started, asked, ended.

What comes back is from code that nobody trusts. It may forge answers, send half of one, or stop reading: every wait
has an end, and an answer that is not what was asked for is a failure of the code.
"""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import rl_lab
from rl_lab.core.errors import CodeFailed, NotReady
from rl_lab.core.workbench.code_kinds import FORMS, CodeKind
from rl_lab.guardian.confinement.confined_tree import LIMIT_CODES, NOT_STARTED, START
from rl_lab.guardian.files import Confinement, Launch, write_record
from rl_lab.worker.user_code.wire import MAX_ANSWER_BYTES, MAX_MESSAGE_BYTES, STAMP_BYTES, CodeChannel

ROOT = Path(rl_lab.__file__).parents[1]
OPEN_CPU_S, OPEN_S = 10.0, 60.0
CALL_CPU_S, CALL_S = 20.0, 60.0
"""Processor time and time for one message; a busy machine makes the second one longer, not the first."""
ENDING_S = 5.0
MAX_TEXT = 2000
KINDS = ("raised", "result", "slow")
VARIABLES = ("PATH", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "SYSTEMROOT")
PYTHON_VARIABLES = "PYTHON"
LOGGED = "RL_LAB_ATTEMPT"
"""Set for the worker of a run, whose log has a limit. Elsewhere what the code prints is dropped: the lab would read
all of it into its memory."""
INVALID = "its process sent an answer that is not valid"
SMALLER = "Take fewer arguments: info and observations are the large ones."


class CodeProcess:
    """One piece of user code in its own process."""

    takes: tuple[str, ...]
    has_reset: bool

    def __init__(self, source: str, kind: CodeKind, name: str, confine: Confinement) -> None:
        """Starts the process and does not wait for it; `open` comes next."""
        self._noun = FORMS[kind].noun
        self._name = name
        self._is_open = False
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = _start(confine, theirs.fileno())
        self._channel = CodeChannel(ours)
        self._form = form = FORMS[kind]
        self._question = {
            "source": source,
            "file": f"<{name}>",
            "function": form.function,
            "known": form.arguments,
        }

    def open(self) -> None:
        """CodeFailed when the code cannot be executed, with the line; NotReady when it cannot be confined."""
        try:
            answer = self.ask("open", self._question, "its start", cpu_s=OPEN_CPU_S, wait_s=OPEN_S)
            self.takes, self.has_reset = self._read_opened(answer, self._form.arguments)
        except BaseException:
            self.close()
            raise
        self._is_open = True

    def ask(
        self,
        op: str,
        question: Mapping[str, Any],
        about: str,
        *,
        cpu_s: float = CALL_CPU_S,
        wait_s: float = CALL_S,
    ) -> bytes:
        """The answer of the process; CodeFailed when the code fails, hangs or ends its process.

        `about`: what the limits are for, such as "2,048 steps".
        """
        until, stamp = time.monotonic() + wait_s, os.urandom(STAMP_BYTES)
        message = marshal.dumps({**question, "op": op, "cpu_s": cpu_s, "stamp": stamp})
        if len(message) > MAX_MESSAGE_BYTES:
            raise self._too_large(len(message), about)
        try:
            self._channel.write(message, until)
            answer = self._channel.read(MAX_ANSWER_BYTES, until)
        except TimeoutError:
            raise self._hung(f"it did not return within {wait_s:.0f} s for {about}") from None
        except ValueError:
            raise self.invalid_answer() from None
        except (EOFError, OSError):
            raise self._ended() from None
        if answer[:STAMP_BYTES] != stamp:
            raise self.invalid_answer()
        sign, rest = answer[STAMP_BYTES : STAMP_BYTES + 1], answer[STAMP_BYTES + 1 :]
        if sign == b"+":
            return rest
        raise self._failed(rest, f"it took more than {cpu_s:g} s of processor time for {about}")

    def end(self) -> None:
        """Ends the process, from any thread: a call that waits for its answer fails. `close` is still needed."""
        self._process.terminate()

    def close(self) -> None:
        self._channel.close()
        self._process.terminate()  # its parent ends everything it started
        try:
            self._process.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def invalid_answer(self) -> CodeFailed:
        """For an answer that the process of the lab's own code would not give: the user's code wrote it."""
        return self._failure(f"failed: {INVALID}", INVALID, "ended")

    def _read_opened(self, answer: bytes, known: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
        """Which arguments it takes, and whether it has a `reset`."""
        try:
            found = json.loads(answer)
            takes = tuple(name for name in known if name in found["takes"])
            return takes, found["has_reset"] is True
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self.invalid_answer() from None

    def _failed(self, told: bytes, too_slow: str) -> CodeFailed:
        try:
            found = json.loads(told)
            line, row = found["line"], found["row"]
            message, kind = str(found["message"])[:MAX_TEXT], found["kind"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return self.invalid_answer()
        line, row = (one if type(one) is int and 0 <= one < 2**53 else None for one in (line, row))
        where = f" in line {line}" if line is not None else ""
        message = too_slow if kind == "slow" else message
        return self._failure(
            f"failed{where}: {message.rstrip('.')}",
            message,
            kind if kind in KINDS else "ended",
            line=line,
            row=row,
        )

    def _hung(self, message: str) -> CodeFailed:
        self.close()
        return self._failure(f"was ended: {message}", message, "slow")

    def _too_large(self, size: int, about: str) -> CodeFailed:
        most = MAX_MESSAGE_BYTES >> 20
        message = f"{about} take {size >> 20:,} MiB, and at most {most:,} MiB are handed over at once"
        return self._failure(f"cannot be asked: {message}", message, "large", next_step=SMALLER)

    def _ended(self) -> NotReady:
        if self._channel.is_closed:
            message = "its process was ended before"
            return self._failure(f"failed: {message}", message, "ended")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDING_S)
        code = self._process.poll()
        if code is None:
            return self.invalid_answer()
        if code == NOT_STARTED and not self._is_open:
            return NotReady(
                f"The process of the {self._noun} “{self._name}” was not started, because it could not be confined.",
                cause="not-confined",
                next_step="`rl-lab doctor` shows what this machine can confine.",
            )
        if code == LIMIT_CODES["limit"]:
            message = "it started too many processes"
            return self._failure(f"was ended: {message}", message, "ended")
        message = f"it ended its own process (exit code {code})"
        return self._failure(f"failed: {message}", message, "ended")

    def _failure(self, what: str, reason: str, kind: str, **more: Any) -> CodeFailed:
        words = f"The {self._noun} “{self._name}” {what}."
        return CodeFailed(words, reason=reason, kind=kind, **more)


def _start(confine: Confinement, fd: int) -> subprocess.Popen[bytes]:
    # -P: a file in the current folder must not shadow a module.
    argv = [sys.executable, "-P", "-m", "rl_lab.worker.user_code.process", str(fd)]
    order = os.memfd_create("rl-lab-order")
    try:
        os.write(order, write_record(Launch(argv, env=_variables(), confine=confine, keeps_priority=True)))
        os.lseek(order, 0, os.SEEK_SET)
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", START, str(ROOT), str(order)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if LOGGED in os.environ else subprocess.DEVNULL,
            pass_fds=(order, fd),
            start_new_session=True,
        )
    finally:
        os.close(order)


def _variables() -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in VARIABLES or name.startswith(PYTHON_VARIABLES)
    }
    return {**kept, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
