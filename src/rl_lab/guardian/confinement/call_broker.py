"""Answers the system calls that a confined program's filter passes to the guardian. Standard library only, one thread.

A call is carried out by the guardian or refused; it is never allowed to continue. Nothing here waits: a file is opened
by its place only, and each turn answers a limited number of calls, so that thousands of them do not keep the guardian
from its other work.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence

from rl_lab.guardian.confinement import changes, scheduling
from rl_lab.guardian.confinement.caller import AT_FDCWD, Caller, caller
from rl_lab.guardian.confinement.notifications import (
    HandedOver,
    Notification,
    answer,
    channel,
    hand_over,
    is_abandoned,
    is_valid,
    is_waiting,
    receive,
    take_over,
)
from rl_lab.guardian.confinement.rules import topmost
from rl_lab.guardian.confinement.system_calls import numbers_on

TURN = 32
"""Calls answered before the guardian looks at its other descriptors again."""


class BrokerChannel:
    """Made before the fork: the child hands its listener over, the guardian makes a broker of it."""

    def __init__(self, writes: Sequence[str]) -> None:
        self._writes = topmost(writes)
        self._ours, self._theirs = channel()

    def hand_over(self, listener: int) -> None:
        """Called in the child."""
        hand_over(self._theirs, listener)

    def close(self) -> None:
        """Called in a child that goes on without executing a program."""
        self._ours.close()
        self._theirs.close()

    def take_over(self) -> CallBroker | None:
        """Waits for the child; None when it has no listener and has closed the channel, as executing does."""
        self._theirs.close()
        handed_over = take_over(self._ours)
        self._ours.close()
        return CallBroker(handed_over, self._writes) if handed_over else None


class CallBroker:
    """Decides for one program, which may change what is beneath `writes`."""

    def __init__(self, handed_over: HandedOver, writes: Sequence[str]) -> None:
        self.listener = handed_over.listener
        self._user = handed_over.user
        self._group = handed_over.group
        # Held open: the folders stay these even if somebody renames them.
        self._folders = [os.open(path, os.O_PATH | os.O_CLOEXEC) for path in writes]
        self._names = {number: name for name, number in numbers_on(os.uname().machine).items()}
        self._guardian = os.getpid()

    def answer_waiting(self) -> bool:
        """Whether there may be more; False when every process with this filter has ended."""
        for _ in range(TURN):
            if not is_waiting(self.listener):
                return not is_abandoned(self.listener)
            notification = receive(self.listener)
            if notification is not None:
                answer(self.listener, notification, self._decide(notification))
        return True

    def close(self) -> None:
        for fd in (self.listener, *self._folders):
            os.close(fd)

    def _decide(self, notification: Notification) -> int:
        """0 when the change was made, else an error number."""
        name = self._names.get(notification.number, "")
        try:
            with self._rights_of_the_run():
                if name in changes.ACTIONS:
                    self._change(notification, changes.ACTIONS[name])
                else:
                    self._schedule(notification, name)
        except OSError as error:
            return error.errno or errno.EPERM
        except Exception:  # a call of a hostile program must not end the guardian
            return errno.EINVAL
        return 0

    def _change(self, notification: Notification, change: changes.Change) -> None:
        arguments = notification.arguments
        with self._caller(notification, changes.descriptor_of(change.target, arguments)) as who:
            file = changes.open_target(who, change.target, arguments)
            try:
                changes.refuse_outside(file, self._folders, self._user)
                change.act(who, file, arguments[change.first :])
            finally:
                os.close(file.fd)

    def _schedule(self, notification: Notification, name: str) -> None:
        if name not in scheduling.ACTIONS or (self._user == 0 and name not in scheduling.UNPRIVILEGED):
            raise PermissionError(errno.EPERM, "not of other threads")
        place, act = scheduling.ACTIONS[name]
        thread = notification.arguments[place] & 0xFFFFFFFF
        with self._caller(notification, AT_FDCWD) as who:
            scheduling.refuse_strangers(thread, self._guardian)
            act(who, thread, notification.arguments[place + 1 :])

    @contextlib.contextmanager
    def _caller(self, notification: Notification, descriptor: int) -> Iterator[Caller]:
        with caller(notification.thread, descriptor) as found:
            if not is_valid(self.listener, notification):
                raise ProcessLookupError(errno.ESRCH, "the thread has ended")
            yield found

    @contextlib.contextmanager
    def _rights_of_the_run(self) -> Iterator[None]:
        """A guardian that is root acts as the user its program has become, without capabilities."""
        own, own_group = os.geteuid(), os.getegid()
        if self._user == own:
            yield
            return
        os.setegid(self._group)
        os.seteuid(self._user)
        try:
            yield
        finally:
            os.seteuid(own)
            os.setegid(own_group)
