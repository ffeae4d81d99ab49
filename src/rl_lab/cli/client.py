"""HTTP client of the lab for the CLI: JSON in, JSON out; problem responses are raised as LabErrors.

Uses the standard library's client: importing a larger one takes longer than most commands take to run.
"""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from rl_lab.core.errors import FieldError, LabError, NotReady, Problem

TIMEOUT_S = 240.0
"""For a request: longer than any worker call that a route waits for (180 s), and its turn in the line of calls."""
SILENCE_S = 60.0
"""Longest time between two lines of a stream of events, which has a line every few seconds."""
SLOW_S = 600.0
"""Longest time without a byte where the lab reads or writes large files first, or between two lines of a stream."""
QUICK_S = 5.0
"""For the check whether a lab is running."""


class ProblemAnswer(LabError):
    """The lab responded with a problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(
            problem.detail, next_step=problem.next_step, errors=problem.errors or (), allowed=problem.allowed
        )
        self._problem = problem
        self.status = problem.status  # type: ignore[misc]

    def problem(self) -> Problem:
        return self._problem


class Download:
    """A file that arrives; closed with the block that opened it."""

    def __init__(self, answer: http.client.HTTPResponse, url: str) -> None:
        self._answer, self._url = answer, url
        named = re.search(r'filename="([A-Za-z0-9._-]+)"', answer.headers.get("Content-Disposition", ""))
        self.name = named[1] if named else "download"
        self.size = answer.length or 0
        """0 when it is not known."""

    def read(self, size: int) -> bytes:
        try:
            return self._answer.read(size)
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(self._url, error) from None


class LabClient:
    """Each request opens its own connection, so threads can share a client and there is nothing to close."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 80

    def answers(self) -> bool:
        try:
            with self._open("GET", "/api/session", timeout_s=QUICK_S) as answer:
                return bool(json.loads(answer.read())["signed_in"])
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
            return False

    def get(self, path: str, **query: Any) -> Any:
        return json.loads(self._ask("GET", _with_query(path, query)))

    def post(self, path: str, body: Any = None, *, timeout_s: float = TIMEOUT_S, **query: Any) -> Any:
        return json.loads(self._ask("POST", _with_query(path, query), body, timeout_s))

    def put(self, path: str, body: Any) -> Any:
        return json.loads(self._ask("PUT", path, body))

    def patch(self, path: str, body: Any) -> Any:
        return json.loads(self._ask("PATCH", path, body))

    def delete(self, path: str) -> Any:
        return json.loads(self._ask("DELETE", path))

    def drop(self, path: str) -> None:
        """A deletion without an answer."""
        self._ask("DELETE", path)

    def text(self, path: str, **query: Any) -> str:
        """A response that is not JSON, as text."""
        return self._ask("GET", _with_query(path, query)).decode()

    def download(self, artifact_id: str) -> bytes:
        return self._ask("GET", f"/api/artifacts/{artifact_id}")

    @contextmanager
    def open_download(self, method: str, path: str, body: Any = None, **query: Any) -> Iterator[Download]:
        """A file that is too large for the memory."""
        try:
            opened = self._open(method, _with_query(path, query), body, timeout_s=SLOW_S)
            with opened as answer:
                if answer.status >= 400:
                    _raise_problem(answer.status, answer.read())
                yield Download(answer, self.url)
        except (ConnectionError, TimeoutError, http.client.HTTPException) as error:
            raise _unreachable(self.url, error) from None

    def upload(self, path: str, file: Any, size: int, /, **query: Any) -> Any:
        """Sends a file without reading it as a whole; the response is JSON."""
        headers = {"Content-Length": str(size), "Content-Type": "application/zip"}
        try:
            sent = self._open("POST", _with_query(path, query), file, headers=headers, timeout_s=SLOW_S)
            with sent as answer:
                status, data = answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(self.url, error) from None
        if status >= 400:
            _raise_problem(status, data)
        return json.loads(data)

    def stream(self, path: str, last_id: int | None = None) -> Iterator[tuple[str, Any]]:
        """Server-sent events as (name, data), until the lab closes the stream."""
        headers = {"Accept": "text/event-stream"}
        if last_id is not None:
            headers["Last-Event-ID"] = str(last_id)
        try:
            with self._open("GET", path, headers=headers, timeout_s=SILENCE_S) as answer:
                if answer.status != 200:
                    _raise_problem(answer.status, answer.read())
                yield from _events(answer)
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(self.url, error) from None

    def lines(self, path: str, body: Any) -> Iterator[Any]:
        """JSON lines that come as they are made; leaving the loop ends the work for them."""
        try:
            with self._open("POST", path, body, timeout_s=SLOW_S) as answer:
                if answer.status >= 400:
                    _raise_problem(answer.status, answer.read())
                for line in answer:
                    yield json.loads(line)
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(self.url, error) from None

    def _ask(self, method: str, path: str, body: Any = None, timeout_s: float = TIMEOUT_S) -> bytes:
        try:
            with self._open(method, path, body, timeout_s=timeout_s) as answer:
                status, data = answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(self.url, error) from None
        if status >= 400:
            _raise_problem(status, data)
        return data

    @contextmanager
    def _open(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> Iterator[http.client.HTTPResponse]:
        connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout_s)
        sent = {"Authorization": f"Bearer {self.token}", "Connection": "close", **(headers or {})}
        data = body
        if body is not None and not hasattr(body, "read"):
            data, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        try:
            # The user may have typed any character as the name of a run.
            connection.request(method, quote(path, safe="/?&=%+:,;@"), data, sent)
            yield connection.getresponse()
        finally:
            connection.close()

    def __enter__(self) -> LabClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


def _with_query(path: str, query: Mapping[str, Any]) -> str:
    """None values are left out; a list becomes a repeated parameter."""
    wanted = {name: _plain(value) for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(wanted, doseq=True)}" if wanted else path


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _events(lines: Iterator[bytes]) -> Iterator[tuple[str, Any]]:
    name = "message"
    for line in lines:
        if line.startswith(b"event: "):
            name = line[7:].decode().rstrip()
        elif line.startswith(b"data: "):
            yield name, json.loads(line[6:])


def _raise_problem(status: int, data: bytes) -> None:
    try:
        fields = json.loads(data)
        errors = [FieldError(**error) for error in fields.pop("errors", None) or ()]
        problem = Problem(**fields, errors=errors or None)
    except (ValueError, TypeError, AttributeError):
        raise NotReady(
            f"The lab responded with status {status} and an unreadable body.",
            next_step="Another program may be using this address; `rl-lab doctor` checks that.",
        ) from None
    raise ProblemAnswer(problem)


def _unreachable(url: str, error: Exception) -> NotReady:
    return NotReady(
        f"The lab at {url} does not respond ({type(error).__name__}).",
        next_step="Start it again with `rl-lab serve`; it reattaches to the runs that are still active.",
    )
