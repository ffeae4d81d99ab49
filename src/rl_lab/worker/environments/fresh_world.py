"""BipedalWalker is deterministic only in a new Box2D world: a reused one keeps solver state."""

from __future__ import annotations

from typing import Any

import gymnasium


class FreshWorld(gymnasium.Wrapper):  # type: ignore[misc]
    """Creates a new world at each reset, which takes almost no time."""

    def reset(self, **arguments: Any) -> Any:
        import Box2D

        walker = self.env.unwrapped
        walker._destroy()
        walker.world = Box2D.b2World()
        return self.env.reset(**arguments)
