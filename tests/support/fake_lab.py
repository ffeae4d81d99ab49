"""A lab that answers the requests of commands from a table, for tests of what they ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from rl_lab.core.errors import NotFound

Request = tuple[str, str, dict[str, Any]]
"""Method, address, and body or query."""


class FakeLab:
    def __init__(self, answers: Mapping[str, Any]) -> None:
        self._answers = answers
        """By method and address: "GET /api/alerts"."""
        self.asked: list[Request] = []

    def get(self, address: str, **query: Any) -> Any:
        return self._answer("GET", address, {k: v for k, v in query.items() if v is not None})

    def post(self, address: str, body: Any = None) -> Any:
        return self._answer("POST", address, body or {})

    def patch(self, address: str, body: Any = None) -> Any:
        return self._answer("PATCH", address, body or {})

    def delete(self, address: str) -> Any:
        return self._answer("DELETE", address, {})

    def sent(self, method: str) -> list[tuple[str, dict[str, Any]]]:
        return [(address, body) for one, address, body in self.asked if one == method]

    def _answer(self, method: str, address: str, body: dict[str, Any]) -> Any:
        self.asked.append((method, address, body))
        if f"{method} {address}" not in self._answers:
            raise NotFound(f"There is no {method} {address}.")
        return self._answers[f"{method} {address}"]


def put_fake_lab(monkeypatch: pytest.MonkeyPatch, answers: Mapping[str, Any]) -> FakeLab:
    """Commands that run in this process speak to it."""
    lab = FakeLab(answers)

    @contextmanager
    def open_lab(*_: Any, **__: Any) -> Iterator[FakeLab]:
        yield lab

    monkeypatch.setattr("rl_lab.cli.connection.open_lab", open_lab)
    return lab
