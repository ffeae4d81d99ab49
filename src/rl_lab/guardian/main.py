"""The guardian runs one worker: `python -m rl_lab.guardian ATTEMPT_DIR`.

One thread, standard library only. It holds the attempt's lock while it runs, copies the worker's stdout to the
journal and its stderr to the log, passes commands on, and kills the whole process tree when it is asked to or when
the worker has exited. At the end it writes exit.json: no other process knows how the worker ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import selectors
import signal
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rl_lab.guardian.descriptors import (
    close_inherited,
    exists,
    fill_stdio,
    open_control,
    open_folder,
    take_lock,
    widen,
)
from rl_lab.guardian.exit_record import reserve_exit_record, write_exit_record
from rl_lab.guardian.files import EXIT_FILE, PRIVATE_UMASK, ExitRecord, Launch
from rl_lab.guardian.launch import NotStarted, Started, count_oom_kills, open_launch, start_worker
from rl_lab.guardian.process_limit import CHECK_S
from rl_lab.guardian.processes import (
    become_subreaper,
    find_children,
    kill_children,
    signal_descendants,
)
from rl_lab.guardian.resource_use import ResourceUse
from rl_lab.guardian.spool import JournalSpool, LogSpool, Spool
from rl_lab.guardian.tree_limits import TreeLimits

if TYPE_CHECKING:
    from rl_lab.guardian.left_memory import LeftMemory

CHUNK = 256 << 10
TICK_S = 1.0
"""Time between two syncs to disk; a full disk is retried more often."""
RETRY_S = 0.2
UNKILLABLE_S = 30.0
"""After this time without an end it is recorded which processes the kernel does not end."""
KILL_AGAIN_S = 0.02
"""Usually a signal that a child has exited comes earlier."""
DRAIN_S = 600.0
"""How long the guardian of an ended worker waits for a full disk."""
MAX_UNSENT = 64 << 10


class Guardian:
    worker: Started

    def __init__(self, folder_fd: int, launch: Launch) -> None:
        self.folder_fd = folder_fd
        self.launch = launch
        self.journal_fd = open_folder("journal", folder_fd)
        limits = launch.limits
        self.journal = JournalSpool(self.journal_fd, limits.journal_segment_bytes, limits.line_bytes)
        self.log = LogSpool(folder_fd, limits.log_bytes)
        self.control_fd = open_control(folder_fd)
        self.selector = selectors.DefaultSelector()
        self.tree_limits = TreeLimits(launch.confine)
        self.wake_r, self.wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        """A signal, such as the exit of a child, writes to it."""
        self.left_memory = _left_memory(launch)
        self.unsent = bytearray()
        self.commands = b""
        self.status: int | None = None
        self.max_rss = 0
        self.use = ResourceUse()
        self.stopped = False
        self.signalled = False
        self.killed_by: str | None = None
        self.term_at: float | None = None
        self.kill_at: float | None = None
        self.next_sync = 0.0
        self.error: str | None = None

    def run(self) -> None:
        """Returns when the worker has exited, no process of its tree is left and all its output is on disk."""
        self.worker = start_worker(self.launch)
        try:
            self._listen()
            while self.status is None:
                for key, _ in self.selector.select(self._select_timeout()):
                    key.data()
                self._reap()
                self._check_tree_limits()
                self._escalate_stop()
                self._keep_files()
        finally:
            if self.left_memory is not None:
                self.left_memory.look()
            self._end_tree()
            if self.left_memory is not None:
                self.left_memory.remove()
        self._drain()

    def _listen(self) -> None:
        for fd in (self.worker.stdout, self.worker.stderr):
            widen(fd)
        signal.set_wakeup_fd(self.wake_w, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, self._on_sigterm)
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        register = self.selector.register
        register(self.wake_r, selectors.EVENT_READ, lambda: os.read(self.wake_r, 512))
        register(self.control_fd, selectors.EVENT_READ, self._read_commands)
        if self.left_memory is not None and self.left_memory.events >= 0:
            register(self.left_memory.events, selectors.EVENT_READ, self.left_memory.look)
        register(self.worker.stdout, selectors.EVENT_READ, self._read_stdout)
        register(self.worker.stderr, selectors.EVENT_READ, self._read_stderr)
        if self.worker.broker is not None:
            register(self.worker.broker.listener, selectors.EVENT_READ, self._answer_calls)
        # The worker may have exited before the SIGCHLD handler was installed.
        self._reap()

    def _select_timeout(self) -> float:
        now = time.monotonic()
        ends = [self.next_sync - now]
        if self.tree_limits:
            ends.append(CHECK_S)
        if self.journal.is_blocked or self.log.is_blocked:
            ends.append(RETRY_S)
        ends.extend(at - now for at in (self.term_at, self.kill_at) if at is not None)
        return max(0.0, min(ends))

    def _read_stdout(self) -> None:
        chunk = self._read(self.worker.stdout, min(CHUNK, self.launch.limits.line_bytes))
        if chunk:
            self.journal.feed(chunk)
            self._hold_while_blocked(self.worker.stdout, self.journal)

    def _read_stderr(self) -> None:
        chunk = self._read(self.worker.stderr, CHUNK)
        if chunk:
            self.log.put(chunk)
            self._hold_while_blocked(self.worker.stderr, self.log)

    def _read(self, fd: int, size: int) -> bytes | None:
        """None: nothing to read now. At the end of the stream the descriptor is unregistered."""
        try:
            chunk = os.read(fd, size)
        except BlockingIOError:
            return None
        if not chunk and fd in self.selector.get_map():
            self.selector.unregister(fd)
        return chunk

    def _hold_while_blocked(self, fd: int, spool: Spool) -> None:
        if spool.is_blocked and fd in self.selector.get_map():
            self.selector.unregister(fd)

    def _keep_files(self) -> None:
        """Retry what a full disk refused, sync once a second, kill the worker when the folder was deleted."""
        for fd, spool, handler in (
            (self.worker.stdout, self.journal, self._read_stdout),
            (self.worker.stderr, self.log, self._read_stderr),
        ):
            if spool.is_blocked:
                spool.write_out()
                if not spool.is_blocked:
                    self.selector.register(fd, selectors.EVENT_READ, handler)
        if time.monotonic() >= self.next_sync:
            self.next_sync = time.monotonic() + TICK_S
            self.journal.sync()
            self.log.sync()
            self.use.look()
            if self._is_deleted():
                self.error = "The run folder was deleted."
                self._kill("kill")

    def _answer_calls(self) -> None:
        broker = self.worker.broker
        if broker is not None and not broker.answer_waiting():
            self.selector.unregister(broker.listener)
            broker.close()
            self.worker.broker = None

    def _is_deleted(self) -> bool:
        return 0 in (os.fstat(self.folder_fd).st_nlink, os.fstat(self.journal_fd).st_nlink)

    def _read_commands(self) -> None:
        try:
            chunk = os.read(self.control_fd, 4096)
        except BlockingIOError:
            return
        *lines, rest = (self.commands + chunk).split(b"\n")
        self.commands = rest[-4096:]
        for line in lines:
            self._handle_command(line)

    def _handle_command(self, line: bytes) -> None:
        try:
            command = json.loads(line)["cmd"]
        except (ValueError, TypeError, KeyError):
            return  # not a command of the lab
        if command == "kill":
            self._kill("kill")
            return
        self._send(line)
        if command == "stop":
            self._begin_stop()

    def _on_sigterm(self, *_: object) -> None:
        self.signalled = True  # the wake-up pipe ends the select; the loop then handles it

    def _check_tree_limits(self) -> None:
        if self.killed_by is None and (excess := self.tree_limits.excess()) is not None:
            self.error = excess.message
            self._kill(excess.by)

    def _begin_stop(self) -> None:
        self.stopped = True
        if self.term_at is None and self.kill_at is None:
            self.term_at = time.monotonic() + self.launch.stop_grace_s

    def _escalate_stop(self) -> None:
        now = time.monotonic()
        if self.signalled and not self.stopped:
            # SIGTERM to the guardian itself is a stop request too.
            self._handle_command(b'{"cmd":"stop"}')
        if self.term_at is not None and now >= self.term_at:
            self.term_at, self.kill_at = None, now + self.launch.kill_grace_s
            self.killed_by = "ladder"
            signal_descendants(os.getpid(), signal.SIGTERM)
        if self.kill_at is not None and now >= self.kill_at:
            self._kill(self.killed_by or "ladder")

    def _kill(self, by: str) -> None:
        self.killed_by = by
        self.term_at = None
        kill_children()
        signal_descendants(os.getpid(), signal.SIGKILL)
        self.kill_at = time.monotonic() + RETRY_S  # processes forked meanwhile are killed next time

    def _send(self, line: bytes) -> None:
        if len(self.unsent) < MAX_UNSENT:
            self.unsent += line + b"\n"
        self._send_rest()

    def _send_rest(self) -> None:
        fd = self.worker.stdin
        is_watched = fd in self.selector.get_map()
        try:
            while self.unsent:
                del self.unsent[: os.write(fd, self.unsent)]
        except BlockingIOError:
            if not is_watched:
                self.selector.register(fd, selectors.EVENT_WRITE, self._send_rest)
            return
        except OSError:
            self.unsent.clear()  # the worker has closed its stdin
        if is_watched:
            self.selector.unregister(fd)

    def _reap(self) -> bool:
        """Collect every exited child: the worker, and orphans that became our children. True: none is left."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            self.use.add(usage)
            if pid == self.worker.pid:
                self.status = status
                self.max_rss = usage.ru_maxrss * 1024

    def _end_tree(self) -> None:
        """SIGKILL until the kernel says that no child is left; orphans of the tree are our children.

        A list of processes would not do: one that forks and exits quickly is never in it. So an attempt ends only
        when its last process has ended, even if the kernel takes long to end one.
        """
        deadline, wait_s = time.monotonic() + UNKILLABLE_S, KILL_AGAIN_S
        kill_children()
        while not self._reap():
            if wait_s < TICK_S and time.monotonic() > deadline:
                left, wait_s = find_children(), TICK_S
                self.error = f"{len(left)} processes took long to be killed: {left[:20]}"
            select.select([self.wake_r], [], [], wait_s)
            with contextlib.suppress(BlockingIOError):
                os.read(self.wake_r, 512)
            kill_children()

    def _drain(self) -> None:
        """Copy what is still in the pipes; waits for a full disk until a kill command comes."""
        deadline = time.monotonic() + DRAIN_S
        for fd in (self.worker.stdin, self.worker.stdout, self.worker.stderr):
            if fd in self.selector.get_map():
                self.selector.unregister(fd)
        self._drain_one(self.worker.stdout, self.journal, self.journal.feed, deadline)
        self._drain_one(self.worker.stderr, self.log, self.log.put, deadline)
        self.journal.end()
        self._wait_for_disk(self.journal, deadline)
        if self.journal.is_blocked:
            lost = len(self.journal.pending)
            self.error = f"The disk was full: the last {lost:,} bytes of the journal are missing."
        self.journal.close()
        self.log.close()

    def _drain_one(self, fd: int, spool: Spool, feed: Callable[[bytes], None], deadline: float) -> None:
        while True:
            self._wait_for_disk(spool, deadline)
            chunk = None if spool.is_blocked else self._read(fd, min(CHUNK, self.launch.limits.line_bytes))
            if not chunk:
                return
            feed(chunk)

    def _wait_for_disk(self, spool: Spool, deadline: float) -> None:
        spool.write_out()
        while spool.is_blocked and time.monotonic() < deadline:
            for key, _ in self.selector.select(RETRY_S):
                key.data()
            if self.killed_by == "kill" or self._is_deleted():
                return
            spool.write_out()


