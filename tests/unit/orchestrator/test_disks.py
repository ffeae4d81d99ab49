"""A home folder on a network disk is noticed by the mount it is on."""

from __future__ import annotations

from pathlib import Path

from rl_lab.orchestrator.disks import file_system_of, network_disk_words

MOUNTS = """/dev/vda1 / ext4 rw 0 0
server:/export /tmp nfs4 rw 0 0
tmpfs /tmp/local\\040disk tmpfs rw 0 0
"""


def test_the_deepest_mount_counts() -> None:
    assert file_system_of(Path("/"), MOUNTS) == "ext4"
    assert file_system_of(Path("/tmp/lab-home-that-is-not-there"), MOUNTS) == "nfs4"


def test_a_network_disk_is_named_with_a_remedy() -> None:
    words = network_disk_words(Path("/tmp/lab-home-that-is-not-there"), MOUNTS)
    assert "nfs4" in words
    assert "--home" in words
    assert network_disk_words(Path("/"), MOUNTS) == ""
