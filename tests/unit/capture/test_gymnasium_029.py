"""When a script gets Gymnasium as it was in 0.29."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rl_lab.capture.gymnasium_029.vector_api import NEW, OLD, install_if_wanted


class Session:
    def __init__(self, choice: str) -> None:
        self.job = {"config": {"params": {"gymnasium_029": choice}}}
        self.said: list[str] = []
        self.telemetry = SimpleNamespace(log=lambda level, message, code: self.said.append(message))

    def not_captured(self, message: str) -> None:
        self.said.append(message)


@pytest.mark.parametrize("choice", ["auto", "on", "off"])
def test_nothing_is_patched_on_0_29_itself(choice: str) -> None:
    session = Session(choice)
    assert not install_if_wanted(SimpleNamespace(__version__="0.29.1"), session)
    assert session.said == []


def test_a_gymnasium_that_cannot_behave_so_is_named() -> None:
    session = Session("on")
    gymnasium: Any = SimpleNamespace(__version__="1.0.0", vector=SimpleNamespace())
    assert not install_if_wanted(gymnasium, session)
    assert "install gymnasium 1.1 or later, or 0.29.1" in session.said[0]


@pytest.mark.parametrize(
    ("text", "is_old"),
    [
        ('for info in infos["final_info"]:', True),
        ('real_next_obs[idx] = infos["final_observation"][idx]', True),
        ("env = gym.wrappers.GrayScaleObservation(env)", True),
        ("env = gym.wrappers.FrameStack(env, 4)", True),
        ("from gymnasium.wrappers.normalize import RunningMeanStd", True),
        ('infos["final_info"]["episode"]["r"]  # autoreset_mode=SAME_STEP', False),
        ('if "final_obs" in infos:', False),
        ("env = gym.wrappers.FrameStackObservation(env, 4)", False),
        ("env = gym.make('CartPole-v1')", False),
    ],
)
def test_a_script_is_known_by_its_words(text: str, is_old: bool) -> None:
    assert bool(OLD.search(text) and not NEW.search(text)) is is_old
