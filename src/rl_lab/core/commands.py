"""A Command is how a foreign program is started: exactly what a person is shown, and agrees to, before it runs."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

Isolation = Literal["confined", "partly", "none"]
"""confined: Landlock, seccomp and limits hold; partly: some of them; none: an ordinary process."""


class Command(BaseModel, frozen=True):
    argv: list[str]
    """As executed, wrapper of the lab included; absolute paths."""
    shown: list[str]
    """As the user means it, without the lab's own words."""
    cwd: str
    env: dict[str, str] = {}
    """Variables beside the lab's allow-list."""
    script: str | None = None
    """The file whose contents are agreed to; its hash is remembered."""
    reads: list[str] = []
    """Folders and files it may read beside the system's own and the interpreter's."""
    writes: list[str] = []
    """Folders it may write to; nothing else."""
    network: bool = False


class Interpreter(BaseModel, frozen=True):
    """The Python that runs a script, as it described itself."""

    path: str
    version: str = ""
    prefixes: list[str] = []
    """Folders it imports from: readable for the script."""
    missing: list[str] = []
    """Top-level modules the script imports and this Python does not have."""


class CommandPreview(BaseModel, frozen=True):
    """What would happen, before it does."""

    command: Command
    interpreter: Interpreter | None = None
    sha256: str
    """Of the script; send it back as `consent` to agree to exactly this file."""
    is_consented: bool
    """This very file was agreed to before."""
    isolation: Isolation
    isolation_note: str = ""
    """What cannot be held back on this machine, in words."""
    variables: list[str] = []
    """Names of all variables it will see."""
    problems: list[str] = []
    """What will probably go wrong, each with its remedy: a missing package, no GPU."""


class Consent(BaseModel, frozen=True):
    """Somebody's word that a file with exactly these contents may run."""

    sha256: str
    path: str
    """Where the file lay when it was agreed to."""
    at: datetime
