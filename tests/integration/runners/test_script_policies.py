"""Checkpoints of a script are played by the script's own classes, in its own Python, without running its training."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import numpy as np
import pytest
from support.model_files import cleanrl_ppo, torch_bytes

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
