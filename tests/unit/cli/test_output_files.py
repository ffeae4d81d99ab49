"""Where a command writes a file: checked before the work, named after the run in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rl_lab.cli.commands.insights import Format, report_form
from rl_lab.cli.output_files import place_of, report_format, require_new_file
from rl_lab.core.errors import InvalidInput, LabError


class OneRun:
    """Answers like a lab with one run."""

    def get(self, path: str) -> Any:
        return {"/api/runs/r1": {"name": "PPO on CartPole-v1 · seed 3"}}[path]


def test_a_folder_gets_a_file_named_after_the_run(tmp_path: Path) -> None:
    require_new_file(tmp_path, ".mp4")
    placed = place_of(OneRun(), "r1", tmp_path, "film", ".mp4")  # type: ignore[arg-type]
    assert placed == tmp_path / "PPO-CartPole-v1-seed-3-film.mp4"


def test_a_named_file_keeps_its_name(tmp_path: Path) -> None:
    require_new_file(tmp_path / "A.MP4", ".mp4")
    assert place_of(OneRun(), "r1", tmp_path / "a.mp4", "film", ".mp4") == tmp_path / "a.mp4"  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["film.gif", "film", "here.mp4", "missing/film.mp4"])
def test_what_cannot_be_written_is_refused_with_a_next_step(tmp_path: Path, name: str) -> None:
    (tmp_path / "here.mp4").touch()
    with pytest.raises(LabError) as refused:
        require_new_file(tmp_path / name, ".mp4")
    assert refused.value.next_step


def test_a_report_has_the_format_of_its_file(tmp_path: Path) -> None:
    assert [report_format(Path(f"a{end}")) for end in (".html", ".TXT", ".json")] == ["html", "text", "json"]
    assert report_form(None, None) == "text"
    assert report_form(None, Path("a.html")) == "html"
    assert report_form(None, tmp_path) == "html"
    assert report_form(Format.json, Path("a.html")) == "json"
    with pytest.raises(InvalidInput):
        report_format(Path("a.pdf"))
