"""Signing in: no secret on a command line, a cookie that is worth nothing alone, sessions that end, no lock-out."""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from support.actors import Keys, browser_headers, cookie_header, sign_in
from support.plain_server import other_server
from support.server import COMMAND, Server, command, environment, serve
from support.terminal import in_terminal
from support.waiting import DEADLINE_S, wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

TICKET = re.compile(r"#ticket=([\w-]+)")
NOBODY = 65534


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Path]:
    """A browser that only writes down the addresses it was started with; it runs as long as the test."""
    script, running = tmp_path / "browser", tmp_path / "running"
    running.touch()
    lines = (
        "#!/bin/sh",
        "exec </dev/null >/dev/null 2>&1",
        f'printf "%s\\n" "$*" >> {tmp_path}/opened',
        f"while [ -e {running} ]; do sleep 0.05; done",
    )
    script.write_text("\n".join(lines) + "\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    yield script
    running.unlink()


def opened_by(browser: Path, number: int = 1) -> list[str]:
    file = browser.with_name("opened")

    def look() -> list[str] | None:
        lines = file.read_text().splitlines() if file.exists() else []
        return lines if len(lines) >= number else None

    return wait_until(look, lambda: f"{number} opened pages")


def with_display(browser: Path) -> dict[str, str]:
    return {"DISPLAY": ":99", "BROWSER": f"{browser} %s &"}


def processes_with(secret: str) -> list[str]:
    """Processes of this machine whose command line or environment, as far as they can be read, has the secret."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            try:
                if secret.encode() in (folder / name).read_bytes():
                    found.append(f"{folder.name}/{name}")
            except OSError:
                continue
    return found


def trade(lab: Server, **body: str) -> httpx2.Response:
    with lab.stranger(Origin=lab.url) as stranger:
        return stranger.post("/api/session", json=body)


def new_ticket(lab: Server) -> str:
    return str(lab.client.post("/api/tickets").json()["ticket"])


def test_b2_serve_gives_the_browser_a_ticket_and_never_the_token(home: Path, browser: Path) -> None:
    arguments = [*COMMAND, "serve", "--port", "0"]
    with in_terminal(arguments, environment(home, **with_display(browser))) as terminal:
        printed = terminal.until("Enter prints a new link")
        token = (home / "token").read_text().strip()
        [opened] = opened_by(browser)
        assert processes_with(TICKET.findall(opened)[0]), "the browser still runs"
        assert processes_with(token) == []
        assert token not in printed + opened
        terminal.forget()
        terminal.type("\n")
        again = terminal.until("Sign in")
        tickets = (
            TICKET.findall(printed) + TICKET.findall(terminal.until("#ticket=")) + TICKET.findall(opened)
        )
        assert len(set(tickets)) == 3, again
        url = json.loads((home / "server.json").read_text())["url"]
        with httpx2.Client(base_url=url, trust_env=False, timeout=DEADLINE_S) as client:
            answer = client.post("/api/session", json={"ticket": tickets[-1]})
            assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("arguments", [(), ("sign-in",), ("docs", "quickstart")])
def test_b2_commands_open_and_print_tickets_only(
    lab: Server, browser: Path, arguments: tuple[str, ...]
) -> None:
    done = command(lab.home, *arguments, **with_display(browser))
    assert done.returncode == 0, done.stderr
    [opened] = opened_by(browser)
    assert lab.token not in done.stdout + done.stderr + opened
    assert processes_with(lab.token) == []
    assert trade(lab, ticket=TICKET.findall(opened)[0]).status_code == 201


def test_b2_no_process_of_a_run_sees_the_token(lab: Server) -> None:
    run = lab.create(start=True, total_timesteps=10_000_000, params={"steps_per_second": 1000})
    lab.wait(run["id"], "running")
    assert processes_with(lab.token) == []
    lab.client.post(f"/api/runs/{run['id']}/stop")
    lab.wait(run["id"], "stopped")


def test_b2_sign_in_prints_only_when_asked_and_needs_a_running_lab(lab: Server, home: Path) -> None:
    printed = command(lab.home, "sign-in", "--no-browser", "--json")
    assert json.loads(printed.stdout)["sign_in"].startswith(f"{lab.url}/#ticket=")
    refused = command(home, "sign-in")
    assert refused.returncode == 1
    assert "No lab is running" in refused.stderr
    assert "rl-lab serve" in refused.stderr


def test_b2_a_ticket_works_once(lab: Server) -> None:
    ticket = new_ticket(lab)
    first, second = trade(lab, ticket=ticket), trade(lab, ticket=ticket)
    assert (first.status_code, second.status_code) == (201, 401)
    assert "used already" in second.json()["detail"]
    assert "rl-lab sign-in" in second.json()["next_step"]
    assert trade(lab, ticket="x", token=lab.token).status_code == 422
    assert trade(lab).status_code == 422


def test_b2_only_the_token_makes_tickets(lab: Server) -> None:
    keys = sign_in(lab)
    with lab.stranger(Origin=lab.url, **dict(browser_headers(keys))) as page:
        assert page.get("/api/runs").status_code == 200
        assert page.post("/api/tickets").status_code == 403


@pytest.mark.skipif(os.getuid() != 0, reason="only root can speak for another user")
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_b2_another_user_of_the_machine_cannot_use_a_ticket(lab: Server) -> None:
    ticket = new_ticket(lab)
    answer = posted_by(NOBODY, lab, {"ticket": ticket})
    assert answer.startswith("HTTP/1.1 403"), answer
    assert "the user who runs the lab" in answer
    assert posted_by(NOBODY, lab, {"token": lab.token}).startswith("HTTP/1.1 201")
    assert trade(lab, ticket=ticket).status_code == 201, "it is still the owner's"


def posted_by(user: int, lab: Server, body: dict[str, str]) -> str:
    """The raw answer to a sign-in over a socket that belongs to this user."""
    host, port = lab.url.removeprefix("http://").split(":")
    os.seteuid(user)
    try:
        connection = socket.create_connection((host, int(port)), DEADLINE_S)
    finally:
        os.seteuid(0)
    data = json.dumps(body)
    with connection:
        connection.sendall(
            f"POST /api/session HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n{data}".encode()
        )
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


def test_b8_a_server_on_another_port_gets_the_cookie_and_cannot_use_it(lab: Server) -> None:
    with lab.stranger() as browser, other_server() as (address, seen):
        assert browser.post("/api/session", json={"token": lab.token}).status_code == 201
        browser.get(f"{address}/favicon.ico")
        [stolen] = [headers["Cookie"] for headers in seen]
    assert stolen.startswith("rl_lab_")
    with lab.stranger(Cookie=stolen, Origin=lab.url) as thief:
        assert thief.get("/api/session").json() == {"signed_in": False}
        assert thief.get("/api/runs").status_code == 401
        assert thief.post("/api/runs", json={}).status_code == 401
        assert thief.get("/api/runs", params={"view_key": stolen.partition("=")[2]}).status_code == 401
    with pytest.raises(InvalidStatus) as refused, live(lab, Cookie=stolen, Origin=lab.url):
        pass
    assert refused.value.response.status_code == 401


def live(lab: Server, query: str = "", **headers: str) -> ClientConnection:
    address = lab.url.replace("http://", "ws://") + "/api/live" + query
    return connect(address, additional_headers=headers, proxy=None)


def test_b8_the_view_key_shows_and_changes_nothing_and_is_not_logged(home: Path) -> None:
    with serve(home) as lab:
        keys = sign_in(lab)
        own = dict(cookie_header(keys)) | {"Origin": lab.url}
        query = f"?view_key={keys.view_key}"
        with lab.stranger(**own) as page:
            assert page.get(f"/api/runs{query}&limit=1").status_code == 200
            for method in ("POST", "PUT", "PATCH", "DELETE"):
                assert page.request(method, f"/api/runs/aaaaaaaaaaaa{query}").status_code == 401
            assert page.get(f"/api/nothing{query}").status_code == 404
            assert page.get(f"/api/runs{query}&limit=many").status_code == 422
        with live(lab, query, **own) as opened:
            assert subscribe(opened)
        for wrong in ({**own, "Origin": "http://evil.example"}, {"Origin": lab.url}):
            with pytest.raises(InvalidStatus), live(lab, query, **wrong):
                pass
        run = lab.create(start=False)
        with pytest.raises(InvalidStatus), live(lab, f"/../runs/{run['id']}{query}", **own):
            pass
    _is_secret(home, keys)
    with serve(home) as again, again.stranger(**dict(browser_headers(keys))) as page:
        assert page.get("/api/runs").status_code == 200, "the session outlives the lab's process"
        [session] = page.get("/api/sessions").json()
        assert session["is_current"]
        assert session["address"] == "127.0.0.1"


def _is_secret(home: Path, keys: Keys) -> None:
    output = (home.parent / "home.stderr").read_text()
    stored = b"".join(file.read_bytes() for file in home.glob("lab.db*"))
    for secret in (keys.view_key, keys.key, keys.cookie.partition(".")[2]):
        assert secret not in output
        assert secret.encode() not in stored


def subscribe(socket: ClientConnection) -> bool:
    socket.send('{"op":"subscribe","topic":"nothing"}')
    return b"error" in bytes(str(socket.recv(DEADLINE_S)), "utf-8")


def test_b8_ended_sessions_lose_their_sockets_and_streams(lab: Server) -> None:
    keys, other = sign_in(lab), sign_in(lab)
    run = lab.create(start=False)
    headers = dict(browser_headers(keys)) | {"Origin": lab.url}
    with (
        live(lab, **headers) as socket,
        live(lab, **dict(browser_headers(other)), Origin=lab.url) as kept,
        lab.stranger(**headers, Accept="text/event-stream") as page,
        page.stream("GET", f"/api/runs/{run['id']}/events") as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines).startswith("retry")
        assert subscribe(socket) and subscribe(kept)
        done = command(lab.home, "sessions", "end", id_of(keys))
        assert "Signed out" in done.stdout, done.stderr
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.recv(DEADLINE_S)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401
        assert [line for line in lines if line.startswith("no such")] == [], "the stream has ended"
        assert subscribe(kept)
        assert page.get("/api/runs").status_code == 401


def id_of(keys: Keys) -> str:
    return keys.cookie.partition(".")[0]


def test_b8_sessions_are_listed_and_ended(lab: Server) -> None:
    keys, other = sign_in(lab), sign_in(lab)
    listed = command(lab.home, "sessions")
    assert id_of(keys) in listed.stdout and "just now" in listed.stdout, listed.stderr
    with lab.stranger(Origin=lab.url, **dict(browser_headers(keys))) as page:
        found = {session["id"]: session for session in page.get("/api/sessions").json()}
        assert found[id_of(keys)]["is_current"] and not found[id_of(other)]["is_current"]
        assert id_of(other) in {session["id"] for session in page.delete("/api/sessions").json()}
        assert [session["id"] for session in page.get("/api/sessions").json()] == [id_of(keys)]
        assert page.delete("/api/session").json() == {"signed_in": False}
        assert page.get("/api/runs", headers=dict(cookie_header(keys))).status_code == 401
    sign_in(lab)
    assert "Signed out" in command(lab.home, "sessions", "end", "--all").stdout
    assert "No browser is signed in" in command(lab.home, "sessions").stdout
    missing = command(lab.home, "sessions", "end", "aaaaaaaaaaaa")
    assert missing.returncode == 1 and "rl-lab sessions" in missing.stderr


def test_b18_a_right_token_is_never_locked_out_by_wrong_ones(lab: Server) -> None:
    assert trade(lab, token=lab.token).status_code == 201
    refused = guess_until_refused(lab, "token")
    assert int(refused.headers["retry-after"]) >= 1
    assert trade(lab, ticket=new_ticket(lab)).status_code == 201
    guess_until_refused(lab, "ticket")
    assert trade(lab, token=lab.token).status_code == 201


def guess_until_refused(lab: Server, what: str) -> httpx2.Response:
    """Not after a fixed number: a slow machine may let the first waits pass between two guesses."""
    answers = [trade(lab, **{what: f"guess {number}"}) for number in range(5)]
    assert {answer.status_code for answer in answers} == {401}
    return next(
        answer
        for number in range(20)
        if (answer := trade(lab, **{what: f"more {number}"})).status_code == 429
    )
