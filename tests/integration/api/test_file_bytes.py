"""A file as an answer, while it changes."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request

from rl_lab.api.http.files import FileBytes


def tag_of(path: Path, etag: str) -> str:
    request = Request({"type": "http", "method": "GET", "headers": []})
    with path.open("rb") as file:
        return FileBytes(file, request=request, wanted=None, headers={}, etag=etag).headers["etag"]


def test_a_file_that_has_grown_since_its_digest_was_taken_has_another_tag(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text("one\n")
    before = tag_of(path, "digest")
    assert tag_of(path, "digest") == before
    path.write_text("one\ntwo\n")
    assert tag_of(path, "digest") != before
