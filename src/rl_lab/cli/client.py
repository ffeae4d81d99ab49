"""The lab over HTTP, as the command needs it: JSON in, JSON out, problems as LabErrors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import httpx2

from rl_lab.core.errors import LabError, NotReady, Problem

TIMEOUT_S = 60.0


class ProblemAnswer(LabError):
    """The lab answered with a problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(
            problem.detail, next_step=problem.next_step, errors=problem.errors or (), allowed=problem.allowed
        )
        self._problem = problem
        self.status = problem.status  # type: ignore[misc]

    def problem(self) -> Problem:
        return self._problem


class LabClient:
    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token
        self._http = httpx2.Client(
            base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=TIMEOUT_S, trust_env=False
        )

    def answers(self) -> bool:
        try:
            return bool(self._http.get("/api/session", timeout=5.0).json()["signed_in"])
        except (httpx2.HTTPError, ValueError, KeyError, TypeError):
            return False

    def get(self, path: str, **query: Any) -> Any:
        wanted = {name: value for name, value in query.items() if value is not None}
        return self._ask("GET", path, params=wanted)

    def post(self, path: str, body: Any = None) -> Any:
        return self._ask("POST", path, json=body)

    def patch(self, path: str, body: Any) -> Any:
        return self._ask("PATCH", path, json=body)

    def delete(self, path: str) -> Any:
        return self._ask("DELETE", path)

    def text(self, path: str, **query: Any) -> str:
        """An answer that is not JSON, as text."""
        return self._answer("GET", path, params=query).text

    def download(self, artifact_id: str) -> bytes:
        return self._answer("GET", f"/api/artifacts/{artifact_id}").content

    def stream(self, path: str, last_id: int | None = None) -> Iterator[tuple[str, Any]]:
        """Server-sent events as (name, data), until the lab ends the stream."""
        headers = {"Accept": "text/event-stream"}
        if last_id is not None:
            headers["Last-Event-ID"] = str(last_id)
        try:
            with self._http.stream("GET", path, headers=headers) as answer:
                if answer.status_code != 200:
                    answer.read()
                    _raise_problem(answer)
                yield from _events(answer.iter_lines())
        except httpx2.HTTPError as error:
            raise _unreachable(self.url, error) from None

    def _ask(self, method: str, path: str, **options: Any) -> Any:
        return self._answer(method, path, **options).json()

    def _answer(self, method: str, path: str, **options: Any) -> httpx2.Response:
        try:
            answer = self._http.request(method, path, **options)
        except httpx2.HTTPError as error:
            raise _unreachable(self.url, error) from None
        if answer.status_code >= 400:
            _raise_problem(answer)
        return answer

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> LabClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    name = "message"
    for line in lines:
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            yield name, json.loads(line[6:])


def _raise_problem(answer: httpx2.Response) -> None:
    try:
        problem = Problem.model_validate_json(answer.content)
    except ValueError:
        raise NotReady(
            f"The lab answered {answer.status_code} and nothing that can be read.",
            next_step="Is another program listening at this address? `rl-lab doctor` looks.",
        ) from None
    raise ProblemAnswer(problem)


def _unreachable(url: str, error: Exception) -> NotReady:
    return NotReady(
        f"The lab at {url} does not answer ({type(error).__name__}).",
        next_step="Start it again with `rl-lab serve`; runs that were going on are picked up.",
    )
