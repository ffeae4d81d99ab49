"""Archived runs: one file instead of a folder, every reading as before, nothing lost by a kill at any moment."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import tarfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, toy, wait_for, wait_for_event
from support.leftovers import leave_sb3
from support.server import Server, command, serve
from support.viewer import view
from support.waiting import DEADLINE_S, wait_until, wait_until_async

from rl_lab.core.errors import Gone, MoveRefused
from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.housekeeping import archives
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import RunPatch
from rl_lab.store.files import archive_files
from rl_lab.store.files.folders import RunFolder

CHANGING = frozenset({f"/api/runs/{{run_id}}/{part}" for part in ("events", "usage", "pack", "reward")})
"""What may answer otherwise: the log has more lines, the bytes are fewer, a pack says when it was made. This run has no
reward of its own."""
FREE = ("archived", "updated_at", "events")


HURRIED = """
import importlib.machinery, sys

class Archives:
    def find_spec(name, path=None, target=None):
        if name != "rl_lab.orchestrator.housekeeping.archives":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        execute = spec.loader.exec_module

        def hurried(module):
            execute(module)
            module.QUIET_S = 0.05

        spec.loader.exec_module = hurried
        return spec

sys.meta_path.insert(0, Archives)
"""
"""sitecustomize.py of a lab that does not wait until a run has not been read for two seconds."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("archives")
    home = folder / "home"
    home.mkdir()
    furnish(home)
    (folder / "sitecustomize.py").write_text(HURRIED)
    with serve(home, PYTHONPATH=str(folder)) as server:
        yield server


@pytest.fixture(scope="module")
def trained(lab: Server) -> dict[str, Any]:
    """A run with checkpoints, recordings, an evaluation and its video."""
    run = lab.wait(lab.create(start=True, total_timesteps=2000, evaluate_after=2)["id"], "succeeded")
    wait_until(lambda: event_of(lab, run["id"], "evaluation_complete"), "the evaluation")
    return run


def event_of(lab: Server, run_id: str, type: str, after: int = 0) -> dict[str, Any] | None:
    page = lab.client.get(f"/api/runs/{run_id}/events", params={"after_id": after, "limit": 200}).json()
    return next((event for event in page["items"] if event["type"] == type), None)


def newest_event(lab: Server, run_id: str) -> int:
    return int(lab.client.get(f"/api/runs/{run_id}/events", params={"limit": 1}).json()["items"][0]["id"])


def pack(lab: Server, run_id: str) -> dict[str, Any]:
    before = newest_event(lab, run_id)
    answer = lab.client.patch(f"/api/runs/{run_id}", json={"archived": True})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = wait_until(lambda: event_of(lab, run_id, "archived", before), "the packing")
    assert not (lab.home / "runs" / run_id).exists()
    return told


def unpack(lab: Server, run_id: str) -> None:
    assert lab.client.patch(f"/api/runs/{run_id}", json={"archived": False}).status_code == 200
    wait_until((lab.home / "runs" / run_id).is_dir, "the folder")
    wait_until(lambda: not (lab.home / "archive" / f"{run_id}.tar.gz").exists(), "the archive to go")


def routes_of_a_run(lab: Server) -> list[str]:
    document = lab.client.get("/api/openapi.json").json()
    return [path for path, methods in document["paths"].items() if "{run_id}" in path and "get" in methods]


def read(lab: Server, route: str, run_id: str) -> Any:
    address = route.format(run_id=run_id, episode=1)
    query = {"more_timesteps": 100} if address.endswith("/continue") else None
    with lab.client.stream("GET", address, params=query) as answer:
        assert answer.status_code == 200, f"{address}: {answer.status_code}"
        body = answer.read()
    is_json = answer.headers["content-type"].startswith("application/json")
    return without(json.loads(body)) if is_json else body


def without(value: Any) -> Any:
    """An answer less what an archived run may say otherwise."""
    if isinstance(value, dict):
        return {key: without(item) for key, item in value.items() if key not in FREE}
    return [without(item) for item in value] if isinstance(value, list) else value


