"""No path opens a file outside a run's folder: hundreds of hostile paths, links and pipes planted at every level."""

from __future__ import annotations

import errno
import itertools
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from rl_lab.core.errors import Forbidden, Gone, InvalidInput, LabError, NotFound
from rl_lab.store.files import safe_open as beneath
from rl_lab.store.files.folders import RunFolder, list_run_ids

SECRET = b"the token"


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    home = tmp_path / "home"
    folder = RunFolder(home, "run1")
    folder.create()
    (folder.path / "checkpoints" / "deep").mkdir(parents=True)
    (folder.path / "model.zip").write_bytes(b"model")
    (folder.path / "checkpoints" / "deep" / "a b.zip").write_bytes(b"deep")
    (home / "token").write_bytes(SECRET)
    (home / "runs" / "run2").mkdir()
    (home / "runs" / "run2" / "model.zip").write_bytes(SECRET)
    (home / "runs" / "run10").write_bytes(SECRET)
    return folder


def corpus(home: Path) -> Iterator[str]:
    """What has worked against others: encodings, absolute paths, dots, separators, schemes, fragments."""
    ups = [
        "..",
        "../",
        ".../",
        "....//",
        "..;/",
        "%2e%2e",
        "%2e%2e/",
        "%252e%252e/",
        "..%2f",
        "..%5c",
        "..\\",
    ]
    ups += [
        "%c0%ae%c0%ae/",
        "\uff0e\uff0e/",
        "．．／",
        "..%00/",
        ".%2e/",
        "%2e./",
        "..\x00/",
        "..//",
        "/..",
        "./..",
    ]
    targets = ["token", "runs/run2/model.zip", "runs/run10", "etc/passwd", "run2/model.zip", "../token", ""]
    for up, depth, target in itertools.product(ups, (1, 2, 5), targets):
        yield up * depth + target
        yield "checkpoints/" + (up if up.endswith("/") else up + "/") * depth + target
    yield from [
        str(home / "token"),
        f"//{home}/token",
        f"file://{home}/token",
        f"file:{home}/token#x",
        "/etc/passwd",
    ]
    yield from [
        "\\\\server\\share",
        "C:\\x",
        "C:/x",
        "~/token",
        "~root/token",
        "$HOME/token",
        "${HOME}",
        "`id`",
    ]
    yield from [
        "",
        ".",
        "/",
        "//",
        "./",
        "./model.zip",
        "model.zip/",
        "model.zip/.",
        "checkpoints//deep/a b.zip",
    ]
    yield from [
        "model.zip\x00.png",
        "\x00",
        "model.zip\n",
        "model.zip\r\n",
        "\ud800",
        "\udcff\udcfe",
        "a" * 256,
    ]
    yield from [
        "a/" * 600 + "b",
        "a" * 5000,
        "\u202emodel.zip",
        "model.zip\u200b",
        "MODEL.ZIP::$DATA",
        "con",
        "nul",
    ]
    yield from [
        "/proc/self/environ",
        "proc/self/root/etc/passwd",
        "/dev/fd/0",
        "dev/stdin",
        "http://x/?/../token",
    ]
    yield from [
        f"#/../../..{home}/token",
        f"?path=../../..{home}/token",
        "model.zip?x",
        "checkpoints",
        "checkpoints/deep",
    ]


