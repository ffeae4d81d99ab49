"""A pack that somebody else has made does nothing outside its folder, and nothing at all unless all of it is right.

One honest pack is made by a lab; each evil one is a changed copy of it.
"""

from __future__ import annotations

import asyncio
import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, toy, wait_for
from support.packs import Members, read_members, send, with_json, with_list, with_sql, write_members

from rl_lab.core.errors import LabError, MoveRefused, NotFound, StorageFull
from rl_lab.core.reproduction.packs import PACK_FILE
from rl_lab.orchestrator.experiments import pack_imports
from rl_lab.orchestrator.experiments import packs as packs_room
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.looking import is_foreign
from rl_lab.store import consents
from rl_lab.store.files import pack_files
from rl_lab.store.files.folders import list_run_ids
from rl_lab.store.run_pages import RunFilter

Evil = Callable[[Members, Path], bytes]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Members:
    """The members of a pack with one run of the fake runner."""
    home = tmp_path_factory.mktemp("packing")
    furnish(home)

    async def story() -> bytes:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=500, evaluate_after=0))
            await wait_for(lab, run.id)
            pack = await lab.experiments.packs.make([run.id], [])
            return b"".join(pack.chunks)

    return read_members(asyncio.run(story()))


def evil(name: str) -> Callable[[Evil], Evil]:
    def register(make: Evil) -> Evil:
        EVIL[name] = make
        return make

    return register


EVIL: dict[str, Evil] = {}
NAMES = (
    "/etc/evil",
    "../evil",
    "runs/../../evil",
    "runs//evil",
    "runs/./evil",
    "C:\\evil",
    "runs\\..\\evil",
    "new\nline",
    "x" * 2000,
)
for odd in NAMES:
    EVIL[f"path {odd[:20]!r}"] = lambda members, _, odd=odd: write_members({**members, odd: b"evil"})
for place in (
    "attempts/1/launch.json",
    "files/attempts/1/launch.json",
    "files/telemetry.db",
    "secret",
    "files",
):
    EVIL[f"place {place}"] = lambda members, _, place=place: write_members(
        {**members, f"{run_of(members)}/{place}": b"{}"}
    )


def run_of(members: Members) -> str:
    return next(name for name in members if name.endswith("/run.json")).removesuffix("/run.json")


def with_entry(members: Members, name: str, mode: int) -> bytes:
    data = io.BytesIO(write_members(members))
    with zipfile.ZipFile(data, "a") as archive:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = mode << 16
        archive.writestr(entry, b"/etc/passwd")
    return data.getvalue()


for kind in (stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFDIR):
    EVIL[f"mode {kind:o}"] = lambda members, _, kind=kind: with_entry(members, "report2.html", kind | 0o777)
EVIL["a folder"] = lambda members, _: with_entry(members, "runs/x/", stat.S_IFDIR)


@evil("a name twice")
def _twice(members: Members, folder: Path) -> bytes:
    with pytest.warns(UserWarning, match="Duplicate"):
        return with_entry(members, "report.html", stat.S_IFREG)


@evil("its middle is missing")
def _gap(members: Members, folder: Path) -> bytes:
    data = write_members(members)
    return data[:3000] + data[4000:]


@evil("a hash that lies")
def _lying(members: Members, folder: Path) -> bytes:
    return write_members({**members, "report.html": members["report.html"] + b" "}, listed=False)


@evil("other contents of the same size")
def _swapped(members: Members, folder: Path) -> bytes:
    return write_members({**members, "report.html": b"x" * len(members["report.html"])}, listed=False)


@evil("a missing member")
def _missing(members: Members, folder: Path) -> bytes:
    return write_members(
        {name: data for name, data in members.items() if name != "report.html"}, listed=False
    )


@evil("an unlisted member")
def _unlisted(members: Members, folder: Path) -> bytes:
    return write_members({**members, "more.txt": b""}, listed=False)


@evil("a newer format")
def _newer(members: Members, folder: Path) -> bytes:
    return write_members(with_list(members, lambda found: found.update(format=99, lab_version="9.9")))


for number, rubbish in enumerate(
    (b"", b"{", b"[]", b'{"format": 1}', b'{"format": "x"}', b"\xff\xfe", b"[" * 5000)
):
    EVIL[f"rubbish {number}"] = lambda members, _, data=rubbish: write_members(
        {**members, PACK_FILE: data}, listed=False
    )
