"""Whether what will be written fits on the disk, before the first byte of it is."""

from __future__ import annotations

import shutil
from pathlib import Path

from rl_lab.core.errors import StorageFull
from rl_lab.core.words.amounts import bytes_text

SLACK_BYTES = 64 << 20
"""Of the disk, besides the data."""


def require_space(folder: Path, needed: int, allowed: int | None = None) -> None:
    """StorageFull when `needed` bytes are more than the disk has free, or than the lab may still use."""
    place = folder
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free - SLACK_BYTES
    room = free if allowed is None else min(free, allowed)
    if needed <= room:
        return
    where = "on the disk" if room == free else "of what the lab may use"
    raise StorageFull(
        f"The dataset needs about {bytes_text(needed)}; {bytes_text(max(0, room))} {where} are free. "
        "Nothing was written.",
        next_step="Delete runs or datasets (`rl-lab usage` shows the largest), or raise the limit of the lab.",
    )
