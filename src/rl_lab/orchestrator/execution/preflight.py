"""Pre-flight: what must hold before a worker starts; each refusal names the reason and the remedy."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

from rl_lab.core.errors import NotReady, WorkerFailed
from rl_lab.core.jobs import TrainConfig
from rl_lab.core.runners import RunnerSpec
from rl_lab.core.runs import Run
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.foreign.commands import Commands
from rl_lab.orchestrator.foreign.requirements import missing_requirements
from rl_lab.orchestrator.housekeeping.archives import OpenFolder
from rl_lab.runners.registry import all_specs
from rl_lab.settings import Settings


class Preflight:
    def __init__(
        self, settings: Settings, catalogue: Catalogue, commands: Commands, open_folder: OpenFolder
    ) -> None:
        self._settings = settings
        self._catalogue = catalogue
        self._commands = commands
        self._open_folder = open_folder

    async def check(self, run: Run, *, is_new: bool = False) -> None:
        """Raises NotReady with the first thing that is missing; a new run has no folder yet."""
        home = self._settings.home_path
        require_space(home, self._settings.min_free_bytes)
        if not is_new:
            await self._open_folder(run.id)  # an archived run that is to go on
        require_writable(home / "runs" if is_new else home / "runs" / run.id)
        if isinstance(run.config, TrainConfig):
            spec = next((s for s in all_specs() if s.id == run.config.runner), None)
            if spec is None:
                raise NotReady(
                    f"The runner “{run.config.runner}” is not installed here.",
                    next_step="`rl-lab runners` lists those that are.",
                )
            await asyncio.to_thread(require_modules, spec)
            if run.config.device == "cuda":
                await self._require_gpu(spec)
            await self._commands.require_consent(run.config)

    async def _require_gpu(self, spec: RunnerSpec) -> None:
        if not spec.capabilities.gpu:
            raise NotReady(
                f"{spec.name} does not use a GPU.", next_step="Create the run with device “auto” or “cpu”."
            )
        try:
            probed = await self._catalogue.devices()
        except WorkerFailed as error:
            raise NotReady(f"The GPU could not be looked for: {error.detail}") from None
        if not probed.get("cuda"):
            raise NotReady(
                "This run asks for a CUDA GPU, and there is none that torch can use.",
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
            f"The run's folder {folder} is not there any more.",
            next_step="Start a new run with the same settings.",
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise NotReady(
            f"The run's folder {folder} cannot be written.", next_step="Give its owner write permission."
        )


def require_modules(spec: RunnerSpec) -> None:
    missing = missing_requirements(spec)
    if missing:
        first = missing[0]
        package = "" if first.is_met is False else "the Python package "
        named = first.module if first.is_met is False else f"“{first.module}”, which is not installed"
        raise NotReady(f"{spec.name} needs {package}{named}.", next_step=first.remedy)
