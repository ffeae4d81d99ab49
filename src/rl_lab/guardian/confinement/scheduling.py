"""Priority, processors and scheduler of a thread of the same run, for a confined program. Standard library only.

Libraries name their own threads and processes by number (`pthread_setaffinity_np`, `psutil.Process().nice()`), which a
filter cannot tell from those of others.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Callable, Sequence

from rl_lab.guardian.confinement.caller import Caller
from rl_lab.guardian.confinement.system_calls import numbers_on
from rl_lab.guardian.processes import read_or_nothing

MAX_MASK = 8 << 10
MAX_DEPTH = 64
_libc = ctypes.CDLL(None, use_errno=True)


def refuse_strangers(thread: int, guardian: int) -> None:
    """PermissionError unless the thread belongs to a descendant of the guardian."""
    for _ in range(MAX_DEPTH):
        status = read_or_nothing(f"/proc/{thread}/status").splitlines()
        fields = dict(line.split(b":\t", 1) for line in status if b":\t" in line)
        if not fields:
            raise OSError(errno.ESRCH, "no such process")
        thread = int(fields[b"PPid"])
        if thread == guardian:
            return
        if thread <= 1:
            break
    raise PermissionError(errno.EPERM, "not a process of this run")


def set_affinity(caller: Caller, thread: int, arguments: Sequence[int]) -> None:
    mask = int.from_bytes(caller.read(arguments[1], min(arguments[0], MAX_MASK)), "little")
    os.sched_setaffinity(thread, [cpu for cpu in range(mask.bit_length()) if mask >> cpu & 1])


def set_scheduler(caller: Caller, thread: int, arguments: Sequence[int]) -> None:
    os.sched_setscheduler(thread, _int32(arguments[0]), _parameter(caller, arguments[1]))


def set_parameter(caller: Caller, thread: int, arguments: Sequence[int]) -> None:
    os.sched_setparam(thread, _parameter(caller, arguments[0]))


def set_priority(_: Caller, thread: int, arguments: Sequence[int]) -> None:
    os.setpriority(os.PRIO_PROCESS, thread, _int32(arguments[0]))


def set_io_priority(_: Caller, thread: int, arguments: Sequence[int]) -> None:
    number = ctypes.c_long(numbers_on(os.uname().machine)["ioprio_set"])
    if _libc.syscall(number, 1, thread, _int32(arguments[0])) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _parameter(caller: Caller, address: int) -> os.sched_param:
    return os.sched_param(*struct.unpack("=i", caller.read_exactly(address, 4)))


def _int32(argument: int) -> int:
    return int(ctypes.c_int32(argument & 0xFFFFFFFF).value)


ACTIONS: dict[str, tuple[int, Callable[[Caller, int, Sequence[int]], None]]] = {
    "sched_setaffinity": (0, set_affinity),
    "sched_setscheduler": (0, set_scheduler),
    "sched_setparam": (0, set_parameter),
    "setpriority": (1, set_priority),
    "ioprio_set": (1, set_io_priority),
}
"""By call: which argument names the thread, and what is done with the arguments after it."""
UNPRIVILEGED = frozenset({"sched_setaffinity"})
"""What a guardian that is root, like its program, may do for it: no capability is needed."""
