"""environments/<name>/v<n>/ in the lab's home: the files of environments and wrappers that the user wrote.

A version is written once and as a whole; confined processes read it there. `environments/<name>/last` is the highest
number that was ever used: the number of a deleted version is not used again, since caches and people know it.
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from rl_lab.core.own_environments import OWN_FOLDER, OwnEnvironment, own_env_id, read_own_id
from rl_lab.core.workbench.code_files import join_files, split_files

TRIED_BYTES = 16
TRIED = re.compile(rf"try-[0-9a-f]{{{2 * TRIED_BYTES}}}")
"""The folder of code that is only tried, with a name that nobody chooses."""
LAST = "last"


class OwnEnvironmentFolders:
    def __init__(self, home: Path) -> None:
        self.path = home / OWN_FOLDER

    def version(self, own: OwnEnvironment) -> Path:
        return self.path / own.slug / f"v{own.version}"

    def write(self, own: OwnEnvironment, source: str) -> None:
        """Does nothing when it is there already."""
        self._note_number(own)
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

    def list_versions(self) -> list[OwnEnvironment]:
        """Also of code that came with a pack; not of code that is being tried, which is removed at any moment."""
        kept = [one for one in self._numbered("*") if not TRIED.fullmatch(one.parent.name)]
        found = [read_own_id(own_env_id(one.parent.name, int(one.name[1:]))) for one in kept]
        return [own for own in found if own is not None]

    def newest_number(self, slug: str) -> int:
        """The highest number that was ever used."""
        there = [int(one.name[1:]) for one in self._numbered(slug)]
        return max([self._noted_number(slug), *there])

    def remove(self, own: OwnEnvironment) -> None:
        self._note_number(own)
        shutil.rmtree(self.version(own), ignore_errors=True)

    def new_trial(self) -> OwnEnvironment:
        return OwnEnvironment(f"try-{secrets.token_hex(TRIED_BYTES)}", 1)

    def remove_trial(self, own: OwnEnvironment) -> None:
        shutil.rmtree(self.path / own.slug, ignore_errors=True)

    def tidy_up(self, saved: Iterable[tuple[OwnEnvironment, str]]) -> None:
        """After a kill: writes what was only saved, removes what was being written or tried."""
        for tried in self.path.glob("try-*"):
            if TRIED.fullmatch(tried.name):
                shutil.rmtree(tried, ignore_errors=True)
        for unfinished in self.path.glob("*/.*"):
            if unfinished.is_dir():
                shutil.rmtree(unfinished, ignore_errors=True)
            else:
                unfinished.unlink()
        for own, source in saved:
            self.write(own, source)

    def _numbered(self, slug: str) -> list[Path]:
        return [one for one in self.path.glob(f"{slug}/v*") if one.name[1:].isdecimal()]

    def _note_number(self, own: OwnEnvironment) -> None:
        if own.version <= self._noted_number(own.slug):
            return
        folder = self.path / own.slug
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / f".{LAST}-{secrets.token_hex(4)}"
        aside.write_text(f"{own.version}\n", encoding="ascii")
        aside.replace(folder / LAST)

    def _noted_number(self, slug: str) -> int:
        try:
            return int((self.path / slug / LAST).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0
