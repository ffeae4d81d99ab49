"""Pulls: the model files of a repository on the Hugging Face Hub come to the lab, and wait there to be imported."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rl_lab.core.models.imports import ImportSource
from rl_lab.core.models.transfers import NewPull, Transfer
from rl_lab.orchestrator.models.hub_process import run_hub
from rl_lab.orchestrator.models.imports import Imports
from rl_lab.orchestrator.models.transfers import OpenTransfer, Transfers, new_transfer


class Pulls:
    def __init__(self, imports: Imports, transfers: Transfers) -> None:
        self._imports = imports
        self._transfers = transfers

    def start(self, wanted: NewPull) -> Transfer:
        """Returns at once."""
        return self._transfers.start(new_transfer("pull", wanted.repo), partial(self._pull, wanted))

    async def _pull(self, wanted: NewPull, opened: OpenTransfer, folder: Path) -> None:
        opened.change(state="transferring")
        target = folder / "files"
        given = {"action": "pull", **wanted.model_dump(), "folder": str(target)}
        await run_hub(given, opened.apply)
        source = ImportSource(repository=wanted.repo, revision=opened.record.commit or "")
        upload = await self._imports.uploads.receive_folder(target, source)
        opened.change(upload=upload.id)
