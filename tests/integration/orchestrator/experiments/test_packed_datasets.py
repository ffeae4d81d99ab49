"""A pack carries the exact version of the dataset that its training learned from; a changed one is refused."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from support.labs import furnish, open_lab, wait_for
from support.offline_data import write_played
from support.packs import Members, read_members, send, with_json, with_list, write_members

from rl_lab.core.datasets.manifest import MANIFEST_FILE, DatasetManifest
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import LabError
from rl_lab.core.jobs.policy_jobs import VerifyConfig
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.store.datasets import datasets
from rl_lab.store.files.folders import list_run_ids


async def put(lab: Lab, name: str, version: int, *, episodes: int) -> str:
    """A version that was played in CartPole; returns its content hash."""
    folder = lab.context.home / f"datasets/{name}/v{version}"
    write_played(folder, episodes=episodes, most_steps=60)
    manifest = DatasetManifest.model_validate_json((folder / MANIFEST_FILE).read_text())

    def write(conn: Connection) -> None:
        datasets.create(conn, name)
        datasets.add_version(conn, name, version, manifest, statistics=None, run_id=None)

    await lab.context.db.write(write)
    return manifest.sha256


async def learn(lab: Lab, name: str = "pole", version: int = 3) -> str:
    """A short training from a dataset; returns its id."""
    await put(lab, name, version, episodes=3)
    wanted: dict[str, Any] = {"runner": "offline", "algorithm": "bc", "total_timesteps": 40, "seed": 1}
    run = await lab.runs.create(
        NewRun(**wanted, start=True, evaluate_every=40, evaluate_episodes=1, dataset=DatasetChoice(name=name))
    )
    ended = await wait_for(lab, run.id)
    assert ended.status == "succeeded", ended.reason
    return run.id


async def make(lab: Lab, run_id: str) -> bytes:
    made = await lab.experiments.packs.make([run_id], [])
    return b"".join(made.chunks)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Members, Members]:
    """The run, its pack, and its pack after the dataset was deleted."""
    home = tmp_path_factory.mktemp("packing")
    furnish(home)

    async def story() -> tuple[str, Members, Members]:
        async with open_lab(home) as lab:
            run_id = await learn(lab)
            whole = read_members(await make(lab, run_id))
            await lab.datasets.remove("pole")
            return run_id, whole, read_members(await make(lab, run_id))

    return asyncio.run(story())


async def versions_of(lab: Lab) -> dict[tuple[str, int], str]:
    return await lab.context.db.read(datasets.list_hashes)


def test_a_training_from_a_dataset_is_verified_in_a_lab_that_never_had_it(
    packed: tuple[str, Members, Members], tmp_path: Path
) -> None:
    run_id, members, _ = packed
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            room, data = lab.experiments.packs, write_members(members)
            preview = await send(room, data)
            [listed] = preview.manifest.datasets
            assert (listed.name, listed.version, listed.episodes) == ("pole", 3, 3) and preview.problems == []
            assert await versions_of(lab) == {}
            assert (await room.take_in(preview.id)).datasets == {"pole@v3": "pole@v3"}
            assert await versions_of(lab) == {("pole", 3): listed.sha256}
            checked = await wait_for(lab, (await lab.jobs.start(VerifyConfig(run_id=run_id))).id)
            assert checked.summary.result is not None, checked.reason
            assert checked.summary.result["verdict"] == "identical"
            found = await lab.datasets.get_version("pole", 3)
            assert found.integrity == "intact" and found.size == listed.size and found.learned_by == 1
            # The same contents under another name are not stored twice.
            await lab.context.db.write(
                lambda conn: datasets.rename(conn, datasets.get(conn, "pole"), "stick")
            )
            lab.datasets.folders.rename("pole", "stick")
            assert (await room.take_in((await send(room, data)).id)).datasets == {"pole@v3": "stick@v3"}
            assert await versions_of(lab) == {("stick", 3): listed.sha256}

    asyncio.run(story())


def test_what_a_name_means_here_stays_as_it_is(packed: tuple[str, Members, Members], tmp_path: Path) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            own = await put(lab, "pole", 1, episodes=2)
            room = lab.experiments.packs
            preview = await send(room, write_members(packed[1]))
            [problem] = preview.problems
            assert (
                "another dataset “pole”, which stays as it is: that of the pack becomes “pole-2”" in problem
            )
            assert (await room.take_in(preview.id)).datasets == {"pole@v3": "pole-2@v3"}
            assert (await lab.datasets.get_version("pole", 1)).sha256 == own
            assert set(await versions_of(lab)) == {("pole", 1), ("pole-2", 3)}

    asyncio.run(story())


def test_a_damaged_dataset_is_repaired_by_a_pack_and_left_out_for_an_intact_copy(
    packed: tuple[str, Members, Members], tmp_path: Path
) -> None:
    run_id, members, _ = packed
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            room, data = lab.experiments.packs, write_members(members)
            made = await room.take_in((await send(room, data)).id)
            file = lab.datasets.folders.version("pole", 3) / "rewards.npy"
            file.write_bytes(file.read_bytes()[:-8])
            again = await room.take_in((await send(room, data)).id)
            assert again.is_repeated and again.runs == made.runs and again.datasets == made.datasets
            assert file.read_bytes() == members[member(members, "rewards.npy")]

            damaged = {"integrity": "damaged", "integrity_message": "It was.", "checked_at": None}
            await lab.context.db.write(
                lambda conn: datasets.change_version(conn, "pole", 3, integrity=damaged)
            )
            await room.take_in((await send(room, data)).id)
            assert (await lab.datasets.get_version("pole", 3)).integrity == "intact"

            # Another version with the same contents is packed where the named one is damaged.
            await put(lab, "copy", 1, episodes=3)
            file.write_bytes(bytes(file.stat().st_size))
            further = read_members(await make(lab, run_id))
            assert further[member(further, "rewards.npy")] == members[member(members, "rewards.npy")]

    asyncio.run(story())


def test_a_deleted_dataset_is_left_out_with_a_note_and_the_pack_has_the_old_format(
    packed: tuple[str, Members, Members], tmp_path: Path
) -> None:
    members = packed[2]
    assert not any(name.startswith("datasets/") for name in members)
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            preview = await send(lab.experiments.packs, write_members(members))
            assert preview.manifest.format == 1 and preview.manifest.datasets == []
            [problem] = preview.problems
            assert "the dataset pole@v3 is left out: it was deleted" in problem
            # Packs of earlier versions have no list of datasets at all.
            old = write_members(with_list(members, lambda listed: listed.pop("datasets")))
            room = lab.experiments.packs
            assert (await room.take_in((await send(room, old)).id)).datasets == {}

    asyncio.run(story())


def member(members: Members, ending: str) -> str:
    return next(name for name in members if name.startswith("datasets/") and name.endswith(ending))


def listed_as(**fields: Any) -> Callable[[Members], Members]:
    return lambda members: with_list(members, lambda listed: listed["datasets"][0].update(fields))


def described_as(**fields: Any) -> Callable[[Members], Members]:
    return lambda members: with_json(members, MANIFEST_FILE, lambda described: described.update(fields))


def rewritten(change: Callable[[Members, str, list[dict[str, Any]]], None]) -> Callable[[Members], Members]:
    """Files and columns changed, and every hash made right again."""

    def rewrite(members: Members) -> Members:
        prefix = member(members, MANIFEST_FILE).removesuffix(MANIFEST_FILE)
        files = {name: data for name, data in members.items() if name.startswith(prefix)}
        described = json.loads(files[prefix + MANIFEST_FILE])
        change(files, prefix, described["columns"])
        for column in described["columns"]:
            data = files[f"{prefix}{column['name']}.npy"]
            column.update(size=len(data), sha256=hashlib.sha256(data).hexdigest())
        files[prefix + MANIFEST_FILE] = json.dumps(described).encode()
        manifest = DatasetManifest.model_validate(described)
        moved = {name.replace(prefix, f"datasets/{manifest.sha256}/"): data for name, data in files.items()}
        others = {name: data for name, data in members.items() if name not in files}
        return listed_as(sha256=manifest.sha256, size=manifest.size)({**others, **moved})

    return rewrite


def no_array(files: Members, prefix: str, columns: list[dict[str, Any]]) -> None:
    files[f"{prefix}rewards.npy"] = b"PK rubbish"


def large_and_empty(files: Members, prefix: str, columns: list[dict[str, Any]]) -> None:
    """An array that would be read whole, because dataset.json says that it has no values."""
    columns.append({**columns[0], "name": "infos.x", "shape": [columns[0]["shape"][0], 0]})
    files[f"{prefix}infos.x.npy"] = files[f"{prefix}rewards.npy"] + bytes(1 << 17)


EVIL: dict[str, Callable[[Members], Members]] = {
    "other rewards": lambda members: {**members, member(members, "rewards.npy"): b"other"},
    "a missing column": lambda members: {
        name: data for name, data in members.items() if not name.endswith("actions.npy")
    },
    "a further file": lambda members: {
        **members,
        member(members, MANIFEST_FILE).replace(MANIFEST_FILE, "evil.py"): b"",
    },
    "a deeper file": lambda members: {
        **members,
        member(members, MANIFEST_FILE).replace(MANIFEST_FILE, "x/evil.npy"): b"",
    },
    "a dataset that is not listed": lambda members: {**members, f"datasets/{'0' * 64}/x.npy": b""},
    "a path as name": listed_as(name="../../evil"),
    "another hash": listed_as(sha256="0" * 64),
    "another size": listed_as(size=1),
    "another environment": described_as(env_id="Pendulum-v1"),
    "other spaces": described_as(action_space={"type": "Box"}),
    "no columns": described_as(columns=[]),
    "a version of the future": described_as(format=99),
    "no array": rewritten(no_array),
    "an empty column with a large file": rewritten(large_and_empty),
    "a list twice": lambda members: with_list(members, lambda one: one["datasets"].extend(one["datasets"])),
}


@pytest.mark.parametrize("name", EVIL)
def test_a_pack_whose_dataset_is_not_what_it_says_is_refused(
    name: str, packed: tuple[str, Members, Members], tmp_path: Path
) -> None:
    furnish(tmp_path)

    async def story() -> None:
        async with open_lab(tmp_path) as lab:
            room = lab.experiments.packs
            with pytest.raises(LabError, match="The pack is refused"):
                await room.take_in((await send(room, write_members(EVIL[name](packed[1])))).id)
            assert await versions_of(lab) == {} and list_run_ids(tmp_path) == []

    asyncio.run(story())
    assert not list(tmp_path.glob("datasets/*"))
