"""Pre-flight: what must hold before a worker starts; each refusal names the reason and the remedy.

It runs twice for a run: when the user asks for the start, and when the queue launches it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

from rl_lab.core.errors import NotReady, WorkerFailed
from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import RunnerSpec
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.execution.dataset_files import DatasetFiles
from rl_lab.orchestrator.execution.reward_files import RewardFiles, reward_of
from rl_lab.orchestrator.foreign.commands import Resolved, run_paths
from rl_lab.orchestrator.foreign.requirements import missing_requirements
from rl_lab.orchestrator.foreign.service import Foreign
from rl_lab.orchestrator.own_code_consents import OwnCodeConsents
from rl_lab.runners.registry import all_specs


class Preflight:
    def __init__(self, context: Context, catalogue: Catalogue, foreign: Foreign) -> None:
        self._context = context
        self._catalogue = catalogue
        self._foreign = foreign
        self.datasets = DatasetFiles(context)
        self.rewards = RewardFiles(context)
        self._own_code = OwnCodeConsents(context)

    async def check(self, run: Run) -> Resolved | None:
        """Raises NotReady with the first thing that is missing.

        Returns the approved command of the next attempt, None for the lab's own code: it is not resolved again.
        """
        require_space(self._context.home, self._context.settings.min_free_bytes)
        folder = await self._context.folders.open(run.id)
        require_writable(folder.path)
        await self._check_runner(run.config)
        await self.rewards.find_input(run.id, reward_of(run.config))
        if isinstance(run.config, TrainConfig):
            await self._own_code.require(run.config.env_id, run.config.env_kwargs)
        place = run_paths(self._context.home, run.id, run.attempt + 1)
        found = await self._foreign.commands.resolve(run.config, place)
        if found is not None:
            await self._foreign.consents.require(found)
        return found

    async def check_new(self, config: JobConfig) -> None:
        """The same for a run that has no folder yet; its command was resolved and approved by the caller."""
        require_space(self._context.home, self._context.settings.min_free_bytes)
        require_writable(self._context.home / "runs")
        await self._check_runner(config)

    async def _check_runner(self, config: JobConfig) -> None:
        if not isinstance(config, TrainConfig):
            return
        spec = next((s for s in all_specs() if s.id == config.runner), None)
        if spec is None:
            raise NotReady(
                f"The runner “{config.runner}” is not installed here.",
                next_step="`rl-lab runners` lists those that are.",
            )
        await asyncio.to_thread(require_modules, spec)
        await self.datasets.find_folder(config.dataset)
        if config.device == "cuda":
            await self._require_gpu(spec)

    async def _require_gpu(self, spec: RunnerSpec) -> None:
        if not spec.capabilities.gpu:
            raise NotReady(
                f"{spec.name} does not use a GPU.", next_step="Create the run with device “auto” or “cpu”."
            )
        try:
            probed = await self._catalogue.devices()
        except WorkerFailed as error:
            raise NotReady(f"The check for a GPU failed: {error.detail}") from None
        if not probed.get("cuda"):
            raise NotReady(
                "This run needs a CUDA GPU, and there is none that torch can use.",
                next_step="Create it with device “auto” or “cpu”, or see `rl-lab doctor`.",
            )


def require_space(folder: Path, min_free_bytes: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < min_free_bytes:
        raise NotReady(
            f"Only {free / 1e9:.1f} GB are free on the disk of {folder}; {min_free_bytes / 1e9:.1f} GB are needed.",
            next_step="Free some space, or lower RL_LAB_MIN_FREE_BYTES.",
        )


def require_writable(folder: Path) -> None:
    if not folder.is_dir():
        raise NotReady(
            f"The run's folder {folder} does not exist any more.",
            next_step="Start a new run with the same settings.",
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise NotReady(
            f"The run's folder {folder} cannot be written to.", next_step="Give its owner write permission."
        )


def require_modules(spec: RunnerSpec) -> None:
    missing = missing_requirements(spec)
    if missing:
        first = missing[0]
        package = "" if first.is_met is False else "the Python package "
        named = first.module if first.is_met is False else f"“{first.module}”, which is not installed"
        raise NotReady(f"{spec.name} needs {package}{named}.", next_step=first.remedy)
