"""Saved user code on the command line: FILE or NAME[@vN]. A file is checked and saved first, and named in messages."""

from __future__ import annotations

import re
import sys
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from rl_lab.cli.completion import complete_reward
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient
    from rl_lab.core.workbench.code_kinds import CodeKind
    from rl_lab.core.workbench.codes import CodeRemark

RewardOption = Annotated[
    str | None,
    typer.Option(
        "--reward",
        metavar="FILE|NAME[@vN]",
        help="Learn from a reward of your own instead of the environment's. A file is saved under its name first, as "
        "a new version if it has changed.",
        autocompletion=complete_reward,
        show_default=False,
    ),
]


def find_saved(
    client: LabClient, kind: CodeKind, written: str | None, *, env_id: str | None = None, quiet: bool
) -> dict[str, Any] | None:
    """The choice as the lab takes it, with exact contents; `env_id`: what a file is saved for."""
    if written is None:
        return None
    if is_file(written):
        saved = _save_file(client, kind, Path(written), env_id, quiet=quiet)
    else:
        saved = get_version(client, kind, written)
    return {name: saved[name] for name in ("name", "version", "sha256")}


def _save_file(
    client: LabClient, kind: CodeKind, path: Path, env_id: str | None, *, quiet: bool
) -> dict[str, Any]:
    name, source = name_of(path, kind), read_code(path, kind)
    known = find_code(client, kind, name)
    saved = save_code(client, kind, {"name": name, "source": source, "env_id": env_id or ""})
    if not quiet:
        print(saved_sentence(str(path), saved, known), file=sys.stderr)
    return saved


def with_reward(
    client: LabClient, wanted: dict[str, Any], written: str | None, *, quiet: bool
) -> dict[str, Any]:
    """The settings with the reward that was typed, if one was, instead of theirs."""
    from rl_lab.core.workbench.code_kinds import CodeKind

    chosen = find_saved(client, CodeKind.reward, written, env_id=wanted.get("env_id"), quiet=quiet)
    return wanted if chosen is None else {**wanted, "reward": chosen, "reward_source": None}


def with_reward_source(wanted: dict[str, Any], config: Path) -> dict[str, Any]:
    """The settings of a configuration file with the code next to it: another lab may not have its reward saved."""
    from rl_lab.core.workbench.codes import code_hash

    copy = config.parent / "reward.py"
    reward = wanted.get("reward")
    if not isinstance(reward, dict) or not copy.is_file():
        return wanted
    source = _read(copy)
    return {**wanted, "reward_source": source} if code_hash(source) == reward.get("sha256") else wanted


def is_file(written: str) -> bool:
    """Saved names have no slash, and rarely end in .py."""
    return "/" in written or written.endswith(".py") or Path(written).is_file()


def name_of(path: Path, kind: str) -> str:
    """The name that a file is saved under."""
    return re.sub(r"[^A-Za-z0-9._ -]+", "-", path.stem).strip("-._ ")[:64] or str(kind)


def read_code(path: Path, kind: CodeKind) -> str:
    """The code in a file; InvalidInput in the form of a compiler's errors when it cannot be used."""
    from rl_lab.core.workbench.codes import MAX_CODE_BYTES
    from rl_lab.core.workbench.syntax import check_syntax, too_long

    if path.is_file() and path.stat().st_size > MAX_CODE_BYTES:
        raise InvalidInput(f"{path} cannot be used. {too_long(path.stat().st_size)}")
    source = _read(path)
    remarks = check_syntax(source, kind)
    if remarks:
        lines = compiler_lines(remarks, str(path), source)
        raise InvalidInput("\n".join([f"{path} cannot be used.", *lines]))
    return source


def _read(path: Path) -> str:
    try:
        with tokenize.open(path) as file:  # as Python reads it: with the encoding that its first lines name
            return file.read()
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be read: {error.strerror}.",
            next_step="Name a Python file, or code that is saved.",
        ) from None
    except (SyntaxError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} is not Python text: {error}.") from None


def compiler_lines(remarks: list[CodeRemark], file: str, source: str) -> list[str]:
    """`file:line: error: message`, each with the line of the source under it; in a folder, of the file it is in."""
    from rl_lab.core.workbench.syntax import code_lines

    lines, found = code_lines(source), []
    for remark in remarks:
        place = file if remark.line is None else _place(file, source, remark.line)
        found.append(f"{place}: {remark.level}: {remark.message}")
        if remark.line is not None and 0 < remark.line <= len(lines):
            found.append(f"    {lines[remark.line - 1].strip()}")
    return found


def _place(written: str, source: str, line: int) -> str:
    """`file:line`, as an editor opens it."""
    from rl_lab.core.own_environments import MAIN_FILE
    from rl_lab.core.workbench.code_files import line_in_file

    folder = Path(written)
    if not folder.is_dir():
        return f"{written}:{line}"
    path, line = line_in_file(source, line)
    if path == MAIN_FILE and not (folder / path).is_file():
        path = "__init__.py"
    return f"{folder / path}:{line}"


def address_of(kind: CodeKind, name: str = "") -> str:
    from rl_lab.core.workbench.code_kinds import FORMS

    return f"/api/{FORMS[kind].plural}" + (f"/{quote(name, safe='')}" if name else "")


def find_code(client: LabClient, kind: CodeKind, name: str) -> dict[str, Any] | None:
    from rl_lab.core.errors import LabError, NotFound

    try:
        found: dict[str, Any] = client.get(address_of(kind, name))
    except LabError as error:
        if error.status != NotFound.status:
            raise
        return None
    return found


def get_version(client: LabClient, kind: CodeKind, written: str) -> dict[str, Any]:
    """NAME or NAME@vN: that version, or the newest one."""
    from rl_lab.core.workbench.codes import read_code_choice

    choice = read_code_choice(written, kind)
    if choice.version is not None:
        named: dict[str, Any] = client.get(f"{address_of(kind, choice.name)}/versions/{choice.version}")
        return named
    newest: dict[str, Any] = client.get(address_of(kind, choice.name))["versions"][0]
    return newest


def save_code(client: LabClient, kind: CodeKind, new: dict[str, Any]) -> dict[str, Any]:
    saved: dict[str, Any] = client.post(address_of(kind), new)
    return saved


def saved_sentence(file: str, saved: dict[str, Any], known: dict[str, Any] | None) -> str:
    """`known`: the same name as it was before."""
    named = f"{saved['name']}@v{saved['version']}"
    before = [one["sha256"] for one in known["versions"]] if known else []
    if saved["sha256"] in before:
        return f"{file} is {named}."
    return f"Saved {file} as {named}." if not before else f"Saved {file} as {named}: it has changed."
