"""Inspection of real checkpoints of all learners: histograms, gradients of their loss, its surface, differences."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rl_lab.core.errors import Gone
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.registry import RUNNERS
from rl_lab.worker.models.experience import play
from rl_lab.worker.models.inspected_model import InspectedModel
from rl_lab.worker.models.inspection import compare_weights, inspect_checkpoint
from rl_lab.worker.models.loss_surface import slice_of
from rl_lab.worker.runner import runner_of

LEARNERS = [
    ("turbo", "ppo", "CartPole-v1"),
    ("turbo", "ppo", "Pendulum-v1"),
    ("turbo", "dqn", "CartPole-v1"),
    ("sb3", "ppo", "CartPole-v1"),
    ("sb3", "a2c", "Pendulum-v1"),
    ("sb3", "dqn", "CartPole-v1"),
    ("sb3", "sac", "Pendulum-v1"),
    ("sb3", "td3", "Pendulum-v1"),
]
STEPS = 48


def save(folder: Path, runner: str, algorithm: str, env_id: str, seed: int = 0) -> dict[str, Any]:
    """A PolicyInput of a checkpoint that the learner itself has written, without training."""
    config = TrainConfig(runner=runner, algorithm=algorithm, env_id=env_id, seed=seed, total_timesteps=1000)
    spec = runner_of(RUNNERS[runner]).spec.algorithm(algorithm)
    small = {"hidden": 8} if runner == "turbo" else {"net_arch": [8, 8]}
    config = config.model_copy(update={"params": spec.params.model_validate(small).model_dump()})
    path = folder / f"{runner}-{algorithm}-{env_id}-{seed}{'.safetensors' if runner == 'turbo' else '.zip'}"
    (save_turbo if runner == "turbo" else save_sb3)(path, config)
    return {
        "checkpoint": str(path),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "runner": RUNNERS[runner],
        "config": config.model_dump(mode="json"),
        "run_id": "r",
    }


def save_turbo(path: Path, config: TrainConfig) -> None:
    from rl_lab.runners.turbo.checkpoints import Header, write_checkpoint
    from rl_lab.runners.turbo.dqn import Dqn
    from rl_lab.runners.turbo.envs import describe
    from rl_lab.runners.turbo.params import TurboDqnParams, TurboPpoParams
    from rl_lab.runners.turbo.ppo import Ppo

    env: Any = describe(config.env_id, {})
    made: Any = {"seed": config.start_seed, "schedule_left": lambda _: 1.0, "processes": 1}
    learner: Any
    if config.algorithm == "ppo":
        learner = Ppo(env, TurboPpoParams(**config.params), **made)
    else:
        learner = Dqn(env, TurboDqnParams(**config.params), **made)
    write_checkpoint(path, Header(config.algorithm, config.params, env), learner.state())
    learner.close()


def save_sb3(path: Path, config: TrainConfig) -> None:
    from rl_lab.runners.sb3.library import load_library

    load_library()
    import gymnasium
    from stable_baselines3.common.vec_env import DummyVecEnv

    from rl_lab.runners.sb3.checkpoints import save_model
    from rl_lab.runners.sb3.models import make_model, params_of

    model = make_model(config, params_of(config), DummyVecEnv([lambda: gymnasium.make(config.env_id)]))
    save_model(model, path, {})


def ask(policy: dict[str, Any], part: str) -> dict[str, Any]:
    return inspect_checkpoint({"policy": policy, "checkpoint_id": "c", "part": part})


def opened(policy: dict[str, Any]) -> tuple[InspectedModel, Any]:
    config = TrainConfig.model_validate(policy["config"])
    model: InspectedModel = runner_of(policy["runner"]).open_model(Path(policy["checkpoint"]), config)  # type: ignore[attr-defined]
    return model, model.prepare(play(model, config, STEPS))


@pytest.mark.parametrize(("runner", "algorithm", "env_id"), LEARNERS)
def test_the_gradient_is_that_of_the_loss(tmp_path: Path, runner: str, algorithm: str, env_id: str) -> None:
    """Compared with finite differences, in every tensor, along a random direction."""
    model, batch = opened(save(tmp_path, runner, algorithm, env_id))
    tensors, gradients = model.tensors(), model.gradients(batch)
    assert set(gradients) == set(tensors)
    rng, step = np.random.default_rng(1), 1e-3
    for name, gradient in gradients.items():
        direction = rng.standard_normal(gradient.shape).astype(np.float32)
        direction /= np.linalg.norm(direction)
        sides = []
        for sign in (1, -1):
            model.replace({name: tensors[name] + sign * step * direction})
            terms = model.losses(batch)
            actors = {"actor"} if name.startswith("actor") else set(terms) - {"actor"}
            sides.append(sum(terms[term] for term in (actors if "actor" in terms else terms)))
        model.replace({name: tensors[name]})
        slope = (sides[0] - sides[1]) / (2 * step)
        rounding = 2e-3 + abs(sides[0]) * 2e-7 / step  # of float32
        assert slope == pytest.approx(float((gradient * direction).sum()), rel=0.1, abs=rounding), name


@pytest.mark.parametrize(("runner", "algorithm", "env_id"), [LEARNERS[1], LEARNERS[3]])
def test_all_parts_of_an_inspection(tmp_path: Path, runner: str, algorithm: str, env_id: str) -> None:
    policy = save(tmp_path, runner, algorithm, env_id)
    weights = ask(policy, "weights")
    assert sum(layer["count"] for layer in weights["weights"]) == weights["parameters"] > 0
    for layer in weights["weights"]:
        assert sum(layer["histogram"]["counts"]) == layer["count"] == np.prod(layer["shape"])
        if layer["name"].endswith("bias"):
            assert layer["zeros"] == 1.0 and layer["norm"] == 0.0
    activations = ask(policy, "activations")
    assert activations["batch"]["steps"] == 512 and activations["batch"]["env_id"] == env_id
    hidden = [layer for layer in activations["activations"] if layer["activation"]]
    assert len(hidden) == 4 and all(layer["units"] == 8 and layer["dead"] < 1 for layer in hidden)
    gradients = ask(policy, "gradients")
    assert gradients["loss"]["name"].startswith("PPO") and set(gradients["loss"]["terms"]) >= {
        "policy",
        "value",
    }
    assert any(layer["norm"] > 0 for layer in gradients["gradients"])
    assert ask(policy, "gradients") == gradients


def test_the_surface_has_the_checkpoint_in_its_middle_and_leaves_it_as_it_was(tmp_path: Path) -> None:
    model, batch = opened(save(tmp_path, *LEARNERS[0]))
    before = model.tensors()
    surface = slice_of(model, batch, side=5)
    assert surface.steps == [-1.0, -0.5, 0.0, 0.5, 1.0]
    assert (
        surface.values[2][2]
        == pytest.approx(surface.centre)
        == pytest.approx(sum(model.losses(batch).values()))
    )
    assert surface.minimum is not None and surface.maximum is not None and surface.minimum < surface.maximum
    assert all((model.tensors()[name] == before[name]).all() for name in before)


def test_two_checkpoints_are_compared_tensor_by_tensor(tmp_path: Path) -> None:
    first = save(tmp_path, *LEARNERS[0])
    same = compare_weights({"first": first, "second": first})
    assert same["shapes"] == [] and {one["norm"] for one in same["tensors"]} == {0.0}
    assert all(one["cosine"] in (None, pytest.approx(1.0)) for one in same["tensors"])
    other = compare_weights({"first": first, "second": save(tmp_path, *LEARNERS[2], seed=1)})
    assert other["tensors"] == []
    assert {"name": "q.output.weight", "first": None, "second": [2, 8]} in other["shapes"]
    seeded = compare_weights({"first": first, "second": save(tmp_path, *LEARNERS[0], seed=1)})
    moved = next(one for one in seeded["tensors"] if one["name"] == "policy.hidden1.weight")
    assert moved["norm"] > 0 and moved["maximum"] <= moved["norm"] and -1 <= moved["cosine"] < 1


def test_a_changed_file_is_not_loaded(tmp_path: Path) -> None:
    policy = save(tmp_path, *LEARNERS[0])
    with Path(policy["checkpoint"]).open("ab") as file:
        file.write(b"x")
    with pytest.raises(Gone, match="changed after it was saved"):
        ask(policy, "weights")
