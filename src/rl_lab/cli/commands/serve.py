"""`rl-lab serve`: the lab and its page."""

from __future__ import annotations

import os
import signal
import sys
import webbrowser
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pathlib import Path

    from rl_lab.api.server import LabServer
    from rl_lab.settings import Settings

INTERRUPTED = 130
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on [127.0.0.1].", show_default=False)
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port; 0 takes any free one [8642].", show_default=False),
    ] = None,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Permit a --host that other machines can reach.")
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
) -> int:
    """Start the lab and open its page (what `rl-lab` alone does)."""
    from rl_lab.api.server import LabServer
    from rl_lab.cli.connection import read_settings

    given = {"host": host, "port": port, "allow_remote": allow_remote or None}
    settings = read_settings().model_copy(update={k: v for k, v in given.items() if v is not None})
    _check_host(settings)
    _refuse_second_lab(settings.home_path)
    _warn_of_network_disk(settings.home_path)
    server = LabServer(
        settings, on_ready=lambda ready: _say(ready, open_page=not no_browser and _has_display())
    )
    server.run_lab()
    print("The lab has ended; runs that were going on go on, and the next start picks them up.")
    return INTERRUPTED if server.ended_by == signal.SIGINT else 0


def _check_host(settings: Settings) -> None:
    """The lab speaks plain HTTP: whoever listens on the network reads the token, and whoever has it may run code."""
    from rl_lab.core.errors import NotReady

    if settings.host in LOOPBACK:
        return
    danger = (
        f"{settings.host} can be reached by other machines; the token crosses the network as plain HTTP, and "
        "whoever has it may run code here."
    )
    if not settings.allow_remote:
        raise NotReady(
            danger,
            next_step="Use an SSH tunnel (ssh -L 8642:127.0.0.1:8642 this-machine) or a reverse proxy with TLS; "
            "or add --allow-remote in a network you trust.",
        )
    print(f"Warning: {danger}", file=sys.stderr)


def _warn_of_network_disk(home: Path) -> None:
    from rl_lab.orchestrator.disks import network_disk_words

    if words := network_disk_words(home):
        print(f"Warning: {words}", file=sys.stderr)


def _refuse_second_lab(home: Path) -> None:
    """Said before the port is tried: the same home is the likelier reason for a busy port."""
    from rl_lab.orchestrator.home import HomeLock

    lock = HomeLock(home)
    lock.take()
    lock.release()


def _say(server: LabServer, open_page: bool) -> None:
    link = f"{server.url}/#token={server.token}"
    print(f"RL Lab is running at {server.url}", flush=True)
    print(f"Sign in: {link}", flush=True)
    print("Ctrl-C ends the lab; runs go on.", flush=True)
    if open_page:
        webbrowser.open(link)


def _has_display() -> bool:
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
