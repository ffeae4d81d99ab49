"""Environments of one's own on the command line: a file or a folder is saved and tried first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rl_lab.cli.arguments.code_argument import compiler_lines, find_code, name_of, save_code, saved_sentence
from rl_lab.cli.code_consent import post_approved
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

SKIPPED = {"__pycache__", ".git", ".venv", "tests"}


def is_code_path(written: str | None) -> bool:
    """Whether it names a file or folder of code, not an id such as ALE/Pong-v5: folders are often called like one."""
    if not written:  # a dataset may name the environment
        return False
    path = Path(written)
    if path.is_dir():
        return _has_environment(path) or written.startswith((".", "/")) or written.endswith("/")
    return written.endswith(".py") or ("/" in written and path.exists())


def _has_environment(folder: Path) -> bool:
    from rl_lab.core.own_environments import MAIN_FILE

    return any((folder / name).is_file() for name in (MAIN_FILE, "__init__.py"))


def read_environment(path: Path) -> str:
    """A file, or all Python files of a folder as one text; InvalidInput in the form of a compiler's errors."""
    from rl_lab.core.workbench.code_files import check_files, join_files

    source = join_files(_read_folder(path)) if path.is_dir() else _read_text(path)
    remarks = check_files(source)
    if remarks:
        raise InvalidInput(
            "\n".join([f"{path} cannot be used.", *compiler_lines(remarks, str(path), source)])
        )
    return source


def save_environment(
    client: LabClient, path: Path, new: dict[str, Any], *, yes: bool, quiet: bool
) -> dict[str, Any]:
    """The saved version, with what trying it has shown; InvalidInput when the user does not approve the code."""
    from rl_lab.core.workbench.code_kinds import CodeKind

    source = read_environment(path)
    name = new.get("name") or name_of(path, CodeKind.environment)
    known = find_code(client, CodeKind.environment, name)
    saved = post_approved(
        lambda new: save_code(client, CodeKind.environment, new),
        {**new, "name": name, "source": source},
        yes=yes,
    )
    if saved is None:
        raise InvalidInput(f"{path} is not saved: saving it tries it, which you did not approve.")
    if not quiet:
        print(saved_sentence(str(path), saved, known), file=sys.stderr)
    return saved


def with_saved_environment(
    client: LabClient, wanted: dict[str, Any], *, yes: bool, quiet: bool
) -> dict[str, Any]:
    """Settings whose environment is a path: the code there is saved, and its id takes the path's place."""
    from rl_lab.core.own_environments import own_env_id
    from rl_lab.core.workbench.codes import CodeRemark

    written = wanted.get("env_id")
    if not is_code_path(written):
        return wanted
    saved = save_environment(client, Path(str(written)), {}, yes=yes, quiet=quiet)
    check = saved["check"] or {"is_usable": True}
    if not check["is_usable"]:
        errors = [CodeRemark(**one) for one in check["remarks"] if one["level"] == "error"]
        lines = compiler_lines(errors, str(written), saved["source"])
        raise InvalidInput("\n".join([f"{written} cannot be used.", *lines]))
    return {**wanted, "env_id": own_env_id(saved["name"], saved["version"])}


def _read_folder(folder: Path) -> dict[str, str]:
    from rl_lab.core.own_environments import MAIN_FILE

    files = {
        str(path.relative_to(folder)): _read_text(path)
        for path in sorted(folder.rglob("*.py"))
        if not SKIPPED & set(path.relative_to(folder).parts)
    }
    if MAIN_FILE not in files and "__init__.py" in files:
        files[MAIN_FILE] = files.pop("__init__.py")
    if MAIN_FILE not in files:
        raise InvalidInput(f"{folder} has neither {MAIN_FILE} nor __init__.py, so it is no environment.")
    return {path: text for path, text in files.items() if text.strip()}


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not Python text: {error}.") from None
