"""How much room a new version will take, and whether there is enough."""

from __future__ import annotations

import re
import shutil
from math import prod
from pathlib import Path

from rl_lab.core.environments import Environment
from rl_lab.core.errors import NotReady
from rl_lab.core.words.amounts import bytes_text
from rl_lab.orchestrator.disks import existing

PER_STEP = 11
"""Reward, the two flags of its end, and who acted."""
PER_EPISODE = 28
UNKNOWN = 64
"""Bytes of an observation whose space is not known."""


def step_bytes(env: Environment | None) -> int:
    """About how much one step takes."""
    if env is None:
        return UNKNOWN + PER_STEP
    return _observation_bytes(env) + _action_bytes(env) + PER_STEP


def require_room(home: Path, needed: int, min_free_bytes: int) -> None:
    """NotReady, with the remedy, when the disk would be too full."""
    free = free_bytes(home)
    if free - needed < min_free_bytes:
        raise NotReady(
            f"This needs about {bytes_text(needed)}; {bytes_text(free)} are free, and {bytes_text(min_free_bytes)} "
            "have to stay free.",
            next_step="Choose fewer episodes, or free some space: `rl-lab usage` shows what is large.",
        )


def free_bytes(home: Path) -> int:
    return shutil.disk_usage(existing(home)).free


def _observation_bytes(env: Environment) -> int:
    dims = env.obs_space_dims
    if env.obs_space_type == "box":
        is_picture = len(dims) == 3
        return prod(dims) * (1 if is_picture else 4)
    if env.obs_space_type in ("discrete", "multi_discrete", "multi_binary"):
        return 8 * max(1, len(dims) if env.obs_space_type != "discrete" else 1)
    return max(UNKNOWN, 4 * sum(dims))


def _action_bytes(env: Environment) -> int:
    if env.action_space_type != "continuous":
        return 8
    return 4 * prod(int(number) for number in re.findall(r"\d+", env.action_space))
