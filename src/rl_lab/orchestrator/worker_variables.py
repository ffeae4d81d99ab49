"""The environment variables of the lab's own worker processes: an allow-list."""

from __future__ import annotations

import os
from collections.abc import Mapping

KEPT_VARIABLES = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "VIRTUAL_ENV",
        "CUDA_VISIBLE_DEVICES",
        "LD_LIBRARY_PATH",
        "DISPLAY",
        "XDG_CACHE_HOME",
        "RL_LAB_FAKE_RUNNER",
        "SYSTEMROOT",
    }
)
KEPT_PREFIXES = ("PYTHON", "LC_", "NUMBA_", "COVERAGE_")


def worker_variables(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment variables of a worker: an allow-list, so that no secret of the server reaches it."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in KEPT_VARIABLES or name.startswith(KEPT_PREFIXES)
    }
    return {
        **kept,
        "OMP_NUM_THREADS": "1",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        **(extra or {}),
    }
