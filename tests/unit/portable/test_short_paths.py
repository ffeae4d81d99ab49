from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from pathlib import Path

import pytest

from rl_lab.portable import short_paths
from rl_lab.portable.short_paths import MOST_BYTES, short_path


@pytest.fixture
def deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose sockets have no address; the temporary folder is in it, as that of a confined process is."""
    folder = tmp_path.joinpath(*["a folder with a long name"] * 5)
    folder.mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as listener:
        with short_path(str(path)) as address:
            listener.bind(address)
        listener.listen(1)
        with socket.socket(socket.AF_UNIX) as client, short_path(str(path)) as address:
            client.connect(address)
    return path.is_socket()


def test_a_socket_in_a_deep_folder_is_bound_and_connected(deep: Path) -> None:
    assert len(str(deep)) > MOST_BYTES
    assert answers(deep / "play.sock")
    assert sorted(path.name for path in deep.iterdir()) == ["play.sock"]


def test_without_names_of_descriptors_a_link_is_used(
    deep: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(short_paths, "DESCRIPTORS", str(tmp_path / "missing"))
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        monkeypatch.setattr(tempfile, "tempdir", short)
        assert answers(deep / "play.sock")
        assert not list(Path(short).iterdir())


@pytest.mark.skipif(not Path(short_paths.DESCRIPTORS).is_dir(), reason="has no names of descriptors")
def test_the_folder_of_a_socket_needs_no_permission_to_be_listed(deep: Path) -> None:
    with short_path(str(deep / "play.sock")) as address:
        held = int(Path(address).parent.name)
        assert fcntl.fcntl(held, fcntl.F_GETFL) & os.O_PATH


def test_a_short_path_stays_as_it_is() -> None:
    with short_path("/run/play.sock") as address:
        assert address == "/run/play.sock"
