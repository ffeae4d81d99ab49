"""What the lab does with offline checkpoints besides playing them: ONNX, packages, inspection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import onnxruntime
import pytest
import torch
from support.offline_data import write_played

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.offline import OfflineRunner
from rl_lab.runners.offline.batches import BatchSampler
from rl_lab.runners.offline.checkpoints import OfflineHeader, write_checkpoint
from rl_lab.runners.offline.learner import load_dataset, make_learner, read_params
from rl_lab.runners.offline.playing import load_policy
from rl_lab.runners.offline.tensors import named_networks, to_arrays
from rl_lab.worker.models.inspected_model import Experience

LEARNERS = [
    ("bc", "CartPole-v1"),
    ("cql", "CartPole-v1"),
    ("iql", "Pendulum-v1"),
    ("cql", "Pendulum-v1"),
    ("td3_bc", "Pendulum-v1"),
]


@pytest.fixture(params=LEARNERS, ids="-".join)
def saved(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, TrainConfig]:
    torch.set_num_threads(1)
    algorithm, env_id = request.param
    params: Any = read_params(algorithm, {"net_arch": [8, 8], "batch_size": 16})
    data = load_dataset(write_played(tmp_path / "d", env_id, episodes=2, most_steps=40), algorithm, params)
    learner = make_learner(algorithm, data.spaces, params, seed=0)
    sampler = BatchSampler(data, params.batch_size, 0, learner.noise)
    for update in range(5):
        learner.update(sampler.batch(update), False)
    path = tmp_path / "model.safetensors"
    header = OfflineHeader(algorithm, params.model_dump(), data.spaces, env_id, {})
    state = {"learner": to_arrays(learner.state()), "scaling": to_arrays(data.scaling())}
    write_checkpoint(path, header, named_networks(learner, data), state)
    return path, TrainConfig(runner="offline", algorithm=algorithm, env_id=env_id)


def test_the_onnx_graph_acts_like_the_policy(saved: tuple[Path, TrainConfig], tmp_path: Path) -> None:
    path, config = saved
    OfflineRunner().export(path, "onnx", tmp_path / "m.onnx")
    session, policy = onnxruntime.InferenceSession(tmp_path / "m.onnx"), load_policy(path)
    space = gymnasium.make(config.env_id).observation_space
    seen = np.random.default_rng(0).uniform(-1, 1, (20, *space.shape)).astype(np.float32)
    actions = session.run(["action"], {"observation": seen})[0]
    wanted = [policy.act(row, True).action for row in seen]
    assert np.allclose(actions, wanted, atol=1e-5)


def test_a_package_has_an_example_that_plays(
    saved: tuple[Path, TrainConfig],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, config = saved
    folder = tmp_path / "package"
    folder.mkdir()
    made = OfflineRunner().package(path, config, folder)
    assert {"model.safetensors", "policy.npz", "model.onnx"} == set(made.files)
    monkeypatch.chdir(folder)
    exec(compile(made.example, "example.py", "exec"), {})
    assert capsys.readouterr().out.startswith("Return: ")


def played(model: Any, env_id: str) -> Experience:
    """Eight steps of an inspected model."""
    env = gymnasium.make(env_id)
    seen, acts, rewards = [env.reset(seed=1)[0]], [], []
    for _ in range(8):
        acts.append(model.act(seen[-1]))
        observation, reward, *_ = env.step(acts[-1].played)
        seen.append(observation)
        rewards.append(float(reward))
    never, learnt = np.zeros(8, bool), np.array([one.learnt for one in acts])
    return Experience(seen[:-1], learnt, np.array(rewards), seen[1:], never, never)


def test_a_checkpoint_is_inspected_with_its_own_loss(saved: tuple[Path, TrainConfig]) -> None:
    path, config = saved
    model = OfflineRunner().open_model(path, config)
    batch = model.prepare(played(model, config.env_id))
    tensors, gradients, before = model.tensors(), model.gradients(batch), model.losses(batch)
    assert tensors.keys() == gradients.keys() and all(tensors[n].shape == gradients[n].shape for n in tensors)
    assert all(np.abs(gradient).sum() > 0 for name, gradient in gradients.items() if name.endswith("weight"))
    assert {output.values.shape for output in model.layer_outputs(batch)} == {(8, 8)}
    model.replace({name: tensor + 0.1 for name, tensor in tensors.items()})
    assert model.losses(batch) != before
    model.replace(tensors)
    assert model.losses(batch) == before


@pytest.mark.parametrize("saved", [("cql", "Pendulum-v1")], indirect=True)
def test_an_inspected_penalty_has_the_gradient_of_all_its_actions(saved: tuple[Path, TrainConfig]) -> None:
    """The last random number of a row decides where a training begins to draw some of them."""
    path, config = saved
    model = OfflineRunner().open_model(path, config)
    batch = model.prepare(played(model, config.env_id))
    found = []
    for shift in (0.0, 1.0):
        batch.noise[:, -1] += shift
        found.append(model.gradients(batch))
    assert all(np.array_equal(found[0][name], found[1][name]) for name in found[0])
