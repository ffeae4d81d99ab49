"""Landlock: the kernel refuses every file, TCP port and signal that a rule does not allow. Standard library only.

The system calls are made through ctypes, since neither Python nor libc has them. Rules can never be removed again.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""The same numbers on every architecture."""
ASK_VERSION = 1
PATH_BENEATH = 1
NEWEST_ABI = 7
"""Features of later kernels are not requested: they could not be tested."""
NET_ABI, SCOPE_ABI = 4, 6

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << n for n in range(6))
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = (1 << n for n in range(6, 13))
REFER, TRUNCATE, IOCTL_DEV = (1 << n for n in range(13, 16))

READ = EXECUTE | READ_FILE | READ_DIR
WRITE = (
    READ
    | WRITE_FILE
    | REMOVE_DIR
    | REMOVE_FILE
    | MAKE_DIR
    | MAKE_REG
    | MAKE_SOCK
    | MAKE_FIFO
    | MAKE_SYM
    | REFER
    | TRUNCATE
)
DEVICE = READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | IOCTL_DEV
"""For device files and folders with device files: use them, but create none."""
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
"""Rights that a rule for a single file may contain."""
_KNOWN_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many of the rights above each ABI supports; from ABI 5 on all 16."""
_BIND_AND_CONNECT = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11

_libc = ctypes.CDLL(None, use_errno=True)


def landlock_abi() -> int:
    """The kernel's Landlock ABI; 0 = not available or turned off."""
    try:
        abi = _call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(ASK_VERSION))
    except OSError:
        return 0
    return min(abi, NEWEST_ABI)


def restrict(abi: int, rules: Iterable[tuple[str, int]], *, network: bool) -> None:
    """Allow this process and all it starts only what the rules (path, rights) permit.

    Paths that do not exist are skipped. Needs no_new_privs. Raises OSError when the kernel refuses.
    """
    known = (1 << _KNOWN_BY_ABI.get(abi, 16)) - 1
    ruleset = _create(abi, known, network)
    try:
        for path, rights in rules:
            _allow(ruleset, path, rights & known)
        _call(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _create(abi: int, known: int, network: bool) -> int:
    words = [known]
    if abi >= NET_ABI:
        words.append(0 if network else _BIND_AND_CONNECT)
    if abi >= SCOPE_ABI:
        words.append(_ABSTRACT_SOCKETS_AND_SIGNALS)
    given = struct.pack(f"={len(words)}Q", *words)
    return _call(CREATE_RULESET, given, ctypes.c_size_t(len(given)), ctypes.c_uint32(0))


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # a path that cannot be reached needs no rule
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= _OF_FILES
        rule = struct.pack("=Qi", rights, fd)
        _call(ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(PATH_BENEATH), rule, ctypes.c_uint32(0))
    finally:
        os.close(fd)


def _call(number: int, *arguments: object) -> int:
    result = int(_libc.syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
