"""Packages: a checkpoint as one zip with card, configuration, licence and an example; made by a worker call."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.models.packages import PackageChoices, PackagePreview
from rl_lab.core.reproduction.origins import ModelOrigin
from rl_lab.core.words.file_names import file_name
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.jobs.sources import Sources, require_playable
from rl_lab.orchestrator.models.card_facts import Rights, collect_facts, find_video
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.runners.registry import load_runner
from rl_lab.store import artifacts, runs
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.snapshot_files import find_snapshot

PACKAGING_S = 300.0
NO_VIDEO = "Without a video: there is no evaluation of this checkpoint with one."

OTHERS_LICENCE = (
    "The model was imported, so its licence is its author's to give: name it with --licence, and --author."
)


@dataclass(frozen=True)
class PackageOrder:
    """What a worker needs to make a package."""

    name: str
    question: dict[str, Any]
    rights: Confinement | None


class Packages:
    def __init__(self, context: Context, sources: Sources) -> None:
        self._settings = context.settings
        self._home = context.home
        self._db = context.db
        self._sources = sources

    async def make(self, checkpoint_id: str, choices: PackageChoices) -> tuple[str, BinaryIO]:
        """The name of the zip, and its open file, which has no name and ends with the caller."""
        order = await self.order(checkpoint_id, choices)
        with ExitStack() as stack:
            file = stack.enter_context(tempfile.TemporaryFile(dir=self._home / "cache"))
            await self._call(order, file.fileno())
            stack.pop_all()
        file.seek(0)
        return order.name, cast(BinaryIO, file)

    async def preview(self, checkpoint_id: str, choices: PackageChoices) -> PackagePreview:
        """The card and the list of files; nothing is kept."""
        return PackagePreview.model_validate(await self._call(await self.order(checkpoint_id, choices), None))

    async def order(self, checkpoint_id: str, choices: PackageChoices) -> PackageOrder:
        """Checks what can be checked without a worker."""
        found = await self._db.read(lambda conn: artifacts.get(conn, checkpoint_id))
        if found.kind != "checkpoint":
            raise InvalidInput.of_field("checkpoint", f"“{found.title or found.path}” is not a checkpoint.")
        training = await self._sources.get_training(found.run_id)
        require_playable(training.config)
        _require_packager(training.config.runner)
        checkpoint = await self._sources.find_checkpoint(training, checkpoint_id)
        run = await self._db.read(lambda conn: runs.get(conn, training.run_id))
        is_imported = isinstance(run.origin, ModelOrigin)
        rights = self._choose_licence(choices, is_imported=is_imported)
        folder = RunFolder(self._home, training.run_id)
        snapshot = await asyncio.to_thread(find_snapshot, folder)
        facts = await self._db.read(lambda conn: collect_facts(conn, checkpoint, snapshot, rights))
        video = await self.find_video(checkpoint) if choices.video else None
        question = {
            "policy": self._sources.make_policy(training, checkpoint),
            "facts": facts.model_dump(mode="json"),
            "video": str(folder.path / video.path) if video else None,
            "notes": [
                *([NO_VIDEO] if choices.video and video is None else []),
                *([OTHERS_LICENCE] if is_imported and choices.licence is None else []),
            ],
        }
        what = f"model-{checkpoint.role or 'step'}-{checkpoint.timestep or 0}"
        name = file_name(training.name, what, ".zip")
        return PackageOrder(name, question, await self._find_rights(training.run_id, question))

    def _choose_licence(self, choices: PackageChoices, *, is_imported: bool) -> Rights:
        """A model of others does not get the licence and the author that the settings name for one's own."""
        own = Rights(self._settings.model_licence, self._settings.model_author)
        usual = Rights("other", "") if is_imported else own
        return Rights(
            choices.licence or usual.licence, usual.author if choices.author is None else choices.author
        )

    async def _find_rights(self, run_id: str, question: dict[str, Any]) -> Confinement | None:
        """A confined process reads, of the run, only what goes into the package."""
        rights = await self._sources.looking.find_rights(run_id)
        if rights is None:
            return None
        files = filter(None, (question["policy"]["checkpoint"], question["video"]))
        return rights._replace(reads=[*rights.reads, *map(str, files)])

    async def find_video(self, checkpoint: Artifact) -> Artifact | None:
        video = await self._db.read(lambda conn: find_video(conn, checkpoint))
        if video is None or not (RunFolder(self._home, video.run_id).path / video.path).is_file():
            return None
        return video

    async def _call(self, order: PackageOrder, output: int | None) -> Any:
        return await call_worker(
            "make_package", order.question, PACKAGING_S, confine=order.rights, output=output
        )


def _require_packager(runner_id: str) -> None:
    runner = load_runner(runner_id)
    if not hasattr(runner, "package"):
        raise NotReady(
            f"Models of {runner.spec.name} cannot be packaged: the lab has no example that acts with them.",
            next_step="Use the file itself: it is in the folder of the run (`rl-lab show RUN`), "
            "and *Download the file* on the page.",
        )
