"""Sockets, namespaces, mounts and other services of the kernel, and ways round the filter."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import socket
import struct
from typing import Any

from .cell import REFUSED, Cell, check, libc


def sockets(at: Any) -> list[Cell]:
    stream, datagram, raw = socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW
    kinds = {
        "TCP": (2, stream, 0), "TCP over IPv6": (10, stream, 0), "UDP": (2, datagram, 0),
        "UDP over IPv6": (10, datagram, 0),
        "raw": (2, raw, 1), "ping": (2, datagram, 1), "MPTCP": (2, stream, 262), "SMC": (43, stream, 0),
        "netlink": (16, raw, 0), "packet": (17, raw, 0), "vsock": (40, stream, 0), "crypto": (38, 5, 0),
        "Bluetooth": (31, raw, 1), "CAN": (29, raw, 1), "XDP": (44, raw, 0), "QIPCRTR": (42, datagram, 0),
        "TIPC": (30, datagram, 0), "RDS": (21, 5, 0), "KCM": (41, datagram, 0), "PPP": (24, datagram, 0),
        "key": (15, raw, 2),
        "local datagrams": (1, datagram, 0), "local raw": (1, raw, 0),
    }  # fmt: skip

    def connect(address: str) -> None:
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(address)

    def send_datagram() -> None:
        first, _ = socket.socketpair(socket.AF_UNIX, datagram)
        first.sendto(b"x", at.socket)

    def connect_tcp() -> None:
        with socket.create_connection(("127.0.0.1", at.port), 5):
            pass

    return [
        *(Cell("sockets", name, lambda k=kind: socket.socket(*k).close()) for name, kind in kinds.items()),
        Cell("sockets", "a local address", lambda: connect(at.socket)),
        Cell("sockets", "an abstract address", lambda: connect("\0" + at.abstract)),
        Cell("sockets", "a datagram to a local address", send_datagram),
        Cell("sockets", "a port of this machine", connect_tcp),
        *(
            Cell("sockets", name, lambda n=name: check(libc.syscall(at.calls[n], 8, bytes(128), 0, 0)))
            for name in ("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3", "openat2")
        ),
        Cell("sockets", "a call of the x32 interface", lambda: check(libc.syscall(0x40000000 | 41, 2, 1, 0))),
        Cell("sockets", "a call of the 32-bit interface", _call_32_bit),
    ]


def _call_32_bit() -> None:
    """socket(AF_INET, SOCK_STREAM, 0) by `int 0x80`, number 359."""
    if os.uname().machine != "x86_64":
        raise PermissionError(errno.EPERM, "no such interface")
    code = b"\x53\xb8\x67\x01\x00\x00\xbb\x02\x00\x00\x00\xb9\x01\x00\x00\x00\x31\xd2\xcd\x80\x5b\x48\x98\xc3"
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    pid = os.fork()  # a kernel without this interface ends the process
    if pid == 0:
        result = ctypes.CFUNCTYPE(ctypes.c_long)(address)()
        os._exit(0 if result >= 0 else min(-result, 255))
    code_of_child = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code_of_child:
        raise OSError(errno.EPERM if code_of_child < 0 else code_of_child, "refused")


KERNEL = (
    "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount",
    "fspick", "mount_setattr", "setns", "fanotify_init", "fanotify_mark", "bpf", "userfaultfd", "kexec_load",
    "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot", "swapon", "swapoff", "acct",
    "quotactl", "quotactl_fd", "syslog", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
    "sethostname", "setdomainname", "vhangup", "lookup_dcookie", "add_key", "request_key", "keyctl", "iopl",
    "ioperm", "lsm_set_self_attr", "statmount", "listmount", "setxattrat", "removexattrat", "open_tree_attr",
    "file_setattr",
)  # fmt: skip

NAMESPACES = {
    "user": 0x10000000, "mount": 0x00020000, "network": 0x40000000, "process": 0x20000000,
    "IPC": 0x08000000, "host name": 0x04000000, "cgroup": 0x02000000,
}  # fmt: skip


def kernel(at: Any) -> list[Cell]:
    """All arguments are 0, which harms nothing where a call is let through: the program has no capability."""
    flags = NAMESPACES["user"] | 17
    known = [name for name in KERNEL if at.calls.get(name, -1) >= 0]
    return [
        *(
            Cell("kernel", name, lambda n=name: check(libc.syscall(at.calls[n], 0, 0, 0, 0, 0)))
            for name in known
        ),
        *(
            Cell("kernel", f"{name} namespace", lambda flag=flag: check(libc.unshare(flag)))
            for name, flag in NAMESPACES.items()
        ),
        Cell(
            "kernel",
            "namespace of a new process",
            lambda: check(libc.syscall(at.calls["clone"], flags, 0, 0, 0, 0)),
        ),
        Cell("kernel", "a call of a later kernel", lambda: check(libc.syscall(999, 0, 0, 0))),
        Cell("kernel", "a listener for system calls", _listen_to_calls, REFUSED | {errno.EBUSY}),
    ]


def _listen_to_calls() -> None:
    code = struct.pack("=HBBI", 6, 0, 0, 0x7FFF0000)
    program = struct.pack("=HxxxxxxQ", 1, ctypes.cast(ctypes.c_char_p(code), ctypes.c_void_p).value or 0)
    number = 317 if os.uname().machine == "x86_64" else 277
    check(libc.syscall(number, 1, 8, program))
