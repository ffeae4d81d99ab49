"""Gives up what a process may do beyond an ordinary user: capabilities, and being root.

Standard library only. Called between fork and exec; nothing of it can be undone.
"""

from __future__ import annotations

import ctypes
import errno
import os

PR_SET_SECUREBITS, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 28, 24, 38, 47
AMBIENT_CLEAR_ALL = 4
SECUREBITS = 0b1110_0011
"""NOROOT, KEEP_CAPS off and NO_CAP_AMBIENT_RAISE, each locked: the user root has no capabilities when it executes."""
CAPABILITIES = 64
HEADER = (0x20080522, 0)
"""Version 3 of the interface: effective, permitted and inheritable, in two 32-bit halves."""

_libc = ctypes.CDLL(None, use_errno=True)


def give_up_privileges(uid: int = -1, gid: int = -1) -> None:
    """No program started from here gains privileges, and none has a capability; -1 = the user stays.

    Raises OSError when the kernel refuses.
    """
    if _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise _error()
    if any(_capabilities()):
        # These fail for numbers beyond the last capability and without SETPCAP; no_new_privs holds in any case.
        for number in range(CAPABILITIES):
            _libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
        _libc.prctl(PR_SET_SECUREBITS, SECUREBITS, 0, 0, 0)
    if uid >= 0:
        become_user(uid, gid)
    _drop_capabilities()


def become_user(uid: int, gid: int) -> None:
    """For ever: the real, effective and saved ids change, and no other group is left."""
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    if os.getresuid() != (uid,) * 3 or os.getresgid() != (gid,) * 3 or os.getgroups():
        raise OSError(errno.EPERM, "the user could not be changed")


def _drop_capabilities() -> None:
    _libc.prctl(PR_CAP_AMBIENT, AMBIENT_CLEAR_ALL, 0, 0, 0)
    if _libc.capset((ctypes.c_uint32 * 2)(*HEADER), (ctypes.c_uint32 * 6)()) != 0:
        raise _error()
    if any(_capabilities()):
        raise OSError(errno.EPERM, "capabilities could not be dropped")


def _capabilities() -> list[int]:
    data = (ctypes.c_uint32 * 6)()
    if _libc.capget((ctypes.c_uint32 * 2)(*HEADER), data) != 0:
        raise _error()
    return list(data)


def _error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
