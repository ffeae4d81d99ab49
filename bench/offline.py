"""Offline learners: how good they become, how many updates a second they make next to other libraries, loading.

Usage: python -m bench.offline --quality [--seeds 5] [--envs CartPole-v1 …] [--data FOLDER]
       python -m bench.offline --rounding [--seeds 5] [--envs Pendulum-v1 …]
       python -m bench.offline --speed [--threads 1] [--seconds 2]
       python -m bench.offline --load
Speed compares with CORL's own scripts in the checkout that RL_LAB_BENCH_CORL names, and with d3rlpy in the Python that
RL_LAB_BENCH_D3RLPY names; without them it says so. Rounds alternate, and seconds are those of the processor, so that
other work on the machine counts little.
Quality is what the preset `fast` of each learner reaches with its last checkpoint: best actions, 50 episodes per seed.
Rounding is the same for layers of 256 units and 3,000 updates, with bfloat16 next to float32, seed by seed.
`bench/offline_data.py` makes the datasets and says what expert and medium are.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.figures import Figure, at_least, at_most
from bench.offline_data import STEPS, USUAL, make_datasets, read_reference

HERE = Path(__file__).parent
PEERS = {"corl": "RL_LAB_BENCH_CORL", "d3rlpy": "RL_LAB_BENCH_D3RLPY"}
TARGETS = {"corl": 2.0, "d3rlpy": 3.0}
BATCH, ROUNDS = 256, 7
T_95 = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 10: 2.26}
"""Quantile of Student's distribution by the number of seeds."""


class SpeedCase(NamedTuple):
    algorithm: str
    env_id: str
    hidden: list[int]
    peers: tuple[str, ...]
    precision: str = "float32"
    """Of the lab's wide layers; the other libraries compute with float32."""


BOTH = ("corl", "d3rlpy")
WIDE = [
    SpeedCase("iql", "Pendulum-v1", [256, 256], BOTH),
    SpeedCase("td3_bc", "Pendulum-v1", [256, 256], BOTH),
    SpeedCase("bc", "Pendulum-v1", [256, 256], BOTH),
    SpeedCase("cql", "Pendulum-v1", [256, 256, 256], BOTH),
]
"""CORL's scripts for TD3+BC, BC and CQL have their widths written in them."""
SPEED = [
    SpeedCase("iql", "Pendulum-v1", [64, 64], BOTH),
    SpeedCase("bc", "CartPole-v1", [64, 64], ("d3rlpy",)),
    SpeedCase("cql", "CartPole-v1", [64, 64], ("d3rlpy",)),
    *WIDE,
    *(case._replace(precision="bfloat16") for case in WIDE),
]


WIDE_NETWORKS: dict[str, Any] = {"net_arch": [256, 256], "learning_rate": 3e-4}
"""As the preset `high_score` has them."""
WIDE_UPDATES = 3_000


class QualityCase(NamedTuple):
    algorithm: str
    kind: str
    least: float
    """Of the behaviour's return."""


