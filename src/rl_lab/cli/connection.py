"""Finds the lab for a command: the server that holds the home folder, or one that commands start and share."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rl_lab.cli.terminal import print
from rl_lab.core.errors import LabBusy, LabError, NotReady, Problem
from rl_lab.home_folder import home_path

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient
    from rl_lab.settings import Settings

LAB_LOG = "command-lab.log"
"""What a lab for commands prints; written anew with each."""
LOOK_AGAIN_S = 10.0
"""How long to wait for a lab that holds the home folder and has an address, but does not respond."""
LOOK_AGAIN_STARTING_S = 60.0
"""The same for one that is starting or ending, and for one of commands, which comes and goes by itself: however busy
the machine is."""
SAY_S = 2.0
"""After so long, a command says what it waits for."""


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
    """A client of the lab of this home folder: the running one, or one that serves commands only."""
    from rl_lab.orchestrator.home_use import HomeUse

    home = home_path()
    with HomeUse(home):
        client = find_lab(home) or _start_lab(home)
        gc.enable()
        with client:
            yield client


def _start_lab(home: Path) -> LabClient:
    """Starts a lab for commands, unless another command has started one meanwhile."""
    from rl_lab.orchestrator.home import busy, find_holder
    from rl_lab.orchestrator.home_use import turn_to_start

    read_settings()  # what is wrong with them is said here, not in a log file
    began, is_said = time.monotonic(), False
    with turn_to_start(home):
        while True:
            found = find_lab(home)
            if found is not None:
                return found
            if find_holder(home) is None:
                try:
                    _launch_lab(home)
                    continue
                except LabBusy:
                    pass  # another lab was quicker
            waited = time.monotonic() - began
            if waited > _patience(home):
                raise busy(home)
            if waited > SAY_S and not is_said:
                is_said = True
                print(f"Waiting for the lab in {home} to answer; it is starting …", file=sys.stderr)
            time.sleep(0.1)


def _patience(home: Path) -> float:
    from rl_lab.orchestrator.home import find_server, is_starting

    is_for_commands = (find_server(home) or {"for_commands": True}).get("for_commands")
    return LOOK_AGAIN_STARTING_S if is_for_commands or is_starting(home) else LOOK_AGAIN_S


def _launch_lab(home: Path) -> None:
    """Returns when the lab responds. In a session of its own: Ctrl-C is meant for the command."""
    from rl_lab.orchestrator.private_files import open_private

    with open_private(home / LAB_LOG) as log:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "rl_lab.api.command_lab"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
    assert process.stdout is not None
    with process.stdout as answers:
        line = answers.readline()
    if not line:
        raise NotReady(
            f"The lab did not start (exit code {process.wait()}).",
            next_step=f"{home / LAB_LOG} has its messages; `rl-lab doctor` checks the machine.",
        )
    if problem := json.loads(line).get("problem"):
        process.wait()
        raise _as_error(problem)


def _as_error(problem: dict[str, Any]) -> LabError:
    from rl_lab.cli.client import ProblemAnswer

    if problem["type"].endswith(LabBusy.slug):
        return LabBusy(problem["detail"], next_step=problem["next_step"])
    return ProblemAnswer(Problem(**problem))


def find_lab(home: Path) -> LabClient | None:
    """A client of the server that is registered in this home folder, if it responds."""
    from rl_lab.cli.client import LabClient
    from rl_lab.orchestrator.home import find_server
    from rl_lab.orchestrator.token_file import read_token

    found = find_server(home)
    if found is None or not str(found.get("url", "")).startswith("http://"):
        return None
    token = read_token(home)
    if token is None:
        return None
    client = LabClient(str(found["url"]), token)
    return client if client.answers() else None


def is_served() -> bool:
    """Whether a lab is running that outlives the commands; one that was started for them ends with them."""
    from rl_lab.orchestrator.home import find_server

    client = find_lab(home_path())
    if client is None:
        return False
    with client:
        return not (find_server(home_path()) or {}).get("for_commands")
