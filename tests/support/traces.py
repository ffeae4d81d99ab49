"""Events that carry a trace, as a worker sends them."""

from __future__ import annotations

from typing import Any

from rl_lab.core.protocol.events import EpisodeEvent, StepsEvent, Trace


def finished(
    episode: int, env: int, seed: int | None, count: int, actions: bytes, **more: Any
) -> EpisodeEvent:
    """The event of a finished episode."""
    return EpisodeEvent(episode=episode, env=env, seed=seed, **_split(count, actions, more))


def playing(episode: int, env: int, seed: int | None, count: int, actions: bytes, **more: Any) -> StepsEvent:
    """Steps of an episode that is still being played."""
    return StepsEvent(episode=episode, env=env, seed=seed, **_split(count, actions, more))


def _split(count: int, actions: bytes, more: dict[str, Any]) -> dict[str, Any]:
    columns = {name: more.pop(name) for name in list(more) if name in Trace.__struct_fields__}
    return {**more, "trace": Trace(count=count, actions=actions, **columns)}
