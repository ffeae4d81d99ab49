"""A package is complete: in an empty folder, without rl-lab, its example plays as the lab's own policy does."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.packages import CardFacts
from rl_lab.runners.registry import RUNNERS
from rl_lab.runners.turbo.checkpoints import Header, write_checkpoint
from rl_lab.runners.turbo.dqn import Dqn
from rl_lab.runners.turbo.envs import describe
from rl_lab.runners.turbo.params import TurboDqnParams, TurboPpoParams
from rl_lab.runners.turbo.ppo import Ppo
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.models.packages import build_package, make_package
from rl_lab.worker.models.zip_files import write_zip
from rl_lab.worker.runner import runner_of

WITHOUT_LAB = (
    "import sys, runpy\n"
    "class Refuse:\n"
    "    def find_spec(self, name, path=None, target=None):\n"
    "        if name.split('.')[0] == 'rl_lab': raise ImportError('rl_lab is not importable here')\n"
    "sys.meta_path.insert(0, Refuse())\n"
    "runpy.run_path('example.py', run_name='__main__')\n"
)
EXPECTED = ["LICENSE", "README.md", "config.json", "example.py", "requirements.txt"]


def test_a_turbo_package_plays_without_the_lab_as_the_policy_does_in_it(tmp_path: Path) -> None:
    for algorithm, env_id in (("ppo", "Pendulum-v1"), ("dqn", "FrozenLake-v1")):
        given = _question(tmp_path, "turbo", algorithm, env_id)
        _train_turbo(Path(given["policy"]["checkpoint"]), algorithm, env_id)
        folder = tmp_path / f"{algorithm}-{env_id}"
        folder.mkdir()
        preview = build_package(folder, given)
        names = sorted(file.name for file in preview.files)
        assert names == sorted([*EXPECTED, "model.onnx", "model.safetensors", "policy.npz"])
        assert preview.notes == []
        assert _played(folder) == pytest.approx(_played_by_the_lab(given), abs=0.051)


def test_an_sb3_package_applies_the_normaliser_and_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    given = _question(tmp_path, "sb3", "ppo", "Pendulum-v1")
    _save_sb3(Path(given["policy"]["checkpoint"]))
    zips = []
    for number in range(2):
        with (tmp_path / f"{number}.zip").open("wb") as file:
            made = make_package({**given, "output": file.fileno()})
        zips.append((tmp_path / f"{number}.zip").read_bytes())
    assert zips[0] == zips[1]
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(io.BytesIO(zips[0])) as archive:
        archive.extractall(folder)
        assert archive.namelist() == [file["name"] for file in made["files"]]
        assert sorted(archive.namelist()) == sorted([*EXPECTED, "model.zip", "normaliser.json"])
    required = (folder / "requirements.txt").read_text().splitlines()
    assert all("==" in line for line in required) and "gymnasium==0.0.1" in required
    assert (folder / "model.zip").read_bytes() == Path(given["policy"]["checkpoint"]).read_bytes()
    assert _played(folder) == pytest.approx(_played_by_the_lab(given), abs=0.051)


def _question(folder: Path, runner: str, algorithm: str, env_id: str) -> dict[str, Any]:
    config = TrainConfig(runner=runner, algorithm=algorithm, env_id=env_id)
    suffix = "zip" if runner == "sb3" else "safetensors"
    facts = CardFacts(
        run_id="0" * 12,
        run_name="a | run",
        env_id=env_id,
        runner=runner,
        runner_id=runner,
        algorithm=algorithm.upper(),
        timestep=512,
        role="best",
        sha256="",
        seed=0,
        packages={"gymnasium": "0.0.1+local"},
    )
    policy = {
        "checkpoint": str(folder / f"{algorithm}-{env_id}.{suffix}"),
        "runner": RUNNERS[runner],
        "config": config.model_dump(mode="json"),
    }
    return {"policy": policy, "facts": facts.model_dump(mode="json")}


def _train_turbo(path: Path, algorithm: str, env_id: str) -> None:
    kind, params = {
        "ppo": (Ppo, TurboPpoParams(n_envs=4, n_steps=32, normalize_observations=True, hidden=16)),
        "dqn": (Dqn, TurboDqnParams(n_envs=4, train_freq=32, gradient_steps=2, learning_starts=32)),
    }[algorithm]
    learner = kind(describe(env_id, {}), params, seed=1, schedule_left=lambda _: 1.0, processes=1)  # type: ignore[arg-type]
    learner.advance()
    learner.close()
    write_checkpoint(path, Header(algorithm, params.model_dump(), learner.spec), learner.state())


def _save_sb3(path: Path) -> None:
    """An untrained network whose normaliser has seen something: what it does depends on the statistics."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

    from rl_lab.runners.sb3.checkpoints import save_model

    vector = VecNormalize(DummyVecEnv([lambda: make_environment("Pendulum-v1")]))
    model = PPO("MlpPolicy", vector, n_steps=8, batch_size=8, seed=3, device="cpu")
    vector.obs_rms.mean, vector.obs_rms.var = np.array([0.5, -0.2, 1.5]), np.array([0.1, 0.3, 9.0])
    save_model(model, path, {})


def _played(folder: Path) -> float:
    """The return that `python example.py` prints, where rl_lab cannot be imported."""
    outcome = subprocess.run(
        [sys.executable, "-c", WITHOUT_LAB],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "OMP_NUM_THREADS": "1"},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert outcome.returncode == 0, outcome.stderr
    assert "Return: " in outcome.stdout
    return float(outcome.stdout.split("Return: ")[1])


def _played_by_the_lab(given: dict[str, Any]) -> float:
    config = TrainConfig.model_validate(given["policy"]["config"])
    policy = runner_of(given["policy"]["runner"]).load_policy(Path(given["policy"]["checkpoint"]), config)
    env = make_environment(config.env_id)
    observation, _ = env.reset(seed=0)
    total, done = 0.0, False
    while not done:
        observation, reward, terminated, truncated, _ = env.step(policy.act(observation, True).action)
        total, done = total + float(reward), terminated or truncated
    return total


def test_a_zip_file_has_fixed_times_and_the_given_order(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).write_text(name)
    target = io.BytesIO()
    write_zip(target, tmp_path, ["b", "a"])
    entries = zipfile.ZipFile(target).infolist()
    assert [(one.filename, one.date_time[0]) for one in entries] == [("b", 1980), ("a", 1980)]
