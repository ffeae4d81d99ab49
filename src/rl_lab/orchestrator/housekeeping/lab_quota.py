"""The size limit of the whole lab: when runs, named models and datasets take too much, the oldest files of runs
are removed.

Videos first, then interval checkpoints, then TensorBoard folders; never telemetry, and nothing of runs that are live,
archived or deleted. Pinned, best and latest files stay, and so do named models and datasets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from sqlalchemy import Connection

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.retention import GROUPS, expendable
from rl_lab.core.findings import Finding
from rl_lab.core.words.amounts import bytes_text
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.housekeeping.disk_usage import Usage
from rl_lab.orchestrator.housekeeping.pruning import Knobs, Pruning
from rl_lab.store import artifacts

REMEDY = (
    "Raise the limit with `rl-lab retention --lab-bytes`, unpin files, archive runs or delete them, or remove versions "
    "of named models and datasets."
)


class LabQuota:
    def __init__(self, context: Context, knobs: Knobs, usage: Usage, pruning: Pruning) -> None:
        self._db = context.db
        self._knobs = knobs
        self._usage = usage
        self._pruning = pruning

    async def tend(self) -> None:
        limit = self._knobs.value.lab_bytes
        problem = ""
        while limit and (total := await self._usage.measure_all()) > limit:
            leaving = await self._db.read(lambda conn, excess=total - limit: choose(conn, excess))  # type: ignore[misc]
            if not leaving:
                problem = (
                    f"Runs, named models and datasets take {bytes_text(total)}, more than the {bytes_text(limit)} "
                    "they may. What is left is pinned, best, latest, archived, telemetry, of runs at work, of a named "
                    "model or a dataset."
                )
                break
            for run_id, files in _by_run(leaving):
                await self._pruning.take_out(run_id, files, " to make room in the lab")
                for changed in {run_id, *(str(f.data.get("job", "")) for f in files)}:
                    self._usage.forget(changed)
        self._usage.problem = problem

    def finding(self) -> Finding:
        limit, problem = self._knobs.value.lab_bytes, self._usage.problem
        if problem:
            return Finding(id="lab-bytes", title="Space", level="warning", message=problem, remedy=REMEDY)
        message = (
            f"Runs, named models and datasets may take {bytes_text(limit)} together."
            if limit
            else "Runs may take what the disk has."
        )
        return Finding(id="lab-bytes", title="Space", level="ok", message=message)


def choose(conn: Connection, excess: int) -> list[Artifact]:
    """What to remove next: kind by kind, oldest first over all runs, until `excess` bytes are found."""
    chosen: list[Artifact] = []
    for kind in GROUPS.values():
        free = [a for files in artifacts.idle_of_kind(conn, kind) for a in expendable(files)]
        for artifact in sorted(free, key=lambda a: (a.created_at, a.id)):
            chosen.append(artifact)
            excess -= artifact.size
            # A file without a known size is accounted for by the next measuring.
            if excess <= 0 or artifact.size == 0:
                return chosen
    return chosen


def _by_run(leaving: Sequence[Artifact]) -> Iterable[tuple[str, list[Artifact]]]:
    ordered = sorted(leaving, key=lambda a: a.run_id)
    return [(run_id, list(files)) for run_id, files in groupby(ordered, key=lambda a: a.run_id)]
