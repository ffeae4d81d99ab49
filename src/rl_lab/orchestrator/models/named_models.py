"""Named models: a name for a policy, whose versions are checkpoints that the lab keeps a copy of."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Gone
from rl_lab.core.models.checkpoints import CheckpointItem
from rl_lab.core.models.models import (
    Model,
    ModelPatch,
    ModelVersion,
    NewModel,
    NewVersion,
    VersionFacts,
    VersionPatch,
)
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.models.checkpoint_list import as_playable, read_item
from rl_lab.orchestrator.models.version_files import VersionFiles, copy_into
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.store import artifacts, runs
from rl_lab.store.models import names

KINDS = ("checkpoint",)


class NamedModels:
    def __init__(self, context: Context, queries: RunQueries) -> None:
        self._db = context.db
        self._folders = context.folders
        self._queries = queries
        self.files = VersionFiles(context.home)

    async def open(self) -> None:
        """Repairs what a lab left that was killed between a change of folders and that of its rows."""
        left = await asyncio.to_thread(self.files.restore, await self._db.read(names.list_hashes))
        for folder, sha256 in left.items():
            has_run = await self._db.read(lambda conn, one=sha256: artifacts.list_by_hash(conn, one, KINDS))  # type: ignore[misc]
            # A copy that no row was written for; the file itself is with its run, or the only one.
            await asyncio.to_thread(self.files.drop if has_run else self.files.put_aside, folder)

    async def list_all(self) -> list[Model]:
        return [_with_playable(model) for model in await self._db.read(names.list_all)]

    async def get(self, name: str) -> Model:
        return _with_playable(await self._db.read(lambda conn: names.get(conn, name)))

    async def create(self, new: NewModel) -> Model:
        """A model with its first version; AlreadyExists when the name is taken."""
        return await self._add(new.name, new, is_new=True)

    async def add_version(self, name: str, new: NewVersion) -> Model:
        model = await self._db.read(lambda conn: names.get(conn, name))
        return await self._add(model.name, new, is_new=False)

    async def change(self, name: str, patch: ModelPatch) -> Model:
        def work(conn: Connection) -> Model:
            before = names.get(conn, name).name
            changed = names.change(conn, name, new_name=patch.name, note=patch.note)
            if changed.name != before:
                self.files.rename(before, changed.name)
            return changed

        return _with_playable(await self._db.write(work))

    async def change_version(self, name: str, version: int, patch: VersionPatch) -> Model:
        def work(conn: Connection) -> Model:
            names.get_version(conn, name, version)
            called = names.get(conn, name).name
            if patch.labels is not None:
                names.put_labels(conn, called, version, patch.labels)
            if patch.note is not None:
                names.put_note(conn, called, version, patch.note)
            return names.get(conn, called)

        return _with_playable(await self._db.write(work))

    async def remove(self, name: str) -> Model:
        """The name and the copies; the checkpoints stay with their runs, and pinned."""

        def work(conn: Connection) -> Model:
            model = names.get(conn, name)
            names.remove(conn, model.name)
            return model

        model = await self._db.write(work)
        await asyncio.to_thread(self.files.remove, model.name)
        return model

    async def remove_version(self, name: str, version: int) -> Model:
        def work(conn: Connection) -> Model:
            names.get_version(conn, name, version)
            called = names.get(conn, name).name
            names.remove_version(conn, called, version)
            return names.get(conn, called)

        model = await self._db.write(work)
        await asyncio.to_thread(self.files.remove, model.name, version)
        return _with_playable(model)

    async def find_file(self, name: str, version: int) -> tuple[ModelVersion, Path]:
        """A version and its kept file."""
        found = await self._db.read(lambda conn: names.get_version(conn, name, version))
        model = await self._db.read(lambda conn: names.get(conn, name))
        return found, await asyncio.to_thread(self.files.checkpoint, model.name, version)

    async def bring_back(self, name: str, version: int) -> CheckpointItem:
        """The checkpoint of a version, as a file of its run; copied there again if it was pruned or replaced."""
        found, path = await self.find_file(name, version)
        if found.checkpoint is not None:
            return as_playable(found.checkpoint)
        if found.run_is_deleted:
            raise Gone(
                f"The run that {name} v{version} comes from was deleted; its file is kept in {path}.",
                next_step=f"Restore the run, or import the file: `rl-lab import '{path}'`.",
            )
        artifact = await self._put_back(found, f"{path.stem}-v{version}{path.suffix}", path)

        def work(conn: Connection) -> CheckpointItem:
            made = artifacts.upsert(conn, artifact)
            names.point_to(conn, name, version, made.id)
            return read_item(conn, made.id)

        return await self._db.write(work)

    async def _put_back(self, version: ModelVersion, file_name: str, source: Path) -> Artifact:
        folder = await self._folders.open(version.run_id)
        path = f"checkpoints/{file_name}"

        def copy() -> None:
            with folder.creating(path) as target:
                copy_into(target, source)

        await asyncio.to_thread(copy)
        return Artifact(
            id=artifacts.artifact_id(version.run_id, path),
            run_id=version.run_id,
            path=path,
            kind="checkpoint",
            title=f"Checkpoint at step {version.timestep or 0:,}",
            size=version.size,
            sha256=version.sha256,
            created_at=datetime.now(UTC),
            timestep=version.timestep,
            role="interval",
            score=version.score.mean if version.score and version.score.protocol == "training" else None,
            pinned=True,
        )

    async def _add(self, name: str, new: NewVersion, *, is_new: bool) -> Model:
        item = await self._db.read(lambda conn: _find_item(conn, new.checkpoint))
        # Before a large file is copied; looked at again when it is written.
        if is_new:
            await self._db.read(lambda conn: names.require_free(conn, name))
        else:
            await self._db.read(lambda conn: names.require_new_contents(conn, name, item.sha256))
        artifact, file = await self._queries.open_artifact(item.id)

        def write(conn: Connection, folder: Path) -> Model:
            if is_new:
                names.create(conn, name)
            version = _version_of(item, new, names.next_version(conn, name))
            self.files.write_facts(folder, _facts_of(conn, name, version))
            self.files.place(folder, name, version.version)
            names.add_version(conn, name, version)
            artifacts.pin(conn, item.id)
            return names.get(conn, name)

        def copy_and_write() -> Model:
            with file, self.files.copying(file, Path(artifact.path).name, item.sha256) as folder:
                return self._db.write_from_thread(lambda conn: write(conn, folder))

        return _with_playable(await asyncio.to_thread(copy_and_write))


def _find_item(conn: Connection, checkpoint_id: str) -> CheckpointItem:
    """The checkpoint, or one of the same contents whose file is not replaced as the best one is."""
    item = read_item(conn, checkpoint_id)
    return read_item(conn, artifacts.lasting_checkpoint(conn, artifacts.get(conn, item.id)).id)


def _version_of(item: CheckpointItem, new: NewVersion, number: int) -> ModelVersion:
    return ModelVersion(
        **{name: getattr(item, name) for name in VersionFacts.model_fields},
        version=number,
        checkpoint=None,
        checkpoint_id=item.id,
        run_id=item.run_id,
        sha256=item.sha256,
        labels=list(new.labels),
        note=new.note,
        created_at=datetime.now(UTC),
    )


def _facts_of(conn: Connection, name: str, version: ModelVersion) -> dict[str, object]:
    """For whoever finds the folder: with the configuration that trained it, which the run may not be there for."""
    config = runs.get(conn, version.run_id).config
    about = version.model_dump(mode="json", exclude={"checkpoint", "run_is_deleted", "labels", "note"})
    return {"model": name, **about, "config": config.model_dump(mode="json")}


def _with_playable(model: Model) -> Model:
    versions = [
        one.model_copy(update={"checkpoint": as_playable(one.checkpoint)}) if one.checkpoint else one
        for one in model.versions
    ]
    return model.model_copy(update={"versions": versions})
