"""An imported model acts like the original: the same weights under the lab's names, the same scaling."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.model_files import cleanrl_ppo, linear, ppo_tensors, sb3_data, sb3_zip, torch_bytes, zip_bytes

from rl_lab.core.errors import LabError
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.imports.calls import convert_model, inspect_model
from rl_lab.runners.imports.cards import read_cards
from rl_lab.runners.imports.files import GivenFile
from rl_lab.runners.imports.forms import choose_model
from rl_lab.runners.sb3 import Sb3Runner

SEEN = np.random.default_rng(0).standard_normal((12, 4)).astype(np.float32)


def convert(folder: Path, files: dict[str, bytes], env_id: str) -> tuple[Any, dict[str, Any]]:
    """The policy of the checkpoint that was made, and the answers of both calls."""
    sent = []
    for number, (name, data) in enumerate(files.items()):
        (folder / str(number)).write_bytes(data)
        sent.append({"name": name, "path": str(folder / str(number))})
    found = inspect_model({"files": sent})
    assert "refused" not in found, found
    target = folder / "made.zip"
    output = os.open(target, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    question = {
        "files": sent,
        "env_id": env_id,
        "env_kwargs": {},
        "output": output,
        "algorithm": found["algorithm"],
    }
    made = convert_model(question)
    os.close(output)
    assert "refused" not in made, made
    config = TrainConfig(algorithm=made["algorithm"], env_id=env_id, params=made["params"])
    return Sb3Runner().load_policy(target, config), {**found, **made}


@pytest.mark.parametrize(
    ("name", "env_id", "options"),
    [
        ("PPO", "CartPole-v1", {"n_steps": 8, "batch_size": 8}),
        ("A2C", "Pendulum-v1", {}),
        ("DQN", "CartPole-v1", {"buffer_size": 1}),
        ("SAC", "Pendulum-v1", {"buffer_size": 1}),
        ("TD3", "Pendulum-v1", {"buffer_size": 1}),
    ],
)
def test_a_model_of_sb3_acts_like_the_original(
    name: str, env_id: str, options: dict[str, Any], tmp_path: Path
) -> None:
    import stable_baselines3

    shape = {"pi": [8], "vf": [6, 5]} if name == "PPO" else [8, 6]
    model = getattr(stable_baselines3, name)(
        "MlpPolicy", env_id, policy_kwargs={"net_arch": shape}, seed=1, device="cpu", **options
    )
    model.save(tmp_path / "theirs.zip")
    policy, found = convert(tmp_path, {"theirs.zip": (tmp_path / "theirs.zip").read_bytes()}, env_id)
    assert (found["form"], found["algorithm"], found["notes"]) == ("sb3", name.lower(), [])
    seen = SEEN[:, : model.observation_space.shape[0]]
    wanted = model.predict(seen, deterministic=True)[0]
    np.testing.assert_allclose([policy.act(one, True).action for one in seen], wanted, atol=1e-6)


def test_shared_layers_of_older_versions_are_copied_into_both_networks(tmp_path: Path) -> None:
    import torch

    tensors: dict[str, Any] = {}
    linear(tensors, "mlp_extractor.shared_net.0", 4, 8)
    linear(tensors, "mlp_extractor.policy_net.0", 8, 6)
    linear(tensors, "mlp_extractor.value_net.0", 8, 6)
    linear(tensors, "action_net", 6, 2)
    linear(tensors, "value_net", 6, 1)
    policy, _ = convert(tmp_path, {"old.zip": sb3_zip({"policy.pth": torch_bytes(tensors)})}, "CartPole-v1")
    hidden = torch.from_numpy(SEEN)
    for layer in ("mlp_extractor.shared_net.0", "mlp_extractor.policy_net.0"):
        hidden = torch.tanh(hidden @ tensors[f"{layer}.weight"].T + tensors[f"{layer}.bias"])
    wanted = (hidden @ tensors["action_net.weight"].T + tensors["action_net.bias"]).argmax(1).tolist()
    assert [policy.act(one, True).action for one in SEEN] == wanted


def test_the_scaling_of_vec_normalize_is_applied(tmp_path: Path) -> None:
    import gymnasium
    from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

    vector = VecNormalize(DummyVecEnv([lambda: gymnasium.make("CartPole-v1")]))
    vector.obs_rms.mean, vector.obs_rms.var = np.arange(4.0), np.arange(1.0, 5.0)
    files = {"model.zip": sb3_zip(), "logs/vec_normalize.pkl": pickle.dumps(vector)}
    scaled, found = convert(tmp_path, files, "CartPole-v1")
    plain, _ = convert(tmp_path, {"model.zip": sb3_zip()}, "CartPole-v1")
    assert found["params"]["normalize_observations"] is True
    wanted = [plain.act(vector.normalize_obs(one), True).value for one in SEEN]
    assert [scaled.act(one, True).value for one in SEEN] == pytest.approx(wanted, abs=1e-5)


def test_settings_are_read_from_plain_json_and_odd_ones_ignored(tmp_path: Path) -> None:
    relu = {"activation_fn": "<class 'torch.nn.modules.activation.ReLU'>"}
    data = sb3_data(gamma=7.5, learning_rate={":serialized:": "gAU="}, policy_kwargs=relu)
    _, found = convert(tmp_path, {"model.zip": sb3_zip(data=data)}, "CartPole-v1")
    params = found["params"]
    assert (params["n_steps"], params["gamma"], params["activation"], params["net_arch"]) == (
        64,
        0.99,
        "relu",
        [8, 8],
    )
    assert found["timesteps"] == 5000


def mlp(tensors: dict[str, Any], prefix: str, names: tuple[str, ...], sizes: tuple[int, ...]) -> None:
    for name, inputs, outputs in zip(names, sizes, sizes[1:], strict=False):
        linear(tensors, f"{prefix}{name}", inputs, outputs)


def test_cleanrl_networks_act_like_the_original(tmp_path: Path) -> None:
    import torch

    def forward(tensors: dict[str, Any], layers: tuple[str, ...], function: Any, size: int) -> Any:
        hidden = torch.from_numpy(SEEN[:, :size])
        for layer in layers[:-1]:
            hidden = function(hidden @ tensors[f"{layer}.weight"].T + tensors[f"{layer}.bias"])
        return hidden @ tensors[f"{layers[-1]}.weight"].T + tensors[f"{layers[-1]}.bias"]

    ppo = cleanrl_ppo()
    policy, found = convert(tmp_path, {"x.cleanrl_model": torch_bytes(ppo)}, "CartPole-v1")
    wanted = forward(ppo, ("actor.0", "actor.2", "actor.4"), torch.tanh, 4).argmax(1).tolist()
    assert (found["form"], [policy.act(one, True).action for one in SEEN]) == ("cleanrl", wanted)

    dqn: dict[str, Any] = {}
    mlp(dqn, "network.", ("0", "2", "4"), (4, 120, 84, 2))
    policy, found = convert(tmp_path, {"x.cleanrl_model": torch_bytes(dqn)}, "CartPole-v1")
    wanted = forward(dqn, ("network.0", "network.2", "network.4"), torch.relu, 4).argmax(1).tolist()
    assert (found["algorithm"], [policy.act(one, True).action for one in SEEN]) == ("dqn", wanted)

    critic: dict[str, Any] = {}
    mlp(critic, "", ("fc1", "fc2", "fc3"), (4, 256, 256, 1))
    for heads, algorithm in ((("fc_mu",), "td3"), (("fc_mean", "fc_logstd"), "sac")):
        actor: dict[str, Any] = {"action_scale": torch.ones(1), "action_bias": torch.zeros(1)}
        mlp(actor, "", ("fc1", "fc2"), (3, 256, 256))
        for head in heads:
            linear(actor, head, 256, 1)
        saved = torch_bytes((actor, critic, critic))
        policy, found = convert(tmp_path, {"x.cleanrl_model": saved}, "Pendulum-v1")
        wanted = 2 * torch.tanh(forward(actor, ("fc1", "fc2", heads[0]), torch.relu, 3)).numpy()
        acted = [policy.act(one[:3], True).action for one in SEEN]
        assert found["algorithm"] == algorithm
        np.testing.assert_allclose(acted, wanted, atol=1e-5)


def test_a_state_dict_among_other_values_is_found(tmp_path: Path) -> None:
    network: dict[str, Any] = {}
    mlp(network, "network.", ("0", "2", "4"), (4, 120, 84, 2))
    saved = {"model": network, "step": 600, "optimizer": {"state": {}, "param_groups": [{"lr": 0.1}]}}
    _, found = convert(tmp_path, {"nested.pt": torch_bytes(saved)}, "CartPole-v1")
    assert (found["form"], found["algorithm"]) == ("cleanrl", "dqn")
    (tmp_path / "two.pt").write_bytes(torch_bytes({"actor": network, "target": network}))
    refusal = inspect_model({"files": [{"name": "two.pt", "path": str(tmp_path / "two.pt")}]})
    assert "several networks: actor, target" in refusal["refused"]
    assert "actor.state_dict()" in refusal["next_step"]


def test_a_zip_of_a_folder_is_opened_once(tmp_path: Path) -> None:
    outer = zip_bytes({"model/model.zip": sb3_zip(), "model/config.json": b'{"env_id": "CartPole-v1"}'})
    _, found = convert(tmp_path, {"package.zip": outer}, "CartPole-v1")
    assert (found["form"], found["env_id"], found["number"]) == ("sb3", "CartPole-v1", 0)


def test_of_several_models_the_upper_one_is_taken_and_the_others_are_named(tmp_path: Path) -> None:
    files = [given(tmp_path, "README.md", b"a card")]
    with pytest.raises(LabError, match=r"None of the 2 files is a model that the lab can read.$"):
        choose_model([*files, given(tmp_path, "notes.txt", b"rubbish")])
    with pytest.raises(LabError, match=r"“broken.zip” is not a model"):
        choose_model([*files, given(tmp_path, "broken.zip", b"rubbish")])
    files += [given(tmp_path, "b/second.zip", sb3_zip()), given(tmp_path, "first.zip", sb3_zip())]
    chosen = choose_model(files)
    assert chosen.file.name == "first.zip" and "other models: b/second.zip" in chosen.notes[0]
    with pytest.raises(LabError, match=r"first.zip, second.zip") as refusal:
        choose_model([*files, given(tmp_path, "second.zip", sb3_zip())])
    assert "--file" in (refusal.value.next_step or "")


def given(folder: Path, name: str, contents: bytes) -> GivenFile:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(contents)
    return GivenFile(name, path)


def test_the_card_of_a_repository_names_environment_algorithm_and_result(tmp_path: Path) -> None:
    (tmp_path / "readme").write_text(
        "---\nlibrary_name: stable-baselines3\ntags:\n- LunarLander-v2\nmodel-index:\n- name: PPO\n  results:\n"
        "  - dataset:\n      name: LunarLander-v2\n"
        "    metrics:\n    - type: mean_reward\n      value: 262.86 +/- 20.91\n---\n"
    )
    (tmp_path / "results").write_text('{"mean_reward": 1, "n_eval_episodes": 10, "is_deterministic": true}')
    files = [GivenFile("README.md", tmp_path / "readme"), GivenFile("results.json", tmp_path / "results")]
    card = read_cards(files)
    assert (card.env_id, card.algorithm) == ("LunarLander-v2", "ppo")
    assert card.claim == {
        "mean": 262.86,
        "std": 20.91,
        "source": "README.md",
        "episodes": 10,
        "deterministic": True,
    }


def test_a_policy_of_another_size_of_network_is_rebuilt(tmp_path: Path) -> None:
    tensors = ppo_tensors(width=5)
    _, found = convert(tmp_path, {"model.zip": sb3_zip({"policy.pth": torch_bytes(tensors)})}, "CartPole-v1")
    assert found["params"]["net_arch"] == [5, 5]
