"""System calls the filter knows, by what happens to them, with their numbers on x86_64 and on aarch64.

-1 = there is no such call. Every other call that a kernel has up to NEWEST is allowed: all of them were reviewed, and
every number without a call is refused, so this is as strict as a list of allowed calls and shorter.
"""

from __future__ import annotations

Numbers = dict[str, tuple[int, int]]

NEWEST = 462
"""mseal, the last call that was reviewed. Later ones get ENOSYS, as from an older kernel, and libraries use the older
call: among them are setxattrat, removexattrat, open_tree_attr and file_setattr."""

UNASSIGNED: dict[str, tuple[tuple[int, int], ...]] = {
    "x86_64": ((337, 423),),
    "aarch64": ((245, 259), (295, 423)),
}
"""First and last numbers below NEWEST that a later kernel may give to a new call; ENOSYS as well. 335 and 336 of x86_64
are used by the kernel itself in programs that are traced."""

REFUSED: Numbers = {
    # Reading or controlling other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
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
    "fanotify_mark": (301, 263),
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
    "lsm_set_self_attr": (460, 460),
}
"""Fail with EPERM."""

ABSENT: Numbers = {
    # An io_uring can open sockets without the filter noticing; the arguments of clone3 and openat2 are in memory,
    # which a filter cannot read.
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),
    "openat2": (437, 437),
    # System V memory, queues and semaphores, and POSIX queues: shared by all programs of a user, and they outlive a
    # run. Kernels can be built without them, so libraries use files in /dev/shm instead.
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # Reports the names of new files in folders that Landlock keeps closed.
    "inotify_init": (253, -1),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    # Lists of mounts, of other namespaces too.
    "statmount": (457, 457),
    "listmount": (458, 458),
}
"""Fail with ENOSYS, as from a kernel without them, so that libraries use another call."""

UNSUPPORTED: Numbers = {
    "getxattr": (191, 8),
    "lgetxattr": (192, 9),
    "listxattr": (194, 11),
    "llistxattr": (195, 12),
}
"""Fail with ENOTSUP, as on a file system without extended attributes: Landlock does not restrict reading them by the
path of a file. By an open descriptor they can be read."""

CHANGES: Numbers = {
    "chmod": (90, -1),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, -1),
    "fchown": (93, 55),
    "lchown": (94, -1),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "futimesat": (261, -1),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
}
"""Change the mode, owner, times or attributes of a file, which Landlock does not restrict: the guardian makes these
changes (`confinement/changes.py`), and without a guardian they fail with EPERM."""

SCHEDULING: Numbers = {
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
}
"""Allowed for the calling thread (pid 0). For another pid the guardian decides (`confinement/scheduling.py`)."""

BY_ARGUMENT: Numbers = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "clone": (56, 220),
    "unshare": (272, 97),
    "prlimit64": (302, 261),
    "ioctl": (16, 29),
    "open": (2, -1),
    "openat": (257, 56),
    "creat": (85, -1),
    "mknod": (133, -1),
    "mknodat": (259, 33),
}
"""Refused with certain arguments only; `seccomp.py` has the rules."""

NUMBERS: Numbers = {**REFUSED, **ABSENT, **UNSUPPORTED, **CHANGES, **SCHEDULING, **BY_ARGUMENT}

MACHINES = ("x86_64", "aarch64")
"""The columns of the tables."""


def numbers_on(machine: str) -> dict[str, int]:
    """The calls that exist on this machine."""
    column = MACHINES.index(machine)
    return {name: both[column] for name, both in NUMBERS.items() if both[column] >= 0}
