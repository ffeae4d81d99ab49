"""BipedalWalker re-simulates exactly only in a new Box2D world: the reused one keeps solver state."""

from __future__ import annotations

from typing import Any

import gymnasium


class FreshWorld(gymnasium.Wrapper):  # type: ignore[misc]
    """A new world at each reset; costs no time."""

    def reset(self, **arguments: Any) -> Any:
        import Box2D

        walker = self.env.unwrapped
        walker._destroy()
        walker.world = Box2D.b2World()
        return self.env.reset(**arguments)
