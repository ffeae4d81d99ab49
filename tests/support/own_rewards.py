"""Rewards as a user writes them, and the input of a job that has one."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from rl_lab.guardian.files import as_json
from rl_lab.orchestrator.code_rights import code_rights
from rl_lab.settings import Settings

IDENTITY = """
def reward_function(reward):
    return reward
"""
NEGATED = """
def reward_function(reward):
    return -reward
"""
STATEFUL = """
def reset():
    return {"steps": 0, "moved": 0.0}

def reward_function(obs, action, next_obs, reward, terminated, state):
    state["steps"] += 1
    state["moved"] += abs(float(next_obs[0]) - float(obs[0]))
    return {"given": reward, "haste": -0.01 * state["steps"], "moved": state["moved"] if terminated else 0.0}
"""
NAME = "mine@v1"


def reward_input(source: str) -> dict[str, Any]:
    """`inputs["reward"]` of a job."""
    return {"source": source, "name": NAME, "confine": _confine()}


@cache
def _confine() -> dict[str, Any]:
    # As it arrives in a job file.
    found: dict[str, Any] = json.loads(json.dumps(as_json(code_rights(Settings()))))
    return found
