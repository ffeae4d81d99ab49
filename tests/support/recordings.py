"""Recordings out of the events of a captured script, and their re-simulation in a fresh environment."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

from rl_lab.core.recordings import Recording
from rl_lab.worker.rendering.simulation import Simulation


def recordings_of(events: list[dict[str, Any]]) -> list[Recording]:
    """Of all episodes that carry their whole trace."""
    found: list[Recording] = []
    groups: dict[int, dict[str, Any]] = {}
    for event in events:
        if event["type"] == "environment":
            groups[event["env_group"]] = event
        elif event["type"] == "episode" and event.get("trace", {}).get("start", 0) == 0 and "trace" in event:
            found.append(_recording(event, groups[event["env_group"]], len(found)))
    return found


def _recording(event: dict[str, Any], config: dict[str, Any], number: int) -> Recording:
    trace = event["trace"]
    return Recording(
        run_id="r",
        episode=number,
        env_id=config["env_id"],
        env_kwargs=config.get("env_kwargs", {}),
        env_version=config.get("env_version"),
        action=config["action"],
        seed=event.get("seed"),
        generator=b64decode(event.get("generator", "")),
        count=trace["count"],
        actions=b64decode(trace["actions"]),
        rewards=b64decode(trace.get("rewards", "")),
        returned=event["return"],
        terminated=event["terminated"],
        truncated=event["truncated"],
    )


def assert_comes_back(recording: Recording) -> None:
    """To the last bit of the return, and to the same end."""
    simulation = Simulation(recording, render=False)
    while simulation.advance():
        pass
    simulation.close()
    assert simulation.returned == recording.returned
    assert simulation.step == recording.count
    assert (simulation.terminated, simulation.truncated) == (recording.terminated, recording.truncated)
