"""Recorded episodes of real environments, made on the spot."""

from __future__ import annotations

from typing import Any

from rl_lab.core.recordings import Recording
from rl_lab.portable.actions import action_packing, pack
from rl_lab.worker.environments.make import environment_version, make_environment


def random_recording(env_id: str, *, seed: int = 7, most: int = 400, **env_kwargs: Any) -> Recording:
    """One episode played at random in a used environment, as a learner would leave it."""
    env = make_environment(env_id, env_kwargs)
    env.action_space.seed(seed)
    env.reset(seed=seed + 1)
    env.step(env.action_space.sample())
    packing = action_packing(env.action_space)
    assert packing is not None
    env.reset(seed=seed)
    actions, returned, terminated, truncated = b"", 0.0, False, False
    count = 0
    while not (terminated or truncated) and count < most:
        action = env.action_space.sample()
        actions += pack(packing, action)
        _, reward, terminated, truncated, _ = env.step(action)
        returned, count = returned + float(reward), count + 1
    env.close()
    return Recording(
        run_id="r",
        episode=0,
        env_id=env_id,
        env_kwargs=env_kwargs,
        env_version=environment_version(env_id),
        action=packing,
        seed=seed,
        count=count,
        actions=actions,
        returned=returned,
        terminated=bool(terminated),
        truncated=bool(truncated),
        complete=bool(terminated or truncated),
    )
