"""Numbers that the lab and every interpreter it starts agree on; standard library only."""

from __future__ import annotations

MAX_SEED = 2**31 - 1
GENERATOR_BYTES = 37
"""The state of an environment's random generator; see `core.events.Episode`."""
REWARD_WINDOW = 100
"""Episodes in the mean reward, for learners that stop when solved and for all who show it."""
