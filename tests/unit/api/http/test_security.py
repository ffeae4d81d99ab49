"""The gate, asked directly: Host, Origin, token, headers, size of the body."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from support.sessions import OneSession

from rl_lab.api.http.security import HEADERS, MAX_BODY_BYTES, Gate, _hostname
from rl_lab.api.http.tokens import Keyring, take_view_key

SESSION = OneSession()
KEYRING = Keyring("t" * 43, SESSION)
COOKIE = f"{KEYRING.cookie_name}={SESSION.cookie}"
BEARER = {"authorization": "Bearer " + "t" * 43}
LAB = "127.0.0.1:8642"


async def inner(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    body = await Request(scope, receive).body()
    await PlainTextResponse(f"{len(body)} bytes")(scope, receive, send)


def ask(
    path: str = "/api/runs",
    method: str = "GET",
    kind: str = "http",
    chunks: tuple[bytes, ...] = (b"",),
    query: str = "",
    **headers: str,
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of the gate's answer; 101 for an accepted socket."""
    named = {"host": LAB} | {k.replace("_", "-"): v for k, v in headers.items()}
    scope: dict[str, Any] = {
        "type": kind,
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(k.encode(), v.encode("latin-1")) for k, v in named.items()],
        "app": SimpleNamespace(state=SimpleNamespace(keyring=KEYRING)),
        "extensions": {"websocket.http.response": {}},
    }
    if kind == "websocket":
        del scope["method"]
    sent: list[Message] = []
    waiting = [{"type": "http.request", "body": c, "more_body": True} for c in chunks]
    waiting.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Gate(inner, hosts=["lab.example"])(scope, receive, send))
    first = sent[0]
    if first["type"] == "websocket.accept":
        return 101, {}, b""
    answer = {k.decode(): v.decode() for k, v in first["headers"]}
    return first["status"], answer, b"".join(m.get("body", b"") for m in sent[1:])


def test_the_token_opens_every_route() -> None:
    assert ask(**BEARER)[0] == 200


def test_without_a_token_the_answer_says_how_to_get_one() -> None:
    status, headers, body = ask()
    problem = json.loads(body)
    assert status == problem["status"] == 401
    assert headers["content-type"] == "application/problem+json"
    assert headers["www-authenticate"] == "Bearer"
    assert "token" in problem["next_step"]


@pytest.mark.parametrize("path", ["/", "/runs/abc", "/api/health", "/api/session", "/api/openapi.json"])
def test_the_page_and_the_way_in_need_no_token(path: str) -> None:
    assert ask(path)[0] == 200


@pytest.mark.parametrize("host", [LAB, "localhost", "LOCALHOST:1", "[::1]:9", "lab.example:80", "127.0.0.1"])
def test_the_labs_own_names_are_accepted(host: str) -> None:
    assert ask(host=host, **BEARER)[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost@evil.example",
        "127.0.0.1/evil",
        "",
        "127.0.0.1:x",
        "[::1",
    ],
)
def test_a_foreign_host_is_refused_on_every_route_and_socket(host: str) -> None:
    for path in ("/", "/api/health", "/api/runs"):
        assert ask(path, host=host, **BEARER)[0] == 403
    assert ask("/api/live", kind="websocket", host=host, **BEARER)[0] == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:3000", "file://", "http://["]
)
def test_a_foreign_origin_cannot_change_anything_or_open_a_socket(origin: str) -> None:
    for path in ("/api/runs", "/api/session"):
        assert ask(path, "POST", origin=origin, **BEARER)[0] == 403
    assert ask("/api/live", kind="websocket", origin=origin, **BEARER)[0] == 403


def test_the_labs_own_page_may_change_things() -> None:
    signed_in = {"cookie": COOKIE, "rl_lab_key": SESSION.key, "origin": f"http://{LAB}"}
    assert ask(method="POST", **signed_in)[0] == 200
    assert ask("/api/live", kind="websocket", **signed_in)[0] == 101


def test_a_change_must_name_its_origin() -> None:
    signed_in = {"cookie": COOKIE, "rl_lab_key": SESSION.key}
    assert ask(**signed_in)[0] == 200
    assert ask(method="DELETE", **signed_in)[0] == 403
    assert ask("/api/live", kind="websocket", **signed_in)[0] == 403
    assert ask(method="DELETE", sec_fetch_site="same-origin", **signed_in)[0] == 200


