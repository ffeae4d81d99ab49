"""What this machine can restrict, tried once per process by `guardian/confinement/probe.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import rl_lab
from rl_lab.guardian.confinement.probe import GAPS_WITHOUT, Available

PROBE_S = 30.0
_PROBE = (
    "import sys; sys.path.insert(0, sys.argv[1]); from rl_lab.guardian.confinement.probe import main; main()"
)


@cache
def probe() -> Available:
    """Tried once per process (about 70 ms), in a child without threads: it forks."""
    root = str(Path(rl_lab.__file__).parents[1])
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _PROBE, root],
            capture_output=True,
            timeout=PROBE_S,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        found = json.loads(done.stdout)
        return Available(**{**found, "gaps": tuple(found["gaps"])})
    except (OSError, subprocess.SubprocessError, ValueError, TypeError, KeyError):
        # A restriction that could not be tried is not promised.
        return Available(sys.platform, gaps=GAPS_WITHOUT)
