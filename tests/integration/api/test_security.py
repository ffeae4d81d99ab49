"""The gate in front of a real server: strangers, foreign pages, cookies, sockets, the page's own files."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from support.server import Server, command, serve
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect


@pytest.fixture(scope="module")
def server(shared_server: Server) -> Server:
    return shared_server


def socket_address(server: Server) -> str:
    return server.url.replace("http://", "ws://") + "/api/live"


def refused_with(server: Server, **headers: str) -> int:
    with pytest.raises(InvalidStatus) as raised, connect(socket_address(server), additional_headers=headers):
        pass
    return raised.value.response.status_code


def test_the_token_is_readable_by_its_owner_only(server: Server) -> None:
    assert stat.S_IMODE((server.home / "token").stat().st_mode) == 0o600


def test_a_stranger_is_told_how_to_get_in(server: Server) -> None:
    with server.stranger() as stranger:
        answer = stranger.get("/api/runs")
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert "token" in answer.json()["next_step"]


def test_the_browser_trades_the_token_for_a_cookie(server: Server) -> None:
    with server.stranger(Origin=server.url) as browser:
        assert browser.get("/api/session").json() == {"signed_in": False}
        assert browser.post("/api/session", json={"token": "wrong"}).status_code == 401
        answer = browser.post("/api/session", json={"token": server.token})
        assert answer.status_code == 201
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert server.token not in answer.headers["set-cookie"] + answer.text
        assert browser.get("/api/runs").status_code == 401
        browser.headers["RL-Lab-Key"] = answer.json()["key"]
        assert browser.get("/api/runs").status_code == 200
        assert browser.get("/api/session").json() == {"signed_in": True}
        browser.delete("/api/session")
        assert browser.get("/api/runs").status_code == 401


def test_guessing_the_token_takes_longer_each_time(home: Path) -> None:
    with serve(home) as lab, lab.stranger() as guesser:
        answers = [guesser.post("/api/session", json={"token": f"guess {n}"}) for n in range(5)]
        assert [answer.status_code for answer in answers] == [401] * 5
        # On a slow machine the first waits may pass between two guesses.
        last = next(
            answer
            for n in range(20)
            if (answer := guesser.post("/api/session", json={"token": f"more {n}"})).status_code == 429
        )
        assert last.headers["content-type"] == "application/problem+json"
        assert int(last.headers["retry-after"]) >= 1
        assert "Wait" in last.json()["next_step"]
        # Whoever holds the token is not kept out by the guesses of others.
        assert lab.client.get("/api/runs").status_code == 200


def test_a_host_that_others_can_reach_needs_a_word_more(home: Path) -> None:
    refused = command(home, "serve", "--host", "0.0.0.0", "--port", "0", "--no-browser")
    assert refused.returncode == 1
    assert "plain HTTP" in refused.stderr
    assert "--allow-remote" in refused.stderr
    assert not (home / "token").exists()
    with serve(home, "--host", "0.0.0.0", "--allow-remote") as lab:
        assert lab.client.get("/api/health").status_code == 200


def test_a_foreign_host_is_refused_everywhere(server: Server) -> None:
    for path in ("/", "/api/health", "/api/runs", "/api/docs"):
        assert server.client.get(path, headers={"Host": "evil.example"}).status_code == 403


def test_a_foreign_origin_changes_nothing_and_opens_no_socket(server: Server) -> None:
    evil = {"Origin": "http://evil.example"}
    assert server.client.post("/api/runs", json={}, headers=evil).status_code == 403
    bearer = f"Bearer {server.token}"
    assert refused_with(server, Authorization=bearer, **evil) == 403
    assert refused_with(server, **evil) == 403
    assert refused_with(server) == 401


def test_every_answer_carries_the_security_headers(server: Server) -> None:
    for path in ("/", "/api/health", "/api/nothing", "/api/runs"):
        headers = server.client.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in headers


def test_a_body_over_a_mebibyte_is_refused(server: Server) -> None:
    big = {"env_id": "x" * (1 << 20), "algorithm": "ppo"}
    assert server.client.post("/api/runs", json=big).status_code == 413
    chunks = (b"x" * 65536 for _ in range(20))
    answer = server.client.post("/api/runs", content=chunks, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.json()["title"]


def test_the_pages_addresses_answer_with_the_page_and_missing_files_do_not(server: Server) -> None:
    with server.stranger() as stranger:
        for path in ("/", "/runs/abc", "/runs/abc?smooth=0.3"):
            answer = stranger.get(path)
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/html")
        assert stranger.get("/assets/missing.js").status_code == 404
        assert stranger.get("/../../etc/passwd").status_code in {200, 404}
        assert "root:x:" not in stranger.get("/%2e%2e/%2e%2e/etc/passwd").text


def test_the_documentation_is_served_from_here_alone(server: Server) -> None:
    with server.stranger() as stranger:
        page = stranger.get("/api/docs").text
        document = stranger.get("/api/openapi.json").json()
    assert "/api/runs/{run_id}/stream" in page
    assert "https://" not in page
    assert document["paths"]["/api/runs"]["post"]["operationId"] == "create_run"
    for operations in document["paths"].values():
        for operation in operations.values():
            assert operation["operationId"]
            assert "application/problem+json" in operation["responses"]["default"]["content"]
