"""Turbo and Stable-Baselines3: time until solved, interleaved, several seeds, each run in its own process.

Usage: python -m bench.learners [--seeds 5] [--tasks cartpole lander …] [--out runs.jsonl] [--report PAGE.md]
Every finished run is appended to the result file; `--report` writes tables of all results in it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.learners_report import write_report

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Task:
    """One environment to solve with one algorithm; a slow learner is stopped after `limit_s`."""

    env_id: str
    algorithm: str
    threshold: float
    limit_s: float
    learners: tuple[str, ...]


PPO = ("turbo", "sb3-tuned", "sb3", "sb3-as-turbo")
DQN = ("turbo", "sb3-tuned")
TASKS = {
    "cartpole": Task("CartPole-v1", "ppo", 475, 120, PPO),
    "lander": Task("LunarLander-v3", "ppo", 200, 600, PPO),
    "walker": Task("BipedalWalker-v3", "ppo", 300, 300, ("turbo", "sb3-tuned")),
    "cartpole-dqn": Task("CartPole-v1", "dqn", 475, 300, DQN),
    "lander-dqn": Task("LunarLander-v3", "dqn", 200, 600, DQN),
    "acrobot": Task("Acrobot-v1", "ppo", -100, 300, ("turbo", "sb3-tuned")),
    "mountain-car": Task("MountainCar-v0", "ppo", -110, 300, ("turbo", "sb3-tuned")),
    "lander-continuous": Task("LunarLanderContinuous-v3", "ppo", 200, 600, ("turbo", "sb3-tuned")),
    "pendulum": Task("Pendulum-v1", "ppo", -200, 300, ("turbo", "sb3-tuned")),
}


def main() -> None:
    arguments = parse_arguments()
    tasks = {name: TASKS[name] for name in arguments.tasks}
    for line in results(
        tasks, range(arguments.first_seed, arguments.first_seed + arguments.seeds), arguments
    ):
        with arguments.out.open("a") as file:
            file.write(line + "\n")
    if arguments.report and arguments.out.exists():
        write_report(arguments.out, arguments.report, profiles() if arguments.profile else "")


def profiles() -> str:
    """Rows of `bench.learners_profile`, each learner in its own process."""
    lines: list[str] = []
    for env_id in ("CartPole-v1", "LunarLander-v3"):
        for learner in ("turbo", "sb3-tuned"):
            command = [sys.executable, "-m", "bench.learners_profile", learner, "--env", env_id]
            head, rule, row = subprocess.run(
                command, capture_output=True, text=True, check=True
            ).stdout.splitlines()
            lines += [row] if lines else [head, rule, row]
    return "\n".join(lines)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--tasks", nargs="*", choices=TASKS, default=["cartpole", "lander"])
    parser.add_argument("--learners", nargs="*", help="only these")
    parser.add_argument("--limit-s", type=float, help="stop a run after this many seconds")
    parser.add_argument("--out", type=Path, default=Path("learners.jsonl"))
    parser.add_argument("--profile", action="store_true", help="add a profile of a step")
    parser.add_argument("--report", type=Path, help="Markdown file whose learner tables are rewritten")
    return parser.parse_args()


def results(tasks: dict[str, Task], seeds: range, arguments: argparse.Namespace) -> Iterator[str]:
    """Alternates seeds, tasks and learners, so that a busy period of the machine affects all of them equally."""
    for seed in seeds:
        for name, task in tasks.items():
            for learner in task.learners:
                if arguments.learners and learner not in arguments.learners:
                    continue
                line = run_one(learner, task, seed, arguments.limit_s or task.limit_s)
                if line:
                    result = json.loads(line)
                    print(
                        f"{name:18} {learner:13} seed {seed:3}  {result['train_s']:8.2f} s "
                        f"{result['steps_per_s']:8} steps/s  solved {result['solved']!s:5} "
                        f"final policy {result['evaluation']:.1f}",
                        file=sys.stderr,
                        flush=True,
                    )
                    yield line


def run_one(learner: str, task: Task, seed: int, limit_s: float) -> str:
    command = [
        sys.executable,
        str(HERE / "learners_run.py"),
        learner,
        task.algorithm,
        task.env_id,
        "--seed",
        str(seed),
        "--threshold",
        str(task.threshold),
        "--limit-s",
        str(limit_s),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=limit_s * 2 + 300, check=False)
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        print(f"{learner} on {task.env_id}, seed {seed}: exit code {done.returncode}", file=sys.stderr)
        return ""
    return lines[-1]


if __name__ == "__main__":
    main()
