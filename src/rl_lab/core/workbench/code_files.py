"""Code of several files as one text: each file begins with a line `# --- file: name.py`.

So a package has one text that is edited, compared and hashed like every other code. A text without such a line is one
file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rl_lab.core.errors import InvalidInput
from rl_lab.core.own_environments import MAIN_FILE
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import MOST_SHOWN, CodeRemark
from rl_lab.core.workbench.syntax import check_size, check_syntax

MARK = re.compile(r"^# --- file: (?P<path>.*)$", re.MULTILINE)
PATH = re.compile(r"(?:[A-Za-z_]\w{0,63}/){0,4}[A-Za-z_]\w{0,63}\.py")


class CodeFile(NamedTuple):
    path: str
    text: str
    first_line: int
    """The line of the whole text that is line 1 of this file."""


def split_files(source: str) -> list[CodeFile]:
    """InvalidInput for a path that is no plain one, or when the main file is missing."""
    marks = list(MARK.finditer(source))
    if not marks:
        return [CodeFile(MAIN_FILE, source, 1)]
    if source[: marks[0].start()].strip():
        raise InvalidInput.of_field("source", "Text before the first “# --- file:” line belongs to no file.")
    _check_paths([mark["path"].strip() for mark in marks])
    return list(_cut(source, marks))


def _cut(source: str, marks: Sequence[re.Match[str]]) -> Iterator[CodeFile]:
    line, counted = 1, 0
    ends = [mark.start() for mark in marks[1:]] + [len(source)]
    for mark, end in zip(marks, ends, strict=True):
        line += source.count("\n", counted, mark.start())
        counted = mark.start()
        yield CodeFile(mark["path"].strip(), source[mark.end() + 1 : end], line + 1)


def join_files(files: Mapping[str, str]) -> str:
    """The main file first."""
    if set(files) == {MAIN_FILE}:
        return files[MAIN_FILE]
    order = sorted(files, key=lambda path: (path != MAIN_FILE, path))
    return "".join(f"# --- file: {path}\n{files[path].rstrip()}\n\n" for path in order)


def is_same_code(one: str, other: str) -> bool:
    """Whether both have the same files; line ends and what is empty at the end of a file do not count."""
    return _contents(one) == _contents(other)


def _contents(source: str) -> dict[str, str]:
    with_newlines = source.replace("\r\n", "\n").replace("\r", "\n")
    return {file.path: file.text.rstrip() for file in split_files(with_newlines)}


def check_code(source: str, kind: CodeKind) -> list[CodeRemark]:
    """What is wrong with code of any kind; InvalidInput when its text cannot be cut into files."""
    return check_files(source) if kind is CodeKind.environment else check_syntax(source, kind)


def check_files(source: str) -> list[CodeRemark]:
    """The syntax of every file, with the lines of the whole text."""
    remarks = check_size(source)
    if remarks:
        return remarks
    for file in split_files(source):
        for remark in check_syntax(file.text, CodeKind.environment):
            line = None if remark.line is None else remark.line + file.first_line - 1
            remarks.append(remark.model_copy(update={"line": line}))
    return remarks


def whole_line(source: str, path: str, line: int) -> int | None:
    """The line of the whole text for a line of one of its files."""
    first = next((file.first_line for file in split_files(source) if file.path == path), None)
    return None if first is None else first + line - 1


def line_in_file(source: str, line: int) -> tuple[str, int]:
    """The file, and the line there, of a line of the whole text."""
    files = split_files(source)
    file = next((one for one in reversed(files) if one.first_line <= line), files[0])
    return file.path, max(1, line - file.first_line + 1)


def _check_paths(paths: list[str]) -> None:
    for path in paths:
        if not PATH.fullmatch(path):
            raise InvalidInput.of_field(
                "source", f"“{path[:MOST_SHOWN]}” is not the path of a Python file, such as maps/level.py."
            )
    if len(set(paths)) < len(paths):
        raise InvalidInput.of_field("source", "Two files have the same path.")
    if MAIN_FILE not in paths:
        raise InvalidInput.of_field("source", f"One of the files must be {MAIN_FILE}.")
