"""The process that executes user code: it answers one message at a time until its worker closes the connection.

Started confined by `scorer.py`; imports little, because somebody waits for its start. Whatever the code does here, it
can only change the answers about its own rewards: the environment, its return and the recording are elsewhere.
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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.worker.user_code.wire import (
    MAX_MESSAGE_BYTES,
    MAX_NAME,
    MAX_TERMS,
    from_column,
    read_message,
    write_all,
)

NUMBERS = {int, float, bool, np.float64, np.float32, np.float16, np.bool_, np.int64, np.int32, np.uint8}
LARGEST = 1e12
"""No learner makes sense of larger rewards."""
MAX_TEXT = 2000
OK, FAILED = b"+", b"-"


class BadResult(Exception):
    """The code returned something that is not a number."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row


class TookTooLong(BaseException):
    """The time for one message is over; no `except Exception` of the code catches it."""


def main(argv: list[str]) -> None:
    """`fd`: the connection to the worker."""
    fd = int(argv[1])
    os.dup2(2, 1)  # prints of the code go to the log
    sys.stdin = io.StringIO()
    signal.signal(signal.SIGALRM, _on_alarm)
    signal.signal(signal.SIGPROF, _on_alarm)
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


def _on_alarm(_signal: int, _frame: object) -> None:
    raise TookTooLong


class UserCode:
    """The code as it was opened, with what it keeps between calls."""

    def __init__(self) -> None:
        self.file = "<user code>"
        self.row: int | None = None
        """The row that is being computed, for error messages."""
        self._module = types.ModuleType("user_code")
        self._function: Callable[..., Any] = lambda: None
        self._takes: tuple[str, ...] = ()
        self._reset: Callable[..., Any] | None = None
        self._states: dict[int, Any] = {}
        self._terms: list[str] = []

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
        self._takes = _arguments(found, known)
        self._reset = getattr(self._module, "reset", None)
        return json.dumps({"takes": list(self._takes), "has_reset": callable(self._reset)}).encode()

    def score(self, *, columns: dict[str, Any], begins: bytes, lanes: bytes | None) -> bytes:
        """One reward per row. `begins`: which rows are the first of an episode; `lanes`: which environment each is of.

        Columns are arrays, or lists of Python values (such as infos).
        """
        n = len(begins)
        given = [self._column(name, columns, begins, lanes) for name in self._takes]
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
        return self._numbers(results)

    def evaluate(self, *, episode: dict[str, Any]) -> bytes:
        """The numbers of one whole episode, as JSON."""
        fields = {name: from_column(v) if isinstance(v, tuple) else v for name, v in episode.items()}
        found = self._function(types.SimpleNamespace(**fields))
        if not isinstance(found, dict):
            raise BadResult(0, f"It returned {_shown(found)}; it must return a dict of numbers.")
        if len(found) > MAX_TERMS:
            raise BadResult(0, f"It returned {len(found)} numbers; at most {MAX_TERMS} are kept.")
        return json.dumps(
            {_name(key): _number(value, 0, f"“{key}”") for key, value in found.items()}
        ).encode()

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

    def _numbers(self, results: list[Any]) -> bytes:
        if results and isinstance(results[0], dict):
            return self._with_terms(results)
        if not set(map(type, results)) <= NUMBERS:
            self._refuse(results)
        try:
            totals = np.array(results, np.float64)
        except OverflowError:
            self._refuse(results)
            raise
        return self._packed(totals, np.zeros((len(results), 0)))

    def _with_terms(self, results: list[Any]) -> bytes:
        for row, found in enumerate(results):
            if not isinstance(found, dict):
                raise BadResult(row, f"It returned {_shown(found)} here, and a dict of terms before.")
            for name in found:
                if name not in self._terms:
                    self._terms.append(_name(name))
        if len(self._terms) > MAX_TERMS:
            raise BadResult(
                0, f"It returned {len(self._terms)} different terms; at most {MAX_TERMS} are kept."
            )
        table = np.array(
            [
                [_number(found.get(name, 0.0), row, f"“{name}”") for name in self._terms]
                for row, found in enumerate(results)
            ]
        )
        return self._packed(table.sum(axis=1), table.reshape(len(results), len(self._terms)))

    def _packed(self, totals: NDArray[np.float64], terms: NDArray[np.float64]) -> bytes:
        bad = np.flatnonzero(~(np.abs(totals) <= LARGEST))
        if len(bad):
            row = int(bad[0])
            raise BadResult(
                row, f"It returned {totals[row]:g}; rewards must be finite and below {LARGEST:g}."
            )
        names = json.dumps(self._terms if terms.shape[1] else []).encode()
        return len(names).to_bytes(4, "little") + names + totals.tobytes() + terms.tobytes()

    def _refuse(self, results: list[Any]) -> None:
        """Finds the first result that is no number."""
        for row, found in enumerate(results):
            _number(found, row, "a value")


def _number(value: Any, row: int, what: str) -> float:
    if type(value) not in NUMBERS and not isinstance(value, np.number):
        raise BadResult(row, f"It returned {_shown(value)} as {what}; it must be a number.")
    try:
        number = float(value)
    except OverflowError:
        raise BadResult(row, f"It returned a whole number as {what} that is far too large.") from None
    if not abs(number) <= LARGEST:
        raise BadResult(
            row, f"It returned {number:g} as {what}; numbers must be finite and below {LARGEST:g}."
        )
    return number


def _name(name: Any) -> str:
    return str(name)[:MAX_NAME]


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    return "None" if value is None else f"{type(value).__name__} {str(value)[:60]!r}"


def _arguments(function: Callable[..., Any], known: Sequence[str]) -> tuple[str, ...]:
    """What to hand over, in the function's own order; those it does not need are left out."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind == p.KEYWORD_ONLY for p in parameters):
        raise BadResult(0, "Arguments after * are not supported; list them plainly.")
    return tuple(p.name for p in parameters if p.name in known or p.default is p.empty)


def _failure(code: UserCode, error: BaseException) -> dict[str, Any]:
    """Cause, place in the code and row, for the worker; the traceback goes to the log."""
    row = error.row if isinstance(error, BadResult) else code.row
    line = _line(code, error)
    if isinstance(error, BadResult):
        message = str(error)
    elif isinstance(error, TookTooLong):
        message = "It took too long"
    else:
        message = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
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
