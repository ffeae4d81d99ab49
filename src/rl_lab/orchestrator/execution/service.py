"""Execution: everything between the queue and the end of a run, opened and closed together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from rl_lab.core.queue.lanes import Lane, lane_of
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.execution.dataset_contents import DatasetContents
from rl_lab.orchestrator.execution.finisher import Finisher
from rl_lab.orchestrator.execution.launcher import InputsOf, Launcher
from rl_lab.orchestrator.execution.preflight import Preflight
from rl_lab.orchestrator.execution.queue import Queue
from rl_lab.orchestrator.execution.recovery import recover_live_runs
from rl_lab.orchestrator.execution.resume_points import ResumePoints
from rl_lab.orchestrator.execution.supervisor import OnEnd, Supervisor
from rl_lab.orchestrator.foreign.service import Foreign
from rl_lab.orchestrator.housekeeping.pruning import Pruning
from rl_lab.orchestrator.ingest.progress_publisher import ProgressPublisher
from rl_lab.orchestrator.ingest.thread import Ingest


class Execution:
    def __init__(
        self,
        context: Context,
        environments: Environments,
        foreign: Foreign,
        *,
        inputs_of: InputsOf,
        on_files: Callable[[str], None],
        log_bytes: Callable[[], int],
        pruning: Pruning,
    ) -> None:
        """`inputs_of` gives the inputs of a run's job; `on_files` is called when a run has made files.

        `log_bytes` is the limit of a run's logs now.
        """
        self._context = context
        self.ingest = Ingest(context, on_files)
        checkpoints = Checkpoints(context)
        self.preflight = Preflight(context, environments.catalogue, foreign)
        self.supervisor = Supervisor(context, self.ingest, pruning)
        self.finisher = Finisher(context, self.ingest, checkpoints)
        self.resume_points = ResumePoints(context, checkpoints)
        self.datasets = DatasetContents(context, self.preflight.datasets, wake=self._wake)
        self.launcher = Launcher(
            context,
            self.supervisor,
            preflight=self.preflight,
            datasets=self.datasets,
            resume_points=self.resume_points,
            environments=environments,
            commands=foreign.commands,
            inputs_of=inputs_of,
            log_bytes=log_bytes,
        )
        self.queue = Queue(context, taken_slots=self._taken_slots, start=self.launcher.start)
        foreign.commands.training_slots = lambda: self.queue.training_slots
        self._progress = ProgressPublisher(
            context, lambda: [live.tail for live in self.supervisor.live.values()]
        )

    async def open(self, on_end: OnEnd) -> None:
        """Follows the runs that an earlier lab left running, then starts the queue."""
        self.ingest.open()
        await recover_live_runs(self._context, self.supervisor)
        self.supervisor.open(on_end)
        await self.queue.open()
        self._progress.open()

    async def close(self) -> None:
        """The runs keep running: their guardians own them."""
        await self.queue.close()
        await self.datasets.close()
        await self.supervisor.close()
        await self._progress.close()
        await self.ingest.close()

    def _wake(self) -> None:
        self.queue.wake()

    def _taken_slots(self) -> Counter[Lane]:
        return Counter(lane_of(live.kind) for live in self.supervisor.live.values())
