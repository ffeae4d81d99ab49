"""A LiveAttempt is what this process remembers of one live attempt. The facts are in lab.db and in the folder."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.lengths.limits import NO_LIMITS, RunLimits
from rl_lab.core.runs import EndReason, RunStatus
from rl_lab.guardian.files import ExitRecord
from rl_lab.orchestrator.ingest.journal_tail import Tail
from rl_lab.store.files.attempt_folder import AttemptFolder, Control


@dataclass(eq=False)
class LiveAttempt:
    run_id: str
    attempt: AttemptFolder
    tail: Tail
    status: RunStatus
    kind: RunKind = RunKind.train
    who: str = "worker"
    """What its process is called in messages: worker, script, program."""
    started_message: str = ""
    """Logged when its process has sent its first event."""
    can_resume: bool = True
    guardian_pid: int | None = None
    """Only when it is our child; for one that an earlier lab started, the lock shows whether it is alive."""
    is_spawning: bool = False
    """Its guardian is about to be started, so it has no lock yet."""
    rebooted: bool = False
    is_foreign: bool = False
    """Executes code from outside the lab, so limits apply."""
    is_own_code: bool = False
    """The user's own code is its environment, or wraps it."""
    overrun: EndReason | None = None
    """The limit it was stopped for."""
    limits: RunLimits = NO_LIMITS
    """When the user wants a program to end; the lab's own workers end by themselves."""
    trained_s: float = 0.0
    """Training time of the whole run, as seen by the lab: a program may send no event for minutes."""
    limit_reached: EndReason | None = None
    """It was asked to end because it reached one of `limits`."""
    entered_at: float = field(default_factory=time.monotonic)
    """When it entered its state, by the monotonic clock: deadlines count from here."""
    controls: deque[Control] = field(default_factory=deque)
    """Control messages that are not delivered yet."""
    pause_asked_at: float | None = None
    kill_sent_at: float | None = None
    exit: ExitRecord | None = None
    is_gone: bool = False
    """The guardian is gone and left no record."""
    folder_gone: bool = False
    start_timed_out: bool = False
    is_stalled: bool = False
    missed_looks: int = 0
    next_look_at: float = 0.0

    @property
    def stop_asked(self) -> bool:
        return self.status is RunStatus.stopping

    def enter(self, status: RunStatus) -> None:
        if status is not self.status:
            self.status = status
            self.entered_at = time.monotonic()
        if status is not RunStatus.running:
            self.pause_asked_at = None

    @property
    def in_state_s(self) -> float:
        return time.monotonic() - self.entered_at
