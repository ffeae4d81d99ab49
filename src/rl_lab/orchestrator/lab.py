"""The Lab is the one object the API talks to: it owns the database, the bus, the queue and every run.

All methods are coroutines on one event loop and raise `core.errors` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple

from rl_lab.core.artifacts import Artifact
from rl_lab.core.environments import Environment
from rl_lab.core.findings import Finding
from rl_lab.core.jobs import JobConfig
from rl_lab.core.runners import Requirement, RunnerSpec
from rl_lab.core.runs import Move, Run, RunEvent
from rl_lab.orchestrator.bus import Bus
from rl_lab.orchestrator.requests import NewRun, RunPatch
from rl_lab.settings import Settings
from rl_lab.store.database import Database
from rl_lab.store.runs import RunFilter, RunPage
from rl_lab.store.telemetry import EpisodePage, Series, Tick


class RunnerState(NamedTuple):
    spec: RunnerSpec
    problems: list[Requirement]
    """Requirements that are not met; none = ready."""


class OpenArtifact(NamedTuple):
    artifact: Artifact
    file: BinaryIO
    """Opened beneath the run folder; the caller closes it."""


class Lab:
    """`async with`-less on purpose: the server calls start and close from its lifespan."""

    settings: Settings
    bus: Bus
    db: Database
    token: str
    """Made at the first start; valid after `start`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.bus = Bus()

    # life
    async def start(self) -> None:
        """Takes the home folder (LabBusy when another process has it), adopts live runs, starts the queue."""
        raise NotImplementedError

    async def close(self) -> None:
        """Lets go of everything; runs go on, their guardians own them."""
        raise NotImplementedError

    def announce(self, url: str) -> None:
        """Writes server.json, so that the command line finds this server."""
        raise NotImplementedError

    # runs
    async def create_run(self, new: NewRun) -> Run: raise NotImplementedError
    async def create_job(self, config: JobConfig, *, name: str, parent_id: str | None = None,
                         priority: int = 10, start: bool = True) -> Run:
        """A run of another kind (evaluate, fork, duel, film); goes before trainings in the queue."""
        raise NotImplementedError

    async def move(self, run_id: str, move: Move) -> Run: raise NotImplementedError
    async def get_run(self, run_id: str) -> Run: raise NotImplementedError
    async def list_runs(self, wanted: RunFilter, *, sort: str = "-created_at", limit: int = 50,
                        cursor: str | None = None) -> RunPage: raise NotImplementedError
    async def patch_run(self, run_id: str, patch: RunPatch) -> Run: raise NotImplementedError
    async def delete_run(self, run_id: str) -> Run: raise NotImplementedError
    async def restore_run(self, run_id: str) -> Run: raise NotImplementedError

    # the machine
    async def environments(self) -> list[Environment]: raise NotImplementedError
    async def runners(self) -> list[RunnerState]: raise NotImplementedError
    async def findings(self) -> list[Finding]: raise NotImplementedError

    # what a run left behind
    async def metrics(self, run_id: str, names: Sequence[str] | None = None, *, points: int = 2000,
                      from_step: int | None = None, to_step: int | None = None,
                      tail: int | None = None) -> dict[str, Series]: raise NotImplementedError
    async def ticks(self, run_id: str, after: int = 0, limit: int = 1000) -> list[Tick]:
        """Ticks with an id greater than `after`; the newest `limit` when after is negative."""
        raise NotImplementedError

    async def counters(self, run_id: str) -> dict[str, int]: raise NotImplementedError
    async def episodes(self, run_id: str, *, sort: str = "-episode", limit: int = 50,
                       cursor: str | None = None, recorded: bool | None = None) -> EpisodePage:
        raise NotImplementedError

    async def events(self, run_id: str, *, after_id: int | None = None, before_id: int | None = None,
                     limit: int = 100, levels: Sequence[str] | None = None) -> list[RunEvent]:
        raise NotImplementedError

    async def config(self, run_id: str) -> dict[str, Any]: raise NotImplementedError
    async def log_tail(self, run_id: str, lines: int = 200) -> list[str]: raise NotImplementedError
    async def artifacts(self, run_id: str) -> list[Artifact]: raise NotImplementedError
    async def open_artifact(self, artifact_id: str) -> OpenArtifact: raise NotImplementedError
