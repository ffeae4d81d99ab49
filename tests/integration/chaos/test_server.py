"""kill -9 of the lab again and again while runs go on: nothing lost, nothing doubled, nobody killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

import pytest
from support.labs import end_all, furnish, make_settings, open_lab, toy, wait_for, wait_for_step

from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.lab import Lab

pytestmark = pytest.mark.chaos

IS_LONG = os.environ.get("RL_LAB_CHAOS") == "long"
KILLS = 200 if IS_LONG else 5
RUNS = 4
SCRIPT = Path(__file__).parents[2] / "support" / "lab_process.py"


class KilledLab:
    """One life of a lab process, from its birth to SIGKILL."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(home)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self.process.stdout is not None
        self.ready: dict[str, Any] = json.loads(self.process.stdout.readline() or b"{}")
        assert self.ready, self._error()
        self.acked: dict[str, int] = {}
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self._reader.start()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._reader.join()
        self.process.communicate()

    def _read(self, out: IO[bytes]) -> None:
        for line in out:
            if line.endswith(b"\n"):
                run_id, tick = json.loads(line)["acked"]
                self.acked[run_id] = max(tick, self.acked.get(run_id, 0))

    def _error(self) -> str:
        return self.process.communicate()[1].decode()


@pytest.mark.timeout(3000 if IS_LONG else 600)
def test_killing_the_lab_loses_and_doubles_nothing(home: Path) -> None:
    furnish(home)
    run_ids = asyncio.run(_start_runs(home))
    dice, acked = random.Random(7), dict.fromkeys(run_ids, 0)
    for _ in range(KILLS):
        lab = KilledLab(home)
        threading.Event().wait(dice.uniform(0.0, 0.5))  # the moment of death is the experiment
        lab.kill()
        assert lab.ready["live"] == run_ids
        for run_id, tick in lab.acked.items():
            acked[run_id] = max(acked[run_id], tick)
    asyncio.run(_stop_and_check(home, run_ids, acked))


async def _start_runs(home: Path) -> list[str]:
    lab = Lab(make_settings(home))
    await lab.start()
    try:
        runs = [await lab.runs.create(toy(total_timesteps=10**8, steps_per_second=4000)) for _ in range(RUNS)]
        for run in runs:
            await wait_for_step(lab, run.id, 100)
    except BaseException:
        await end_all(lab)
        raise
    finally:
        await lab.close()
    return sorted(run.id for run in runs)


async def _stop_and_check(home: Path, run_ids: list[str], acked: dict[str, int]) -> None:
    async with open_lab(home) as lab:
        for run_id in run_ids:
            assert (await lab.runs.move(run_id, "stop")).attempt == 1
        for run_id in run_ids:
            ended = await wait_for(lab, run_id)
            assert ended.status is RunStatus.stopped, ended.reason
            await _check_exactly_once(lab, home, run_id, acked[run_id])


async def _check_exactly_once(lab: Lab, home: Path, run_id: str, acked_tick: int) -> None:
    """Everything the worker numbered is stored once, under its number."""
    folder = home / "runs" / run_id
    journal = [json.loads(line) for line in _journal_lines(folder)]
    assert [event["seq"] for event in journal] == list(range(len(journal)))
    counters = await lab.queries.counters(run_id)
    assert counters["sent"] == counters["stored"] == len(journal)
    assert "lost" not in counters
    episodes = [e for e in journal if e["type"] == "episode"]
    rewards = (await lab.queries.metrics(run_id, ["reward"], tail=20_000))["reward"]
    assert rewards.total == len(episodes)
    newest = min(len(episodes), 20_000)
    assert list(rewards.value) == [e["return"] for e in episodes[-newest:]]
    assert (await lab.runs.episodes.list_page(run_id, limit=1)).total == len(episodes)
    told = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert [x["episode"] for x in told if x["type"] == "episode"] == list(range(len(episodes)))
    assert sum(x["type"] == "update" for x in told) == sum(e["type"] == "metric" for e in journal)
    ticks = await lab.queries.ticks(run_id, after=-1, limit=500)
    assert [t.id for t in ticks] == list(range(ticks[0].id, ticks[-1].id + 1))
    assert ticks[-1].id >= acked_tick
    saved = [e for e in await lab.queries.events(run_id, limit=500) if e.type == "checkpoint_saved"]
    assert len({e.data["path"] for e in saved}) == len(saved)


def _journal_lines(folder: Path) -> list[bytes]:
    (segment,) = (folder / "attempts" / "1" / "journal").iterdir()
    return segment.read_bytes().splitlines()
