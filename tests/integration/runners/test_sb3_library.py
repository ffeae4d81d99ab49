"""Loading Stable-Baselines3 quickly leaves out what takes long, and changes no number."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from support.waiting import DEADLINE_S

SLOW = ("torch._dynamo", "torch.utils.tensorboard", "cv2")
SCRIPT = """
import json, sys
if sys.argv[1] == "quickly":
    from rl_lab.runners.sb3.library import load_library
    load_library()
from stable_baselines3 import PPO
model = PPO("MlpPolicy", "CartPole-v1", n_steps=32, batch_size=32, seed=1, device="cpu")
created = sorted(sys.modules)
model.learn(64)
from torch.utils.tensorboard import SummaryWriter
weights = [float(p.detach().double().sum()) for p in model.policy.parameters()]
print(json.dumps({"created": created, "weights": weights, "writer": SummaryWriter.__name__}))
"""


def load(how: str) -> dict[str, list[object]]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, how], capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[object]] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def quickly() -> dict[str, list[object]]:
    return load("quickly")


def test_a_model_is_created_without_compiler_tensorboard_and_opencv(quickly: dict[str, list[object]]) -> None:
    assert [name for name in SLOW if name in quickly["created"]] == []


def test_the_same_weights_are_learnt(quickly: dict[str, list[object]]) -> None:
    assert quickly["weights"] == load("plainly")["weights"]


def test_what_was_left_out_can_be_imported_later(quickly: dict[str, list[object]]) -> None:
    assert quickly["writer"] == "SummaryWriter"
