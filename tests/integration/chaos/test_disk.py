"""A full disk: reads go on, nothing acknowledged is lost, and the run goes on when there is room again."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from sqlalchemy.exc import SQLAlchemyError
from support.labs import furnish, open_lab, toy, wait_for, wait_for_event, wait_for_step
from support.server import Server, serve
from support.waiting import wait_until_async

from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import RunPatch
from rl_lab.store.sql.database import is_disk_full

pytestmark = pytest.mark.chaos


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MiB; making one needs root."""
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(disk)], check=True)
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_full_disk_delays_and_loses_nothing(small_disk: Path) -> None:
    home = small_disk / "home"
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            run = await lab.runs.create(toy(total_timesteps=10**8, steps_per_second=4000))
            await wait_for_step(lab, run.id, 2000)
            ballast = _fill(small_disk)
            acked = await _wait_until_blocked(lab, run.id)
            assert (await lab.queries.get_run(run.id)).status is RunStatus.running
            assert (await lab.queries.ticks(run.id, after=-1, limit=1))[0].id >= acked
            assert await lab.queries.events(run.id)
            with pytest.raises(SQLAlchemyError) as refused:
                while True:  # what is left in the last page may still take a few
                    await lab.runs.patch(run.id, RunPatch(tags=[str(n) * 60 for n in range(9)]))
                    await lab.runs.patch(run.id, RunPatch(tags=[]))
            assert is_disk_full(refused.value)
            ballast.unlink()
            await wait_for_event(lab, run.id, "storing_delayed")
            await lab.runs.move(run.id, "stop")
            ended = await wait_for(lab, run.id)
            assert ended.status is RunStatus.stopped, ended.reason
            await _check_whole(lab, home, run.id)

    asyncio.run(story())


def test_over_http_reads_go_on_and_writes_say_what_to_do(small_disk: Path) -> None:
    home = small_disk / "home"
    furnish(home)
    with serve(home) as server:
        run = server.create()
        address = f"/api/runs/{run['id']}"
        ballast = _fill(small_disk)
        refused = _write_until_refused(server, address)
        assert refused.status_code == 507
        assert refused.headers["content-type"] == "application/problem+json"
        assert "Free some space" in refused.json()["next_step"]
        new = {"env_id": "CartPole-v1", "algorithm": "toy", "runner": "fake"}
        assert server.client.post("/api/runs", json=new).status_code in (409, 507)
        assert server.client.get("/api/runs").json()["total"] == 1
        assert server.client.get(address).status_code == 200
        ballast.unlink()
        assert server.client.patch(address, json={"name": "there is room again"}).status_code == 200
        server.client.post(f"{address}/start")
        assert server.wait(run["id"], "succeeded", "failed")["status"] == "succeeded"


def _write_until_refused(server: Server, address: str) -> httpx2.Response:
    """What is left in the last page may still take a few."""
    for turn in range(200):
        tags = [f"{turn} {number}" * 8 for number in range(9)]
        answer = server.client.patch(address, json={"tags": tags})
        if answer.status_code != 200:
            return answer
    raise AssertionError("a full disk took 200 changes")


def _fill(disk: Path) -> Path:
    """Takes all that is left."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
    return ballast


async def _wait_until_blocked(lab: Lab, run_id: str) -> int:
    """The newest tick that was acknowledged when storing stopped."""
    tail = lab.execution.supervisor.live[run_id].tail
    await wait_until_async(lambda: tail.is_blocked, "storing to stop")
    return (await lab.queries.ticks(run_id, after=-1, limit=1))[0].id


async def _check_whole(lab: Lab, home: Path, run_id: str) -> None:
    folder = home / "runs" / run_id
    segments = sorted((folder / "attempts" / "1" / "journal").iterdir())
    journal = [json.loads(line) for s in segments for line in s.read_bytes().splitlines()]
    assert [event["seq"] for event in journal] == list(range(len(journal)))
    counters = await lab.queries.counters(run_id)
    assert counters["sent"] == counters["stored"] == len(journal)
    assert "lost" not in counters
    told = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    episodes = [x["episode"] for x in told if x["type"] == "episode"]
    assert episodes == list(range(len(episodes)))
    assert len(episodes) == counters["type:episode"]