def test_every_reading_of_an_archived_run_answers_as_before(lab: Server, trained: dict[str, Any]) -> None:
    run_id = trained["id"]
    routes = [route for route in routes_of_a_run(lab) if route not in CHANGING]
    assert len(routes) >= 12
    before = {route: read(lab, route, run_id) for route in routes}
    files = lab.client.get(f"/api/runs/{run_id}/artifacts").json()
    held = {file["id"]: lab.client.get(f"/api/artifacts/{file['id']}").content for file in files}
    assert len(held) >= 5
    try:
        for route in routes:
            pack(lab, run_id)
            assert read(lab, route, run_id) == before[route], route
            unpack(lab, run_id)
        pack(lab, run_id)
        for artifact_id, content in held.items():
            assert lab.client.get(f"/api/artifacts/{artifact_id}").content == content
    finally:
        unpack(lab, run_id)


def test_an_archived_run_replays_and_is_evaluated_and_forked(lab: Server, trained: dict[str, Any]) -> None:
    run_id = trained["id"]
    with view(lab, f"/api/runs/{run_id}/episodes/1/replay") as viewer:
        opened = viewer.next().header
        first = viewer.picture().jpeg
    pack(lab, run_id)
    try:
        with view(lab, f"/api/runs/{run_id}/episodes/1/replay") as viewer:
            assert viewer.next().header == opened
            assert viewer.picture().jpeg == first
        for path, body in (("evaluations", {"episodes": 1}), ("episodes/1/forks", {"step": 2})):
            unpack(lab, run_id)
            pack(lab, run_id)
            started = lab.client.post(f"/api/runs/{run_id}/{path}", json=body)
            assert started.status_code == 202, started.text
            job = lab.wait(started.json()["id"], "succeeded", "failed")
            assert job["status"] == "succeeded", job["reason"]
    finally:
        unpack(lab, run_id)


def test_the_saving_is_said_and_lists_and_usage_know(lab: Server, trained: dict[str, Any]) -> None:
    run_id = trained["id"]
    open_bytes = lab.client.get(f"/api/runs/{run_id}/usage").json()["bytes"]
    told = pack(lab, run_id)
    try:
        assert told["data"]["bytes_before"] == pytest.approx(open_bytes, rel=0.2)
        assert told["data"]["bytes_saved"] == told["data"]["bytes_before"] - told["data"]["bytes_after"] > 0
        used = lab.client.get(f"/api/runs/{run_id}/usage").json()
        assert used["archived"]
        assert 0 < used["bytes"] == used["archive_bytes"] < open_bytes
        listed = lab.client.get("/api/runs", params={"archived": True}).json()
        assert run_id in [run["id"] for run in listed["items"]]
    finally:
        unpack(lab, run_id)
    # The event is written right after the folder is back.
    wait_until(lambda: event_of(lab, run_id, "restored", told["id"]), "the event about the unpacking")


def test_an_archived_run_goes_on_where_it_stopped(lab: Server) -> None:
    slow = {"steps_per_second": 500}
    run_id = lab.create(start=True, total_timesteps=10**6, params=slow)["id"]
    lab.wait(run_id, "running")
    lab.client.post(f"/api/runs/{run_id}/stop")
    stopped = lab.wait(run_id, "stopped")
    pack(lab, run_id)
    resumed = lab.client.post(f"/api/runs/{run_id}/resume")
    assert resumed.status_code == 202, resumed.text
    assert not resumed.json()["archived"], "what runs is in the list of runs"
    running = lab.wait(run_id, "running", "failed", "lost")
    assert running["status"] == "running", running["reason"]
    assert lab.client.patch(f"/api/runs/{run_id}", json={"archived": True}).status_code == 409
    lab.client.post(f"/api/runs/{run_id}/stop")
    assert lab.wait(run_id, "stopped")["progress"]["timestep"] >= stopped["progress"]["timestep"]


def test_the_command_packs_and_unpacks(lab: Server, trained: dict[str, Any]) -> None:
    packed = command(lab.home, "archive", trained["id"])
    assert packed.returncode == 0, packed.stderr
    assert packed.stdout.startswith("Packed: ")
    assert "packed" in command(lab.home, "usage", trained["id"]).stdout
    assert command(lab.home, "unarchive", trained["id"]).stdout == "Unpacked for good.\n"


async def ended_run(lab: Lab) -> str:
    run = await lab.runs.create(toy(total_timesteps=400, evaluate_after=0))
    await wait_for(lab, run.id, RunStatus.succeeded)
    return run.id


