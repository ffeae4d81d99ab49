"""seccomp: a small filter in the kernel that refuses system calls. Standard library only.

The filter is classic BPF, written by hand: it checks the architecture, looks up the number of the call by binary search
and, for a few calls, checks an argument. A refused call fails with an error code, so that a program can report what was
not allowed. Some calls are passed to the guardian, which answers them (`confinement/call_broker.py`).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from rl_lab.guardian.confinement.system_calls import (
    ABSENT,
    CHANGES,
    NEWEST,
    NUMBERS,
    REFUSED,
    UNASSIGNED,
    UNSUPPORTED,
    numbers_on,
)

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000
"""Set in calls of the x32 interface, which are refused: they would bypass the filter."""

AF_UNIX, SOCK_STREAM, SOCK_SEQPACKET = 1, 1, 5
NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""
MAKES_FILE = 0o100 | 0o20000000
"""O_CREAT or the bit that makes O_TMPFILE more than O_DIRECTORY: only then a mode is given."""
SET_ID = 0o6000
PRIO_PROCESS, IOPRIO_WHO_PROCESS = 0, 1

REFUSED_REQUESTS = (
    0x40086602,  # FS_IOC_SETFLAGS, its 32-bit form, FS_IOC_FSSETXATTR and FS_IOC_SETVERSION: flags of a file
    0x40046602,
    0x401C5820,
    0x40087602,
    0x40806685,  # FS_IOC_ENABLE_VERITY: the file could never be written again
    0x800C6613,  # FS_IOC_SET_ENCRYPTION_POLICY
    0x41009432,  # FS_IOC_SETFSLABEL
    0x5412,  # TIOCSTI and TIOCLINUX type into the terminal
    0x541C,
)
"""ioctls that need no write access to the file they change."""

SET_MODE_FILTER = 1
NEW_LISTENER, WAIT_KILLABLE = 1 << 3, 1 << 5
_SECCOMP = {"x86_64": 317, "aarch64": 277}

_ALLOW, _ERRNO, _NOTIFY = 0x7FFF0000, 0x00050000, 0x7FC00000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _JUMP, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x05, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_libc = ctypes.CDLL(None, use_errno=True)

Instruction = tuple[int, int, int, int]
"""Operation, how many to skip if true, if false, and the constant."""
Rule = list[Instruction]
"""For calls of one number; every path through it returns."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def is_known_machine() -> bool:
    return os.uname().machine in ARCHITECTURES


def install(*, network: bool, supervised: bool = False) -> int | None:
    """Apply the filter to this process and all it starts. Needs no_new_privs; raises OSError when refused.

    `supervised`: returns the descriptor on which the guardian receives the calls it decides. None, and these calls are
    refused, where the kernel has no such descriptors (before 5.0) or an outer sandbox uses the only one there can be.
    """
    if supervised:
        for flags in (NEW_LISTENER | WAIT_KILLABLE, NEW_LISTENER):
            try:
                return _install(flags, network=network, supervised=True)
            except OSError as error:
                if error.errno not in (errno.EINVAL, errno.EBUSY):
                    raise
    _install(0, network=network, supervised=False)
    return None