@pytest.fixture(params=["openat2", "by component"])
def opener(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "by component":

        def refuse(folder: int, path: str, flags: int) -> int:
            raise OSError(errno.ENOSYS, "an old kernel")

        monkeypatch.setattr(beneath, "_openat2", refuse)
    return str(request.param)


def test_plain_files_open(folder: RunFolder, opener: str) -> None:
    for path, content in (("model.zip", b"model"), ("checkpoints/deep/a b.zip", b"deep")):
        with os.fdopen(folder.open_beneath(path), "rb") as file:
            assert file.read() == content


def test_no_path_of_the_corpus_opens_anything(folder: RunFolder, opener: str) -> None:
    paths = list(corpus(folder.home))
    assert len(paths) >= 300
    opened = []
    for path in paths:
        try:
            os.close(folder.open_beneath(path))
            opened.append(path)
        except (Forbidden, NotFound) as error:
            assert SECRET.decode() not in error.detail
    assert opened == []


def plant_links(folder: RunFolder) -> list[str]:
    """Links of all kinds at each level; the paths that would go through them."""
    home, paths = folder.home, []
    goals = [home, home / "token", home / "runs" / "run2", Path("/etc"), Path("/proc/self/fd"), folder.path]
    relative = ["..", "../..", "../run2", "model.zip", ".", "checkpoints", "loop"]
    for level, parent in (("", folder.path), ("checkpoints/", folder.path / "checkpoints")):
        for i, goal in enumerate([*map(str, goals), *relative]):
            (parent / f"link{i}").symlink_to(goal)
            paths += [
                f"{level}link{i}{rest}"
                for rest in ("", "/token", "/model.zip", "/passwd", "/0", "/deep/a b.zip")
            ]
        (parent / "loop").symlink_to("loop")
        paths.append(f"{level}loop")
    return paths


def test_links_are_followed_at_no_level(folder: RunFolder, opener: str) -> None:
    paths = plant_links(folder)
    assert len(paths) > 100
    for path in paths:
        with pytest.raises((Forbidden, NotFound)):
            folder.open_beneath(path)


def test_pipes_sockets_devices_and_folders_are_no_files(folder: RunFolder, opener: str) -> None:
    os.mkfifo(folder.path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder.path / "socket"))
        names = ["pipe", "socket", "checkpoints"]
        try:
            os.mknod(folder.path / "device", 0o600 | stat.S_IFCHR, os.makedev(1, 5))
            names.append("device")
        except PermissionError:
            assert os.geteuid() != 0
        for name in names:
            with pytest.raises(Forbidden):
                folder.open_beneath(name)


def test_a_run_folder_that_is_a_link_is_refused(folder: RunFolder, opener: str) -> None:
    (folder.runs / "run3").symlink_to(folder.runs / "run2")
    with pytest.raises(Forbidden, match="link"):
        RunFolder(folder.home, "run3").open_beneath("model.zip")
    assert list_run_ids(folder.home) == ["run1", "run2"]


def test_a_missing_folder_is_gone_and_a_missing_file_is_not_found(folder: RunFolder, opener: str) -> None:
    with pytest.raises(NotFound, match="no file"):
        folder.open_beneath("nothing.zip")
    with pytest.raises(NotFound, match="no file"):
        folder.open_beneath("model.zip/below")
    with pytest.raises(Gone, match="no longer exists"):
        RunFolder(folder.home, "run9").open_beneath("model.zip")


@pytest.mark.parametrize(
    "run_id", ["", ".", "..", "../run2", "run2/", "a/b", "a\\b", "a\x00", "-x", "a" * 65, "é"]
)
def test_an_id_is_never_a_path(tmp_path: Path, run_id: str) -> None:
    with pytest.raises(InvalidInput, match="run_id"):
        RunFolder(tmp_path, run_id)


def test_descriptors_do_not_leak(folder: RunFolder, opener: str) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for path in [*plant_links(folder), *itertools.islice(corpus(folder.home), 100)]:
        with pytest.raises(LabError):
            folder.open_beneath(path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_file_is_written_whole_and_never_through_a_link(folder: RunFolder) -> None:
    folder.write_atomic("eval/one/summary.json", b"{}")
    folder.write_atomic("eval/one/summary.json", b'{"a":1}')
    assert folder.read_bytes("eval/one/summary.json", 100) == b'{"a":1}'
    assert [f.name for f in (folder.path / "eval" / "one").iterdir()] == ["summary.json"]
    (folder.path / "out").symlink_to(folder.home)
    with pytest.raises(Forbidden):
        folder.write_atomic("out/token", b"stolen")
    (folder.path / "report").symlink_to(folder.home / "token")
    folder.write_atomic("report", b"mine")
    assert (folder.home / "token").read_bytes() == SECRET
    assert folder.read_bytes("report", 100) == b"mine"


def test_a_run_is_moved_to_the_trash_and_deleted_from_there(folder: RunFolder) -> None:
    (folder.path / "home").symlink_to(folder.home)
    assert folder.move_to_trash() is True
    assert folder.move_to_trash() is False
    assert not folder.path.exists()
    assert (folder.trashed / folder.model.name).read_bytes() == b"model"
    folder.empty_trash()
    folder.empty_trash()
    assert not folder.trashed.exists()
    assert (folder.home / "token").read_bytes() == SECRET


def test_the_size_of_a_folder_counts_a_linked_file_once(folder: RunFolder) -> None:
    (folder.path / "big").write_bytes(b"x" * 100_000)
    size = folder.size_bytes()
    os.link(folder.path / "big", folder.path / "again")
    (folder.path / "elsewhere").symlink_to("/usr")
    assert 100_000 <= size <= folder.size_bytes() < size + 10_000
    assert RunFolder(folder.home, "run9").size_bytes() == 0
