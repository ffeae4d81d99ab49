"""Well-known environments whose package is not installed: listed with the command that installs it.

Atari ids do not exist for Gymnasium without ale-py, and MuJoCo's cannot be made, so their spaces are written down here.
"""

from __future__ import annotations

import importlib.util
from typing import Any

from rl_lab.worker.environments import atari
from rl_lab.worker.failures import install_command, remedy_for_module

GAMES = [
    "Asteroids",
    "BeamRider",
    "Boxing",
    "Breakout",
    "Enduro",
    "Freeway",
    "Frostbite",
    "MontezumaRevenge",
    "MsPacman",
    "Pong",
    "Qbert",
    "Seaquest",
    "SpaceInvaders",
]
"""Atari games that papers and tutorials use most."""
ROBOTS = {
    "Ant": (8, 105),
    "HalfCheetah": (6, 17),
    "Hopper": (3, 11),
    "Humanoid": (17, 348),
    "HumanoidStandup": (17, 348),
    "InvertedDoublePendulum": (1, 9),
    "InvertedPendulum": (1, 4),
    "Pusher": (7, 23),
    "Reacher": (2, 10),
    "Swimmer": (2, 8),
    "Walker2d": (6, 17),
}
"""MuJoCo's environments of version 5: numbers of actions and of observations."""


def is_installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def missing_fields(module: str) -> dict[str, Any]:
    """What the catalogue says about an environment that needs this module."""
    return {
        "problem": f"The Python package “{module}” is not installed.",
        "remedy": remedy_for_module(module),
        "available": False,
        "install": install_command(module),
    }


def missing_robot(name: str) -> dict[str, Any]:
    """Fields of a MuJoCo environment on a machine without MuJoCo."""
    actions, observations = ROBOTS.get(name, (0, 0))
    return {
        "action_space_type": "continuous",
        "action_space": f"BOX({actions})" if actions else "",
        "obs_space_type": "box",
        "obs_space": f"BOX({observations})" if observations else "",
        "obs_space_dims": [observations] if observations else [],
        "description": "A robot simulated by MuJoCo.",
        **missing_fields("mujoco"),
    }


def missing_games() -> list[dict[str, Any]]:
    """Atari games on a machine without ale-py."""
    if is_installed("ale_py"):
        return []
    return [
        {
            "id": f"ALE/{game}-v5",
            "name": atari.title(game),
            "family": "atari",
            "package": "ale-py",
            **atari.fields(game),
            **missing_fields("ale_py"),
        }
        for game in GAMES
    ]
