"""An Environment is a catalogue entry: what is known about a Gymnasium id without creating the environment."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, model_validator

from rl_lab.core.errors import InvalidInput, nearest
from rl_lab.core.words.space_names import names_of

SpaceType = Literal["discrete", "box", "multi_discrete", "multi_binary", "tuple", "dict", "text", "other"]

ALIASES = {
    "LunarLander-v2": "LunarLander-v3",
    "LunarLanderContinuous-v2": "LunarLanderContinuous-v3",
    "BipedalWalker-v2": "BipedalWalker-v3",
    "BipedalWalkerHardcore-v2": "BipedalWalkerHardcore-v3",
    "CarRacing-v2": "CarRacing-v3",
    "Taxi-v3": "Taxi-v4",
    "CliffWalking-v0": "CliffWalking-v1",
    "GridWorld": "FrozenLake-v1",
}
"""Outdated ids that people still use, and their current Gymnasium ids."""


class Environment(BaseModel, frozen=True):
    id: str
    name: str
    """Without version and namespace, as separate words: "Lunar Lander"."""
    family: str
    """classic control, toy text, box2d, atari, …"""
    action_space_type: Literal["discrete", "continuous", "other"]
    action_space: str
    """As shown on a card: "DISCRETE(4)", "BOX(6)"."""
    obs_space_type: SpaceType
    obs_space: str
    obs_space_dims: list[int]
    reward_threshold: float | None = None
    max_episode_steps: int | None = None
    render_fps: int | None = None
    package: str
    """The distribution that provides it, with its version: "gymnasium 1.4.0"."""
    description: str = ""
    default_kwargs: dict[str, Any] = {}
    problem: str | None = None
    """Why it cannot be created on this machine; None if it can."""
    remedy: str | None = None
    available: bool = True
    """Whether it can be created on this machine."""
    install: str | None = None
    """The exact command that makes it available; None when it is, or when no package is missing."""

    observation_names: list[str] = []
    """What each number of an observation is; empty where it is unknown or a picture."""
    action_names: list[str] = []
    """The actions of a discrete space, or what each number of an action is; empty where unknown."""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, given: dict[str, Any]) -> dict[str, Any]:
        """The names come from our table, also for an entry that was cached before the table changed."""
        names = names_of(str(given.get("id")))
        return {**given, "observation_names": list(names.observations), "action_names": list(names.actions)}


def names_module(env_id: str) -> bool:
    """`package.module:Name-v0`: Gymnasium imports the module before it creates the environment."""
    return ":" in env_id


def resolve_env_id(env_id: str, known: list[str]) -> str:
    """The id to use for what the user typed, after resolving aliases; an unknown id raises with the closest ids."""
    if env_id in known:
        return env_id
    alias = ALIASES.get(env_id)
    if alias is not None and alias in known:
        return alias
    close = nearest(env_id, known)
    hint = f" Did you mean {', '.join(close)}?" if close else " `rl-lab envs` lists all of them."
    raise InvalidInput.of_field("env_id", f"There is no environment “{env_id}” on this machine.{hint}", close)
