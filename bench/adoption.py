"""Adopts a thousand runs of other tools with a thousand points each, while measuring the API; then lists them."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

import httpx2
import numpy as np

from bench import api_list
from bench.figures import Figure, at_most
from bench.servers import lab_process, quantile
from rl_lab.analysis.event_files import Column, write_scalars

RUNS, POINTS, REQUESTS = 1000, 1000, 400
BAR_S, BAR_LIST, BAR_MS = 60.0, 1.2, 100.0
CREATED_AT = 1_700_000_000.0
ASK_S = 0.05


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder:
        source = Path(folder) / "source"
        for number in range(RUNS):
            (write_cleanrl if number % 2 else write_sb3)(source, number)
        home, native = Path(folder) / "home", Path(folder) / "native"
        for made in (home, native):
            made.mkdir()
        with lab_process(home) as lab, lab.client() as client:
            client.get("/api/runs")
            seconds, answers = adopt(client, source)
            again, _ = adopt(client, source)
        api_list.fill(native, RUNS)
        ratio = compare(home, native)
    what = f"{RUNS:,} runs of {POINTS:,} points"
    return [
        at_most(f"{what}, adopted (events, monitors, progress)", seconds, BAR_S, " s"),
        at_most("adopting the same folder again, without new data", again, BAR_S / 6, " s"),
        at_most("API response time meanwhile, p99", quantile(answers, 0.99), BAR_MS, " ms"),
        at_most("`GET /api/runs` of adopted runs ÷ of native ones, p50", ratio, BAR_LIST, "×"),
    ]


def adopt(client: httpx2.Client, source: Path) -> tuple[float, list[float]]:
    """Seconds until every run is listed, and milliseconds of each response meanwhile."""
    began, answers = time.perf_counter(), []
    result = client.post("/api/adoptions", json={"folder": str(source), "follow": False}).json()
    while not result["is_done"]:
        time.sleep(ASK_S)
        for path in ("/api/runs?limit=20", f"/api/adoptions/{result['id']}"):
            asked = time.perf_counter()
            answer = client.get(path)
            answers.append((time.perf_counter() - asked) * 1000)
        result = answer.json()
    seconds = time.perf_counter() - began
    assert result["adopted"] + result["unchanged"] == RUNS, result
    assert not result["problems"], result["problems"]
    assert client.get("/api/runs").json()["total"] == RUNS
    return seconds, answers


def compare(adopted: Path, native: Path) -> float:
    """Median response time of listing adopted runs ÷ that of native runs, measured in turns."""
    with lab_process(adopted) as one, lab_process(native) as other, one.client() as a, other.client() as n:
        for client in (a, n):
            api_list.measure(client, {}, 20)
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(REQUESTS // 20):
            times[0].extend(api_list.measure(a, {}, 20))
            times[1].extend(api_list.measure(n, {}, 20))
    return quantile(times[0], 0.5) / quantile(times[1], 0.5)


def write_cleanrl(source: Path, number: int) -> None:
    """A run as CleanRL writes it: returns, lengths, a loss and a rate in one event file."""
    draw = np.random.default_rng(number)
    folder = source / "runs" / f"CartPole-v1__ppo__{number}__{int(CREATED_AT) + number}"
    folder.mkdir(parents=True)
    columns = {}
    for tag, count in (
        ("charts/episodic_return", 400),
        ("charts/episodic_length", 400),
        ("losses/value_loss", 100),
        ("charts/SPS", 100),
    ):
        steps = np.arange(1, count + 1) * (40_000 // count)
        columns[tag] = Column(
            steps, CREATED_AT + steps / 1000, np.float32(draw.random(count) * 100).astype(float)
        )
    write_scalars(folder / "events.out.tfevents.1700000000.bench", columns)


def write_sb3(source: Path, number: int) -> None:
    """A run as SB3 writes it: 600 episodes in monitor.csv, 40 updates of ten values in progress.csv."""
    draw = random.Random(number)
    folder = source / "ppo" / f"LunarLander-v3_{number}"
    folder.mkdir(parents=True)
    rows = [f"{draw.gauss(0, 90):.6f},{draw.randint(60, 300)},{i * 0.31:.6f}" for i in range(600)]
    head = f'#{{"t_start": {CREATED_AT}, "env_id": "LunarLander-v3"}}\nr,l,t\n'
    (folder / "monitor.csv").write_text(head + "\n".join(rows) + "\n")
    names = [
        "time/total_timesteps",
        "time/time_elapsed",
        *(f"train/value_{i}" for i in range(9)),
        "train/loss",
    ]
    updates = [
        ",".join(map(str, [i * 2048, i * 4, *(round(draw.random(), 5) for _ in range(10))]))
        for i in range(1, 41)
    ]
    (folder / "progress.csv").write_text(",".join(names) + "\n" + "\n".join(updates) + "\n")
