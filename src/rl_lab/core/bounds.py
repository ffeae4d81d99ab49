"""Constants shared by the lab and every interpreter it starts; standard library only."""

from __future__ import annotations

MAX_LINE_BYTES = 1 << 20
"""The longest line of the worker protocol. The guardian cuts longer ones out of the journal and reports them."""
MAX_SEED = 2**31 - 1
DRAWN_SEEDS = 100_000
"""A seed that the lab draws is below this: short enough to read out and to type."""
GENERATOR_BYTES = 37
"""Size of a stored random generator state of an environment; see `EpisodeEvent` in `core/protocol/events.py`."""
CHECKSUM_STEPS, CHECKSUM_BYTES = 50, 2
"""Steps between two checksums of a recorded episode's states, and the size of one (`portable/state_checksums.py`)."""
REWARD_WINDOW = 100
"""Number of episodes in the mean reward, both for stopping when solved and for display."""
MAX_SLOTS = 256
"""Trainings, or jobs, at the same time: each is a process of its own, and more would only slow each other down."""
MAX_PRIORITY = 100
"""Of a waiting run, in both directions."""
