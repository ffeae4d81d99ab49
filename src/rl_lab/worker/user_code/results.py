"""What user code returned, checked and packed for the worker: rewards with their terms, numbers of an episode."""

from __future__ import annotations

import contextlib
import json
import math
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.worker.user_code.wire import MAX_NAME, MAX_TERMS

NUMBERS = {int, float, bool, np.float64, np.float32, np.float16, np.bool_, np.int64, np.int32, np.uint8}
LARGEST = 1e12
"""No learner makes sense of larger rewards."""
DERIVED = "metrics."
"""Begins the measures that are derived metrics, as in filters: `core/run_query.py`."""
UNPRINTABLE = "\ufffd"
"""In place of characters that cannot be shown or stored."""


class BadResult(Exception):
    """The code returned something that is not a number."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row


class RewardResults:
    """Packs what a reward returned; a term that it has returned once is in every later answer."""

    def __init__(self) -> None:
        self._terms: dict[Any, str] = {}
        """The name of each term, by its key in the dicts that the code returns."""

    def pack(self, results: list[Any]) -> bytes:
        if results and isinstance(results[0], dict):
            return self._with_terms(results)
        if not set(map(type, results)) <= NUMBERS:
            _refuse(results)
        try:
            totals = np.array(results, np.float64)
        except OverflowError:
            _refuse(results)
            raise
        return _packed(totals, np.zeros((len(results), 0)), [])

    def _with_terms(self, results: list[Any]) -> bytes:
        for row, found in enumerate(results):
            if not isinstance(found, dict):
                raise BadResult(row, f"It returned {_shown(found)} here, and a dict of terms before.")
            if not found.keys() <= self._terms.keys():
                _add_names(self._terms, found, row)
        if len(self._terms) > MAX_TERMS:
            raise BadResult(
                0, f"It returned {len(self._terms)} different terms; at most {MAX_TERMS} are kept."
            )
        table = self._table([[found.get(key, 0.0) for key in self._terms] for found in results])
        # Exact sums: how they are rounded must not depend on which terms there were before, as after a resume.
        totals = np.array([math.fsum(found.values()) for found in results], np.float64)
        return _packed(totals, table, list(self._terms.values()))

    def _table(self, values: list[list[Any]]) -> NDArray[np.float64]:
        """One row per step, one column per term."""
        if set(map(type, chain.from_iterable(values))) <= NUMBERS:
            with contextlib.suppress(OverflowError):
                table = np.array(values, np.float64)
                if (np.abs(table) <= LARGEST).all():
                    return table
        names = self._terms.values()
        return np.array(
            [
                [_number(value, row, f" as “{name}”") for name, value in zip(names, found, strict=True)]
                for row, found in enumerate(values)
            ]
        )


def numbers_of(found: Any) -> dict[str, float]:
    """What evaluation code returned for an episode."""
    if not isinstance(found, dict):
        raise BadResult(0, f"It returned {_shown(found)}; it must return a dict of numbers.")
    if len(found) > MAX_TERMS:
        raise BadResult(0, f"It returned {len(found)} numbers; at most {MAX_TERMS} are kept.")
    names: dict[Any, str] = {}
    _add_names(names, found, 0)
    cited = next((name for name in names.values() if "@" in name), None)
    if cited is not None:
        raise BadResult(0, f"It returned “{cited}”; leave @ out, it begins the name of a protocol.")
    derived = next((name for name in names.values() if name.startswith(DERIVED)), None)
    if derived is not None:
        raise BadResult(
            0, f"It returned “{derived}”; names that begin with {DERIVED} are those of derived metrics."
        )
    return {names[key]: _number(value, 0, f" as “{names[key]}”") for key, value in found.items()}


def _add_names(names: dict[Any, str], found: dict[Any, Any], row: int) -> None:
    """Adds the name of each new key."""
    used = set(names.values())
    for key in found:
        if key in names:
            continue
        name = _name(key)
        if not name.strip():
            raise BadResult(row, "It returned a value with an empty name; charts and tables need one.")
        if name in used:
            cut = f"; names are cut after {MAX_NAME} characters" if len(name) == MAX_NAME else ""
            raise BadResult(row, f"It returned two values with the same name, “{name}”{cut}.")
        used.add(name)
        names[key] = name


def _name(key: Any) -> str:
    name = str(key)[:MAX_NAME]
    return name if name.isprintable() else "".join(c if c.isprintable() else UNPRINTABLE for c in name)


def _packed(totals: NDArray[np.float64], terms: NDArray[np.float64], names: list[str]) -> bytes:
    bad = np.flatnonzero(~(np.abs(totals) <= LARGEST))
    if len(bad):
        row = int(bad[0])
        raise BadResult(row, f"It returned {totals[row]:g}; rewards must be finite and below {LARGEST:g}.")
    written = json.dumps(names).encode()
    return len(written).to_bytes(4, "little") + written + totals.tobytes() + terms.tobytes()


def _refuse(results: list[Any]) -> None:
    """Finds the first result that is no number."""
    for row, found in enumerate(results):
        _number(found, row)


def _number(value: Any, row: int, place: str = "") -> float:
    """`place`: the term that it is the value of."""
    if type(value) not in NUMBERS and not isinstance(value, np.integer | np.floating):
        raise BadResult(row, f"It returned {_shown(value)}{place}; it must be a number.")
    try:
        number = float(value)
    except OverflowError:
        raise BadResult(row, f"It returned a whole number{place} that is far too large.") from None
    if not abs(number) <= LARGEST:
        raise BadResult(row, f"It returned {number:g}{place}; numbers must be finite and below {LARGEST:g}.")
    return number


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    return "None" if value is None else f"{type(value).__name__} {str(value)[:60]!r}"
