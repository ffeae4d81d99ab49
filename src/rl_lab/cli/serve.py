"""`rl-lab serve`: the lab and its page."""

from __future__ import annotations

import os
import signal
import sys
import webbrowser
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rl_lab.api.server import LabServer

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
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
) -> int:
    """Start the lab and open its page (what `rl-lab` alone does)."""
    from rl_lab.api.server import LabServer
    from rl_lab.cli.connection import read_settings

    given = {"host": host, "port": port}
    settings = read_settings().model_copy(update={k: v for k, v in given.items() if v is not None})
    _refuse_second_lab(settings.home_path)
    if settings.host not in LOOPBACK:
        print(
            f"Warning: {settings.host} can be reached by other machines; whoever has the token may run code here.",
            file=sys.stderr,
        )
    server = LabServer(
        settings, on_ready=lambda ready: _say(ready, open_page=not no_browser and _has_display())
    )
    server.run_lab()
    print("The lab has ended; runs that were going on go on, and the next start picks them up.")
    return INTERRUPTED if server.ended_by == signal.SIGINT else 0


def _refuse_second_lab(home: os.PathLike[str]) -> None:
    """Said before the port is tried: the same home is the likelier reason for a busy port."""
    from pathlib import Path

    from rl_lab.orchestrator.home import HomeLock

    lock = HomeLock(Path(home))
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
