"""Profile of a training step: environment, act, update, telemetry; turbo and SB3, one process each.

python -m bench.learners_profile [--env LunarLander-v3] [--seconds 8]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.learners_run import make_session, settings_of

PARTS = ("environment", "act", "update", "telemetry", "rest")


class Clock:
    """Sums the time spent in wrapped functions; the time of a nested wrapped call counts only for the inner one."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self._stack: list[list[float]] = []

    def wrap(self, owner: Any, name: str, part: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            began = time.perf_counter()
            self._stack.append([0.0])
            try:
                return original(*args, **kwargs)
            finally:
                whole = time.perf_counter() - began
                inner = self._stack.pop()[0]
                self.spent[part] += whole - inner
                if self._stack:
                    self._stack[-1][0] += whole

        setattr(owner, name, timed)


def profile(learner: str, algorithm: str, env_id: str, seconds: float) -> dict[str, float]:
    """µs per step in each part."""
    from rl_lab.runners.registry import load_runner

    runner = load_runner("turbo" if learner == "turbo" else "sb3")
    given = argparse.Namespace(
        learner=learner,
        algorithm=algorithm,
        env_id=env_id,
        seed=1000,
        threshold=1e9,
        timesteps=10**8,
        no_record=False,
    )
    params, _ = settings_of(given, runner.spec.algorithm(algorithm))
    clock = Clock()
    wrap_turbo(clock) if learner == "turbo" else wrap_sb3(clock)
    with tempfile.TemporaryDirectory() as folder:
        if learner == "turbo":
            params["processes"] = 1
        session = make_session(given, Path(folder), runner.spec.id, params, 10**8)
        session.checkpoint_suffix = runner.spec.checkpoint_suffix
        stop_after(session, seconds)
        began = time.perf_counter()
        runner.train(session)
        whole = time.perf_counter() - began
    spent = {part: clock.spent.get(part, 0.0) for part in PARTS}
    spent["rest"] = whole - sum(spent.values())
    return {part: value / session.timestep * 1e6 for part, value in spent.items()}


def wrap_turbo(clock: Clock) -> None:
    from rl_lab.runners.turbo import envs
    from rl_lab.runners.turbo.dqn import Dqn
    from rl_lab.runners.turbo.ppo import Ppo
    from rl_lab.runners.turbo.reporting import Reporter

    for group in (envs.SteppedGroup, envs.VectorCartPole):
        clock.wrap(group, "step", "environment")
    for kind in (Ppo, Dqn):
        clock.wrap(kind, "act", "act")
        clock.wrap(kind, "_learn", "update")
    clock.wrap(Ppo, "_batch", "update")
    clock.wrap(Reporter, "report", "telemetry")


def wrap_sb3(clock: Clock) -> None:
    import stable_baselines3 as sb3
    from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm
    from stable_baselines3.common.policies import ActorCriticPolicy

    from rl_lab.portable.recorder import Recorder
    from rl_lab.runners.sb3.callback import LabCallback
    from rl_lab.runners.sb3.vector import RecordedVecEnv

    clock.wrap(RecordedVecEnv, "step_wait", "environment")
    clock.wrap(ActorCriticPolicy, "forward", "act")
    clock.wrap(OnPolicyAlgorithm, "predict", "act")
    for kind in (sb3.PPO, sb3.DQN):
        clock.wrap(kind, "train", "update")
    clock.wrap(LabCallback, "_on_step", "telemetry")
    clock.wrap(Recorder, "end", "telemetry")


def stop_after(session: Any, seconds: float) -> None:
    report, end = session.progress, time.perf_counter() + seconds

    def progress(timestep: int, *, now: bool = False) -> None:
        report(timestep, now=now)
        if time.perf_counter() > end:
            session.control.stop_requested = True

    session.progress = progress


def table(rows: dict[str, dict[str, float]]) -> str:
    lines = ["| learner, one process | " + " | ".join(f"{p}, µs per step" for p in PARTS) + " | steps/s |"]
    lines.append("| --- | " + " | ".join("---" for _ in PARTS) + " | --- |")
    for name, spent in rows.items():
        cells = " | ".join(f"{spent[p]:.1f}" for p in PARTS)
        lines.append(f"| {name} | {cells} | {1e6 / sum(spent.values()):,.0f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("learner", choices=["turbo", "sb3-tuned"])
    parser.add_argument("--env", default="LunarLander-v3")
    parser.add_argument("--seconds", type=float, default=8)
    given = parser.parse_args()
    print(table({f"{given.learner}, {given.env}": profile(given.learner, "ppo", given.env, given.seconds)}))


if __name__ == "__main__":
    main()