EVIL["no zip"] = lambda members, _: b"rubbish" * 100
EVIL["nothing"] = lambda members, _: b""
EVIL["cut"] = lambda members, _: write_members(members)[:-2000]
EVIL["no list"] = lambda members, _: write_members(
    {name: data for name, data in members.items() if name != PACK_FILE}, listed=False
)
EVIL["a bomb"] = lambda members, _: write_members({**members, "README.txt": bytes(70 << 20)})
RUN_CHANGES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a run of another id": lambda found: found["run"].update(id="000000000000"),
    "a run that runs": lambda found: found["run"].update(status="running"),
    "a huge number": lambda found: found["run"]["progress"].update(timestep=10**30),
    "a large number": lambda found: found["run"]["progress"].update(timestep=2**60),
    "a huge configuration": lambda found: found["run"]["config"].update(total_timesteps=10**18),
    "no configuration": lambda found: found["run"].pop("config"),
    "a file that is not there": lambda found: found["artifacts"].append(
        {"id": "a", "run_id": "b", "path": "x.mp4", "kind": "video", "created_at": "2026-01-01T00:00:00Z"}
    ),
}
for what, change in RUN_CHANGES.items():
    EVIL[what] = lambda members, _, change=change: write_members(with_json(members, "run.json", change))


@evil("a telemetry.db that is none")
def _no_database(members: Members, folder: Path) -> bytes:
    return write_members({**members, f"{run_of(members)}/telemetry.db": b"rubbish" * 1000})


BOMB = zlib.compress(bytes(65 << 20)).hex()
SQL = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON episodes BEGIN SELECT 1; END",
    "a view": "CREATE VIEW v AS SELECT * FROM episodes",
    "a view in place of a table": "CREATE VIEW live2 AS SELECT load_extension('x')",
    "text in place of a number": "UPDATE series SET count='many'",
    "a series that is too long": "UPDATE series SET count=1000000000",
    "a number that is too large": "UPDATE chunks SET count=9000000000",
    "a payload that is none": "UPDATE recordings SET count=count+5",
    "an environment that is not described": "DELETE FROM contexts",
    "a packed bomb": f"INSERT INTO step_batches (count, payload) VALUES (1, x'{BOMB}')",
    "a state that is none": "INSERT OR REPLACE INTO meta VALUES ('origins', '[1]')",
    "a tick that is none": "INSERT INTO ticks (data) VALUES ('[1]')",
    "a newer version": "PRAGMA user_version=99",
}
for what, statement in SQL.items():
    EVIL[f"telemetry with {what}"] = lambda members, folder, statement=statement: write_members(
        with_sql(members, folder, statement)
    )


@evil("telemetry that is damaged")
def _damaged(members: Members, folder: Path) -> bytes:
    name = f"{run_of(members)}/telemetry.db"
    return write_members({**members, name: members[name][:8192] + b"\xff" * (len(members[name]) - 8192)})


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    found = tmp_path_factory.mktemp("importing") / "home"
    furnish(found)
    yield found


def outside(home: Path) -> set[str]:
    """Everything next to and in the home, but not what a lab writes anyway."""
    found = {str(path.relative_to(home.parent)) for path in home.parent.rglob("*")}
    return {path for path in found if not path.startswith(("home/lab.db", "home/cache", "home/packs"))}


def test_evil_packs_are_refused_and_leave_nothing(honest: Members, home: Path, tmp_path: Path) -> None:
    """All of them in one lab; the reason is a sentence, and a member that is wrong is named."""

    async def story() -> None:
        async with open_lab(home) as lab:
            room, before = lab.experiments.packs, outside(home)
            for name, make in EVIL.items():
                with pytest.raises(LabError) as refused:
                    preview = await send(room, make(honest, tmp_path))
                    await room.take_in(preview.id)
                detail = refused.value.detail
                assert refused.value.status == 422, (name, detail)
                assert detail.startswith(("The pack is refused: ", "This pack has format 99")), (name, detail)
                assert (await lab.queries.list_runs(RunFilter(kind="all"))).total == 0, name
                assert list_run_ids(home) == [], name
                assert list((home / "packs").iterdir()) == [], name
                assert outside(home) == before, name

    asyncio.run(story())


