"""Rewards, evaluation code and environments to start from, shipped as files: each works as it is."""

from __future__ import annotations

import ast
from importlib import resources

from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeExample

ENVIRONMENTS: dict[CodeKind, dict[str, str]] = {
    CodeKind.reward: {
        "mountain_car_shaping": "MountainCar-v0",
        "mountain_car_energy": "MountainCarContinuous-v0",
        "lunar_lander_gentle": "LunarLander-v3",
        "cart_pole_centred": "CartPole-v1",
        "pendulum_energy": "Pendulum-v1",
        "smooth_actions": "",
        "template": "",
    },
    CodeKind.evaluation: {
        "soft_landings": "LunarLander-v3",
        "time_upright": "Pendulum-v1",
        "energy_used": "",
        "template": "",
    },
    CodeKind.environment: {"grid_world": "", "control_task": "", "catch_game": "", "wrapper": ""},
}
"""By file: the environment it is written for; empty: any."""


def list_examples(kind: CodeKind, env_id: str | None = None) -> list[CodeExample]:
    """`env_id`: only those that fit it. What is written for one environment comes first."""
    return [
        _read(kind, name, written_for)
        for name, written_for in ENVIRONMENTS[kind].items()
        if env_id is None or written_for in ("", env_id)
    ]


def _read(kind: CodeKind, name: str, env_id: str) -> CodeExample:
    folder = resources.files(__package__ or "") / f"{kind}_examples"
    source = (folder / f"{name}.py.txt").read_text(encoding="utf-8")
    title, _, about = (ast.get_docstring(ast.parse(source)) or "").partition("\n")
    return CodeExample(
        name=name, title=title.rstrip("."), env_id=env_id, about=" ".join(about.split()), source=source
    )
