"""Changes of a file's mode, owner, times and attributes on behalf of a confined program. Standard library only.

The guardian opens the file itself, checks that very descriptor and changes the file through it: renaming or replacing a
path meanwhile has no effect.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rl_lab.guardian.confinement.caller import AT_FDCWD, Caller

AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH = 0x100, 0x1000
XATTR_NAME_MAX, XATTR_SIZE_MAX = 256, 64 << 10
UNCHANGED = 0xFFFFFFFF
NOW = (1 << 30) - 1
"""UTIME_NOW, as nanoseconds."""

_libc = ctypes.CDLL(None, use_errno=True)


class Target(NamedTuple):
    """Which arguments of a call name its file."""

    path: int | None = None
    folder: int | None = None
    """A descriptor: of the folder a relative path begins at, or of the file when there is no path."""
    flags: int | None = None
    of_link: bool = False
    """Links are not followed, whatever the flags."""
    may_be_null: bool = False
    """Without a path the descriptor is the file."""


class OpenFile(NamedTuple):
    """The file to be changed: the guardian's own descriptor, and what it was when it was checked."""

    fd: int
    info: os.stat_result

    @property
    def path(self) -> str:
        """Leads to the open file itself, also when that is a link."""
        return f"/proc/self/fd/{self.fd}"


def descriptor_of(target: Target, arguments: Sequence[int]) -> int:
    return AT_FDCWD if target.folder is None else _signed(arguments[target.folder])


def open_target(caller: Caller, target: Target, arguments: Sequence[int]) -> OpenFile:
    flags = 0 if target.flags is None else arguments[target.flags]
    if flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) & 0xFFFFFFFF:
        raise OSError(errno.EINVAL, "unknown flags")
    if _names_descriptor(target, arguments):
        return _opened(caller.open_folder())
    path = caller.text(arguments[target.path or 0])
    if not path and flags & AT_EMPTY_PATH:
        return _opened(caller.open_folder())
    is_link = target.of_link or bool(flags & AT_SYMLINK_NOFOLLOW)
    return _opened(caller.open(path, os.O_NOFOLLOW if is_link else 0))


def _names_descriptor(target: Target, arguments: Sequence[int]) -> bool:
    if target.path is None:
        return True
    return target.may_be_null and not arguments[target.path] and descriptor_of(target, arguments) != AT_FDCWD


def _opened(fd: int) -> OpenFile:
    return OpenFile(fd, os.fstat(fd))


def refuse_outside(file: OpenFile, folders: Sequence[int], user: int) -> None:
    """PermissionError unless the file is beneath one of the folders and belongs to the user.

    A program can move files between its folders only (Landlock), so a file that is beneath one stays there. A file with
    a second name may be known outside as well.
    """
    if file.info.st_uid != user:
        raise PermissionError(errno.EPERM, "not its own")
    if file.info.st_nlink > 1 and not stat.S_ISDIR(file.info.st_mode):
        raise PermissionError(errno.EPERM, "it has several names")
    place = os.readlink(file.path)  # noqa: PTH115  the guardian does not import pathlib
    tops = [os.readlink(f"/proc/self/fd/{folder}") for folder in folders]  # noqa: PTH115
    if not any(place == top or place.startswith(top.rstrip("/") + "/") for top in tops):
        raise PermissionError(errno.EPERM, "outside its folders")


def set_mode(_: Caller, file: OpenFile, arguments: Sequence[int]) -> None:
    """Bits that make a program run as its owner or group are left out; folders keep the one they have."""
    kept = stat.S_ISGID & file.info.st_mode if stat.S_ISDIR(file.info.st_mode) else 0
    os.chmod(file.path, arguments[0] & (0o1777 | kept))  # noqa: PTH101


