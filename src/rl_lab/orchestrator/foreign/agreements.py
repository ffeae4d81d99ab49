"""An Agreement is what a user approves: the contents of files, and the folders that the interpreter adds.

The program that is started compares the files again: see `capture/agreed_files.py` and `guardian/agreed_files.py`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput
from rl_lab.orchestrator.foreign.interpreter_folders import is_beneath
from rl_lab.orchestrator.foreign.interpreter_probe import Answer
from rl_lab.orchestrator.foreign.local_modules import local_modules
from rl_lab.portable.regular_files import open_regular
from rl_lab.runners.program import is_system_tool
from rl_lab.runners.script import START

FIELD = "params.command"
CHUNK = 1 << 20


class Agreement(NamedTuple):
    sha256: str
    """Identifies all of it; this is what the user sends back."""
    base: str = ""
    """Hash of the script, or of the words of a command without a file."""
    files: Mapping[str, str] = MappingProxyType({})
    """The script, the modules next to it and the tool that runs it, with their hashes.

    For the capture layer by real path, since Python imports by it; for the guardian as the command spells them.
    """
    modules: Mapping[str, str] = MappingProxyType({})
    """Those of them that the script imports, relative to its folder."""
    added: Sequence[str] = ()
    """Folders and files that the interpreter adds, and nothing else allows to read."""

    @property
    def parts(self) -> dict[str, Any]:
        """As remembered, to be compared with a later version."""
        return {"base": self.base, "modules": dict(self.modules), "added": list(self.added)}


def agreement_of(command: Command, answer: Answer | None, folder: str = "") -> Agreement:
    """`folder`: where a module that is run with -m is searched for. InvalidInput when a file cannot be read."""
    base, files = base_of(command)
    modules: dict[str, str] = {}
    if command.script is not None and is_captured(command):
        script = Path(os.path.realpath(command.script))
        root = Path(os.path.realpath(folder)) if folder else script.parent
        hashes = {one: sha256_of_file(str(one)) for one in local_modules(script, root)}
        files |= {str(one): value for one, value in hashes.items()}
        modules = {str(one.relative_to(root)): value for one, value in hashes.items()}
    added = added_by(answer, command) if answer is not None else []
    if not modules and not added:
        return Agreement(base, base, files)
    whole = json.dumps([base, modules, added], sort_keys=True).encode("utf-8", "surrogatepass")
    return Agreement(hashlib.sha256(whole).hexdigest(), base, files, modules, added)


def is_captured(command: Command) -> bool:
    return str(START) in command.argv


def added_by(answer: Answer, command: Command) -> list[str]:
    """What the interpreter adds to the folders that the command may read or write anyway."""
    allowed = [os.path.realpath(one) for one in (*command.reads, *command.writes, command.cwd)]
    return [one for one in answer.added if not is_beneath(one, allowed)]


def base_of(command: Command) -> tuple[str, dict[str, str]]:
    """The hash of the file, or of the arguments when there is no file; and the hashes of the files behind it.

    For a tool that runs a file (`bash -x file`) its options count too, and the tool's own contents unless it belongs to
    the system: other options or another program of that name were not approved.
    """
    if command.script is None:
        return hashlib.sha256(_joined(command.shown)).hexdigest(), {}
    files: dict[str, str] = {}
    digest = hashlib.sha256()
    program = Path(command.argv[0])
    if not is_captured(command) and str(program) != command.script:
        before = command.shown[1 : command.shown.index(command.script)]
        if before:
            digest.update(_joined(before) + b"\0")
        if not is_system_tool(program):
            files[str(program)] = _add_file(digest, str(program))
    named = os.path.realpath(command.script) if is_captured(command) else command.script
    files[named] = _add_file(digest, named)
    return digest.hexdigest(), files


def changes_between(before: dict[str, Any], now: Agreement, title: str) -> list[str]:
    """What differs from the version that was approved last, as sentences."""
    known: dict[str, str] = before.get("modules", {})
    found = [f"{Path(title).name} has changed."] if before.get("base") != now.base else []
    for name, value in now.modules.items():
        if name not in known:
            found.append(f"{name} is imported now.")
        elif known[name] != value:
            found.append(f"{name} has changed.")
    found += [f"{name} is no longer imported." for name in known if name not in now.modules]
    found += [
        f"It may now read {path} as well: the interpreter adds it."
        for path in now.added
        if path not in before.get("added", [])
    ]
    found += [f"It no longer reads {path}." for path in before.get("added", []) if path not in now.added]
    return found


def sha256_of_file(path: str) -> str:
    return _add_file(hashlib.sha256(), path)


def _joined(arguments: Sequence[str]) -> bytes:
    return "\0".join(arguments).encode("utf-8", "surrogateescape")


def _add_file(digest: hashlib._Hash, path: str) -> str:
    """Adds the contents, read once; returns the hash of the contents alone."""
    own = hashlib.sha256()
    try:
        with open_regular(path) as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
                own.update(chunk)
    except OSError as error:
        raise InvalidInput.of_field(FIELD, f"{path} cannot be read: {error.strerror}.") from None
    return own.hexdigest()
