"""Checks whether an environment is deterministic: random episodes are repeated in a new process and compared.

Half of them begin with a seed; the others, as in scripts, without one: then the state of the environment's generator
must reproduce the start.
"""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
import sys
import time
from typing import Any

import numpy as np

from rl_lab.portable.actions import action_packing
from rl_lab.portable.generators import begin, generator_state
from rl_lab.worker.environments.drawing import can_draw
from rl_lab.worker.environments.make import environment_version, make_environment

EPISODES = 3
"""Of each kind."""
SEEDED, UNSEEDED = slice(0, EPISODES), slice(EPISODES, 2 * EPISODES)
MOST_STEPS = 200
MOST_S = 1.0
"""An episode of a slow environment ends after this time."""
DRAW_EVERY = 20


def check_exactness(env_id: str, env_kwargs: dict[str, Any]) -> dict[str, Any]:
    """Plays a few episodes, repeats them in another process, and reports the first difference."""
    refusal = _refusal(env_id, env_kwargs)
    if refusal is not None:
        return {**_answer(env_id, refusal), "exact_unseeded": False, "episodes": 0, "steps": 0}
    first = play_digests(env_id, env_kwargs, None)
    played = [{"actions": e["actions"], "generator": e["generator"]} for e in first]
    request = json.dumps({"env_id": env_id, "env_kwargs": env_kwargs, "played": played})
    child = subprocess.run(
        [sys.executable, "-P", "-m", "rl_lab.worker.environments.repeatability"],
        input=request.encode(),
        capture_output=True,
        check=False,
        timeout=120,
    )
    if child.returncode != 0:
        raise RuntimeError(child.stderr.decode(errors="replace")[-500:])
    second = json.loads(child.stdout.splitlines()[-1])
    steps = sum(len(e["actions"]) for e in first)
    seeded, unseeded = (_first_difference(first[half], second[half]) for half in (SEEDED, UNSEEDED))
    return {
        **_answer(env_id, seeded),
        "exact_unseeded": seeded is None and unseeded is None,
        "episodes": len(first),
        "steps": steps,
    }


def _answer(env_id: str, problem: str | None) -> dict[str, Any]:
    note = problem or "Observations, rewards and frames were identical in a new process."
    return {
        "env_id": env_id,
        "version": environment_version(env_id),
        "exact": problem is None,
        "note": note,
    }


def _refusal(env_id: str, env_kwargs: dict[str, Any]) -> str | None:
    env = make_environment(env_id, env_kwargs)
    env.close()
    if action_packing(env.action_space) is not None:
        return None
    kind = type(env.action_space).__name__
    return f"Actions of a {kind} space are not recorded, so its episodes cannot be re-simulated."


def play_digests(
    env_id: str, env_kwargs: dict[str, Any], given: list[dict[str, Any]] | None
) -> list[dict[str, Any]]:
    """Digest of each step of each episode; actions are random when none are given."""
    mode = "rgb_array" if can_draw(env_id, env_kwargs) else None
    if given is not None:
        # A recording is re-simulated in a new environment.
        return [_episode(make_environment(env_id, env_kwargs, mode), n, e) for n, e in enumerate(given)]
    env = make_environment(env_id, env_kwargs, mode)
    env.action_space.seed(12345)
    return [_episode(env, n, None) for n in range(2 * EPISODES)]


def _episode(env: Any, number: int, played: dict[str, Any] | None) -> dict[str, Any]:
    generator, given = _beginning(env, number, played), None if played is None else played["actions"]
    observation, _ = begin(env, 1000 + number, generator)
    digests, ended = [_digest(observation, 0.0, _frame_of(env))], False
    actions: list[Any] = []
    most, until = (MOST_STEPS, time.monotonic() + MOST_S) if given is None else (len(given), math.inf)
    while not ended and len(actions) < most and time.monotonic() < until:
        action = env.action_space.sample() if given is None else _as_action(env, given[len(actions)])
        observation, reward, terminated, truncated, _ = env.step(action)
        actions.append(np.asarray(action).tolist())
        frame = _frame_of(env) if len(actions) % DRAW_EVERY == 0 else None
        digests.append(_digest(observation, float(reward), frame))
        ended = bool(terminated or truncated)
    return {"actions": actions, "digests": digests, "generator": generator.hex()}


def _beginning(env: Any, number: int, played: dict[str, Any] | None) -> bytes:
    """The state to begin from; empty for an episode with a seed, or for an unknown kind of generator."""
    if played is not None:
        return bytes.fromhex(played["generator"])
    return b"" if number < EPISODES else generator_state(env) or b""


def _frame_of(env: Any) -> Any:
    return env.render() if env.render_mode else None


def _as_action(env: Any, plain: Any) -> Any:
    space = env.action_space
    return np.asarray(plain, dtype=space.dtype) if space.shape else space.dtype.type(plain)


def _digest(observation: Any, reward: float, frame: Any) -> str:
    sha = hashlib.sha256(repr(reward).encode())
    for part in leaves(observation):
        sha.update(np.ascontiguousarray(part).tobytes())
    if frame is not None:
        sha.update(np.ascontiguousarray(frame).tobytes())
    return sha.hexdigest()


def leaves(observation: Any) -> list[Any]:
    if isinstance(observation, dict):
        return [leaf for key in sorted(observation) for leaf in leaves(observation[key])]
    if isinstance(observation, (tuple, list)):
        return [leaf for part in observation for leaf in leaves(part)]
    return [observation]


def _first_difference(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> str | None:
    for number, (a, b) in enumerate(zip(first, second, strict=True)):
        for step, (x, y) in enumerate(zip(a["digests"], b["digests"], strict=False)):
            if x != y:
                return f"Episode {number + 1} differed from step {step} on."
        if len(a["digests"]) != len(b["digests"]):
            return f"Episode {number + 1} had another length when it was repeated."
    return None


if __name__ == "__main__":
    wanted = json.loads(sys.stdin.read())
    print(json.dumps(play_digests(wanted["env_id"], wanted["env_kwargs"], wanted["played"])))
