"""A folder that is adopted cannot take the lab's time: holes, lines without an end, a reading process that hangs."""

from __future__ import annotations

import io
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from support.adoptions import adopt, age, done, result, runs
from support.server import Server, serve
from support.waiting import wait_until

from rl_lab.analysis.adoption import lines
from rl_lab.analysis.adoption.lines import MAX_SKIPPED_BYTES, read_lines

HUGE = 20 << 30
TABLE = b"time/total_timesteps,rollout/ep_rew_mean\n100,1.5\n200,2.5\n"


def write_sparse(folder: Path, *, end: bytes = b"") -> None:
    """A table, then a hole of 20 GB, then perhaps more lines."""
    folder.mkdir(parents=True)
    with (folder / "progress.csv").open("wb") as file:
        file.write(TABLE)
        file.seek(HUGE)
        file.write(end)
        file.truncate(HUGE + len(end))
    age(folder)


def test_b19_the_hole_of_a_sparse_file_is_skipped(lab: Server, tmp_path: Path) -> None:
    write_sparse(tmp_path / "a" / "PPO_1", end=b"\n300,3.5\n")
    found = adopt(lab, tmp_path / "a")
    assert found["adopted"] == 1
    [run] = runs(lab, tmp_path / "a").values()
    series = lab.client.get(f"/api/runs/{run['id']}/metrics", params={"names": "reward"}).json()["series"]
    assert series["reward"]["value"] == [1.5, 2.5, 3.5]


def test_b19_a_line_without_an_end_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "endless"
    with path.open("wb") as file:
        block = b"x" * (8 << 20)
        for _ in range(2 + MAX_SKIPPED_BYTES // len(block)):
            file.write(block)
    size = path.stat().st_size
    with path.open("rb") as endless:
        found = read_lines(endless, 0)
        assert (found.offset, found.too_long) == (size, 1)
        assert read_lines(endless, size).is_complete


def test_b19_lines_in_memory_have_no_holes() -> None:
    long = b"x" * lines.MAX_LINE_BYTES * 2 + b"\nlast\n"
    found = read_lines(io.BytesIO(long), 0)
    assert found.too_long == 1
    assert read_lines(io.BytesIO(long), found.offset).lines == [b"last"]


@pytest.fixture
def real_reading(home: Path) -> Iterator[Server]:
    """A lab whose reading processes are its children."""
    with serve(home, REAL_READERS="1") as running:
        yield running


def test_b19_a_reader_that_hangs_is_killed_and_others_do_not_wait(
    real_reading: Server, tmp_path: Path
) -> None:
    """The reading process is stopped by a signal: it neither reads nor obeys, as if its disk did not answer."""
    for name in ("a", "b"):
        (tmp_path / name / "PPO_1").mkdir(parents=True)
        (tmp_path / name / "PPO_1" / "progress.csv").write_bytes(TABLE)
    followed = real_reading.client.post(
        "/api/adoptions", json={"folder": str(tmp_path / "a"), "follow": True}
    ).json()
    wait_until(lambda: done(real_reading, followed["id"]), "the first folder to be read")
    [reader] = readers_of(real_reading)
    reader.send_signal(signal.SIGSTOP)
    hanging = real_reading.client.post(
        "/api/adoptions", json={"folder": str(tmp_path / "a" / "PPO_1")}
    ).json()
    # Another folder is read by a process of its own.
    assert adopt(real_reading, tmp_path / "b")["adopted"] == 1
    assert not result(real_reading, hanging["id"])["is_done"]
    stopped = real_reading.client.delete(f"/api/adoptions/{hanging['id']}").json()
    assert stopped["is_done"]
    assert not reader.is_running() or reader.status() == psutil.STATUS_ZOMBIE
    # What the killed process followed is followed by a new one.
    wait_until(lambda: readers_of(real_reading), "a new reading process")
    assert result(real_reading, followed["id"])["is_followed"]
    assert real_reading.client.delete(f"/api/adoptions/{followed['id']}").json()["is_done"]


def readers_of(lab: Server) -> list[psutil.Process]:
    found = []
    for child in psutil.Process(lab.process.pid).children():
        try:
            if "rl_lab.orchestrator.adoption.reader" in child.cmdline():
                found.append(child)
        except psutil.NoSuchProcess:
            continue
    return found
