"""Draws frames that depend on the step alone.

Some environments change with each call of render: LunarLander shortens the life of its sparks, BipedalWalker turns
its lidar. Here both follow the step instead, so that the frame of a step is always the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Frame = npt.NDArray[np.uint8]

SPARK_AGEING = 0.15
"""What LunarLander's render subtracts from the life of each spark."""
LIDAR_TURN = 100


def can_draw(env_id: str, env_kwargs: dict[str, Any]) -> bool:
    """Whether the environment can draw frames."""
    from rl_lab.worker.environments.make import make_environment

    env = make_environment(env_id, env_kwargs)
    env.close()
    return "rgb_array" in (env.metadata.get("render_modes") or ())


def advance_render_clock(env: Any) -> None:
    """Call after each step: changes the environment as a call of render would have done."""
    bare = env.unwrapped
    sparks = getattr(bare, "particles", None)
    if sparks:
        for spark in sparks:
            spark.ttl -= SPARK_AGEING
        bare._clean_particles(False)


def draw(env: Any, step: int) -> Frame:
    """The frame of the state after `step` steps."""
    bare = env.unwrapped
    for spark in getattr(bare, "particles", ()):
        spark.ttl += SPARK_AGEING
    if hasattr(bare, "lidar_render"):
        bare.lidar_render = step % LIDAR_TURN
    return np.asarray(env.render(), dtype=np.uint8)
