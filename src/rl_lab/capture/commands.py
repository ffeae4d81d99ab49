"""Commands from the lab to a captured script: flags it meets at its next step, a signal when none comes.

One thread, awake four times a second, also sets the session's `attention` and lets the files be looked at.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from types import FrameType
from typing import TYPE_CHECKING

from rl_lab.portable.control import Control

if TYPE_CHECKING:
    from rl_lab.capture.session import Session

TICK_S = 0.25
PATIENCE_S = 1.0
"""How long a command waits for the script to come by."""
CLEAN_UP_S = 5.0
"""What a stopped script may take to close its things before it is told again."""
NUDGE = signal.SIGUSR1
OURS = (signal.SIGTERM, NUDGE)


class Commands(Control):
    def __init__(self, fd: int, session: Session) -> None:
        self._session = session
        self._waits_since: float | None = None
        self._is_over = False
        super().__init__(fd)
        threading.Thread(target=self._tick, name="rl-lab capture", daemon=True).start()

    def listen_to_signals(self) -> None:
        """SIGTERM is a polite stop, SIGUSR1 our own; call from the main thread."""
        self.stop_on_signal()
        signal.signal(NUDGE, self._on_nudge)
        self.leave_children_alone()

    def obey(self, command: str) -> None:
        super().obey(command)
        self._wants()

    def leave_children_alone(self) -> None:
        """In a forked child the signals mean what they always did: `terminate()` of a pool must end it.

        They wait while the fork goes on, or one that comes at once would meet our handler and be lost.
        """
        masks: dict[int, set[signal.Signals]] = {}

        def before() -> None:
            masks[threading.get_ident()] = signal.pthread_sigmask(signal.SIG_BLOCK, OURS)  # type: ignore[assignment]

        def after() -> None:
            signal.pthread_sigmask(signal.SIG_SETMASK, masks.pop(threading.get_ident(), set()))

        def in_child() -> None:
            self._is_over = True
            for number, handler in ((signal.SIGTERM, self._on_signal), (NUDGE, self._on_nudge)):
                if signal.getsignal(number) == handler:
                    signal.signal(number, signal.SIG_DFL)
            after()

        os.register_at_fork(before=before, after_in_parent=after, after_in_child=in_child)

    def _wants(self) -> None:
        self._waits_since = time.monotonic()
        self._session.attention = True

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        super()._on_signal(number, frame)
        self._wants()

    def _on_nudge(self, _number: int, _frame: FrameType | None) -> None:
        self._session.interrupt()

    def _tick(self) -> None:
        while not self._is_over:
            time.sleep(TICK_S)
            self._session.attention = True
            if self._is_overdue():
                self._nudge()
            self._session.sweep.look_now_and_then()

    def _is_overdue(self) -> bool:
        is_open = self.stop_requested or self.pause_requested or self.checkpoint_requested
        if not is_open or self._session.is_answering:
            return False
        since, raised = self._waits_since, self._session.stop_raised_s_ago
        if raised is not None and raised < CLEAN_UP_S:
            return False
        return since is not None and time.monotonic() - since >= PATIENCE_S

    def _nudge(self) -> None:
        if signal.getsignal(NUDGE) == self._on_nudge:  # a script may have taken the signal for itself
            main = threading.main_thread().ident
            if main is not None and os.getpid() == self._session.pid:
                signal.pthread_kill(main, NUDGE)
