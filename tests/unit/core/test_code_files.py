"""Code of several files as one text."""

from __future__ import annotations

import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.core.own_environments import executes_own_code, own_codes_of, own_env_id, read_own_id
from rl_lab.core.workbench.code_files import (
    check_files,
    is_same_code,
    join_files,
    line_in_file,
    split_files,
    whole_line,
)
from rl_lab.core.workbench.codes import MAX_CODE_BYTES


def test_a_text_without_marks_is_one_file() -> None:
    (file,) = split_files("x = 1\n")
    assert (file.path, file.text, file.first_line) == ("environment.py", "x = 1\n", 1)
    assert join_files({"environment.py": "x = 1\n"}) == "x = 1\n"


def test_files_are_joined_and_split_again_with_their_lines() -> None:
    source = join_files({"maps/level.py": "SIZE = 5\n", "environment.py": "from maps.level import SIZE\n"})
    files = split_files(source)
    assert [file.path for file in files] == ["environment.py", "maps/level.py"]
    assert [file.text.strip() for file in files] == ["from maps.level import SIZE", "SIZE = 5"]
    line = whole_line(source, "maps/level.py", 1)
    assert line is not None
    assert source.splitlines()[line - 1] == "SIZE = 5"
    assert line_in_file(source, line) == ("maps/level.py", 1)
    assert line_in_file(source, 2) == ("environment.py", 1)


def test_a_syntax_error_is_shown_at_its_line_of_the_whole_text() -> None:
    source = (
        "# --- file: environment.py\nx = 1\n# --- file: other.py\nfrom __future__ import annotations\ny = (\n"
    )
    (remark,) = check_files(source)
    assert remark.line == 5


def test_the_limit_is_for_the_whole_text() -> None:
    half = "#" * (MAX_CODE_BYTES // 2) + "\n"
    (remark,) = check_files(join_files({"environment.py": half, "other.py": half}))
    assert "at most 256 KiB are accepted" in remark.message


def test_empty_lines_after_a_mark_belong_to_its_file() -> None:
    source = "# --- file: environment.py  \r\n\n\nx = (\n# --- file: other.py\ny = 1\n"
    first, second = split_files(source)
    assert (first.path, first.text, first.first_line) == ("environment.py", "\n\nx = (\n", 2)
    assert (second.path, second.text, second.first_line) == ("other.py", "y = 1\n", 6)
    (remark,) = check_files(source)
    assert remark.line == 4


def test_code_is_the_same_with_other_line_ends_and_other_empty_lines_at_the_end() -> None:
    source = "# --- file: environment.py\nx = 1\n\n# --- file: other.py\ny = 1"
    assert is_same_code(source, "# --- file: environment.py\r\nx = 1\r\n# --- file: other.py\r\ny = 1\r\n\n")
    assert not is_same_code(source, source.replace("y = 1", "y = 2"))
    assert not is_same_code(source, "x = 1\n")


def test_a_path_with_many_spaces_is_refused_at_once() -> None:
    """A search that tries every end of the spaces takes minutes for this."""
    with pytest.raises(InvalidInput, match="path of a Python file"):
        split_files("# --- file: " + " " * 100_000 + "x")


@pytest.mark.parametrize(
    "source",
    [
        "# --- file: ../evil.py\nx = 1\n# --- file: environment.py\n",
        "# --- file: /etc/passwd\n",
        "# --- file: other.py\nx = 1\n",
        "x = 1\n# --- file: environment.py\n",
        "# --- file: environment.py\n# --- file: environment.py\n",
    ],
)
def test_paths_outside_missing_and_double_files_are_refused(source: str) -> None:
    with pytest.raises(InvalidInput):
        split_files(source)


def test_an_id_names_the_version_of_the_code() -> None:
    assert own_env_id("grid world", 2) == "own:grid-world-v2"
    found = read_own_id("own:grid-world-v2")
    assert found is not None
    assert (found.slug, found.version) == ("grid-world", 2)
    assert read_own_id("own:../x-v1") is None
    assert read_own_id("CartPole-v1") is None


def test_a_custom_wrapper_is_code_of_the_user_too() -> None:
    assert executes_own_code("own:grid-v1", {})
    assert executes_own_code("CartPole-v1", {"wrappers": [{"id": "custom", "code": "hold@v1"}]})
    assert not executes_own_code("CartPole-v1", {"wrappers": [{"id": "flatten"}]})


@pytest.mark.parametrize("version", ["9" * 5000, "1234567890", "", "x", "-1"])
def test_a_wrapper_whose_version_is_no_number_of_one_names_no_code(version: str) -> None:
    assert own_codes_of("CartPole-v1", {"wrappers": [{"id": "custom", "code": f"hold@v{version}"}]}) == []
