"""One learner, one environment, one seed, in its own process: prints one JSON line.

Turbo and SB3 train with the lab's own session, with telemetry, recordings and checkpoints on, into a journal on
disk. Time is measured from the start of training; `startup_s` is the time before it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

BEGAN = time.perf_counter()
EPISODES = 100
EVALUATION_SEED = 1_000_000
"""First seed of the evaluation; far above the training seeds of the bench."""


def main() -> None:
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="bench-learners-") as folder:
        print(json.dumps(measure(arguments, Path(folder))))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("learner", help="turbo, sb3, sb3-tuned or sb3-as-turbo")
    parser.add_argument("algorithm")
    parser.add_argument("env_id")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threshold", type=float, required=True)
    parser.add_argument("--limit-s", type=float, default=600)
    parser.add_argument("--timesteps", type=int, default=10_000_000)
    parser.add_argument("--no-record", action="store_true")
    return parser.parse_args()


def measure(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    from rl_lab.runners.registry import load_runner

    runner_id = "turbo" if arguments.learner == "turbo" else "sb3"
    runner = load_runner(runner_id)
    params, timesteps = settings_of(arguments, runner.spec.algorithm(arguments.algorithm))
    session = make_session(arguments, folder, runner_id, params, timesteps)
    session.checkpoint_suffix = runner.spec.checkpoint_suffix
    limiter = TimeLimit(session, arguments)
    began = time.perf_counter()
    runner.train(session)
    seconds = time.perf_counter() - began
    session.telemetry.close()
    policy = runner.load_policy(folder / f"model{session.checkpoint_suffix}", session.train_config)
    returns = evaluate(policy, arguments.env_id)
    return {
        "learner": arguments.learner,
        "algorithm": arguments.algorithm,
        "env_id": arguments.env_id,
        "seed": arguments.seed,
        "solved": session.is_solved,
        "train_s": round(seconds, 3),
        "startup_s": round(began - BEGAN, 3),
        "timesteps": session.timestep,
        "steps_per_s": round(session.timestep / seconds),
        "cpu_s": round(cpu_seconds(), 2),
        "mean_reward": session.recorder.mean_reward,
        "evaluation": sum(returns) / len(returns),
        "curve": limiter.curve,
    }


def settings_of(arguments: argparse.Namespace, algorithm: Any) -> tuple[dict[str, Any], int]:
    """Complete parameters and the length of the run, which schedules depend on."""
    from rl_lab.core.runners import complete_params, find_preset

    env_id = arguments.env_id
    if arguments.learner == "sb3":
        return complete_params(algorithm, None, {}), arguments.timesteps
    if arguments.learner == "sb3-as-turbo":
        params, timesteps = as_turbo(arguments.algorithm, env_id)
        return complete_params(algorithm, None, params), timesteps
    # SB3's published tuned values are in `stable` for PPO and in `fast` for DQN.
    is_fast = arguments.learner == "turbo" or arguments.algorithm == "dqn"
    preset = find_preset(algorithm, "fast" if is_fast else "stable", env_id)
    return complete_params(algorithm, preset, {}), preset.total_timesteps or arguments.timesteps


def as_turbo(algorithm: str, env_id: str) -> tuple[dict[str, Any], int]:
    """Turbo's settings as SB3 parameters; its fixed reward scale becomes reward normalisation."""
    from rl_lab.core.runners import complete_params, find_preset
    from rl_lab.runners.turbo import TurboRunner

    spec = TurboRunner.spec.algorithm(algorithm)
    preset = find_preset(spec, "fast", env_id)
    ours = complete_params(spec, preset, {})
    same = (
        "n_envs",
        "n_steps",
        "batch_size",
        "n_epochs",
        "learning_rate",
        "gamma",
        "gae_lambda",
        "clip_range",
        "ent_coef",
        "vf_coef",
        "activation",
        "normalize_observations",
        "log_std_init",
    )
    params = {name: ours[name] for name in same} | {
        "net_arch": [ours["hidden"], ours["hidden"]],
        "schedule": "linear" if ours["anneal_to"] < 0.5 else "constant",
        "normalize_reward": ours["normalize_reward"] or ours["reward_scale"] != 1,
        "max_grad_norm": ours["max_grad_norm"] or 1000,
        "target_kl": ours["target_kl"] or None,
    }
    return params, preset.total_timesteps or 1_000_000


def make_session(
    arguments: argparse.Namespace, folder: Path, runner_id: str, params: dict[str, Any], timesteps: int
) -> Any:
    from rl_lab.core.environments import Environment
    from rl_lab.core.job_file import Job
    from rl_lab.core.jobs.training import TrainConfig
    from rl_lab.portable.control import Control
    from rl_lab.worker.session import Session
    from rl_lab.worker.telemetry import Telemetry

    config = TrainConfig(
        runner=runner_id,
        algorithm=arguments.algorithm,
        env_id=arguments.env_id,
        seed=arguments.seed,
        total_timesteps=timesteps,
        params=params,
        until="solved",
        record=not arguments.no_record,
        device="cpu",
    )
    env = Environment(
        id=arguments.env_id,
        name=arguments.env_id,
        family="other",
        action_space_type="other",
        action_space="",
        obs_space_type="other",
        obs_space="",
        obs_space_dims=[],
        package="gymnasium",
        reward_threshold=arguments.threshold,
    )
    journal = os.open(folder / "journal", os.O_WRONLY | os.O_CREAT)
    commands, _ = os.pipe()
    job = Job(run_id="bench", config=config, run_dir=folder, env=env)
    return Session(job, Telemetry(journal), Control(commands))


class TimeLimit:
    """Records the reward curve and stops the run at its time limit, using the session's progress reports."""

    def __init__(self, session: Any, arguments: argparse.Namespace) -> None:
        self.curve: list[tuple[float, int, float]] = []
        self._session, self._limit_s = session, arguments.limit_s
        self._began, self._report = time.perf_counter(), session.progress
        session.progress = self.progress

    def progress(self, timestep: int, *, now: bool = False) -> None:
        self._report(timestep, now=now)
        elapsed, mean = time.perf_counter() - self._began, self._session.recorder.mean_reward
        if mean is not None and (not self.curve or elapsed - self.curve[-1][0] > self._limit_s / 200):
            self.curve.append((round(elapsed, 2), timestep, round(mean, 1)))
        if elapsed > self._limit_s:
            self._session.control.stop_requested = True


def evaluate(policy: Any, env_id: str) -> list[float]:
    """Returns of new episodes in the standard environment, played with greedy actions."""
    from rl_lab.worker.environments.make import make_environment

    env = make_environment(env_id)
    returns = []
    for episode in range(EPISODES):
        observation, _ = env.reset(seed=EVALUATION_SEED + episode)
        total, over = 0.0, False
        while not over:
            decision = policy.act(observation, deterministic=True)
            observation, reward, terminated, truncated, _ = env.step(decision.action)
            total, over = total + float(reward), terminated or truncated
        returns.append(total)
    env.close()
    return returns


def cpu_seconds() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, kinds))


if __name__ == "__main__":
    main()