async def packed_run(lab: Lab) -> str:
    run_id = await ended_run(lab)
    await lab.runs.patch(run_id, RunPatch(archived=True))
    await wait_for_event(lab, run_id, "archived")
    return run_id


def test_an_opened_run_is_packed_again_once_nobody_reads_it(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            run_id = await packed_run(lab)
            folder = RunFolder(home, run_id)
            assert folder.is_packed
            many = await asyncio.gather(*(lab.queries.metrics(run_id) for _ in range(8)))
            assert all(series.keys() == many[0].keys() != set() for series in many)
            assert folder.path.is_dir()
            await lab.housekeeping.janitor.sweep()
            assert folder.path.is_dir(), "ten minutes are not over"
            lab.housekeeping.archives.idle_s = 0.0
            lab.housekeeping.janitor.wake()
            # Not at once when manifest.json is written meanwhile: then the lab tries again by itself.
            await wait_until_async(lambda: folder.is_packed, "the folder to be packed again")

    asyncio.run(story())


def test_a_run_opened_right_after_it_was_packed_stays_open(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            run_id = await ended_run(lab)
            monkeypatch.setattr(archives, "QUIET_S", 0.0)
            note = lab.housekeeping.archives._note_packed

            async def note_after_a_reader_came(run_id: str, *packed: Any, **how: Any) -> None:
                await lab.context.folders.open(run_id)
                await note(run_id, *packed, **how)

            monkeypatch.setattr(lab.housekeeping.archives, "_note_packed", note_after_a_reader_came)
            await lab.runs.patch(run_id, RunPatch(archived=True))
            told = await wait_for_event(lab, run_id, "archived")
            assert told.level == "info"
            await lab.housekeeping.janitor.sweep()
            assert RunFolder(home, run_id).path.is_dir(), "it is open for ten minutes"

    asyncio.run(story())


def test_a_run_at_work_is_not_archived(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=10**8, steps_per_second=100))
            await wait_for(lab, run.id, RunStatus.running)
            with pytest.raises(MoveRefused, match="cannot be archived") as refused:
                await lab.runs.patch(run.id, RunPatch(archived=True))
            assert refused.value.next_step == "Stop it first."
            assert not (await lab.queries.get_run(run.id)).archived

    asyncio.run(story())


def test_a_deleted_archive_leaves_with_its_run(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home, undo_s=0.0) as lab:
            run_id = await packed_run(lab)
            await lab.runs.delete(run_id)
            await lab.housekeeping.janitor.sweep()
            assert not RunFolder(home, run_id).archive.exists()
            assert list((home / "trash").iterdir()) == []

    asyncio.run(story())


def test_a_damaged_archive_is_said_in_words_and_stays(home: Path) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            run_id = await packed_run(lab)
            archive = RunFolder(home, run_id).archive
            archive.write_bytes(archive.read_bytes()[:-200])
            with pytest.raises(Gone, match="is damaged") as damaged:
                await lab.queries.metrics(run_id)
            assert "backup" in (damaged.value.next_step or "")
            assert archive.exists()
            assert not RunFolder(home, run_id).path.exists()

    asyncio.run(story())


def test_links_and_second_names_come_back_as_they_were(home: Path, tmp_path: Path) -> None:
    folder = RunFolder(home, "run1")
    folder.create()
    (folder.path / "model.zip").write_bytes(os.urandom(50_000))
    (folder.path / "second.zip").hardlink_to(folder.path / "model.zip")
    (folder.path / "empty").mkdir()
    (folder.path / "link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(folder.path / "pipe")
    (folder.path / "név 模型.txt").write_text("ok")
    packed = archive_files.write_archive(folder, threading.Event())
    archive_files.swap_in(folder)
    archive_files.clean_up(folder)
    assert folder.is_packed
    assert packed.bytes_after < 60_000, "a second name costs nothing"
    with tarfile.open(folder.archive) as archive:
        assert "pipe" not in archive.getnames()
    archive_files.unpack(folder)
    assert (folder.path / "model.zip").samefile(folder.path / "second.zip")
    assert (folder.path / "link").readlink() == tmp_path / "elsewhere"
    assert (folder.path / "empty").is_dir()
    assert (folder.path / "név 模型.txt").read_text() == "ok"
    assert list((home / "archive").iterdir()) == []


def test_a_file_with_holes_takes_no_more_room_when_it_comes_back(home: Path) -> None:
    folder = RunFolder(home, "run1")
    folder.create()
    path = folder.path / "data.mdb"
    with path.open("wb") as file:
        file.write(b"head")
        file.seek(100 << 20)
        file.write(b"middle" + bytes(300_000) + b"end")
        file.truncate(200 << 20)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    assert path.stat().st_blocks * 512 < 1 << 20, "this file system keeps no holes"
    archive_files.write_archive(folder, threading.Event())
    archive_files.swap_in(folder)
    archive_files.clean_up(folder)
    archive_files.unpack(folder)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert path.stat().st_blocks * 512 < 2 << 20


def test_names_that_are_no_text_come_back(home: Path) -> None:
    folder = RunFolder(home, "run1")
    folder.create()
    names = [b"caf\xe9 \xff.txt", b"new\nline", b" space ", b"x" * 255]
    for name in names:
        (folder.path / os.fsdecode(name)).write_bytes(name)
    (folder.path / "link").symlink_to(os.fsdecode(b"caf\xe9"))
    archive_files.write_archive(folder, threading.Event())
    archive_files.swap_in(folder)
    archive_files.clean_up(folder)
    archive_files.unpack(folder)
    assert {os.fsencode(p.name): p.read_bytes() for p in folder.path.iterdir() if not p.is_symlink()} == {
        name: name for name in names
    }
    assert os.fsencode((folder.path / "link").readlink()) == b"caf\xe9"


def test_a_folder_is_packed_though_an_earlier_one_could_not_be_deleted_whole(home: Path) -> None:
    folder = RunFolder(home, "run1")
    folder.create()
    (folder.path / "a.txt").write_text("kept")
    late = home / "archive" / ".run1.gone"
    late.mkdir(parents=True)
    (late / "manifest.json").write_text("written while the folder was being deleted")
    archive_files.write_archive(folder, threading.Event())
    archive_files.swap_in(folder)
    archive_files.clean_up(folder)
    assert folder.is_packed
    archive_files.unpack(folder)
    assert (folder.path / "a.txt").read_text() == "kept"
    assert list((home / "archive").iterdir()) == []


def test_a_run_that_could_not_be_packed_is_tried_again_when_a_person_asks(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            run_id = await ended_run(lab)
            monkeypatch.setattr(archives, "QUIET_S", 0.0)
            swap_in = archive_files.swap_in

            def refuse(folder: RunFolder) -> None:
                raise OSError("no room")

            monkeypatch.setattr(archive_files, "swap_in", refuse)
            await lab.runs.patch(run_id, RunPatch(archived=True))
            await wait_for_event(lab, run_id, "archive_failed")
            monkeypatch.setattr(archive_files, "swap_in", swap_in)
            await lab.runs.patch(run_id, RunPatch(archived=True))
            await wait_for_event(lab, run_id, "archived")
            assert RunFolder(home, run_id).is_packed

    asyncio.run(story())


def test_a_folder_that_changes_while_it_is_packed_stays(home: Path) -> None:
    folder = RunFolder(home, "run1")
    folder.create()
    (folder.path / "a.bin").write_bytes(os.urandom(8 << 20))
    stop = threading.Event()
    stop.set()
    with pytest.raises(archive_files.Interrupted):
        archive_files.write_archive(folder, stop)
    assert list((home / "archive").iterdir()) == []
    assert (folder.path / "a.bin").stat().st_size == 8 << 20


class Meanwhile(threading.Event):
    """Asked before each block that is read: something happens to the folder while its first file is packed."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__()
        self._act: Callable[[], object] | None = act

    def is_set(self) -> bool:
        act, self._act = self._act, None
        if act is not None:
            act()
        return super().is_set()


def test_a_file_that_gets_its_final_name_while_the_folder_is_packed_is_no_failure(home: Path) -> None:
    folder = RunFolder(home, "run1")
    folder.create()
    (folder.path / "a.bin").write_bytes(b"first")
    part = folder.path / "z.part"
    part.write_bytes(b"in the making")
    with pytest.raises(archive_files.Interrupted):
        archive_files.write_archive(folder, Meanwhile(lambda: part.rename(folder.path / "z.json")))
    assert list((home / "archive").iterdir()) == []


@pytest.mark.parametrize("swapped", ["z", "z/secret.txt"])
def test_a_link_swapped_in_while_the_folder_is_packed_is_not_followed(
    home: Path, tmp_path: Path, swapped: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("not for the archive")
    folder = RunFolder(home, "run1")
    folder.create()
    (folder.path / "a.bin").write_bytes(b"first")
    (folder.path / "z").mkdir()
    (folder.path / "z" / "secret.txt").write_text("mine, 19 characters")

    def swap() -> None:
        target = folder.path / swapped
        target.rename(folder.path / "moved")
        target.symlink_to(outside if swapped == "z" else outside / "secret.txt")

    with pytest.raises(archive_files.Interrupted):
        archive_files.write_archive(folder, Meanwhile(swap))
    assert list((home / "archive").iterdir()) == []


@pytest.mark.chaos
@pytest.mark.parametrize("moment", ["part", "gone", "opening"])
def test_a_lab_killed_in_the_middle_finishes_at_its_next_start(
    home: Path, tmp_path: Path, moment: str
) -> None:
    """Killed while the file is written, while the folder is removed, while it is unpacked."""
    furnish(home)
    aside = home / "archive"
    with serve(home, PYTHONPATH=str(killer(tmp_path, aside, moment))) as server:
        run = server.wait(server.create(start=True, total_timesteps=2000)["id"], "succeeded")
        run_id = run["id"]
        rewards = server.client.get(f"/api/runs/{run_id}/metrics").json()
        big = home / "runs" / run_id / "made"
        big.mkdir()
        for number in range(400):
            (big / f"{number}.bin").write_bytes(os.urandom(20_000))
        server.client.patch(f"/api/runs/{run_id}", json={"archived": True})
        if moment == "opening":
            wait_until(lambda: event_of(server, run_id, "archived"), "the packing")
            server.client.patch(f"/api/runs/{run_id}", json={"archived": False})
        assert server.process.wait(DEADLINE_S) == -signal.SIGKILL
        assert (aside / f".{run_id}.{moment}").exists(), "it was killed in the middle"
    with serve(home) as server:
        folder = RunFolder(home, run_id)
        if moment == "opening":
            wait_until(lambda: folder.path.is_dir() and not folder.archive.exists(), "the unpacking")
        else:
            wait_until(lambda: folder.is_packed, "the packing")
        wait_until(lambda: not list(aside.glob(".*")), "the rest to be cleaned up")
        assert server.client.get(f"/api/runs/{run_id}/metrics").json() == rewards
        sizes = [path.stat().st_size for path in big.iterdir()]
        assert sizes == [20_000] * 400


def killer(folder: Path, aside: Path, moment: str) -> Path:
    """A folder for PYTHONPATH: a lab with it kills itself at one file of that step."""
    made = folder / "killer"
    made.mkdir()
    (made / "sitecustomize.py").write_text(
        f"""
import os, pathlib, signal, sys

def kill(event, args):
    if event in ("open", "os.remove") and str(args[0]).endswith("200.bin"):
        if list(pathlib.Path({str(aside)!r}).glob(".*.{moment}")):
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(kill)
"""
    )
    return made


def test_of_an_adopted_run_only_the_labs_own_folder_is_packed(server: Server, tmp_path: Path) -> None:
    source = tmp_path / "logs"
    leave_sb3(source)
    before = {path: path.read_bytes() for path in source.rglob("*") if path.is_file()}
    answer = server.client.post("/api/adoptions", json={"folder": str(source), "follow": False}).json()
    address = f"/api/adoptions/{answer['id']}"
    [run_id] = wait_until(lambda: _adopted(server.client.get(address).json()), "the adoption")
    rewards = server.client.get(f"/api/runs/{run_id}/metrics").json()
    [first, *_] = server.client.get(f"/api/runs/{run_id}/artifacts").json()
    content = server.client.get(f"/api/artifacts/{first['id']}").content
    pack(server, run_id)
    assert server.client.get(f"/api/artifacts/{first['id']}").content == content
    assert server.client.get(f"/api/runs/{run_id}/metrics").json() == rewards
    assert server.client.delete(f"/api/artifacts/{first['id']}").status_code == 200
    assert server.client.get(f"/api/artifacts/{first['id']}").status_code == 404
    assert {path: path.read_bytes() for path in source.rglob("*") if path.is_file()} == before


def _adopted(result: dict[str, Any]) -> list[str]:
    return result["run_ids"] if result["is_done"] else []
