"""Where the lab's home folder is; apart from the settings, since a command that finds a server needs no more."""

from __future__ import annotations

import os
from pathlib import Path

DEFAULT_HOME = "~/.rl-lab"


def home_path() -> Path:
    """As `Settings.home_path`; `--home` is handed on as RL_LAB_HOME."""
    return Path(os.environ.get("RL_LAB_HOME", DEFAULT_HOME)).expanduser().absolute()
