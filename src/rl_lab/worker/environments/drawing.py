"""Pictures that depend on the step alone.

Some environments change a little each time they draw: LunarLander ages its sparks, BipedalWalker turns its lidar.
Here both follow the step instead, so that a moment looks the same however one came to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Frame = npt.NDArray[np.uint8]

SPARK_AGEING = 0.15
"""What LunarLander's render takes from the life of each spark."""
LIDAR_TURN = 100


def can_draw(env_id: str, env_kwargs: dict[str, Any]) -> bool:
    """Whether the environment makes pictures at all."""
    from rl_lab.worker.environments.make import make_environment

    env = make_environment(env_id, env_kwargs)
    env.close()
    return "rgb_array" in (env.metadata.get("render_modes") or ())


def age(env: Any) -> None:
    """Call after each step: what drawing would have done to the environment."""
    bare = env.unwrapped
    sparks = getattr(bare, "particles", None)
    if sparks:
        for spark in sparks:
            spark.ttl -= SPARK_AGEING
        bare._clean_particles(False)


def draw(env: Any, step: int) -> Frame:
    """The picture of the state after `step` steps."""
    bare = env.unwrapped
    for spark in getattr(bare, "particles", ()):
        spark.ttl += SPARK_AGEING
    if hasattr(bare, "lidar_render"):
        bare.lidar_render = step % LIDAR_TURN
    return np.asarray(env.render(), dtype=np.uint8)