QUALITY = [
    QualityCase("bc", "expert", 0.95),
    QualityCase("iql", "medium", 1.05),
    QualityCase("cql", "medium", 1.05),
]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("quality", "rounding", "speed", "load"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--envs", nargs="*", default=list(STEPS))
    parser.add_argument("--data", type=Path, default=USUAL)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    arguments = parser.parse_args()
    if arguments.load:
        print_table([load_figure()])
    if arguments.speed:
        print_table(speed_figures(arguments.threads, arguments.seconds, arguments.data))
    if arguments.quality:
        print_table(quality_figures(arguments.envs, arguments.seeds, arguments.data))
    if arguments.rounding:
        print_table(rounding_figures(arguments.envs, arguments.seeds, arguments.data))


def figures() -> list[Figure]:
    """Without the quality, which takes minutes."""
    return [load_figure(), *speed_figures(1, 1.0, USUAL)]


def print_table(found: Iterable[Figure]) -> None:
    print("| what | measured | target | met |\n| --- | --- | --- | --- |")
    for one in found:
        met = "yes" if one.is_met else "no"
        print(f"| {one.what} | {one.measured} | {one.target} | {met} |", flush=True)


def load_figure(steps: int = 1_000_000, size: int = 17) -> Figure:
    """From the folder to tensors, checked and scaled, in a process that has loaded torch."""
    from gymnasium import spaces

    from rl_lab.runners.offline.transitions import load_transitions
    from rl_lab.worker.datasets.writing import DatasetWriter

    rng, length = np.random.default_rng(0), 1000
    lengths, seen = np.full(steps // length, length), spaces.Box(-np.inf, np.inf, (size,))
    last = np.arange(steps) % length == length - 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million"
        with DatasetWriter(path, observation_space=seen, action_space=spaces.Box(-1, 1, (6,))) as writer:
            columns = {
                "observations": rng.standard_normal((steps + len(lengths), size), np.float32),
                "actions": rng.uniform(-1, 1, (steps, 6)).astype(np.float32),
                "rewards": rng.standard_normal(steps),
                "terminations": ~last & last,
                "truncations": last,
            }
            writer.add_columns(columns, lengths)
            writer.finish()
        taken = []
        for _ in range(3):
            began = time.perf_counter()
            load_transitions(path, "iql", normalize_reward=True)
            taken.append(time.perf_counter() - began)
    return at_most(
        f"1,000,000 transitions with {size} numbers each, loaded", statistics.median(taken), 2, " s"
    )


def speed_figures(threads: int, seconds: float, folder: Path) -> Iterator[Figure]:
    for case in SPEED:
        peers = [peer for peer in case.peers if _is_there(peer)]
        if not peers:
            continue
        rates = measure_speed(case, peers, threads, seconds, folder)
        own = rates["lab"]
        for peer in peers:
            name = f"{case.algorithm} on {case.env_id}, {' × '.join(map(str, case.hidden))}, {case.precision}"
            what = f"{name}: {own:,.0f} updates/s, {peer} {rates[peer]:,.0f}"
            yield at_least(what, own / rates[peer], TARGETS[peer], "×")


def _is_there(peer: str) -> bool:
    place = os.environ.get(PEERS[peer], "")
    if not Path(place).exists() or not place:
        print(f"{peer} is not compared: {PEERS[peer]} names nothing that exists.", file=sys.stderr)
        return False
    return True


def measure_speed(
    case: SpeedCase, peers: list[str], threads: int, seconds: float, folder: Path
) -> dict[str, float]:
    """Median updates per second of each library; all take turns."""
    given = {
        **_as_arrays(case.env_id, folder),
        "algorithm": case.algorithm,
        "hidden": case.hidden,
        "batch": BATCH,
        "precision": case.precision,
        "threads": threads,
        "n_actions": 10,
        "checkout": os.environ.get(PEERS["corl"], ""),
    }
    running = {name: Peer(name, given) for name in ("lab", *peers)}
    try:
        counts = {name: max(3, int(seconds * 20 / peer.seconds(20))) for name, peer in running.items()}
        rates: dict[str, list[float]] = {name: [] for name in running}
        for _ in range(ROUNDS):
            for name, peer in running.items():
                rates[name].append(counts[name] / peer.seconds(counts[name]))
    finally:
        for peer in running.values():
            peer.close()
    return {name: statistics.median(values) for name, values in rates.items()}


class Peer:
    """A process of `offline_peers.py`."""

    def __init__(self, library: str, given: dict[str, Any]) -> None:
        python = os.environ[PEERS["d3rlpy"]] if library == "d3rlpy" else sys.executable
        threads = str(given["threads"])
        # -P: files of this folder have names of the standard library.
        self._process = subprocess.Popen(
            [python, "-P", "-W", "ignore", str(HERE / "offline_peers.py"), library, json.dumps(given)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads},
        )
        for line in self._out:
            if line.strip() == "ready":
                return
        raise RuntimeError(f"{library} could not be started")

    @property
    def _out(self) -> Any:
        return self._process.stdout

    def seconds(self, updates: int) -> float:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{updates}\n")
        self._process.stdin.flush()
        return float(self._out.readline())

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def _as_arrays(env_id: str, folder: Path) -> dict[str, str]:
    """The mixed dataset as a folder, and as arrays in the form that other libraries take."""
    from rl_lab.worker.datasets.reading import open_dataset
    from rl_lab.worker.datasets.spaces import space_from_json

    path = make_datasets(folder, env_id)["mixed"]
    target = folder / f"{env_id}-arrays.npz"
    dataset = open_dataset(path)
    rows, seen, actions = dataset.observation_rows(), dataset.observations, np.array(dataset.actions)
    space = space_from_json(dataset.manifest.action_space)
    if hasattr(space, "low"):
        actions = (2 * (actions - space.low) / (space.high - space.low) - 1).astype(np.float32)
    np.savez(
        target,
        observations=seen[rows],
        next_observations=seen[rows + 1],
        actions=actions,
        rewards=dataset.column("rewards").astype(np.float32),
        terminals=dataset.column("terminations").astype(np.float32),
        timeouts=dataset.column("truncations").astype(np.float32),
    )
    return {"folder": str(path), "data": str(target)}


def quality_figures(env_ids: list[str], seeds: int, folder: Path) -> Iterator[Figure]:
    """The mean return of each learner over seeds, with a 95 % interval, next to that of its dataset.

    A share is of what the dataset's policy gained over random actions, since returns below zero have no shares:
    100 % is the dataset's mean return, 0 % that of random actions.
    """
    from rl_lab.worker.datasets.reading import open_dataset

    for env_id in env_ids:
        paths = make_datasets(folder, env_id)
        random = read_reference(paths["expert"]).low
        for case in QUALITY:
            behaviour = float(open_dataset(paths[case.kind]).returns.mean())
            returns = [learned_return(_order(paths[case.kind], case, seed)) for seed in range(seeds)]
            mean, half = statistics.fmean(returns), _half_width(returns)
            share, low, high = (
                (value - random) / (behaviour - random) for value in (mean, mean - half, mean + half)
            )
            yield Figure(
                f"{case.algorithm} on {case.kind} {env_id}: return {mean:,.1f} ± {half:,.1f}, the dataset's "
                f"{behaviour:,.1f}, random {random:,.1f}",
                f"{share:.0%} ({low:.0%} to {high:.0%})",
                f"≥ {case.least:.0%}",
                share >= case.least,
            )


def rounding_figures(env_ids: list[str], seeds: int, folder: Path) -> Iterator[Figure]:
    """How much the return changes with bfloat16, as a share of what the dataset's policy gained over random actions."""
    from rl_lab.worker.datasets.reading import open_dataset

    for env_id in env_ids:
        paths = make_datasets(folder, env_id)
        random = read_reference(paths["expert"]).low
        for case in QUALITY:
            gained = float(open_dataset(paths[case.kind]).returns.mean()) - random
            returns = {
                precision: [
                    learned_return(
                        {
                            **_order(paths[case.kind], case, seed),
                            "params": {**WIDE_NETWORKS, "precision": precision},
                            "updates": WIDE_UPDATES,
                        }
                    )
                    for seed in range(seeds)
                ]
                for precision in ("float32", "bfloat16")
            }
            exact, rounded = returns["float32"], returns["bfloat16"]
            changes = [(new - old) / gained for old, new in zip(exact, rounded, strict=True)]
            mean, half = statistics.fmean(changes), _half_width(changes)
            yield Figure(
                f"{case.algorithm} on {case.kind} {env_id}: return {statistics.fmean(rounded):,.1f} with bfloat16, "
                f"{statistics.fmean(exact):,.1f} with float32",
                f"{mean:+.1%} ({mean - half:+.1%} to {mean + half:+.1%})",
                "no loss within the interval",
                mean + half >= 0,
            )


def _order(path: Path, case: QualityCase, seed: int) -> dict[str, Any]:
    return {"path": str(path), "algorithm": case.algorithm, "seed": seed}


def _half_width(values: list[float]) -> float:
    if len(values) < 2:
        return float("nan")
    return T_95.get(len(values), 1.96) * statistics.stdev(values) / len(values) ** 0.5


def learned_return(order: dict[str, Any]) -> float:
    """Learns in a process of its own, and plays with the last checkpoint."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.offline_learning", json.dumps(order)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    return float(json.loads(done.stdout)["return"])


if __name__ == "__main__":
    main()
