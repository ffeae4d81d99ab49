"""A Command is the command line of a foreign program: what the user sees and approves before it runs."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

Isolation = Literal["confined", "partly", "none"]
"""confined: Landlock, seccomp and resource limits are active; partly: some of them; none: an ordinary process."""

FOREIGN_RUNNERS = frozenset({"script", "program", "cleanrl", "corl"})
"""Their trainings are commands; `capabilities.foreign` of their specs says the same."""


class Command(BaseModel, frozen=True):
    argv: list[str]
    """As executed, including the lab's wrapper; absolute paths."""
    shown: list[str]
    """As the user typed it, without the lab's wrapper."""
    cwd: str
    env: dict[str, str] = {}
    """Environment variables in addition to the lab's allow-list."""
    script: str | None = None
    """The file whose contents the user approves; its hash is stored."""
    reads: list[str] = []
    """Folders and files it may read, in addition to those of the system and of the interpreter."""
    writes: list[str] = []
    """The only folders it may write to."""
    network: bool = False


class Interpreter(BaseModel, frozen=True):
    """The Python that runs a script; version and missing modules are reported by that Python."""

    path: str
    version: str = ""
    prefixes: list[str] = []
    """Folders it imports from; the script may read them."""
    missing: list[str] = []
    """Top-level modules that the script imports and this Python does not have."""
    found: list[str] = []
    """Those of them that are next to the script or in its repository."""
    python_path: str | None = None
    """The PYTHONPATH with which the script can import `found`."""


class CommandPreview(BaseModel, frozen=True):
    """What starting a command would do; shown before it starts."""

    command: Command
    interpreter: Interpreter | None = None
    sha256: str
    """Hash of what is approved (the script, `modules`, `added`); send it back as `consent` to approve exactly this."""
    is_consented: bool
    """Exactly this was approved before."""
    modules: list[str] = []
    """Files next to the script that it imports, relative to its folder; the approval covers their contents."""
    added: list[str] = []
    """Folders and files that the interpreter imports from outside itself, the system and the script's folder."""
    changes: list[str] = []
    """What differs from the version that was approved last, as sentences."""
    isolation: Isolation
    isolation_note: str = ""
    """What cannot be restricted on this machine, as a sentence."""
    runs_as: str = ""
    """The user it runs as."""
    variables: list[str] = []
    """Names of all environment variables it will see."""
    threads: str | None = None
    """Threads of its numeric libraries (OMP_NUM_THREADS): the user's, or the lab's share of the cores."""
    not_captured: list[str] = []
    """What of the script will not be captured, as far as its source shows."""
    problems: list[str] = []
    """Likely problems, each with its remedy: a missing package, no GPU."""


class Consent(BaseModel, frozen=True):
    """A user's approval that a file with exactly these contents may run, with the modules and folders it was shown."""

    sha256: str
    path: str
    """Where the file was when it was approved."""
    at: datetime
