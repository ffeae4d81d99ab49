"""Commands from the lab to a captured script: flags that are handled at its next step, or after a signal.

One thread wakes up four times a second; it also sets the session's `attention` and sweeps the script's files.
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
    from rl_lab.capture.session import CaptureSession

TICK_S = 0.25
OVERDUE_S = 1.0
"""How long a command waits for the next step of the script before a signal is sent."""
CLEAN_UP_S = 5.0
"""Time a stopped script has to clean up before it is interrupted again."""
INTERRUPT_SIGNAL = signal.SIGUSR1
OURS = (signal.SIGTERM, INTERRUPT_SIGNAL)


class ScriptControl(Control):
    """Interrupts the script by a signal when a command waits too long."""

    def __init__(self, fd: int, session: CaptureSession) -> None:
        self._session = session
        self._waits_since: float | None = None
        self._is_over = False
        super().__init__(fd)
        threading.Thread(target=self._tick, name="rl-lab capture", daemon=True).start()

    def install_signal_handlers(self) -> None:
        """SIGTERM requests a stop, SIGUSR1 interrupts the script; call from the main thread."""
        self.stop_on_signal()
        signal.signal(INTERRUPT_SIGNAL, self._on_interrupt_signal)
        self.reset_signals_in_children()

    def handle(self, command: str) -> None:
        super().handle(command)
        self._request_attention()

    def reset_signals_in_children(self) -> None:
        """In a forked child the signals have their default action: `terminate()` of a pool must end it.

        They are blocked during the fork; otherwise an early one would reach our handler and be lost.
        """
        masks: dict[int, set[signal.Signals]] = {}

        def before() -> None:
            masks[threading.get_ident()] = signal.pthread_sigmask(signal.SIG_BLOCK, OURS)  # type: ignore[assignment]

        def after() -> None:
            signal.pthread_sigmask(signal.SIG_SETMASK, masks.pop(threading.get_ident(), set()))

        def in_child() -> None:
            self._is_over = True
            for number, handler in (
                (signal.SIGTERM, self._on_signal),
                (INTERRUPT_SIGNAL, self._on_interrupt_signal),
            ):
                if signal.getsignal(number) == handler:
                    signal.signal(number, signal.SIG_DFL)
            after()

        os.register_at_fork(before=before, after_in_parent=after, after_in_child=in_child)

    def _request_attention(self) -> None:
        self._waits_since = time.monotonic()
        self._session.attention = True

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        super()._on_signal(number, frame)
        self._request_attention()

    def _on_interrupt_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._session.interrupt()

    def _tick(self) -> None:
        while not self._is_over:
            time.sleep(TICK_S)
            self._session.attention = True
            if self._is_overdue():
                self._interrupt_script()
            self._session.sweep.sweep_if_due()

    def _is_overdue(self) -> bool:
        is_open = self.stop_requested or self.pause_requested or self.checkpoint_requested
        if not is_open or self._session.is_answering:
            return False
        since, raised = self._waits_since, self._session.stop_raised_s_ago
        if raised is not None and raised < CLEAN_UP_S:
            return False
        return since is not None and time.monotonic() - since >= OVERDUE_S

    def _interrupt_script(self) -> None:
        if (
            signal.getsignal(INTERRUPT_SIGNAL) == self._on_interrupt_signal
        ):  # a script may have taken the signal for itself
            main = threading.main_thread().ident
            if main is not None and os.getpid() == self._session.pid:
                signal.pthread_kill(main, INTERRUPT_SIGNAL)
