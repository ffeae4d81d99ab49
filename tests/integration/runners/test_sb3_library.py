"""Loading Stable-Baselines3 quickly leaves out what takes long, and changes no number."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from support.waiting import DEADLINE_S

SLOW = ("torch._dynamo", "torch.utils.tensorboard", "cv2")
SCRIPT = """
import io, json, sys
if sys.argv[1] == "quickly":
    from rl_lab.runners.sb3.library import load_library
    load_library()
from stable_baselines3 import A2C, PPO
weights = []
for kind, params in ((PPO, {"n_steps": 32, "batch_size": 32}), (A2C, {})):
    model = kind("MlpPolicy", "CartPole-v1", seed=1, device="cpu", **params)
    model.learn(64)
    saved = io.BytesIO()
    model.save(saved)
    weights += [float(p.detach().double().sum()) for p in kind.load(saved, device="cpu").policy.parameters()]
loaded = sorted(sys.modules)
from torch.utils.tensorboard import SummaryWriter
print(json.dumps({"loaded": loaded, "weights": weights, "writer": SummaryWriter.__name__}))
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


def test_a_model_is_trained_saved_and_loaded_without_compiler_tensorboard_and_opencv(
    quickly: dict[str, list[object]],
) -> None:
    assert [name for name in SLOW if name in quickly["loaded"]] == []


def test_the_same_weights_are_learnt(quickly: dict[str, list[object]]) -> None:
    assert quickly["weights"] == load("plainly")["weights"]


def test_what_was_left_out_can_be_imported_later(quickly: dict[str, list[object]]) -> None:
    assert quickly["writer"] == "SummaryWriter"
