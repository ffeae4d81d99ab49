"""The guardian's output files: whole lines, segments, rotation, and a disk that is full for a while."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rl_lab.guardian import spool as spool_module
from rl_lab.guardian.spool import JournalSpool, LogSpool


@pytest.fixture
def folder_fd(tmp_path: Path) -> Iterator[int]:
    fd = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield fd
    os.close(fd)


class FullDisk:
    """`os.write` that takes only `room` more bytes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._write = os.write

    def write(self, fd: int, data: bytes) -> int:
        if self.room <= 0:
            raise OSError(errno.ENOSPC, "full")
        done = self._write(fd, bytes(data[: self.room]))
        self.room -= done
        return done


def content(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("*.jsonl")))


LINES = st.lists(st.binary(max_size=20).map(lambda b: b.replace(b"\n", b".")), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(lines=LINES, data=st.data())
def test_lines_arrive_whole_however_they_are_cut(lines: list[bytes], data: st.DataObject) -> None:
    text = whole = b"".join(line + b"\n" for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        journal = JournalSpool(fd, segment_bytes=50, line_bytes=1024)
        while text:
            size = data.draw(st.integers(1, len(text)))
            journal.feed(text[:size])
            text = text[size:]
        journal.end()
        journal.close()
        os.close(fd)
        assert content(Path(folder)) == whole
        assert all(path.read_bytes()[-1:] in (b"", b"\n") for path in Path(folder).iterdir())


def test_an_over_long_line_is_replaced_by_one_warning(folder_fd: int, tmp_path: Path) -> None:
    journal = JournalSpool(folder_fd, segment_bytes=1 << 20, line_bytes=10)
    for chunk in (b"short\n", b"123456", b"789012", b"34\nnext\n"):
        journal.feed(chunk)
    first, warning, last = content(tmp_path).splitlines()
    assert (first, last, journal.dropped_lines) == (b"short", b"next", 1)
    assert json.loads(warning)["code"] == "line-too-long"
    assert "14" in json.loads(warning)["message"]


def test_an_unfinished_last_line_is_terminated(folder_fd: int, tmp_path: Path) -> None:
    journal = JournalSpool(folder_fd, 1 << 20, 1024)
    journal.feed(b"one\nhalf")
    assert content(tmp_path) == b"one\n"
    journal.end()
    assert content(tmp_path) == b"one\nhalf\n"


def test_a_full_disk_loses_nothing(folder_fd: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = FullDisk(room=6)
    monkeypatch.setattr(spool_module.os, "write", disk.write)
    journal = JournalSpool(folder_fd, segment_bytes=8, line_bytes=1024)
    journal.feed(b"first\nsecond\n")
    assert journal.is_blocked
    journal.write_out()
    assert (content(tmp_path), journal.written) == (b"first\n", 6)
    disk.room = 100
    journal.write_out()
    assert not journal.is_blocked
    assert (content(tmp_path), journal.written) == (b"first\nsecond\n", 13)


def test_a_block_that_is_partly_written_is_completed_in_the_same_segment(
    folder_fd: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = FullDisk(room=3)
    monkeypatch.setattr(spool_module.os, "write", disk.write)
    journal = JournalSpool(folder_fd, segment_bytes=4, line_bytes=1024)
    journal.feed(b"123456\n")
    disk.room = 100
    journal.feed(b"next\n")
    journal.write_out()
    assert (tmp_path / "000001.jsonl").read_bytes().startswith(b"123456\n")
    assert content(tmp_path) == b"123456\nnext\n"


def test_another_error_than_a_full_disk_is_raised(folder_fd: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(fd: int, data: bytes) -> int:
        raise OSError(errno.EBADF, "bad")

    monkeypatch.setattr(spool_module.os, "write", refuse)
    with pytest.raises(OSError, match="bad"):
        JournalSpool(folder_fd, 100, 100).feed(b"line\n")


def test_the_log_keeps_one_older_file(folder_fd: int, tmp_path: Path) -> None:
    log = LogSpool(folder_fd, log_bytes=12)
    for number in range(4):
        log.put(f"line {number} ....\n".encode())
    assert (tmp_path / "log.txt").read_text() == "line 3 ....\n"
    assert (tmp_path / "log.1.txt").read_text() == "line 2 ....\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.1.txt", "log.txt"]


@pytest.mark.parametrize("chunk", [1, 7, 64, 1000])
def test_no_log_file_is_longer_than_the_limit_and_the_end_is_kept(
    folder_fd: int, tmp_path: Path, chunk: int
) -> None:
    log = LogSpool(folder_fd, log_bytes=50)
    text = b"".join(b"line %d\n" % number for number in range(100)) + b"x" * 200 + b"\nlast line\n"
    for start in range(0, len(text), chunk):
        log.put(text[start : start + chunk])
        assert all(path.stat().st_size <= 50 for path in tmp_path.iterdir())
    kept = (tmp_path / "log.1.txt").read_bytes() + (tmp_path / "log.txt").read_bytes()
    assert text.endswith(kept) and len(kept) > 25
