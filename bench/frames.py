"""The cost of watching: the learner's speed with and without a viewer, age and rate of frames, fifty viewers, seeks.

    python -m bench.frames [--slices 6] [--slice-s 5]

One SB3 PPO training on LunarLander is pinned to core 0; lab, renderer and viewers share core 1. Time slices with and
without a viewer alternate. Seeks are measured in a 1,600-step episode of BipedalWalker in which a controller keeps the
walker upright. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import time
from typing import Any

import numpy as np
import psutil
from websockets.asyncio.client import ClientConnection, connect

from bench.figures import Figure, at_least, at_most
from bench.studio import Lab, open_lab
from rl_lab.core.recordings import Recording
from rl_lab.portable.actions import action_packing, pack
from rl_lab.portable.frame_protocol import split_frame_message
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.rendering.simulation import Simulation
from rl_lab.worker.rendering.snapshots import Snapshots

TRAINING_BAR, AGE_BAR_MS, RATE_BAR, CROWD_BAR, SEEK_BAR_MS = 0.97, 100.0, 25.0, 15.0, 150.0
FPS = 30
CROWD = 50
STANCE = (0.6, 0.0, -0.6, 0.0)
"""Target angles of hips and knees for a stable stance: one leg in front, one behind."""


def measure(slices: int = 6, slice_s: float = 5.0) -> dict[str, Any]:
    with open_lab() as lab:
        learner_core, our_core = share_cores(lab)
        run_id = lab.train(
            env_id="LunarLander-v3", total_timesteps=100_000_000, params={"n_steps": 256, "n_epochs": 4}
        )
        lab.wait(run_id, "running")
        wait_for_steps(lab, run_id, 1500)
        worker = lab.worker(run_id)
        worker.cpu_affinity(learner_core)
        measured = asyncio.run(watch(lab, run_id, worker, slices, slice_s))
    return {
        "bench": "frames",
        **measured,
        "seek": seek_times(),
        "cores": {"learner": learner_core, "rest": our_core},
        "load": round(os.getloadavg()[0], 1),
    }


def share_cores(lab: Lab) -> tuple[list[int], list[int]]:
    """Pins the learner to the first core if there are two; the lab and its children use the second."""
    cores = sorted(os.sched_getaffinity(0))
    ours = cores[1:2] or cores
    lab.process.cpu_affinity(ours)
    os.sched_setaffinity(0, ours)
    return cores[:1], ours


def wait_for_steps(lab: Lab, run_id: str, steps: int) -> None:
    while lab.client.get(f"/api/runs/{run_id}").json()["progress"]["timestep"] < steps:
        time.sleep(0.2)


async def watch(lab: Lab, run_id: str, worker: psutil.Process, slices: int, slice_s: float) -> dict[str, Any]:
    spans: dict[bool, list[tuple[float, float, float]]] = {True: [], False: []}
    ages: list[float] = []
    frames = 0
    for number in range(2 * slices):
        watched = number % 2 == 0
        began, cpu = time.time(), cpu_of(worker)
        if watched:
            seen = await look(lab, run_id, slice_s)
            ages += seen[1:]
            frames += len(seen)
        else:
            await asyncio.sleep(slice_s)
        spans[watched].append((began, time.time(), cpu_of(worker) - cpu))
    crowd = await crowd_cpu(lab, run_id, slice_s)
    ticks = await asyncio.to_thread(read_ticks, lab, run_id)
    with_viewer, without = (rates(ticks, spans[watched]) for watched in (True, False))
    return {
        "ratio": round(with_viewer[1] / without[1], 4),
        "ratio_by_clock": round(with_viewer[0] / without[0], 4),
        "bar": TRAINING_BAR,
        "steps_per_s": [round(with_viewer[0]), round(without[0])],
        "age_p50_ms": round(1000 * statistics.median(ages), 1),
        "age_p95_ms": round(1000 * float(np.percentile(ages, 95)), 1),
        "fps": round(frames / (slices * slice_s), 1),
        **crowd,
    }


def rates(ticks: list[dict[str, Any]], spans: list[tuple[float, float, float]]) -> tuple[float, float]:
    """Steps per second of wall time, and per second of the worker's CPU time, over all slices of one kind."""
    steps, seconds, cpu = 0.0, 0.0, 0.0
    for began, ended, used in spans:
        inside = [t for t in ticks if began <= t["timestamp"] <= ended]
        if len(inside) < 2:
            continue
        took = inside[-1]["timestamp"] - inside[0]["timestamp"]
        steps += inside[-1]["timestep"] - inside[0]["timestep"]
        seconds += took
        cpu += used * took / (ended - began)
    return steps / seconds, steps / cpu


