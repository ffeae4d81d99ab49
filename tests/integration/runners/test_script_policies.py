"""Checkpoints of a script are played by the script's own classes, in its own Python, without running its training."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.model_files import cleanrl_ppo, torch_bytes

from rl_lab.capture.playing.classes import NoOwnClass, World, act, build, definitions
from rl_lab.capture.playing.left_out import find_left_out
from rl_lab.capture.playing.saved_weights import NoWeights, read_weights
from rl_lab.core.errors import NotReady
from rl_lab.core.job_file import PolicyInput, ScriptProgram
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.registry import RUNNERS
from rl_lab.worker.policies import load_policy

SCRIPT = """
import numpy as np
import torch
from torch import nn

HIDDEN = 64

def layer(inputs, outputs):
    return nn.Linear(inputs, outputs)

class Agent(nn.Module):
    def __init__(self, envs):
        super().__init__()
        inputs = int(np.array(envs.single_observation_space.shape).prod())
        self.critic = self.stack(inputs, 1)
        self.actor = self.stack(inputs, envs.single_action_space.n)

    def stack(self, inputs, outputs):
        first, second = layer(inputs, HIDDEN), layer(HIDDEN, HIDDEN)
        return nn.Sequential(first, nn.Tanh(), second, nn.Tanh(), layer(HIDDEN, outputs))

    def get_action_and_value(self, x):
        chances = torch.distributions.Categorical(logits=self.actor(x))
        return chances.sample(), None, None, self.critic(x)

trained = open("TRAINED", "w")  # nothing of the training runs
for _ in range(10):
    raise SystemExit("trained")
"""


@pytest.fixture
def given(tmp_path: Path) -> PolicyInput:
    script, checkpoint = tmp_path / "ppo.py", tmp_path / "step.pt"
    script.write_text(SCRIPT)
    tensors = cleanrl_ppo()
    data = torch_bytes({"modules": {"agent": tensors}, "optimizers": {}, "step": 10})
    checkpoint.write_bytes(data)
    agreed = {str(script.resolve()): hashlib.sha256(script.read_bytes()).hexdigest()}
    return PolicyInput(
        checkpoint=checkpoint,
        sha256=hashlib.sha256(data).hexdigest(),
        runner=RUNNERS["script"],
        config=TrainConfig(runner="script", algorithm="python", env_id="CartPole-v1"),
        program=ScriptProgram(python=sys.executable, script=str(script), agreed=agreed),
    )


def test_the_scripts_own_agent_acts(given: PolicyInput) -> None:
    import torch

    policy = load_policy(given)
    tensors = cleanrl_ppo()
    seen = np.random.default_rng(1).standard_normal((6, 4)).astype(np.float32)
    hidden = torch.from_numpy(seen)
    for number in (0, 2):
        hidden = torch.tanh(hidden @ tensors[f"actor.{number}.weight"].T + tensors[f"actor.{number}.bias"])
    wanted = (hidden @ tensors["actor.4.weight"].T + tensors["actor.4.bias"]).argmax(1).tolist()
    assert [policy.act(one, True).action for one in seen] == wanted
    assert {policy.act(seen[0], False).action for _ in range(40)} <= {0, 1}
    assert not Path("TRAINED").exists()


def test_a_checkpoint_that_cannot_be_played_says_why(given: PolicyInput) -> None:
    assert given.program is not None
    Path(given.program.script).write_text(SCRIPT + "\n# changed\n")
    with pytest.raises(NotReady, match="has changed since it was approved"):
        load_policy(given)
    with pytest.raises(NotReady, match="does not know which script"):
        load_policy(given.model_copy(update={"program": None}))


HEAD = """
from dataclasses import dataclass
import numpy as np
import torch
from torch import nn

def sizes(env):
    space = env.single_action_space
    actions = space.n if hasattr(space, "n") else int(np.prod(space.shape))
    return int(np.prod(env.single_observation_space.shape)), int(actions)
"""
DQN = """
class QNetwork(nn.Module):
    def __init__(self, env):
        super().__init__()
        inputs, actions = sizes(env)
        self.network = nn.Sequential(nn.Linear(inputs, 8), nn.ReLU(), nn.Linear(8, actions))

    def forward(self, x):
        return self.network(x)
"""
C51 = """
@dataclass
class Args:
    n_atoms: int = 11

class QNetwork(nn.Module):
    def __init__(self, env, n_atoms=101):
        super().__init__()
        inputs, self.actions = sizes(env)
        self.n_atoms = n_atoms
        self.register_buffer("atoms", torch.linspace(-1, 1, n_atoms))
        self.network = nn.Linear(inputs, self.actions * n_atoms)

    def get_action(self, x, action=None):
        chances = self.network(x).view(len(x), self.actions, self.n_atoms).softmax(2)
        return (chances * self.atoms).sum(2).argmax(1), chances
"""
BOUNDS = """
class Critic(nn.Module):
    def __init__(self, env):
        super().__init__()
        self.fc = nn.Linear(sum(sizes(env)), 1)

    def forward(self, x, a):
        return self.fc(torch.cat([x, a], 1))