def _install(flags: int, *, network: bool, supervised: bool) -> int:
    machine = os.uname().machine
    instructions = filter_program(machine, network=network, supervised=supervised)
    code = b"".join(struct.pack("=HBBI", *one) for one in instructions)
    program = _Program(len(code) // 8, code)
    call = ctypes.c_long(_SECCOMP[machine])
    result = _libc.syscall(call, SET_MODE_FILTER, flags, ctypes.byref(program))
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return int(result)


def is_held() -> bool:
    """Whether our filter is active in this process: tries a call that must be refused and would have no effect."""
    numbers = NUMBERS["keyctl"]
    ctypes.set_errno(0)
    result = _libc.syscall(
        ctypes.c_long(numbers[list(ARCHITECTURES).index(os.uname().machine)]), -1, 0, 0, 0, 0
    )
    return bool(result == -1 and ctypes.get_errno() == errno.EPERM)


def filter_program(machine: str, *, network: bool, supervised: bool = False) -> list[Instruction]:
    """The whole filter for `machine`.

    The kernel runs it once for every number when it is installed, and never again for calls that are allowed whatever
    their arguments are. Measured on x86_64: any filter adds 40 ns to such a call (getppid takes 165 ns without), be it
    a list, this tree or a tree of all allowed calls. A call whose arguments are checked takes 90 ns more with a list
    and 60 ns more with either tree.
    """
    program = [
        _load(_ARCHITECTURE),
        (_EQUAL, 1, 0, ARCHITECTURES[machine]),
        _refuse(errno.EPERM),
        _load(_NUMBER),
    ]
    if machine == "x86_64":
        program += [(_AT_LEAST, 0, 1, X32_BIT), _refuse(errno.EPERM)]
    program += [(_AT_LEAST, 0, 1, NEWEST + 1), _refuse(errno.ENOSYS)]
    for first, last in UNASSIGNED[machine]:
        program += [(_AT_LEAST, 0, 2, first), (_AT_LEAST, 1, 0, last + 1), _refuse(errno.ENOSYS)]
    rules = _rules(network=network, supervised=supervised)
    return program + _search(sorted((number, rules[name]) for name, number in numbers_on(machine).items()))


def _search(rules: list[tuple[int, Rule]]) -> list[Instruction]:
    """Binary search for the number; a call without a rule is allowed."""
    if len(rules) == 1:
        number, rule = rules[0]
        return [(_EQUAL, 0, len(rule), number), *rule, _ALLOWED]
    middle = len(rules) // 2
    lower, upper = _search(rules[:middle]), _search(rules[middle:])
    # The distance of a test has 8 bits, which is too short; that of a jump has 32.
    return [(_AT_LEAST, 0, 1, rules[middle][0]), (_JUMP, 0, 0, len(lower)), *lower, *upper]


def _rules(*, network: bool, supervised: bool) -> dict[str, Rule]:
    ask = (_RETURN, 0, 0, _NOTIFY) if supervised else _refuse(errno.EPERM)
    local = [_ALLOWED] if network else _LOCAL_ONLY
    return {
        **{name: [_refuse(errno.EPERM)] for name in REFUSED},
        **{name: [_refuse(errno.ENOSYS)] for name in ABSENT},
        **{name: [_refuse(errno.ENOTSUP)] for name in UNSUPPORTED},
        **{name: [ask] for name in CHANGES},
        "setpriority": _of_process(PRIO_PROCESS, ask),
        "ioprio_set": _of_process(IOPRIO_WHO_PROCESS, ask),
        **{name: _of_self(ask) for name in ("sched_setaffinity", "sched_setscheduler", "sched_setparam")},
        "sched_setattr": _of_self(_refuse(errno.EPERM)),
        "connect": [_ALLOWED if network else _refuse(errno.EACCES)],
        "socket": local,
        "socketpair": local,
        "clone": _NEW_NAMESPACES,
        "unshare": _NEW_NAMESPACES,
        "prlimit64": _LIMITS_OF_OTHERS,
        "ioctl": _REQUESTS,
        "open": _new_file(flags=1, mode=2),
        "openat": _new_file(flags=2, mode=3),
        "creat": _without_set_id(1),
        "mknod": _without_set_id(1),
        "mknodat": _without_set_id(2),
    }


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


def _argument(index: int, *, high: bool = False) -> int:
    """Offset of one half of a call's argument; both architectures are little-endian."""
    return 16 + 8 * index + (4 if high else 0)


def _refuse(code: int) -> Instruction:
    return (_RETURN, 0, 0, _ERRNO | code)


_ALLOWED: Instruction = (_RETURN, 0, 0, _ALLOW)
_LOCAL_ONLY: Rule = [
    _load(_argument(0)),
    (_EQUAL, 0, 5, AF_UNIX),
    _load(_argument(1)),
    (_AND, 0, 0, 0xF),
    (_EQUAL, 1, 0, SOCK_STREAM),
    (_EQUAL, 0, 1, SOCK_SEQPACKET),
    _ALLOWED,
    _refuse(errno.EACCES),
]
"""socket(family, type, …): without network access only local stream sockets, which cannot send without a connection;
connecting is refused. CUDA does not start unless it can create one. Datagram sockets are refused, because they can
send without a connection."""
_NEW_NAMESPACES: Rule = [
    _load(_argument(0)),
    (_ANY_BIT, 0, 1, NAMESPACES),
    _refuse(errno.EPERM),
    _ALLOWED,
]
_LIMITS_OF_OTHERS: Rule = [
    _load(_argument(0)),
    (_EQUAL, 4, 0, 0),
    _load(_argument(2)),
    (_EQUAL, 0, 3, 0),
    _load(_argument(2, high=True)),
    (_EQUAL, 0, 1, 0),
    _ALLOWED,
    _refuse(errno.EPERM),
]
"""prlimit64(pid, resource, new, old): a process may set its own limits (pid 0) but only read those of others."""
_REQUESTS: Rule = [
    _load(_argument(1)),
    *((_EQUAL, len(REFUSED_REQUESTS) - place, 0, one) for place, one in enumerate(REFUSED_REQUESTS)),
    _ALLOWED,
    _refuse(errno.EPERM),
]
"""ioctl(descriptor, request, …)"""


def _of_self(ask: Instruction) -> Rule:
    """call(pid, …): pid 0 is the calling thread."""
    return [_load(_argument(0)), (_EQUAL, 1, 0, 0), ask, _ALLOWED]


def _of_process(kind: int, ask: Instruction) -> Rule:
    """call(kind, pid, …): other kinds are process groups and users, which include more than the caller."""
    return [
        _load(_argument(0)),
        (_EQUAL, 1, 0, kind),
        _refuse(errno.EPERM),
        _load(_argument(1)),
        (_EQUAL, 1, 0, 0),
        ask,
        _ALLOWED,
    ]


def _new_file(*, flags: int, mode: int) -> Rule:
    """A file is not created with a set-user-ID or set-group-ID bit."""
    return [_load(_argument(flags)), (_ANY_BIT, 1, 0, MAKES_FILE), _ALLOWED, *_without_set_id(mode)]


def _without_set_id(mode: int) -> Rule:
    return [_load(_argument(mode)), (_ANY_BIT, 0, 1, SET_ID), _refuse(errno.EPERM), _ALLOWED]
