"""What kind of disk a folder is on; SQLite's locks are not safe on a network disk."""

from __future__ import annotations

from pathlib import Path

NETWORK_DISKS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "fuse.sshfs"}
)


def file_system_of(folder: Path, mounts: str | None = None) -> str:
    """The type of the mount the folder is on, from /proc; empty where there is none."""
    try:
        text = Path("/proc/mounts").read_text() if mounts is None else mounts
    except OSError:
        return ""
    resolved = existing(folder).resolve()
    lines = (line.split()[1:3] for line in text.splitlines())
    fitting = [(place.replace("\\040", " "), kind) for place, kind in lines]
    fitting = [(place, kind) for place, kind in fitting if resolved.is_relative_to(place)]
    return max(fitting, key=lambda found: len(found[0]))[1] if fitting else ""


def network_disk_words(folder: Path, mounts: str | None = None) -> str:
    """The warning about the disk of this folder; empty when there is none."""
    kind = file_system_of(folder, mounts)
    if kind not in NETWORK_DISKS:
        return ""
    return (
        f"{folder} is on a network disk ({kind}), where SQLite's locks are not safe and the database can be damaged. "
        "Put the home folder on a local disk with --home or RL_LAB_HOME."
    )


def existing(folder: Path) -> Path:
    """The folder, or the nearest existing one above it."""
    return next(p for p in (folder, *folder.parents) if p.exists())
