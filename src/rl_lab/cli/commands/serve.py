"""`rl-lab serve`: starts the lab and opens its page."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
import webbrowser
from collections.abc import Iterator
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from rl_lab.cli.allow_root import AllowRoot
from rl_lab.cli.output import AsJson
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from pathlib import Path

    from rl_lab.api.server import LabServer
    from rl_lab.cli.client import LabClient
    from rl_lab.settings import Settings

INTERRUPTED = 130
LOOK_S = 0.5
SIGN_IN = "Sign in (once, within 30 s)"
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on [127.0.0.1].", show_default=False)
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port; 0 picks a free port [8642].", show_default=False),
    ] = None,
    *,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Allow a --host that other machines can reach.")
    ] = False,
    allow_root: AllowRoot = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
    as_json: AsJson = False,
) -> int:
    """Start the lab and open its page (same as `rl-lab` without a command)."""
    from rl_lab.api.server import LabServer
    from rl_lab.cli.connection import read_settings

    given = {
        "host": host,
        "port": port,
        "allow_remote": allow_remote or None,
        "allow_root": allow_root or None,
    }
    settings = read_settings().model_copy(update={k: v for k, v in given.items() if v is not None})
    _check_host(settings)
    _refuse_second_lab(settings.home_path)
    _warn_of_network_disk(settings.home_path)
    server = LabServer(settings, on_ready=lambda ready: _announce(ready, as_json, no_browser=no_browser))
    server.run_lab()
    if not as_json:
        print("The lab has stopped; active runs continue, and the next start reattaches to them.")
    return INTERRUPTED if server.ended_by == signal.SIGINT else 0


def _check_host(settings: Settings) -> None:
    """The lab uses plain HTTP: anyone on the network can read the token, and the token allows running code."""
    from rl_lab.core.errors import NotReady

    if settings.host in LOOPBACK:
        return
    danger = (
        f"Other machines can reach {settings.host}; the token is sent as plain HTTP, and anyone who has it "
        "can run code on this machine."
    )
    if not settings.allow_remote:
        raise NotReady(
            danger,
            next_step="Use an SSH tunnel (ssh -L 8642:127.0.0.1:8642 this-machine) or a reverse proxy with TLS; "
            "or add --allow-remote if you trust the network.",
        )
    print(f"Warning: {danger}", file=sys.stderr)


def _warn_of_network_disk(home: Path) -> None:
    from rl_lab.orchestrator.disks import network_disk_words

    if words := network_disk_words(home):
        print(f"Warning: {words}", file=sys.stderr)


def _refuse_second_lab(home: Path) -> None:
    """Runs before the port is opened: a second lab on the same home is the likelier reason for a busy port."""
    from rl_lab.orchestrator.home import HomeLock

    lock = HomeLock(home)
    lock.take()
    lock.release()


def open_page() -> bool:
    """Opens the page of the lab that already runs in this home folder; False if none runs."""
    from rl_lab.cli.connection import find_lab
    from rl_lab.home_folder import home_path

    client = find_lab(home_path())
    if client is None:
        return False
    link = sign_in_link(client.url, new_ticket(client))
    print(f"RL Lab is already running at {client.url}\n{SIGN_IN}: {link}", flush=True)
    if has_display():
        webbrowser.open(link)
    return True


def new_ticket(client: LabClient) -> str:
    return str(client.post("/api/tickets")["ticket"])


def sign_in_link(address: str, ticket: str) -> str:
    """Never with the token: every program of the machine can read the command line of a browser."""
    return f"{address}{'' if '/' in address.removeprefix('http://') else '/'}#ticket={ticket}"


def _announce(server: LabServer, as_json: bool, *, no_browser: bool) -> None:
    link = sign_in_link(server.url, server.new_ticket())
    if as_json:
        print(json.dumps({"url": server.url, "sign_in": link}), flush=True)
    else:
        _print_address(server, link)
    if not no_browser and has_display():
        webbrowser.open(sign_in_link(server.url, server.new_ticket()))


def _print_address(server: LabServer, link: str) -> None:
    print(f"RL Lab is running at {server.url}", flush=True)
    print(f"{SIGN_IN}: {link}", flush=True)
    if sys.stdin is not None and sys.stdin.isatty():
        print("Enter prints a new link. Ctrl-C stops the lab; runs continue.", flush=True)
        Thread(target=_print_links, args=(server,), name="sign-in links", daemon=True).start()
    else:
        print("`rl-lab sign-in` prints a new link. Ctrl-C stops the lab; runs continue.", flush=True)


def _print_links(server: LabServer) -> None:
    """Prints a new link for each line from the terminal, as long as the lab is in its foreground."""
    for _ in entered_lines(sys.stdin.fileno()):
        print(f"{SIGN_IN}: {sign_in_link(server.url, server.new_ticket())}", flush=True)


def entered_lines(terminal: int) -> Iterator[bytes]:
    """What is typed, line by line; ends with the input.

    A process in the background that reads from its terminal is stopped by the system, so it looks first.
    """
    while True:
        readable, _, _ = select.select([terminal], [], [], LOOK_S)
        try:
            if os.tcgetpgrp(terminal) != os.getpgrp():
                time.sleep(LOOK_S)
            elif readable:
                line = os.read(terminal, 4096)
                if not line:
                    return
                yield line
        except OSError:
            return  # the terminal was closed


def has_display() -> bool:
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
