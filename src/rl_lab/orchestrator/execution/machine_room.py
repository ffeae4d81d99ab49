"""What the machine has for runs now: cores, memory and GPUs. Read from the kernel, without asking a library."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

UNKNOWN = sys.maxsize
"""Where the system does not report its memory, no run waits for it."""
CGROUP = Path("/sys/fs/cgroup")


class MachineMemory(NamedTuple):
    total: int
    available: int


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count_gpus() -> int:
    """NVIDIA GPUs that programs of this process see."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return len([name for name in visible.split(",") if name.strip() not in ("", "-1")])
    return len([one for one in Path("/dev").glob("nvidia[0-9]*") if one.name[6:].isdigit()])


def read_memory(meminfo: Path = Path("/proc/meminfo"), cgroup: Path = CGROUP) -> MachineMemory:
    """Of the machine, or of the container if that has less."""
    text = _read(meminfo)
    total, available = _kilobytes(text, "MemTotal"), _kilobytes(text, "MemAvailable")
    if total is None or available is None:
        return MachineMemory(UNKNOWN, UNKNOWN)
    limit = _read(cgroup / "memory.max").strip()
    if not limit.isdigit() or int(limit) >= total:
        return MachineMemory(total, available)
    used = int(_read(cgroup / "memory.current").strip() or 0)
    # Cached files count as used there, but make room when memory is needed.
    cached = re.search(r"^inactive_file (\d+)", _read(cgroup / "memory.stat"), re.MULTILINE)
    left = int(limit) - used + (int(cached[1]) if cached else 0)
    return MachineMemory(int(limit), max(0, min(available, left)))


def _kilobytes(text: str, name: str) -> int | None:
    found = re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) << 10 if found else None


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
