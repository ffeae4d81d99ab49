"""environments/<name>/v<n>/ in the lab's home: the files of environments and wrappers that the user wrote.

A version is written once and as a whole; confined processes read it there.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from rl_lab.core.own_environments import OWN_FOLDER, OwnEnvironment
from rl_lab.core.workbench.code_files import join_files, split_files

TRIED = "try-"
"""How the names of code begin that is only tried."""


class OwnEnvironmentFolders:
    def __init__(self, home: Path) -> None:
        self.path = home / OWN_FOLDER

    def version(self, own: OwnEnvironment) -> Path:
        return self.path / own.slug / f"v{own.version}"

    def write(self, own: OwnEnvironment, source: str) -> None:
        """Does nothing when it is there already."""
        folder = self.version(own)
        if folder.exists():
            return
        aside = folder.with_name(f".{own.version}-{secrets.token_hex(4)}")
        for file in split_files(source):
            path = aside / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text, encoding="utf-8")
        aside.rename(folder)

    def read(self, own: OwnEnvironment) -> str | None:
        """Its files as one text."""
        folder = self.version(own)
        files = {
            str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("*.py")
        }
        return join_files(files) if files else None

    def newest_number(self, slug: str) -> int:
        """Also of versions that are no longer listed."""
        folders = (self.path / slug).glob("v*")
        return max((int(one.name[1:]) for one in folders if one.name[1:].isdigit()), default=0)

    def remove(self, own: OwnEnvironment) -> None:
        shutil.rmtree(self.version(own), ignore_errors=True)

    def new_trial(self) -> OwnEnvironment:
        return OwnEnvironment(f"{TRIED}{secrets.token_hex(6)}", 1)

    def remove_trial(self, own: OwnEnvironment) -> None:
        shutil.rmtree(self.path / own.slug, ignore_errors=True)

    def tidy_up(self, saved: Iterable[tuple[OwnEnvironment, str]]) -> None:
        """After a kill: writes what was only saved, removes what was being written or tried."""
        for left in [*self.path.glob(f"{TRIED}*"), *self.path.glob("*/.*")]:
            shutil.rmtree(left, ignore_errors=True)
        for own, source in saved:
            self.write(own, source)
