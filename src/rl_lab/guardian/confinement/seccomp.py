"""seccomp: a small filter in the kernel that refuses system calls. Standard library only.

The filter is classic BPF, written by hand: it checks the architecture, the number of the call and, for a few calls, an
argument. A refused call fails with an error code, so that a program can report what was not allowed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

PR_SET_SECCOMP, MODE_FILTER = 22, 2
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000
"""Set in calls of the x32 interface, which are refused: they would bypass the filter."""

NUMBERS: dict[str, tuple[int, int]] = {
    # Reading or controlling other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "process_madvise": (440, 440),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # Keys of the user's session.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # Changing the view of the file system.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    # The kernel and the machine.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    # Handled by the rules below.
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "clone": (56, 220),
    "unshare": (272, 97),
    "prlimit64": (302, 261),
}
"""Numbers on x86_64 and on aarch64; -1 = there is no such call."""

ABSENT = ("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3")
"""Refused with ENOSYS, as by an older kernel, so that libraries use another call: an io_uring can open sockets without
the filter noticing, and the flags of clone3 are in memory, which a filter cannot read."""
SPECIAL = frozenset({*ABSENT, "socket", "socketpair", "connect", "clone", "unshare", "prlimit64"})
AF_UNIX, SOCK_STREAM, SOCK_SEQPACKET = 1, 1, 5
NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_libc = ctypes.CDLL(None, use_errno=True)

Instruction = tuple[int, int, int, int]
"""Operation, how many to skip if true, if false, and the constant."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def is_known_machine() -> bool:
    return os.uname().machine in ARCHITECTURES


def install(*, network: bool) -> None:
    """Apply the filter to this process and all it starts. Needs no_new_privs; raises OSError when refused."""
    code = b"".join(struct.pack("=HBBI", *one) for one in filter_program(os.uname().machine, network=network))
    program = _Program(len(code) // 8, code)
    if _libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def is_held() -> bool:
    """Whether our filter is active in this process: tries a call that must be refused and would have no effect."""
    numbers = NUMBERS["keyctl"]
    ctypes.set_errno(0)
    result = _libc.syscall(
        ctypes.c_long(numbers[list(ARCHITECTURES).index(os.uname().machine)]), -1, 0, 0, 0, 0
    )
    return bool(result == -1 and ctypes.get_errno() == errno.EPERM)


def filter_program(machine: str, *, network: bool) -> list[Instruction]:
    """The whole filter for `machine`; a call without a rule is allowed."""
    column = list(ARCHITECTURES).index(machine)
    number = {name: both[column] for name, both in NUMBERS.items() if both[column] >= 0}
    program = [
        _load(_ARCHITECTURE),
        (_EQUAL, 1, 0, ARCHITECTURES[machine]),
        _refuse(errno.EPERM),
        _load(_NUMBER),
    ]
    if machine == "x86_64":
        program += [(_AT_LEAST, 0, 1, X32_BIT), _refuse(errno.EPERM)]
    for name in number.keys() - SPECIAL:
        program += _on(number[name], [_refuse(errno.EPERM)])
    for name in ABSENT:
        program += _on(number[name], [_refuse(errno.ENOSYS)])
    if not network:
        program += _on(number["connect"], [_refuse(errno.EACCES)])
        program += _on(number["socket"], _LOCAL_ONLY) + _on(number["socketpair"], _LOCAL_ONLY)
    for name in ("clone", "unshare"):
        program += _on(number[name], _NEW_NAMESPACES)
    program += _on(number["prlimit64"], _LIMITS_OF_OTHERS)
    return [*program, _ALLOWED]


def _on(number: int, rule: list[Instruction]) -> list[Instruction]:
    """`rule` for calls with this number; every path through it must return."""
    return [(_EQUAL, 0, len(rule), number), *rule]


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


def _argument(index: int, *, high: bool = False) -> int:
    """Offset of one half of a call's argument; both architectures are little-endian."""
    return 16 + 8 * index + (4 if high else 0)


def _refuse(code: int) -> Instruction:
    return (_RETURN, 0, 0, _ERRNO | code)


_ALLOWED: Instruction = (_RETURN, 0, 0, _ALLOW)
_LOCAL_ONLY: list[Instruction] = [
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
_NEW_NAMESPACES: list[Instruction] = [
    _load(_argument(0)),
    (_ANY_BIT, 0, 1, NAMESPACES),
    _refuse(errno.EPERM),
    _ALLOWED,
]
_LIMITS_OF_OTHERS: list[Instruction] = [
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
