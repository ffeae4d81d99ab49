"""Every route, stream and socket of a real lab × every kind of caller × hosts: the answer is the one that is due.

A route without a line in ROUTES fails, so a new one cannot be forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.routing import iter_route_contexts
from support.actors import (
    CHANGES,
    FOREIGN,
    OPEN,
    PASSES,
    UNKNOWN,
    Access,
    Headers,
    Keys,
    actors,
    browser_headers,
    sign_in,
)
from support.raw_http import RawAnswer, RawClient
from support.server import Server

from rl_lab.api.app import create_app
from rl_lab.settings import Settings

ROUTES = {
    "POST /api/adoptions": Access.CHANGE,
    "GET /api/adoptions": Access.READ,
    "DELETE /api/adoptions/{adoption_id}": Access.CHANGE,
    "GET /api/adoptions/{adoption_id}": Access.READ,
    "GET /api/alerts": Access.READ,
    "POST /api/alerts": Access.CHANGE,
    "GET /api/alerts/firings": Access.READ,
    "GET /api/alerts/{alert_id}": Access.READ,
    "PATCH /api/alerts/{alert_id}": Access.CHANGE,
    "DELETE /api/alerts/{alert_id}": Access.CHANGE,
    "POST /api/alerts/{alert_id}/test": Access.CHANGE,
    "GET /api/derived-metrics": Access.READ,
    "POST /api/derived-metrics": Access.CHANGE,
    "POST /api/derived-metrics/preview": Access.CHANGE,
    "GET /api/derived-metrics/functions": Access.READ,
    "GET /api/derived-metrics/{name}": Access.READ,
    "PATCH /api/derived-metrics/{name}": Access.CHANGE,
    "DELETE /api/derived-metrics/{name}": Access.CHANGE,
    "DELETE /api/artifacts/{artifact_id}": Access.CHANGE,
    "PATCH /api/artifacts/{artifact_id}": Access.CHANGE,
    "GET /api/artifacts/{artifact_id}": Access.READ,
    "HEAD /api/artifacts/{artifact_id}": Access.READ,
    "GET /api/checkpoints": Access.READ,
    "GET /api/checkpoints/choices": Access.READ,
    "GET /api/checkpoints/{checkpoint_id}": Access.READ,
    "GET /api/checkpoints/{checkpoint_id}/card": Access.READ,
    "GET /api/checkpoints/{checkpoint_id}/package": Access.READ,
    "GET /api/checkpoints/{checkpoint_id}/inspection": Access.READ,
    "GET /api/checkpoints/{checkpoint_id}/difference/{other_id}": Access.READ,
    "POST /api/commands/preview": Access.CHANGE,
    "GET /api/compare": Access.READ,
    "GET /api/compare/curves": Access.READ,
    "GET /api/compare/report": Access.READ,
    "GET /api/consents": Access.READ,
    "DELETE /api/consents/{sha256}": Access.CHANGE,
    "GET /api/datasets": Access.READ,
    "POST /api/datasets/forecast": Access.CHANGE,
    "POST /api/datasets/jobs": Access.CHANGE,
    "POST /api/datasets/uploads": Access.CHANGE,
    "GET /api/datasets/uploads": Access.READ,
    "GET /api/datasets/uploads/{upload_id}": Access.READ,
    "DELETE /api/datasets/uploads/{upload_id}": Access.CHANGE,
    "GET /api/datasets/{name}": Access.READ,
    "PATCH /api/datasets/{name}": Access.CHANGE,
    "DELETE /api/datasets/{name}": Access.CHANGE,
    "GET /api/datasets/{name}/versions/{version}": Access.READ,
    "PATCH /api/datasets/{name}/versions/{version}": Access.CHANGE,
    "DELETE /api/datasets/{name}/versions/{version}": Access.CHANGE,
    "GET /api/datasets/{name}/versions/{version}/episodes": Access.READ,
    "SOCKET /api/datasets/{name}/versions/{version}/episodes/{episode}/replay": Access.SOCKET,
    "GET /api/docs": Access.OPEN_READ,
    "GET /api/doctor": Access.READ,
    "POST /api/duels": Access.CHANGE,
    "GET /api/environments": Access.READ,
    "GET /api/environments/{env_id:path}/exactness": Access.READ,
    "SOCKET /api/environments/{env_id:path}/preview": Access.SOCKET,
    "SOCKET /api/stage": Access.SOCKET,
    "GET /api/environments/{env_id:path}/controls": Access.READ,
    "PUT /api/environments/{env_id:path}/controls": Access.CHANGE,
    "DELETE /api/environments/{env_id:path}/controls": Access.CHANGE,
    "GET /api/environments/{env_id:path}/scores": Access.READ,
    "POST /api/plays": Access.CHANGE,
    "SOCKET /api/plays/{run_id}/socket": Access.SOCKET,
    "POST /api/environments/{env_id:path}/smoke-test": Access.CHANGE,
    "GET /api/environments/{env_id:path}/thumbnail": Access.READ,
    "GET /api/exports": Access.READ,
    "POST /api/exports": Access.CHANGE,
    "GET /api/health": Access.OPEN_READ,
    "GET /api/insights/seeds": Access.READ,
    "SOCKET /api/live": Access.SOCKET,
    "GET /api/models": Access.READ,
    "POST /api/models": Access.CHANGE,
    "GET /api/models/{name}": Access.READ,
    "PATCH /api/models/{name}": Access.CHANGE,
    "DELETE /api/models/{name}": Access.CHANGE,
    "POST /api/models/{name}/versions": Access.CHANGE,
    "PATCH /api/models/{name}/versions/{version}": Access.CHANGE,
    "DELETE /api/models/{name}/versions/{version}": Access.CHANGE,
    "POST /api/models/{name}/versions/{version}/checkpoint": Access.CHANGE,
    "GET /api/openapi.json": Access.OPEN_READ,
    "GET /api/packs": Access.READ,
    "POST /api/packs": Access.CHANGE,
    "DELETE /api/packs/{pack_id}": Access.CHANGE,
    "POST /api/packs/{pack_id}/import": Access.CHANGE,
    "GET /api/models/{name}/versions/{version}/package": Access.READ,
    "POST /api/pulls": Access.CHANGE,
    "GET /api/pulls": Access.READ,
    "DELETE /api/pulls/{transfer_id}": Access.CHANGE,
    "GET /api/pulls/{transfer_id}": Access.READ,
    "POST /api/pushes": Access.CHANGE,
    "GET /api/pushes": Access.READ,
    "DELETE /api/pushes/{transfer_id}": Access.CHANGE,
    "GET /api/pushes/{transfer_id}": Access.READ,
    "POST /api/models/import": Access.CHANGE,
    "GET /api/models/import/{upload_id}": Access.READ,
    "POST /api/models/import/{upload_id}": Access.CHANGE,
    "DELETE /api/models/import/{upload_id}": Access.CHANGE,
    "GET /api/queue": Access.READ,
    "PUT /api/queue/slots": Access.CHANGE,
    "PUT /api/queue/pause": Access.CHANGE,
    "PUT /api/queue/priority": Access.CHANGE,
    "POST /api/queue/moves": Access.CHANGE,
    "PUT /api/retention": Access.CHANGE,
    "GET /api/retention": Access.READ,
    "GET /api/runners": Access.READ,
    "GET /api/runners/{runner_id}/speed": Access.READ,
    "POST /api/runners/{runner_id}/install": Access.CHANGE,
    "POST /api/runners/{runner_id}/prepare": Access.CHANGE,
    "PUT /api/runners/{runner_id}/root": Access.CHANGE,
    "POST /api/runs": Access.CHANGE,
    "GET /api/runs": Access.READ,
    "DELETE /api/runs/{run_id}": Access.CHANGE,
    "PATCH /api/runs/{run_id}": Access.CHANGE,
    "GET /api/runs/{run_id}": Access.READ,
    "POST /api/runs/{run_id}/again": Access.CHANGE,
    "POST /api/runs/{run_id}/continue": Access.CHANGE,
    "GET /api/runs/{run_id}/artifacts": Access.READ,
    "POST /api/runs/{run_id}/clips": Access.CHANGE,
    "GET /api/runs/{run_id}/command": Access.READ,
    "GET /api/runs/{run_id}/config": Access.READ,
    "GET /api/runs/{run_id}/continue": Access.READ,
    "GET /api/runs/{run_id}/environments": Access.READ,
    "PUT /api/runs/{run_id}/environments/{number}": Access.CHANGE,
    "GET /api/runs/{run_id}/episodes": Access.READ,
    "GET /api/runs/{run_id}/episodes/best": Access.READ,
    "GET /api/runs/{run_id}/episodes/histogram": Access.READ,
    "GET /api/runs/{run_id}/episodes/{episode}": Access.READ,
    "PUT /api/runs/{run_id}/episodes/{episode}/note": Access.CHANGE,
    "POST /api/runs/{run_id}/episodes/{episode}/forks": Access.CHANGE,
    "SOCKET /api/runs/{run_id}/episodes/{episode}/replay": Access.SOCKET,
    "GET /api/runs/{run_id}/episodes/{episode}/steps": Access.READ,
    "POST /api/runs/{run_id}/episodes/{episode}/video": Access.CHANGE,
    "GET /api/evaluation-codes": Access.READ,
    "POST /api/evaluation-codes": Access.CHANGE,
    "POST /api/evaluation-codes/check": Access.CHANGE,
    "GET /api/evaluation-codes/examples": Access.READ,
    "GET /api/evaluation-codes/{name}": Access.READ,
    "PATCH /api/evaluation-codes/{name}": Access.CHANGE,
    "DELETE /api/evaluation-codes/{name}": Access.CHANGE,
    "GET /api/evaluation-codes/{name}/versions/{version}": Access.READ,
    "DELETE /api/evaluation-codes/{name}/versions/{version}": Access.CHANGE,
    "GET /api/rewards": Access.READ,
    "POST /api/rewards": Access.CHANGE,
    "POST /api/rewards/check": Access.CHANGE,
    "POST /api/rewards/bench": Access.CHANGE,
    "POST /api/runs/{run_id}/episodes/{episode}/reward-terms": Access.CHANGE,
    "GET /api/rewards/examples": Access.READ,
    "GET /api/rewards/{name}": Access.READ,
    "PATCH /api/rewards/{name}": Access.CHANGE,
    "DELETE /api/rewards/{name}": Access.CHANGE,
    "GET /api/rewards/{name}/versions/{version}": Access.READ,
    "DELETE /api/rewards/{name}/versions/{version}": Access.CHANGE,
    "GET /api/runs/{run_id}/reward": Access.READ,
    "POST /api/runs/reward-check": Access.CHANGE,
    "GET /api/wrappers": Access.READ,
    "GET /api/own-environments": Access.READ,
    "POST /api/own-environments": Access.CHANGE,
    "POST /api/own-environments/check": Access.CHANGE,
    "GET /api/own-environments/examples": Access.READ,
    "GET /api/own-environments/{name}": Access.READ,
    "PATCH /api/own-environments/{name}": Access.CHANGE,
    "DELETE /api/own-environments/{name}": Access.CHANGE,
    "GET /api/own-environments/{name}/versions/{version}": Access.READ,
    "DELETE /api/own-environments/{name}/versions/{version}": Access.CHANGE,
    "POST /api/evaluation-codes/preview": Access.CHANGE,
    "GET /api/protocols": Access.READ,
    "POST /api/protocols": Access.CHANGE,
    "GET /api/protocols/{name}": Access.READ,
    "DELETE /api/protocols/{name}": Access.CHANGE,
    "POST /api/runs/{run_id}/evaluations": Access.CHANGE,
    "GET /api/runs/{run_id}/evaluations": Access.READ,
    "GET /api/runs/{run_id}/evaluations/latest": Access.READ,
    "GET /api/runs/{run_id}/events": Access.READ,
    "POST /api/runs/{run_id}/exports": Access.CHANGE,
    "POST /api/runs/{run_id}/films": Access.CHANGE,
    "SOCKET /api/runs/{run_id}/frames": Access.SOCKET,
    "GET /api/runs/{run_id}/insights": Access.READ,
    "GET /api/runs/{run_id}/lineage": Access.READ,
    "GET /api/runs/{run_id}/log": Access.READ,
    "GET /api/runs/{run_id}/manifest": Access.READ,
    "GET /api/runs/{run_id}/metrics": Access.READ,
    "GET /api/runs/{run_id}/metrics.csv": Access.READ,
    "GET /api/runs/{run_id}/metrics/origins": Access.READ,
    "GET /api/runs/{run_id}/pack": Access.READ,
    "POST /api/runs/{run_id}/pause": Access.CHANGE,
    "GET /api/runs/{run_id}/report": Access.READ,
    "POST /api/runs/{run_id}/restore": Access.CHANGE,
    "POST /api/runs/{run_id}/resume": Access.CHANGE,
    "GET /api/runs/{run_id}/snapshot": Access.READ,
    "POST /api/runs/{run_id}/start": Access.CHANGE,
    "GET /api/runs/{run_id}/steps": Access.READ,
    "POST /api/runs/{run_id}/stop": Access.CHANGE,
    "GET /api/runs/{run_id}/stream": Access.READ,
    "POST /api/runs/{run_id}/tensorboard": Access.CHANGE,
    "GET /api/runs/{run_id}/tensorboard": Access.READ,
    "GET /api/runs/{run_id}/usage": Access.READ,
    "POST /api/runs/{run_id}/certificates": Access.CHANGE,
    "GET /api/runs/{run_id}/certificates": Access.READ,
    "POST /api/certificates": Access.CHANGE,
    "POST /api/runs/{run_id}/verifications": Access.CHANGE,
    "GET /api/runs/{run_id}/verifications": Access.READ,
    "GET /api/runs/{run_id}/wandb": Access.READ,
    "DELETE /api/session": Access.OPEN_CHANGE,
    "POST /api/session": Access.OPEN_CHANGE,
    "GET /api/session": Access.OPEN_READ,
    "DELETE /api/sessions": Access.CHANGE,
    "GET /api/sessions": Access.READ,
    "DELETE /api/sessions/{session_id}": Access.CHANGE,
    "GET /api/settings": Access.READ,
    "POST /api/studies": Access.CHANGE,
    "GET /api/studies": Access.READ,
    "GET /api/studies/templates": Access.READ,
    "DELETE /api/studies/{study_id}": Access.CHANGE,
    "PATCH /api/studies/{study_id}": Access.CHANGE,
    "GET /api/studies/{study_id}/pack": Access.READ,
    "GET /api/studies/{study_id}": Access.READ,
    "GET /api/studies/{study_id}/comparison": Access.READ,
    "GET /api/studies/{study_id}/report": Access.READ,
    "GET /api/studies/{study_id}/curves": Access.READ,
    "POST /api/studies/{study_id}/confirmations": Access.CHANGE,
    "GET /api/studies/{study_id}/file": Access.READ,
    "GET /api/studies/{study_id}/importance": Access.READ,
    "POST /api/studies/{study_id}/pause": Access.CHANGE,
    "POST /api/studies/{study_id}/restore": Access.CHANGE,
    "POST /api/studies/{study_id}/resume": Access.CHANGE,
    "POST /api/studies/{study_id}/seeds": Access.CHANGE,
    "GET /api/studies/{study_id}/slices": Access.READ,
    "POST /api/studies/{study_id}/start": Access.CHANGE,
    "POST /api/studies/{study_id}/stop": Access.CHANGE,
    "GET /api/studies/{study_id}/surface": Access.READ,
    "GET /api/studies/{study_id}/variants": Access.READ,
    "GET /api/system": Access.READ,
    "POST /api/tensorboards": Access.CHANGE,
    "GET /api/tensorboards": Access.READ,
    "DELETE /api/tensorboards/{tensorboard_id}": Access.CHANGE,
    "GET /api/tensorboards/{tensorboard_id}": Access.READ,
    "POST /api/tickets": Access.TOKEN_ONLY,
    "GET /api/usage": Access.READ,
    "GET /api/views": Access.READ,
    "PUT /api/views/{name}": Access.CHANGE,
    "DELETE /api/views/{name}": Access.CHANGE,
}
"""What each route is: whether it needs no sign-in, and whether it changes something."""
SIGNING_OUT = ("DELETE /api/session", "DELETE /api/sessions")
"""Asked last of all, because the session ends with them."""

UPGRADE: Headers = (
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
)
JSON: Headers = (("Content-Type", "application/json"),)
VALUES = {
    "run_id": "aaaaaaaaaaaa",
    "study_id": "aaaaaaaaaaaa",
    "number": "0",
    "version": "1",
    "episode": "0",
    "sha256": "0" * 64,
}
"""What fits into an address but is not there, so that a request that passes finds nothing to change."""

FOREIGN_HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "127.0.0.1.nip.io:{port}",
    "127.0.0.2:{port}",
    "127.1:{port}",
    "2130706433:{port}",
    "0x7f000001:{port}",
    "0177.0.0.1:{port}",
    "0.0.0.0:{port}",
    "[::]:{port}",
    "[::ffff:127.0.0.1]:{port}",
    "127.0.0.1.:{port}",
    "localhost.:{port}",
    "user@127.0.0.1:{port}",
    "127.0.0.1:{port}@evil.example",
    "127.0.0.1, evil.example",
    "evil.example, 127.0.0.1",
    "127.0.0.1:{port}/evil.example",
    "127.0.0.1:99999",
    "[::1",
    "",
)
SIMPLE_TYPES = (
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "*/*",
    "",
)
"""What a page may send to another site without asking first."""


def routes() -> list[str]:
    """Every route of the application, as "METHOD /path", and "SOCKET /path"."""
    app = create_app(Settings(home=Path("nowhere")))
    found = []
    for route in iter_route_contexts(app.routes):
        found += [f"{method} {route.path}" for method in sorted(route.methods or {"SOCKET"})]
    documented = {f"{m.upper()} {path}" for path, item in app.openapi()["paths"].items() for m in item}
    assert {re.sub(":path}", "}", route) for route in found} >= documented
    return found


def fill(path: str) -> str:
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: VALUES.get(found[1], "missing"), path)


def ask(client: RawClient, route: str, headers: Headers = (), query: str = "") -> RawAnswer:
    """The request that belongs to a route: a socket's handshake, a change's JSON body."""
    method, path = route.split(" ", 1)
    target = fill(path) + (f"?{query}" if query else "")
    if method == "SOCKET":
        return client.ask("GET", target, (*UPGRADE, *headers))
    is_change = ROUTES[route] in CHANGES - {Access.SOCKET}
    return client.ask(
        method, target, (*JSON, *headers) if is_change else headers, b"{}" if is_change else b""
    )


def differs(answer: RawAnswer, due: int | None) -> bool:
    if due is PASSES:
        return answer.status in {0, UNKNOWN, FOREIGN} or answer.status >= 500
    return answer.status != due


@pytest.fixture
def keys(lab: Server) -> Keys:
    return sign_in(lab)


@pytest.fixture
def client(lab: Server) -> Iterator[RawClient]:
    with RawClient(lab.url) as opened:
        yield opened


def leaks(answer: RawAnswer, keys: Keys) -> bool:
    """No answer carries a secret or invites another site."""
    return keys.token in answer.text or "access-control-" in answer.text.lower()


def test_every_route_is_in_the_table() -> None:
    found = routes()
    assert len(found) == len(set(found)) >= 80
    assert set(found) - ROUTES.keys() == set(), "add these routes to ROUTES"
    assert ROUTES.keys() - set(found) == set(), "these routes are gone"


def test_only_what_needs_no_sign_in_is_open() -> None:
    opened = {route.split(" ", 1)[1] for route, access in ROUTES.items() if access in OPEN}
    assert opened == {"/api/health", "/api/session", "/api/docs", "/api/openapi.json"}


def test_every_caller_gets_the_answer_that_is_due_at_every_route(client: RawClient, keys: Keys) -> None:
    callers = list(actors(keys))
    different = [
        f"{route} from {actor.name}: {answer.status}, due {actor.due(access) or 'its own answer'}"
        for actor in callers
        for route, access in ROUTES.items()
        if route not in SIGNING_OUT
        if differs(answer := ask(client, route, actor.headers, actor.query), actor.due(access))
        or leaks(answer, keys)
    ]
    assert different == []
    assert len(callers) * len(ROUTES) >= 2000


@pytest.mark.parametrize("route", SIGNING_OUT)
def test_every_caller_gets_the_answer_that_is_due_when_it_signs_out(
    lab: Server, client: RawClient, route: str
) -> None:
    """Each with a session of its own, which the ones before cannot have ended."""
    different = []
    for number in range(len(list(actors(sign_in(lab))))):
        actor = list(actors(sign_in(lab)))[number]
        answer = ask(client, route, actor.headers, actor.query)
        if differs(answer, actor.due(ROUTES[route])):
            different.append(f"{actor.name}: {answer.status}, due {actor.due(ROUTES[route])}")
    assert different == []


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_foreign_host_is_refused_at_every_address(client: RawClient, keys: Keys, host: str) -> None:
    port = client.authority.rpartition(":")[2]
    headers = (("Host", host.format(port=port)), ("Authorization", f"Bearer {keys.token}"))
    pages = [client.ask("GET", path, headers) for path in ("/", "/runs/abc", "/favicon.svg")]
    answers = [ask(client, route, headers) for route in ROUTES]
    assert {answer.status for answer in (*pages, *answers)} <= {400, FOREIGN}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_the_labs_own_names_are_accepted(client: RawClient, host: str) -> None:
    port = client.authority.rpartition(":")[2]
    assert client.ask("GET", "/api/health", (("Host", f"{host}:{port}"),)).status == 200


@pytest.mark.parametrize("kind", SIMPLE_TYPES)
def test_a_form_of_another_site_changes_nothing(client: RawClient, keys: Keys, kind: str) -> None:
    headers = (*browser_headers(keys), ("Origin", "http://evil.example"), ("Content-Type", kind))
    changing = [route for route, access in ROUTES.items() if access in CHANGES - {Access.SOCKET}]
    answers = {
        route: client.ask(route.split()[0], fill(route.split()[1]), headers, b"{}") for route in changing
    }
    assert {route: a.status for route, a in answers.items() if a.status != FOREIGN} == {}


def test_no_other_site_is_invited_by_a_preflight(client: RawClient, keys: Keys) -> None:
    asking = (("Origin", "http://evil.example"), ("Access-Control-Request-Headers", "authorization"))
    for route in ROUTES:
        method, path = route.split(" ", 1)
        answer = client.ask("OPTIONS", fill(path), (*asking, ("Access-Control-Request-Method", method)))
        assert not leaks(answer, keys), route
        assert answer.status in {UNKNOWN, FOREIGN, 404, 405}, route


ODD_TARGETS = (
    "/%61pi/runs",
    "/ap%69/runs",
    "/%2fapi/runs",
    "/api//runs",
    "//api/runs",
    "/./api/runs",
    "/x/../api/runs",
    "/x/%2e%2e/api/runs",
    "/api/../api/runs",
    "/api/health/../runs",
    "/api/session/../runs",
    "/api/docs/../runs",
    "/api/health/%2e%2e/runs",
    "/api/health%2f..%2fruns",
    "/api/health;/../runs",
    "/api/runs/",
    "/api/runs;x",
    "/api/runs%00",
    "/api/runs%20",
    "/API/runs",
    "/Api/runs",
    "/api\\runs",
    "/api%5cruns",
    "http://evil.example/api/runs",
    "http://127.0.0.1/api/runs",
    "api/runs",
    "*",
    "/api/runs#/api/health",
    "/api/runs?/api/health",
    "/api/health?/../runs",
)


@pytest.mark.parametrize("target", ODD_TARGETS)
def test_no_spelling_of_an_address_gets_past_the_gate(lab: Server, client: RawClient, target: str) -> None:
    """The list of runs is JSON with `items`; without a token nobody gets it."""
    run = lab.create(name="kept from strangers", start=False)
    for method in ("GET", "HEAD", "POST", "TRACE", "PROPFIND", "CONNECT", "get"):
        answer = client.ask(method, target)
        assert b"items" not in answer.body
        assert run["id"].encode() not in answer.body
        assert answer.status < 500
        assert answer.status != 200 or "json" not in answer.header("content-type") or "health" in target


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /api/runs HTTP/1.1\r\n\r\n",
        b"GET /api/health HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n",
        b"GET /api/health HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n",
        b"GET /api/runs HTTP/1.0\r\n\r\n",
        b"GET /api/runs\r\n\r\n",
        b"GET /api/runs HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"POST /api/session HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /api/runs HTTP/1.1\r\nHost: {host}\r\nAuthorization : Bearer x\r\n\r\n",
        b"GET /api/runs HTTP/1.1\r\nHost: {host}\r\n folded: x\r\n\r\n",
        b"GET /api/runs HTTP/1.1\r\nHost: {host}\r\nX: a\x00b\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
def test_an_odd_request_is_refused(client: RawClient, request_bytes: bytes) -> None:
    answer = client.send(request_bytes.replace(b"{host}", client.authority.encode()))
    assert answer.status in {0, 400, UNKNOWN, FOREIGN, 404}
