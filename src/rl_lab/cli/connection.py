"""Finds the lab for a command: the server that holds the home folder, or one started for this command only."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rl_lab.core.errors import LabBusy, NotReady
from rl_lab.home_folder import home_path

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient
    from rl_lab.settings import Settings

LOOK_AGAIN_S = 10.0
"""How long to wait for a lab that holds the home folder but does not respond yet: it may be starting or exiting."""


def read_settings() -> Settings:
    from pydantic import ValidationError

    from rl_lab.settings import Settings

    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = f"RL_LAB_{str(first['loc'][0]).upper()}"
        raise NotReady(
            f"{name} is not valid: {first['msg']}.", next_step=f"Correct or unset {name}."
        ) from None


@contextmanager
def open_lab() -> Iterator[LabClient]:
    """A client of the lab of this home folder: the running one, or one started for this command."""
    client = find_lab(home_path())
    if client is not None:
        gc.enable()
        with client:
            yield client
        return
    settings = read_settings()
    deadline = time.monotonic() + LOOK_AGAIN_S
    while True:
        try:
            with _own_lab(settings) as client:
                yield client
            return
        except LabBusy:
            # Another process took the home folder after we checked and before we started.
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        found = find_lab(settings.home_path)
        if found is not None:
            with found:
                yield found
            return


@contextmanager
def _own_lab(settings: Settings) -> Iterator[LabClient]:
    from rl_lab.api.server import BackgroundLab
    from rl_lab.cli.client import LabClient

    with BackgroundLab(settings) as lab, LabClient(lab.url, lab.token) as client:
        yield client


def find_lab(home: Path) -> LabClient | None:
    """A client of the server that is registered in this home folder, if it responds."""
    from rl_lab.cli.client import LabClient
    from rl_lab.orchestrator.home import find_server

    found = find_server(home)
    if found is None or not str(found.get("url", "")).startswith("http://"):
        return None
    try:
        token = (home / "token").read_text().strip()
    except OSError:
        return None
    client = LabClient(str(found["url"]), token)
    return client if client.answers() else None


def is_served() -> bool:
    """Whether a lab is running that outlives this command; a lab started for this command ends with it."""
    client = find_lab(home_path())
    if client is None:
        return False
    with client:
        return True