def test_a_cookie_needs_its_key_and_a_key_its_cookie() -> None:
    own = {"origin": f"http://{LAB}"}
    for method in ("GET", "POST"):
        assert ask(method=method, cookie=COOKIE, **own)[0] == 401
        assert ask(method=method, rl_lab_key=SESSION.key, **own)[0] == 401
        assert ask(method=method, cookie=COOKIE, rl_lab_key=SESSION.view_key, **own)[0] == 401
    assert ask("/api/live", kind="websocket", cookie=COOKIE, **own)[0] == 401


def test_the_view_key_reads_and_changes_nothing() -> None:
    viewing = {"query": f"a=1&view_key={SESSION.view_key}", "cookie": COOKIE, "origin": f"http://{LAB}"}
    assert ask(**viewing)[0] == 200
    assert ask(method="HEAD", **viewing)[0] == 200
    assert ask("/api/live", kind="websocket", **viewing)[0] == 101
    for method in ("POST", "PUT", "PATCH", "DELETE", "PROPFIND"):
        assert ask(method=method, **viewing)[0] == 401


def test_no_route_sees_the_view_key() -> None:
    scope: Scope = {"query_string": b"step=3&view_key=secret&name=%ff"}
    assert take_view_key(scope) == "secret"
    assert scope["query_string"] == b"step=3&name=%ff"
    assert take_view_key(scope) is None
    other: Scope = {"query_string": b"preview_key=1"}
    assert take_view_key(other) is None
    assert other["query_string"] == b"preview_key=1"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_read_nothing_either(site: str) -> None:
    assert ask(sec_fetch_site=site, **BEARER)[0] == 403
    assert ask("/", sec_fetch_site=site)[0] == 200


@pytest.mark.parametrize("path", ["/", "/api/health"])
def test_every_answer_carries_the_security_headers(path: str) -> None:
    _, headers, _ = ask(path)
    for name, value in HEADERS.items():
        assert headers[name.lower()] == value


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "image/svg+xml", "application/pdf", ""])
def test_what_can_be_a_document_has_all_security_headers(kind: str) -> None:
    assert answered(kind).items() >= {name.lower(): value for name, value in HEADERS.items()}.items()


@pytest.mark.parametrize("kind", ["application/json", "text/javascript; charset=utf-8", "image/jpeg"])
def test_what_is_only_part_of_a_document_has_the_headers_that_concern_it(kind: str) -> None:
    headers = answered(kind)
    assert headers["content-security-policy"] == "default-src 'self'; frame-ancestors 'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "permissions-policy" not in headers


def answered(kind: str) -> dict[str, str]:
    """The headers of an answer of this type, behind the gate."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await Response("x", headers={"Content-Type": kind} if kind else {})(scope, receive, send)

    return dict(TestClient(Gate(app, hosts=["testserver"])).get("/page").headers)


def test_a_body_too_large_is_refused_by_its_announced_length() -> None:
    assert ask(method="POST", content_length=str(MAX_BODY_BYTES + 1), **BEARER)[0] == 413


def test_a_body_that_grows_too_large_is_refused_while_it_is_read() -> None:
    from starlette.exceptions import HTTPException

    chunks = (b"x" * (MAX_BODY_BYTES // 2),) * 3
    with pytest.raises(HTTPException) as raised:
        ask(method="POST", chunks=chunks, **BEARER)
    assert raised.value.status_code == 413
    assert ask(method="POST", chunks=chunks[:2], **BEARER)[2] == f"{MAX_BODY_BYTES} bytes".encode()


def test_a_refused_socket_without_the_answer_extension_is_closed() -> None:
    async def scenario() -> list[Message]:
        sent: list[Message] = []
        scope = {"type": "websocket", "path": "/api/live", "headers": [(b"host", b"evil")], "extensions": {}}

        async def send(message: Message) -> None:
            sent.append(message)

        await Gate(inner, hosts=[])(scope, lambda: asyncio.sleep(0), send)  # type: ignore[arg-type, return-value]
        return sent

    [message] = asyncio.run(scenario())
    assert (message["type"], message["code"]) == ("websocket.close", 1008)


def test_host_names_are_read_with_and_without_port() -> None:
    assert [_hostname(h) for h in ("a", "a:1", "[::1]", "[::1]:2", "a b", "a/b")][:4] == [
        "a",
        "a",
        "::1",
        "::1",
    ]
