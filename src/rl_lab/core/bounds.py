"""Constants shared by the lab and every interpreter it starts; standard library only."""

from __future__ import annotations

MAX_SEED = 2**31 - 1
GENERATOR_BYTES = 37
"""Size of a stored random generator state of an environment; see `core.protocol.events.Episode`."""
REWARD_WINDOW = 100
"""Number of episodes in the mean reward, both for stopping when solved and for display."""