def test_the_reason_names_the_member_and_both_versions(honest: Members, home: Path, tmp_path: Path) -> None:
    wanted = {
        "a hash that lies": "report.html",
        "other contents of the same size": "hash of its member “report.html”",
        "a newer format": "format 99, written by RL Lab 9.9; this lab reads up to format 2",
        "a missing member": "“report.html” is missing",
        "mode 120000": "report2.html",
        "telemetry with a trigger": "trigger",
    }

    async def story() -> None:
        async with open_lab(home) as lab:
            for name, words in wanted.items():
                with pytest.raises(LabError) as refused:
                    preview = await send(lab.experiments.packs, EVIL[name](honest, tmp_path))
                    await lab.experiments.packs.take_in(preview.id)
                assert words in refused.value.detail, name

    asyncio.run(story())


async def imported(lab: Lab, members: Members) -> str:
    preview = await send(lab.experiments.packs, write_members(members))
    made = await lab.experiments.packs.take_in(preview.id)
    [run_id] = made.runs.values()
    return run_id


def test_an_import_approves_nothing_and_is_looked_at_confined(honest: Members, tmp_path: Path) -> None:
    home = tmp_path / "home"
    furnish(home)
    code = {f"{run_of(honest)}/code/train.py": b"raise SystemExit('never run')\n"}

    def claim(found: dict[str, Any]) -> None:
        found["run"]["source"] = {"folder": "/etc", "format": "tensorboard", "key": "x"}
        found["run"]["config"]["runner"] = "somebodys-runner"
        for artifact in found["artifacts"]:
            artifact["data"] = {"in_source": True, "url": "http://127.0.0.1/"}

    async def story() -> None:
        async with open_lab(home) as lab:
            run_id = await imported(lab, with_json({**honest, **code}, "run.json", claim))
            run = await lab.queries.get_run(run_id)
            assert run.source is None and run.origin is not None and is_foreign(run)
            assert await lab.context.db.read(consents.list_all) == []
            file = lab.context.folders.find(run_id).path / "code" / "train.py"
            assert file.read_bytes() == code[f"{run_of(honest)}/code/train.py"]
            assert not file.stat().st_mode & 0o111
            assert all(
                "in_source" not in a.data and "url" not in a.data for a in await lab.queries.artifacts(run_id)
            )
            warnings = [e for e in await lab.queries.events(run_id) if e.level == "warning"]
            assert "no runner “somebodys-runner”" in warnings[-1].message
            with pytest.raises(MoveRefused, match="imported with a pack"):
                await lab.runs.move(run_id, "resume")
            assert not (lab.context.folders.find(run_id).path / "attempts").exists()

    asyncio.run(story())


def test_a_lab_that_is_killed_in_the_middle_of_an_import_lists_nothing(
    honest: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            preview = await send(lab.experiments.packs, write_members(honest))
            with monkeypatch.context() as patched:
                # The process ends here: nothing that would clean up is called any more.
                for module in (packs_room, pack_imports):
                    patched.setattr(module, "remove_tree", lambda folder: None)
                patched.setattr(lab.context.db, "write", _killed)
                with pytest.raises(ConnectionAbortedError):
                    await lab.experiments.packs.take_in(preview.id)
            assert len(list_run_ids(home)) == 1
        async with open_lab(home) as again:
            assert list_run_ids(home) == [] and not (home / "packs").exists()
            assert (await again.queries.list_runs()).total == 0

    asyncio.run(story())


async def _killed(work: object) -> None:
    raise ConnectionAbortedError


def test_a_full_disk_is_reported_and_nothing_is_half_imported(
    honest: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    furnish(home)

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    async def story() -> None:
        async with open_lab(home) as lab:
            room = lab.experiments.packs
            preview = await send(room, write_members(honest))
            monkeypatch.setattr(pack_files.OpenedPack, "copy", full)
            with pytest.raises(StorageFull, match="Nothing was imported"):
                await room.take_in(preview.id)
            assert list_run_ids(home) == [] and (await lab.queries.list_runs()).total == 0
            with pytest.raises(StorageFull, match="free"):
                await room.receive("huge.zip", _nothing(), 1 << 60)
            with pytest.raises(NotFound):
                await room.take_in(preview.id)

    asyncio.run(story())


async def _nothing() -> Any:
    return
    yield b""