def main(argv: list[str]) -> int:
    """Exit code 0 when exit.json was written; 75 when another guardian holds the attempt."""
    close_inherited()
    fill_stdio()
    os.umask(PRIVATE_UMASK)
    folder_fd = os.open(argv[1], os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    lock_fd = os.open("lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=folder_fd)
    if not take_lock(lock_fd):
        print("Another guardian is running this attempt.", file=sys.stderr)
        return 75
    if exists(EXIT_FILE, folder_fd):
        print("This attempt has ended.", file=sys.stderr)
        return 75
    reserve_exit_record(folder_fd)
    write_exit_record(folder_fd, guard(folder_fd))
    return 0


def guard(folder_fd: int) -> ExitRecord:
    """Start the worker and stay until it has ended; returns how it ended."""
    started_at = time.time()
    become_subreaper()
    oom_kills = count_oom_kills()
    try:
        guardian = Guardian(folder_fd, open_launch(folder_fd))
        guardian.run()
    except NotStarted as error:
        return ExitRecord(started_at=started_at, ended_at=time.time(), error=str(error))
    except Exception as error:  # any failure must be recorded as the end of the attempt
        text = f"The worker could not be run: {type(error).__name__}: {error}"
        return ExitRecord(started_at=started_at, ended_at=time.time(), error=text)
    return _record(guardian, started_at, oom_kills)


def _record(guardian: Guardian, started_at: float, oom_kills: int | None) -> ExitRecord:
    code = os.waitstatus_to_exitcode(guardian.status or 0)
    was_killed = code < 0 or guardian.killed_by == "kill"
    return ExitRecord(
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        oom=code == -signal.SIGKILL and guardian.killed_by is None and count_oom_kills() != oom_kills,
        stopped=guardian.stopped,
        killed_by=guardian.killed_by if was_killed else None,
        started_at=started_at,
        ended_at=time.time(),
        journal_bytes=guardian.journal.written,
        dropped_lines=guardian.journal.dropped_lines,
        max_rss_bytes=guardian.max_rss,
        peak_memory_bytes=guardian.use.peak_memory,
        cpu_s=round(guardian.use.cpu_s, 3),
        error=guardian.error,
    )


def _left_memory(launch: Launch) -> LeftMemory | None:
    """None for the lab's own workers, which clean up, and for programs with a /dev/shm of their own."""
    if launch.confine is None or launch.confine.own_shared_memory:
        return None
    from rl_lab.guardian.left_memory import LeftMemory

    return LeftMemory()
