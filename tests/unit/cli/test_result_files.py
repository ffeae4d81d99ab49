"""`-o` of evaluate and duel: the result or the video, never over a file that exists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rl_lab.cli.output_files import require_result_file, save_result
from rl_lab.core.errors import InvalidInput, NotFound, NotReady

JOB = {"id": "job", "name": "Evaluation of PPO on CartPole-v1", "summary": {"result": {"return_mean": 21.5}}}


class FakeLab:
    """A client of a lab in which a job has made these files."""

    def __init__(self, *kinds: str) -> None:
        self._files = [{"id": kind, "kind": kind} for kind in kinds]

    def get(self, path: str) -> list[dict[str, str]]:
        return self._files

    def download(self, artifact_id: str) -> bytes:
        return artifact_id.encode()


def save(given: Path, *kinds: str, force: bool = False) -> Path:
    client: Any = FakeLab(*kinds)
    return save_result(client, JOB, given, force)


def test_the_name_of_the_file_decides_what_is_written(tmp_path: Path) -> None:
    assert json.loads(save(tmp_path / "r.json").read_text()) == {"return_mean": 21.5}
    assert save(tmp_path / "r.mp4", "summary", "video").read_bytes() == b"video"
    assert save(tmp_path).name == "Evaluation-of-PPO-on-CartPole-v1-result.json"
    with pytest.raises(InvalidInput, match="does not say what to write"):
        require_result_file(tmp_path / "r.txt", force=False)


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    taken = tmp_path / "r.json"
    taken.write_text("mine")
    with pytest.raises(NotReady, match="exists already"):
        require_result_file(taken, force=False)
    with pytest.raises(NotReady, match="exists already"):
        save(taken)
    assert taken.read_text() == "mine"
    assert save(taken, force=True).read_text() != "mine"


def test_a_job_without_a_video_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no video"):
        save(tmp_path / "r.mp4", "summary")
    assert not (tmp_path / "r.mp4").exists()
