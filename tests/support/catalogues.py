"""The list of environments, made once per test process and put into the homes of labs, so that no lab makes it again.

A lab uses it only when its own Python has the same packages; see `orchestrator/environments/catalogue.py`.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

PLACE = Path("cache") / "environments.json"


def put_catalogue(home: Path) -> None:
    """Into a home that has none; a home that is not there or may not be written stays as it is."""
    if not home.is_dir() or (home / PLACE).exists():
        return
    with suppress(OSError):
        (home / PLACE).parent.mkdir(mode=0o700, exist_ok=True)
        shutil.copy(_catalogue(), home / PLACE)
        (home / PLACE).chmod(0o600)


@cache
def _catalogue() -> Path:
    from rl_lab.orchestrator.environments.catalogue import Catalogue
    from rl_lab.orchestrator.home import make_home

    os.environ["RL_LAB_FAKE_RUNNER"] = "1"
    home = Path(tempfile.mkdtemp(prefix="rl-lab-catalogue-"))
    make_home(home)
    context: Any = SimpleNamespace(home=home, db=None)
    with ThreadPoolExecutor(1) as other:  # this thread may have an event loop already: the browser's
        other.submit(asyncio.run, Catalogue(context).environments()).result()
    return home / PLACE