def set_owner(_: Caller, file: OpenFile, arguments: Sequence[int]) -> None:
    """Only what changes nothing."""
    wanted = [argument & 0xFFFFFFFF for argument in arguments[:2]]
    if wanted[0] not in (UNCHANGED, file.info.st_uid) or wanted[1] not in (UNCHANGED, file.info.st_gid):
        raise PermissionError(errno.EPERM, "owners cannot be changed")


def set_times(scale: int) -> Callable[[Caller, OpenFile, Sequence[int]], None]:
    """`scale`: nanoseconds in the unit of the fractions; 0 when there are only seconds."""

    def act(caller: Caller, file: OpenFile, arguments: Sequence[int]) -> None:
        given = _times(caller, arguments[0], scale) if arguments[0] else (0, NOW, 0, NOW)
        ctypes.set_errno(0)
        if _libc.utimensat(AT_FDCWD, file.path.encode(), struct.pack("=4q", *given), 0) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    return act


def _times(caller: Caller, address: int, scale: int) -> tuple[int, int, int, int]:
    if not scale:
        accessed, modified = struct.unpack("=2q", caller.read_exactly(address, 16))
        return accessed, 0, modified, 0
    first, part, second, other = struct.unpack("=4q", caller.read_exactly(address, 32))
    if scale > 1 and not (0 <= part < 1_000_000 and 0 <= other < 1_000_000):
        raise OSError(errno.EINVAL, "no such time")
    return first, part * scale, second, other * scale


def set_attribute(caller: Caller, file: OpenFile, arguments: Sequence[int]) -> None:
    name, size = _attribute_name(caller, arguments[0]), arguments[2]
    if size > XATTR_SIZE_MAX:
        raise OSError(errno.E2BIG, "too long")
    value = caller.read_exactly(arguments[1], size) if size else b""
    os.setxattr(file.path, name, value, arguments[3] & 0xFFFFFFFF)


def remove_attribute(caller: Caller, file: OpenFile, arguments: Sequence[int]) -> None:
    os.removexattr(file.path, _attribute_name(caller, arguments[0]))


def _attribute_name(caller: Caller, address: int) -> bytes:
    """Access lists, capabilities and labels are attributes too: answered as by a file system without them."""
    name = caller.text(address, XATTR_NAME_MAX)
    if not name.startswith(b"user."):
        raise OSError(errno.ENOTSUP, "only attributes of the user")
    return name


def _signed(argument: int) -> int:
    number = argument & 0xFFFFFFFF
    return number - (1 << 32) if number >> 31 else number


class Change(NamedTuple):
    """How a system call changes a file; the action gets the arguments from `first` on."""

    target: Target
    act: Callable[[Caller, OpenFile, Sequence[int]], None]
    first: int = 1


_PATH, _LINK, _OPEN = Target(path=0), Target(path=0, of_link=True), Target(folder=0)

ACTIONS: dict[str, Change] = {
    "chmod": Change(_PATH, set_mode),
    "fchmod": Change(_OPEN, set_mode),
    "fchmodat": Change(Target(path=1, folder=0), set_mode, 2),
    "fchmodat2": Change(Target(path=1, folder=0, flags=3), set_mode, 2),
    "chown": Change(_PATH, set_owner),
    "lchown": Change(_LINK, set_owner),
    "fchown": Change(_OPEN, set_owner),
    "fchownat": Change(Target(path=1, folder=0, flags=4), set_owner, 2),
    "utime": Change(_PATH, set_times(0)),
    "utimes": Change(_PATH, set_times(1000)),
    "futimesat": Change(Target(path=1, folder=0, may_be_null=True), set_times(1000), 2),
    "utimensat": Change(Target(path=1, folder=0, flags=3, may_be_null=True), set_times(1), 2),
    "setxattr": Change(_PATH, set_attribute),
    "lsetxattr": Change(_LINK, set_attribute),
    "fsetxattr": Change(_OPEN, set_attribute),
    "removexattr": Change(_PATH, remove_attribute),
    "lremovexattr": Change(_LINK, remove_attribute),
    "fremovexattr": Change(_OPEN, remove_attribute),
}