class Actor(nn.Module):
    def __init__(self, env):
        super().__init__()
        inputs, actions = sizes(env)
        self.fc_mu, self.fc_logstd = nn.Linear(inputs, actions), nn.Linear(inputs, actions)
        half = (env.action_space.high - env.action_space.low) / 2
        self.register_buffer("action_scale", torch.tensor(half, dtype=torch.float32))
"""
TD3 = f"""{BOUNDS}
    def forward(self, x):
        return torch.tanh(self.fc_mu(x)) * self.action_scale
"""
SAC = f"""{BOUNDS}
    def forward(self, x):
        return self.fc_mu(x), self.fc_logstd(x)

    def get_action(self, x):
        mean, spread = self(x)
        sampled = torch.distributions.Normal(mean, spread.exp()).rsample()
        return torch.tanh(sampled) * self.action_scale, sampled, torch.tanh(mean) * self.action_scale
"""
PPO_CONTINUOUS = """
import gymnasium as gym

def make_env(env_id):
    return gym.wrappers.NormalizeObservation(gym.make(env_id))

class Agent(nn.Module):
    def __init__(self, envs):
        super().__init__()
        inputs, actions = sizes(envs)
        self.critic, self.actor_mean = nn.Linear(inputs, 1), nn.Linear(inputs, actions)
        self.actor_logstd = nn.Parameter(torch.zeros(1, actions))

    def get_action_and_value(self, x, action=None):
        chances = torch.distributions.Normal(self.actor_mean(x), self.actor_logstd.exp())
        return chances.sample(), None, None, self.critic(x)
"""
ACTS = {
    "dqn": (DQN, "CartPole-v1", "QNetwork", "q_network"),
    "c51": (C51, "CartPole-v1", "QNetwork", "q_network"),
    "td3": (TD3, "Pendulum-v1", "Actor", "actor"),
    "sac": (SAC, "Pendulum-v1", "Actor", "actor"),
    "ppo_continuous": (PPO_CONTINUOUS, "Pendulum-v1", "Agent", "agent"),
}
SEEN = np.array([0.3, -0.2, 0.7, 0.1], np.float32)


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("kind", ACTS)
def test_networks_of_the_usual_single_file_scripts_act(kind: str, number: int) -> None:
    """Trained in one environment or in several at once; the best action is that of the original."""
    import gymnasium
    import torch

    body, env_id, name, variable = ACTS[kind]
    namespace = definitions((HEAD + body).encode(), "script.py", f"script_{kind}")
    envs = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make(env_id)] * number)
    sizes = {"n_atoms": 11} if kind == "c51" else {}
    original = namespace[name](envs, **sizes)
    weights = {variable: original.state_dict()}
    if kind in ("td3", "sac"):
        weights |= {"qf1": namespace["Critic"](envs).state_dict(), "target_actor": original.state_dict()}
    world = World(env_id, {})
    network = build(namespace, weights, world)
    seen = SEEN[: world.observation_size]
    with torch.no_grad():
        x = torch.from_numpy(seen)[None]
        wanted = _best(kind, original, x)
    assert np.allclose(act(network, seen, world, deterministic=True), wanted)
    assert world.env.action_space.contains(world.cast(act(network, seen, world, deterministic=False)))


def _best(kind: str, original: Any, x: Any) -> Any:
    if kind == "dqn":
        return original(x).argmax().item()
    if kind == "ppo_continuous":
        return original.actor_mean(x)[0]
    if kind == "td3":
        return original(x)[0]
    return original.get_action(x)[2 if kind == "sac" else 0][0]


def test_a_network_of_another_size_is_named_with_both_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    import gymnasium

    namespace = definitions((HEAD + C51).encode(), "script.py", "script_sizes")
    envs = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make("CartPole-v1")])
    weights = {"q_network": namespace["QNetwork"](envs, 7).state_dict()}
    with pytest.raises(NoOwnClass, match="QNetwork and q_network: atoms is 11 and 7"):
        build(namespace, weights, World("CartPole-v1", {}))
    monkeypatch.setattr(sys, "argv", ["script.py", "--n-atoms", "7"])
    assert build(namespace, weights, World("CartPole-v1", {})).n_atoms == 7


def test_what_is_left_out_is_said() -> None:
    [note] = find_left_out((HEAD + PPO_CONTINUOUS).encode())
    assert "NormalizeObservation" in note and "statistics are not in the checkpoint" in note
    assert find_left_out((HEAD + DQN).encode()) == []


def test_weights_are_found_in_the_usual_forms_of_a_file(tmp_path: Path) -> None:
    import torch

    network = torch.nn.Linear(2, 1)
    state, path = network.state_dict(), str(tmp_path / "model.pt")
    forms = {
        "network": state,
        "agent": {"modules": {"agent": state}, "step": 3},
        "model": {"model": state, "epoch": 3, "lr": 0.1},
    }
    for name, saved in forms.items():
        torch.save(saved, path)
        assert list(read_weights(path)) == [name]
    for saved, why in ((network, "whole Python objects"), ({"step": 3}, "no weights of a network")):
        torch.save(saved, path)
        with pytest.raises(NoWeights, match=why):
            read_weights(path)
    Path(path).write_bytes(b"PK\x03\x04rubbish")
    with pytest.raises(NoWeights, match="cannot be read"):
        read_weights(path)
