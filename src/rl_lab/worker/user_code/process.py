"""The process that executes user code: it answers one message at a time until its worker closes the connection.

Started confined by `code_process.py`; imports little, because somebody waits for its start. Whatever the code does
here, it can only change the answers about its own rewards: the environment, its return and the recording are elsewhere.
"""

from __future__ import annotations

import inspect
import io
import json
import linecache
import marshal
import os
import signal
import sys
import traceback
import types
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from rl_lab.portable.error_text import error_text
from rl_lab.worker.user_code.results import BadResult, RewardResults, numbers_of
from rl_lab.worker.user_code.wire import MAX_MESSAGE_BYTES, from_column, read_message, write_all

MAX_TEXT = 2000
OK, FAILED = b"+", b"-"


class TookTooLong(BaseException):
    """The time for one message is over; no `except Exception` of the code catches it."""


class Episode(types.SimpleNamespace):
    """What evaluation code gets: each attribute is documented in docs/howto/evaluation-code.md."""


class PassedArgument(NamedTuple):
    """One that the function is called with."""

    name: str
    is_known: bool
    default: Any
    """What an argument gets that the lab does not know, because one after it is known."""


def main(argv: list[str]) -> None:
    """`fd`: the connection to the worker."""
    fd = int(argv[1])
    os.dup2(2, 1)  # prints of the code go to the log
    sys.stdin = io.StringIO()
    signal.signal(signal.SIGPROF, _on_time_over)
    code = UserCode()
    while True:
        try:
            message = marshal.loads(read_message(fd, MAX_MESSAGE_BYTES))  # noqa: S302  written by the worker
        except EOFError:
            os._exit(0)
        write_all(fd, _answer(code, message))


def _answer(code: UserCode, message: dict[str, Any]) -> bytes:
    limit, stamp = float(message.pop("cpu_s", 0.0)), bytes(message.pop("stamp"))
    code.row = None
    try:
        signal.setitimer(signal.ITIMER_PROF, limit)
        try:
            answer: bytes = getattr(code, message.pop("op"))(**message)
            return stamp + OK + answer
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except BaseException as error:  # every end of user code is explained
        return stamp + FAILED + json.dumps(_failure(code, error)).encode()


def _on_time_over(_signal: int, _frame: object) -> None:
    raise TookTooLong


class UserCode:
    """The code as it was opened, with what it keeps between calls."""

    def __init__(self) -> None:
        self.file = "<user code>"
        self.row: int | None = None
        """The row that is being computed, for error messages."""
        self._module = types.ModuleType("user_code")
        self._function: Callable[..., Any] = lambda: None
        self._arguments: list[PassedArgument] = []
        self._reset: Callable[..., Any] | None = None
        self._states: dict[int, Any] = {}
        self._results = RewardResults()

    @property
    def first_line(self) -> int | None:
        """Of its function; None before it was opened."""
        inner = getattr(self._function, "__code__", None)
        return inner.co_firstlineno if inner is not None and inner.co_filename == self.file else None

    def open(self, *, source: str, file: str, function: str, known: Sequence[str]) -> bytes:
        """Executes the code; returns what its function takes."""
        self.file = file
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        sys.modules["user_code"] = self._module
        exec(compile(source, file, "exec"), self._module.__dict__)  # noqa: S102  what this process is for
        found = getattr(self._module, function, None)
        if not inspect.isfunction(found):
            raise BadResult(0, f"{function} must be a function.")
        self._function = found
        self._arguments = _arguments(found, known)
        self._reset = getattr(self._module, "reset", None)
        takes = [one.name for one in self._arguments if one.is_known]
        return json.dumps({"takes": takes, "has_reset": callable(self._reset)}).encode()

    def score(self, *, columns: dict[str, Any], begins: bytes, lanes: bytes | None) -> bytes:
        """One reward per row. `begins`: which rows are the first of an episode; `lanes`: which environment each is of.

        Columns are arrays, or lists of Python values (such as infos).
        """
        n = len(begins)
        given = [
            self._column(one.name, columns, begins, lanes) if one.is_known else repeat(one.default)
            for one in self._arguments
        ]
        results: list[Any] = []
        try:
            if given:
                for arguments in zip(*given, strict=False):
                    results.append(self._function(*arguments))
            else:
                results.extend(self._function() for _ in range(n))
        except BaseException:
            self.row = len(results)
            raise
        return self._results.pack(results)

    def evaluate(self, *, episode: dict[str, Any]) -> bytes:
        """The numbers of one whole episode, as JSON."""
        fields = {name: from_column(v) if isinstance(v, tuple) else v for name, v in episode.items()}
        return json.dumps(numbers_of(self._function(Episode(**fields)))).encode()

    def _column(self, name: str, columns: dict[str, Any], begins: bytes, lanes: bytes | None) -> Any:
        if name == "state":
            return self._each_state(begins, lanes)
        column = columns.get(name)
        if column is None:
            return [{} for _ in begins] if name == "info" else [None] * len(begins)
        if isinstance(column, list):
            return column
        array = from_column(column)
        # Numbers are handed over as Python's own; rows as arrays.
        return array.tolist() if array.ndim == 1 else array

    def _each_state(self, begins: bytes, lanes: bytes | None) -> Iterator[Any]:
        numbers = np.frombuffer(lanes, "<i4").tolist() if lanes is not None else [0] * len(begins)
        for begin, lane in zip(begins, numbers, strict=True):
            if begin or lane not in self._states:
                made = self._reset() if callable(self._reset) else None
                self._states[lane] = {} if made is None else made
            yield self._states[lane]


def _arguments(function: Callable[..., Any], known: Sequence[str]) -> list[PassedArgument]:
    """What to hand over, by place, in the function's own order; what is not needed at the end is left out."""
    parameters = list(inspect.signature(function).parameters.values())
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and (one.name in known or one.default is one.empty):
            raise BadResult(0, f"Arguments after * are not supported; list “{one.name}” before it.")
    by_place = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    found = [PassedArgument(p.name, p.name in known or p.default is p.empty, p.default) for p in by_place]
    while found and not found[-1].is_known:
        found.pop()
    return found


def _failure(code: UserCode, error: BaseException) -> dict[str, Any]:
    """Cause, place in the code and row, for the worker; the traceback goes to the log."""
    row = error.row if isinstance(error, BadResult) else code.row
    line = _line(code, error)
    if isinstance(error, BadResult):
        message = str(error)
    elif isinstance(error, TookTooLong):
        message = "It took too long"
    else:
        message = error_text(error)
        traceback.print_exception(error)
    kind = (
        "slow" if isinstance(error, TookTooLong) else "result" if isinstance(error, BadResult) else "raised"
    )
    return {"message": message[:MAX_TEXT], "line": line, "row": row, "kind": kind}


def _line(code: UserCode, error: BaseException) -> int | None:
    """Where it happened in the code; for a wrong result, where the function begins that returned it."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    found = next((frame.lineno for frame in frames if frame.filename == code.file), None)
    if found is None and isinstance(error, SyntaxError):
        return error.lineno
    return code.first_line if found is None and isinstance(error, BadResult) else found


if __name__ == "__main__":
    main(sys.argv)
