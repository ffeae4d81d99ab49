"""No input makes the lab answer 500: odd values at every place of every route that the OpenAPI document lists."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from support.raw_clients import address_of
from support.server import Server, serve
from support.waiting import DEADLINE_S
from websockets.sync.client import connect

from rl_lab.api.http.problems import problem_response, status_problem

SURROGATE, NUL = "\ud800", "a\x00b"
TEXTS = (SURROGATE, NUL)
ODD: tuple[Any, ...] = (SURROGATE, 10**400, -(2**63) - 1, float("nan"), {SURROGATE: NUL})
WHOLE = (b"", b"[" * 100_000, b"9" * 5000, b'"\xff"', b"\x00")
QUERIES = ("\x00", "9" * 40, "nan'%")
NO_ANSWER = 599
SCRIPT = {"runner": "script", "algorithm": "python"}
TOY = {"runner": "fake", "algorithm": "toy", "env_id": "CartPole-v1"}


class Lab:
    """One connection that stays open, so that thousands of requests take seconds."""

    def __init__(self, server: Server) -> None:
        self._headers = {"Authorization": f"Bearer {server.token}"}
        self._connection = http.client.HTTPConnection(*address_of(server.url), timeout=DEADLINE_S)
        self.requests = 0

    def close(self) -> None:
        self._connection.close()

    def status(self, method: str, path: str, body: bytes | None = None) -> int:
        self.requests += 1
        headers = self._headers | ({} if body is None else {"Content-Type": "application/json"})
        try:
            self._connection.request(method.upper(), path, body, headers)
            answer = self._connection.getresponse()
        except ConnectionError:
            self.close()  # the lab closes a connection after an answer that failed
            return NO_ANSWER
        if answer.headers.get("Content-Type", "").startswith("text/event-stream"):
            self._connection.close()
        else:
            answer.read()
        return answer.status


def test_b23_no_input_makes_a_route_fail(home: Path) -> None:
    with serve(home) as server:
        document = server.client.get("/api/openapi.json").json()
        lab, failed = Lab(server), []
        for method, path, body in attempts(document, server.create()["id"]):
            status = lab.status(method, path, body)
            if status >= 500:
                failed.append(f"{method} {path[:80]} {(body or b'')[:200]!r}: {status}")
        lab.close()
        assert failed == []
        assert lab.requests > 400
        assert "Traceback" not in Path(f"{home}.stderr").read_text()


def attempts(document: dict[str, Any], run_id: str) -> Iterator[tuple[str, str, bytes | None]]:
    """Method, address and body; what deletes comes last."""
    found = [
        (method, template, operation)
        for template, operations in document["paths"].items()
        for method, operation in operations.items()
    ]
    for method, template, operation in sorted(found, key=lambda one: one[0] == "delete"):
        names = {one["name"]: one["in"] for one in operation.get("parameters", [])}
        filled = fill(template, names, run_id)
        for path in addresses(template, filled, names):
            yield method, path, None
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" in content:
            for body in bodies(content["application/json"]["schema"], document):
                yield method, filled, body


def fill(template: str, names: dict[str, str], run_id: str) -> str:
    for name, where in names.items():
        if where == "path":
            value = run_id if name == "run_id" else "0" * 12 if name.endswith("id") else "1"
            template = template.replace("{" + name + "}", value)
    return template


def addresses(template: str, filled: str, names: dict[str, str]) -> Iterator[str]:
    in_path = [name for name, where in names.items() if where == "path"]
    for value in QUERIES if in_path else ():
        path = template
        for name in in_path:
            path = path.replace("{" + name + "}", quote(value, safe=""))
        yield path
    for name, where in names.items():
        for value in QUERIES if where == "query" else ():
            yield f"{filled}?{name}={quote(value)}"


def bodies(schema: dict[str, Any], document: dict[str, Any]) -> Iterator[bytes]:
    schema = resolve(schema, document)
    yield from WHOLE
    fields = {name: resolve(one, document) for name, one in schema.get("properties", {}).items()}
    needed = {name: plain(fields[name]) for name in schema.get("required", ())}
    for value in ODD:
        yield dumped(dict.fromkeys(fields, value))
    for name in fields:
        yield dumped({**needed, name: NUL})
        yield dumped({**needed, name: 10**400})
    if "algorithm" in fields:
        yield from runs()


def runs() -> Iterator[bytes]:
    """Whole requests in which one text is odd, deep inside."""
    for odd in TEXTS:
        for command in (["python", odd], [odd], ["python", "-c", odd], ["python", f"/{odd}.py"]):
            yield dumped({**SCRIPT, "params": {"command": command}})
        yield dumped({**SCRIPT, "params": {"command": ["python", "x.py"], "cwd": odd, "env": {odd: odd}}})
        yield dumped({**TOY, "name": odd})
        yield dumped({**TOY, "tags": [odd]})
        yield dumped({**TOY, "env_kwargs": {"a": odd}})
        yield dumped({**TOY, "params": {odd: 1}})


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


def resolve(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def plain(schema: dict[str, Any]) -> Any:
    """A value of this kind, not necessarily allowed."""
    if "enum" in schema:
        return schema["enum"][0]
    kinds = {"integer": 1, "number": 1.0, "boolean": True, "array": [], "object": {}}
    return kinds.get(schema.get("type", ""), "CartPole-v1")


@pytest.mark.parametrize("odd", TEXTS, ids=["surrogate", "nul"])
def test_b23_text_that_cannot_be_stored_is_refused_where_it_is(lab: Server, odd: str) -> None:
    body = dumped({**TOY, "tags": ["fine", odd]})
    answer = lab.client.post("/api/runs", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == ["tags.1"]
    whole = dumped({**TOY, "tags": ["\\u0000", "\U0001f600"]})
    answer = lab.client.post("/api/runs", content=whole, headers={"Content-Type": "application/json"})
    assert answer.status_code == 201
    assert answer.json()["tags"] == ["\\u0000", "\U0001f600"]


def test_b23_odd_messages_do_not_break_a_socket(lab: Server) -> None:
    address = lab.url.replace("http://", "ws://") + "/api/live"
    with connect(address, additional_headers={"Authorization": f"Bearer {lab.token}"}) as socket:
        for message in (
            *map(json.dumps, ODD),
            "[" * 10_000,
            "NaN",
            "",
            json.dumps({"subscribe": list(TEXTS)}),
        ):
            socket.send(message)
            assert json.loads(socket.recv(timeout=DEADLINE_S))


def test_b23_a_problem_that_quotes_no_text_is_still_sent() -> None:
    problem = status_problem(400, f"“{SURROGATE}” is no file.")
    assert json.loads(bytes(problem_response(problem).body))["detail"] == "“?” is no file."
