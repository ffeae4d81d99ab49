"""Environments that a script makes in forked child processes, where nothing is captured: the parent logs that.

A child can only leave a note: its copy of the emitter is silent. Each writes the ids into one file, which the parent
reads now and then.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rl_lab.capture.env_roles import TapSession

MAX_BYTES = 10_000


class ChildEnvironments:
    def __init__(self, session: TapSession) -> None:
        self._session = session
        self._path = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"rl-lab-children-{os.getpid()}")  # noqa: S108
        self._written: set[str] = set()
        self._logged: set[str] = set()

    def note(self, env_id: str) -> None:
        """In a child: this environment was made here."""
        if env_id in self._written:
            return
        self._written.add(env_id)
        try:
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(f"{env_id}\n")
        except OSError:
            return  # the child must not notice

    def log(self, counted: set[str], *, is_end: bool = False) -> None:
        """In the parent: log environments of children, except those whose episodes are counted from outside."""
        try:
            with open(self._path, encoding="utf-8", errors="replace") as file:
                found = set(file.read(MAX_BYTES).split())
        except OSError:
            return
        for env_id in sorted(found - counted - self._logged):
            self._logged.add(env_id)
            self._session.not_captured(
                f"The script steps {env_id} in processes of its own: those episodes are not captured."
            )
        if is_end:
            os.unlink(self._path)
