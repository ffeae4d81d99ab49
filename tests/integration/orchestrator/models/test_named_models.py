"""Names for checkpoints: versions keep their bytes, labels move, runs may go."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import json
import shutil
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support.contexts import add_run, temporary_context

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import AlreadyExists, Gone, NotFound
from rl_lab.core.models.models import ModelPatch, NewModel, NewVersion, VersionPatch
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.housekeeping.disk_usage import Usage
from rl_lab.orchestrator.housekeeping.pruning import Knobs
from rl_lab.orchestrator.models.named_models import NamedModels
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.store import artifacts, runs
from rl_lab.store.models.checkpoint_pages import CheckpointFilter, find_page
from rl_lab.store.sql.cursors import Sort


def on_a_loop(test: Callable[[Path], Coroutine[None, None, None]]) -> Callable[[Path], None]:
    @functools.wraps(test)
    def run(tmp_path: Path) -> None:
        asyncio.run(test(tmp_path))

    return run


@asynccontextmanager
async def named_models(home: Path) -> AsyncIterator[tuple[Context, NamedModels, Run]]:
    async with temporary_context(home) as context:
        queries = RunQueries(context, Environments(context).catalogue)
        named = NamedModels(context, queries)
        await named.open()
        yield context, named, await add_run(context, name="lander")


async def save(context: Context, run: Run, contents: bytes, name: str = "best", step: int = 100) -> str:
    """A checkpoint of the run; saving `best` again replaces it, as a training does."""
    path = f"checkpoints/{name}.npz"
    context.folders.find(run.id).write_atomic(path, contents)
    artifact = Artifact(
        id=artifacts.artifact_id(run.id, path),
        run_id=run.id,
        path=path,
        kind="checkpoint",
        role="best" if name == "best" else "interval",
        timestep=step,
        score=float(step),
        size=len(contents),
        sha256=hashlib.sha256(contents).hexdigest(),
        created_at=datetime.now(UTC),
    )
    return (await context.db.write(lambda conn: artifacts.upsert(conn, artifact))).id


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@on_a_loop
async def test_a_version_keeps_the_bytes_it_was_made_from(tmp_path: Path) -> None:
    async with named_models(tmp_path) as (context, named, run):
        best = await save(context, run, b"first")
        model = await named.create(
            NewModel(name="Lander", checkpoint=best, labels=["production"], note="good")
        )
        [version] = model.versions
        assert (version.version, version.labels, version.note) == (1, ["production"], "good")
        assert version.checkpoint is not None and version.checkpoint.pinned
        assert version.checkpoint.models[0].name == "Lander"

        await save(context, run, b"second", step=200)
        replaced = (await named.get("lander")).versions[0]
        assert replaced.checkpoint is None and replaced.timestep == 100
        assert (await named.find_file("lander", 1))[1].read_bytes() == b"first"

        back = await named.bring_back("lander", 1)
        assert back.sha256 == version.sha256 and back.id != best and back.pinned
        folder = context.folders.find(run.id).path
        assert sorted(path.read_bytes() for path in (folder / "checkpoints").iterdir()) == [
            b"first",
            b"second",
        ]
        assert (await named.bring_back("lander", 1)).id == back.id


@on_a_loop
async def test_every_checkpoint_of_the_named_contents_shows_the_name(tmp_path: Path) -> None:
    async with named_models(tmp_path) as (context, named, run):
        ids = [await save(context, run, b"same"), await save(context, run, b"same", "step-100")]
        other = await save(context, run, b"other", "step-50", step=50)
        await named.create(NewModel(name="lander", checkpoint=ids[0]))

        async def find(**wanted: Any) -> dict[str, list[str]]:
            by_date, filtered = Sort("created_at", descending=False), CheckpointFilter(**wanted)
            page = await context.db.read(lambda conn: find_page(conn, filtered, by_date))
            return {item.id: [model.name for model in item.models] for item in page.items}

        named_ones = {checkpoint: ["lander"] for checkpoint in ids}
        assert await find() == {**named_ones, other: []}
        assert await find(named=True) == named_ones
        assert await find(named=False) == {other: []}


@on_a_loop
async def test_a_label_belongs_to_one_version_and_moves_to_a_newer_one(tmp_path: Path) -> None:
    async with named_models(tmp_path) as (context, named, run):
        first = await save(context, run, b"1", "step-1")
        second = await save(context, run, b"2", "step-2")
        await named.create(NewModel(name="lander", checkpoint=first, labels=["production", "small"]))
        model = await named.add_version("lander", NewVersion(checkpoint=second, labels=["production"]))
        assert [(v.version, v.labels) for v in model.versions] == [(2, ["production"]), (1, ["small"])]
        model = await named.change_version("lander", 1, VersionPatch(labels=["production"]))
        assert [(v.version, v.labels) for v in model.versions] == [(2, []), (1, ["production"])]


@on_a_loop
async def test_a_taken_name_is_refused_with_the_next_step(tmp_path: Path) -> None:
    async with named_models(tmp_path) as (context, named, run):
        best = await save(context, run, b"1")
        await named.create(NewModel(name="lander", checkpoint=best))
        with pytest.raises(AlreadyExists, match="lander") as refused:
            await named.create(NewModel(name="LANDER", checkpoint=best))
        assert "Add a version" in (refused.value.next_step or "")
        with pytest.raises(NotFound, match="Did you mean lander"):
            await named.get("landr")
        with pytest.raises(NotFound, match="version 7"):
            await named.change_version("lander", 7, VersionPatch(note="x"))
        assert [path.name for path in (tmp_path / "models").iterdir()] == ["lander"]


@on_a_loop
async def test_a_damaged_checkpoint_gets_no_name(tmp_path: Path) -> None:
    async with named_models(tmp_path) as (context, named, run):
        best = await save(context, run, b"first")
        (context.folders.find(run.id).path / "checkpoints/best.npz").write_bytes(b"other")
        with pytest.raises(Gone, match="not the one that was recorded"):
            await named.create(NewModel(name="lander", checkpoint=best))
        assert await named.list_all() == [] and names_in(tmp_path / "models") == []


@on_a_loop
async def test_a_version_outlives_its_run(tmp_path: Path) -> None:
    async with named_models(tmp_path) as (context, named, run):
        best = await save(context, run, b"first")
        await named.create(NewModel(name="lander", checkpoint=best))
        await context.db.write(lambda conn: runs.purge(conn, run.id))
        [version] = (await named.get("lander")).versions
        assert version.run_is_deleted and version.run_name == "lander" and version.checkpoint is None
        assert named.files.read_facts("lander", 1)["config"]["algorithm"] == "toy"
        with pytest.raises(Gone, match="deleted; its file is kept"):
            await named.bring_back("lander", 1)


@on_a_loop
async def test_names_change_and_go_with_their_files(tmp_path: Path) -> None:
    async with named_models(tmp_path) as (context, named, run):
        best = await save(context, run, b"first")
        await named.create(NewModel(name="lander", checkpoint=best))
        with pytest.raises(AlreadyExists, match="This checkpoint is v1 of “lander” already") as refused:
            await named.add_version("lander", NewVersion(checkpoint=best))
        assert "rl-lab models label 'lander@v1' LABEL" in (refused.value.next_step or "")
        await named.add_version("lander", NewVersion(checkpoint=await save(context, run, b"second")))
        await named.change("lander", ModelPatch(note="soft"))
        for before, after in (("lander", "Lander"), ("lander", "moon")):
            model = await named.change(before, ModelPatch(name=after))
            assert (model.name, model.note, len(model.versions)) == (after, "soft", 2)
            assert (await named.find_file(after, 2))[1].is_file()
        await named.remove_version("moon", 1)
        (tmp_path / "models/moon/v9").mkdir()
        (tmp_path / "models/.new-left").mkdir()
        await named.open()
        assert names_in(tmp_path / "models") == ["moon"] and names_in(tmp_path / "models/moon") == ["v2"]
        await named.remove("moon")
        assert names_in(tmp_path / "models") == [] and await named.list_all() == []


@on_a_loop
async def test_a_lab_that_was_killed_between_folder_and_row_loses_no_version(tmp_path: Path) -> None:
    async with named_models(tmp_path) as (context, named, run):
        first = await save(context, run, b"1", "step-1")
        await named.create(NewModel(name="lander", checkpoint=first))
        models = tmp_path / "models"
        # Renamed, but the row still has the old name.
        (models / "lander").rename(models / "moon")
        # Copied, but the row of the version was not written: the run has the file, or nobody has it.
        for name, sha256 in (("again", None), ("lost", "0" * 64)):
            shutil.copytree(models / "moon/v1", models / name / "v7")
            facts = json.loads((models / name / "v7/version.json").read_text())
            facts["sha256"] = sha256 or facts["sha256"]
            (models / name / "v7/version.json").write_text(json.dumps(facts))
        await named.open()
        assert (await named.find_file("lander", 1))[1].read_bytes() == b"1"
        [kept] = [name for name in names_in(models) if name != "lander"]
        assert kept.startswith(".unknown-lost-v7-") and (models / kept / "step-1.npz").read_bytes() == b"1"
        await named.open()
        assert names_in(models) == [kept, "lander"]


@on_a_loop
async def test_copies_of_versions_count_as_disk_usage_until_they_are_removed(tmp_path: Path) -> None:
    async with named_models(tmp_path) as (context, named, run):
        knobs = Knobs(context)
        await knobs.open()
        usage = Usage(context, knobs)
        first = await save(context, run, b"1" * 200_000, "step-1")
        second = await save(context, run, b"2" * 50_000, "step-2")
        alone = await usage.measure_all()
        await named.create(NewModel(name="lander", checkpoint=first))
        await named.add_version("lander", NewVersion(checkpoint=second))
        await named.create(NewModel(name="small", checkpoint=second))

        used = await usage.read(10, "-bytes")
        assert [(one.name, one.versions) for one in used.models] == [("lander", 2), ("small", 1)]
        assert used.models[0].bytes >= 250_000 and used.models[1].bytes >= 50_000
        assert used.models_bytes == sum(one.bytes for one in used.models)
        assert used.total_bytes == alone + used.models_bytes == await usage.measure_all()

        await named.remove_version("lander", 1)
        left = (await usage.read(10, "-bytes")).models
        assert left[0].versions == 1 and used.models[0].bytes - left[0].bytes >= 200_000
        await named.remove("lander")
        await named.remove("small")
        assert await usage.measure_all() == alone
        await usage.close()


@on_a_loop
async def test_names_that_are_typed_the_same_are_one_name(tmp_path: Path) -> None:
    async with named_models(tmp_path) as (context, named, run):
        saved = await save(context, run, b"1")
        await named.create(NewModel(name="cart pole", checkpoint=saved))
        with pytest.raises(AlreadyExists, match="“cart pole” already"):
            await named.create(NewModel(name="Cart-Pole", checkpoint=saved))
        assert (await named.change("cart pole", ModelPatch(name="cart-pole"))).name == "cart-pole"
        assert (await named.find_file("cart-pole", 1))[1].read_bytes() == b"1"
