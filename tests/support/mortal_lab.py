"""A lab that resumes a run and kills itself at one instant of it: `python mortal_lab.py HOME RUN CHOICE INSTANT`.

Instants are counted from the request on: before and after each transaction of lab.db and of telemetry.db, and before
each file that is removed, renamed or cut and each process that is started. Exits normally when the run ends first.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rl_lab.core.resuming import ResumeChoice
from rl_lab.core.runs import FINAL
from rl_lab.orchestrator.bus import status_topic
from rl_lab.orchestrator.lab import Lab
from rl_lab.settings import Settings
from rl_lab.store.sql.database import Database
from rl_lab.store.telemetry.writer import TelemetryDb

FILES = frozenset({"os.remove", "os.rename", "os.truncate", "os.posix_spawn"})


class Fate:
    """Kills this process at one of the instants that it is told of."""

    def __init__(self, instant: int) -> None:
        self._left = instant
        self._lock = threading.Lock()
        self.is_armed = False

    def meet(self, what: str) -> None:
        if not self.is_armed:
            return
        with self._lock:
            self._left -= 1
            if self._left == 0:
                os.write(1, what.encode() + b"\n")
                os.kill(os.getpid(), signal.SIGKILL)


def surround(fate: Fate) -> None:
    write, transaction = Database._write, TelemetryDb._transaction

    def mortal_write(db: Database, work: Any) -> Any:
        name = getattr(work, "__qualname__", str(work))
        fate.meet(f"before {name}")
        found = write(db, work)
        fate.meet(f"after {name}")
        return found

    @contextmanager
    def mortal_transaction(db: TelemetryDb) -> Iterator[None]:
        with transaction(db):
            yield
            fate.meet("before a commit to telemetry.db")
        fate.meet("after a commit to telemetry.db")

    Database._write = mortal_write  # type: ignore[method-assign]
    TelemetryDb._transaction = mortal_transaction  # type: ignore[method-assign]
    sys.addaudithook(lambda event, args: fate.meet(f"{event} {args[0]}") if event in FILES else None)


async def resume(home: Path, run_id: str, choice: ResumeChoice, fate: Fate) -> None:
    lab = Lab(Settings(home=home, min_free_bytes=0))
    await lab.start()
    with lab.context.bus.subscribe([status_topic(run_id)]) as changes:
        fate.is_armed = True
        await lab.runs.resume(run_id, choice)
        while (await lab.queries.get_run(run_id)).status not in FINAL:
            await changes.take()
    fate.is_armed = False
    await lab.close()


if __name__ == "__main__":
    path, wanted, chosen, instant = sys.argv[1:]
    one = Fate(int(instant))
    surround(one)
    asyncio.run(resume(Path(path), wanted, ResumeChoice.model_validate_json(chosen), one))
