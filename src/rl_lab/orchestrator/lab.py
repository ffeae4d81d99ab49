"""The Lab opens the rooms of the orchestrator in order and closes them in reverse. Nothing else lives here."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from functools import partial

from rl_lab.orchestrator.adoption.service import Adoptions
from rl_lab.orchestrator.context import Context, open_context
from rl_lab.orchestrator.dashboards.service import Dashboards
from rl_lab.orchestrator.datasets.service import Datasets
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.execution.service import Execution
from rl_lab.orchestrator.experiments.service import Experiments
from rl_lab.orchestrator.foreign.service import Foreign
from rl_lab.orchestrator.home import HomeLock, forget_server, write_server
from rl_lab.orchestrator.housekeeping.service import Housekeeping
from rl_lab.orchestrator.jobs.inputs import find_inputs
from rl_lab.orchestrator.jobs.service import Jobs
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.machine.service import Machine
from rl_lab.orchestrator.models.service import Models
from rl_lab.orchestrator.plays.service import Plays
from rl_lab.orchestrator.rooms import open_room
from rl_lab.orchestrator.run_end import RunEnd
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.orchestrator.runs.service import Runs
from rl_lab.orchestrator.sessions import Sessions
from rl_lab.orchestrator.token_file import read_or_make_token
from rl_lab.orchestrator.viewing.service import Viewing
from rl_lab.orchestrator.workbench.service import Workbench
from rl_lab.settings import Settings

SWITCH_INTERVAL_S = 0.001
"""How long the ingest thread may keep the interpreter from the event loop; Python's own 5 ms delay every answer."""


class Lab:
    """Created before the event loop runs, started and closed on it. The attributes are valid after `start`."""

    token: str
    """Every client must send it; made at the first start."""
    context: Context
    environments: Environments
    foreign: Foreign
    housekeeping: Housekeeping
    execution: Execution
    adoptions: Adoptions
    queries: RunQueries
    runs: Runs
    jobs: Jobs
    experiments: Experiments
    models: Models
    plays: Plays
    datasets: Datasets
    viewing: Viewing
    workbench: Workbench
    dashboards: Dashboards
    machine: Machine
    sessions: Sessions

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        """Takes the home folder (LabBusy when another process has it), follows live runs again, starts the queue."""
        async with self._stack:
            await self._open_home()
            await self._open_rooms()
            self._stack = self._stack.pop_all()

    async def close(self) -> None:
        """Closes everything; the runs keep running, because their guardians own them."""
        await self._stack.aclose()

    def announce(self, url: str, *, for_commands: bool = False) -> None:
        """Writes server.json, so that the command line finds this server."""
        write_server(self.context.home, url, for_commands=for_commands)

    async def _open_home(self) -> None:
        home, stack = self.settings.home_path, self._stack
        lock = HomeLock(home)
        lock.take()
        stack.callback(lock.release)
        stack.callback(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self.token = await asyncio.to_thread(read_or_make_token, home)
        self.context = await stack.enter_async_context(open_context(self.settings))

    async def _open_rooms(self) -> None:
        context, stack = self.context, self._stack
        self.sessions = await open_room(stack, Sessions(context, self.token))
        self.environments = await open_room(stack, Environments(context))
        self.foreign = await open_room(stack, Foreign(context, self.environments.catalogue.forget))
        self.housekeeping = await open_room(stack, Housekeeping(context))
        stack.push_async_callback(context.tasks.wait)
        sources = Sources(context, Checkpoints(context), self.environments)
        self.execution = Execution(
            context,
            self.environments,
            self.foreign,
            inputs_of=partial(find_inputs, sources),
            on_files=self.housekeeping.prune_soon,
            log_bytes=lambda: self.housekeeping.knobs.value.log_bytes,
            pruning=self.housekeeping.pruning,
        )
        self.adoptions = Adoptions(context)
        self.queries = RunQueries(context, self.environments.catalogue)
        self.runs = Runs(
            context,
            environments=self.environments,
            foreign=self.foreign,
            execution=self.execution,
            housekeeping=self.housekeeping,
            queries=self.queries,
            stop_following=self.adoptions.stop_following,
        )
        self.jobs = Jobs(context, sources, create=self.runs.create_job, pruning=self.housekeeping.pruning)
        self.datasets = await open_room(stack, Datasets(context, sources, self.jobs))
        self.dashboards = await open_room(stack, Dashboards(context))
        await self.execution.open(self._run_end())
        stack.push_async_callback(self.execution.close)
        await open_room(stack, self.adoptions)
        studying = Experiments(context, self.runs, self.queries, self.execution.queue)
        self.experiments = await open_room(stack, studying)
        control = self.execution.supervisor.control
        self.viewing = await open_room(stack, Viewing(context, self.environments, control))
        self.models = await open_room(stack, Models(context, sources, self.jobs, self.queries, self.viewing))
        self.plays = Plays(context, sources)
        self.workbench = await open_room(stack, Workbench(context, sources, self.queries))
        catalogue, live = self.environments.catalogue, self.execution.supervisor.live.values
        self.machine = Machine(context, catalogue=catalogue, quota=self.housekeeping.quota, live=live)
        stack.callback(forget_server, context.home)
        context.tasks.start(self.jobs.catch_up())

    def _run_end(self) -> RunEnd:
        return RunEnd(
            write_end=self.execution.finisher.finish,
            wake_queue=self.execution.queue.note_end,
            remove_scratch=self.foreign.remove_scratch_soon,
            prune=self.housekeeping.prune_soon,
            list_wandb_folders=self.dashboards.wandb_links.list_offline,
            write_manifest=self.housekeeping.manifests.write,
            keep_curve=self.queries.seed_curves.keep,
            follow_up=self.jobs.after_end,
            wake_janitor=self.housekeeping.janitor.wake,
        )