def read_ticks(lab: Lab, run_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    with lab.client.stream("GET", f"/api/runs/{run_id}/stream?since=0") as answer:
        for line in answer.iter_lines():
            if line.startswith("data: "):
                found.append(json.loads(line[6:]))
                if time.time() - found[-1]["timestamp"] < 1.0:
                    return found
    return found


def cpu_of(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system)


def open_feed(lab: Lab, run_id: str) -> connect:
    url = f"{lab.url.replace('http', 'ws', 1)}/api/runs/{run_id}/frames?fps={FPS}"
    headers = {"Authorization": f"Bearer {lab.token}"}
    return connect(url, additional_headers=headers, compression=None, proxy=None, open_timeout=30)


async def look(lab: Lab, run_id: str, seconds: float) -> list[float]:
    """Ages of the frames that one viewer receives, after the first one."""
    async with open_feed(lab, run_id) as socket:
        await next_frame(socket)
        ages, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            header = await next_frame(socket)
            ages.append(time.time() - header["at"])
    return ages


async def next_frame(socket: ClientConnection) -> dict[str, Any]:
    message = await socket.recv()
    assert isinstance(message, bytes)
    await socket.send("ack")
    return split_frame_message(message)[0]


async def crowd_cpu(lab: Lab, run_id: str, seconds: float) -> dict[str, Any]:
    """The server's CPU time without viewers and with fifty, in per cent of a core."""
    await asyncio.sleep(1)
    shares = []
    for viewers in (0, CROWD):
        counts: list[int] = []
        tasks = [asyncio.create_task(count_frames(lab, run_id, seconds + 3, counts)) for _ in range(viewers)]
        await asyncio.sleep(2.5)
        began, cpu = time.monotonic(), lab.cpu_s()
        await asyncio.sleep(seconds)
        shares.append(100 * (lab.cpu_s() - cpu) / (time.monotonic() - began))
        await asyncio.gather(*tasks)
    return {
        "crowd_cpu_percent": round(shares[1], 1),
        "idle_cpu_percent": round(shares[0], 1),
        "crowd_fps": round(statistics.median(counts) / (seconds + 3), 1),
    }


async def count_frames(lab: Lab, run_id: str, seconds: float, counts: list[int]) -> None:
    end, count = time.monotonic() + seconds, 0
    async with open_feed(lab, run_id) as socket:
        while time.monotonic() < end:
            await socket.recv()
            await socket.send("ack")
            count += 1
    counts.append(count)


def seek_times(seeks: int = 60) -> dict[str, Any]:
    """Seek times in the rendering process, without the transfer to the browser; random steps."""
    recording = standing_walker()
    began = time.perf_counter()
    snapshots = Snapshots(Simulation(recording))
    try:
        snapshots.play_through()
        opened = time.perf_counter() - began
        taken = []
        for step in random.Random(1).choices(range(recording.count + 1), k=seeks):
            began = time.perf_counter()
            snapshots.jpeg(step)
            taken.append(1000 * (time.perf_counter() - began))
    finally:
        snapshots.close()
    return {
        "steps": recording.count,
        "open_s": round(opened, 2),
        "p50_ms": round(statistics.median(taken), 1),
        "p95_ms": round(float(np.percentile(taken, 95)), 1),
        "max_ms": round(max(taken), 1),
    }


def standing_walker() -> Recording:
    """A recording of a walker that stands still until the time limit."""
    env = make_environment("BipedalWalker-v3")
    packing = action_packing(env.action_space)
    assert packing is not None
    seen, _ = env.reset(seed=1)
    actions, returned, ended, count = b"", 0.0, False, 0
    terminated = truncated = False
    while not ended:
        push = [4 * (STANCE[i] - seen[j]) - 0.5 * seen[j + 1] for i, j in enumerate((4, 6, 9, 11))]
        action = np.clip(push, -1, 1).astype(np.float32)
        actions += pack(packing, action)
        seen, reward, terminated, truncated, _ = env.step(action)
        returned, count, ended = returned + float(reward), count + 1, bool(terminated or truncated)
    env.close()
    return Recording(
        run_id="bench",
        episode=0,
        env_id="BipedalWalker-v3",
        action=packing,
        seed=1,
        count=count,
        actions=actions,
        returned=returned,
        terminated=bool(terminated),
        truncated=bool(truncated),
    )


def figures() -> list[Figure]:
    found = measure()
    seek = found["seek"]
    return [
        at_least("training speed with one viewer ÷ with none", found["ratio"], TRAINING_BAR),
        at_most("age of a frame at the viewer, p95", found["age_p95_ms"], AGE_BAR_MS, " ms"),
        at_least(f"frames delivered per second, of {FPS}", found["fps"], RATE_BAR),
        at_most(f"server CPU time with {CROWD} viewers", found["crowd_cpu_percent"], CROWD_BAR, " %"),
        at_most(f"slowest seek in {seek['steps']:,} steps", seek["max_ms"], SEEK_BAR_MS, " ms"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slices", type=int, default=6)
    parser.add_argument("--slice-s", type=float, default=5.0)
    wanted = parser.parse_args()
    print(json.dumps(measure(wanted.slices, wanted.slice_s)))


if __name__ == "__main__":
    main()
