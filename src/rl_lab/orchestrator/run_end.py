"""What happens when a run ends, in order.

The first step notes in its transaction that a follow-up is due. If the lab is killed after it, the next lab repeats the
follow-up (`Jobs.catch_up`), the manifests that are noted in lab.db, and the pruning of all runs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rl_lab.core.runs import Run
from rl_lab.orchestrator.execution.live_attempt import LiveAttempt


@dataclass(frozen=True)
class RunEnd:
    """The steps, listed in the order in which they are done."""

    write_end: Callable[[LiveAttempt], Awaitable[Run | None]]
    """Decides how the run ended and writes it; None when it had ended already."""
    wake_queue: Callable[[], None]
    """A slot is free."""
    remove_scratch: Callable[[str], None]
    """Deletes the temporary files of foreign code, in the background."""
    prune: Callable[[str], None]
    """Removes files beyond the retention settings, in the background."""
    list_wandb_folders: Callable[[Run], Awaitable[None]]
    """Lists offline folders of W&B as artifacts."""
    write_manifest: Callable[[str], Awaitable[None]]
    keep_curve: Callable[[Run], Awaitable[None]]
    """Stores the learning curve of a training in few points, for statistics over many runs."""
    follow_up: Callable[[Run], Awaitable[None]]
    """Evaluates a finished training; hands the results of a job to its training."""
    wake_janitor: Callable[[], None]
    """The lab may have grown beyond its size limit."""

    async def __call__(self, live: LiveAttempt) -> None:
        ended = await self.write_end(live)
        self.wake_queue()
        if live.is_foreign:
            self.remove_scratch(live.run_id)
        if ended is None:
            return
        self.prune(ended.id)
        await self.list_wandb_folders(ended)
        await self.write_manifest(ended.id)
        await self.keep_curve(ended)
        await self.follow_up(ended)
        self.wake_janitor()
