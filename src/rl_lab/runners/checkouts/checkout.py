"""A Checkout of the user: which scripts it offers, and why a folder is not a checkout. Nothing in it is imported."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, Protocol, TypeVar

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.script_text.files import NotAScript


class AnyScript(Protocol):
    @property
    def id(self) -> str: ...


S = TypeVar("S", bound=AnyScript)


@dataclass(frozen=True)
class Checkout(Generic[S]):
    root: Path
    scripts: tuple[S, ...]
    """Sorted by name; at least one."""
    skipped: tuple[str, ...]
    """Files that are not offered, each with the reason."""

    def find(self, script_id: str) -> S | None:
        return next((script for script in self.scripts if script.id == script_id), None)


class CheckoutLayout(ABC, Generic[S]):
    """Where the checkouts of one library have their scripts, and how one is read."""

    library: ClassVar[str]
    folder: ClassVar[str]
    """The folder that every checkout has, with the scripts in it."""
    no_script: ClassVar[str]
    """The end of “FOLDER contains …”, where no file is a script."""

    def open(self, root: Path) -> Checkout[S]:
        """Reads a checkout; raises InvalidInput with the reason if the folder is not one."""
        try:
            return self._opened(root)
        except OSError as error:
            raise _refused(f"{root} cannot be read: {error.strerror}.") from None

    def script_folder(self, root: Path) -> Path:
        return root / self.folder

    @abstractmethod
    def candidates(self, folder: Path) -> list[Path]:
        """The files that may be scripts."""

    @abstractmethod
    def read(self, path: Path) -> S:
        """Parses a file; raises NotAScript with the reason if it is not offered."""

    @abstractmethod
    def checkout_around(self, root: Path) -> str | None:
        """The folder to use instead, where `root` is inside a checkout."""

    def skipped_folders(self, root: Path) -> list[str]:
        """Folders of scripts that are not offered, each with the reason."""
        return []

    def _opened(self, root: Path) -> Checkout[S]:
        if not (root / self.folder).is_dir():
            raise _refused(self._why_no_folder(root))
        folder = self.script_folder(root)
        scripts: dict[str, S] = {}
        skipped = []
        for path in self.candidates(folder):
            try:
                script = self.read(path)
            except NotAScript as reason:
                skipped.append(f"{path.relative_to(root)}: {reason}")
                continue
            scripts.setdefault(script.id, script)
        if not scripts:
            raise _refused(f"{folder} contains {self.no_script}")
        skipped += self.skipped_folders(root)
        return Checkout(root, tuple(scripts[id_] for id_ in sorted(scripts)), tuple(skipped))

    def _why_no_folder(self, root: Path) -> str:
        if not root.exists():
            return f"There is no folder {root}."
        if not root.is_dir():
            return f"{root} is a file, not a folder."
        around = self.checkout_around(root)
        if around is not None:
            return f"{root} is a folder inside a checkout; use {around}."
        return f"{root} is not a {self.library} checkout: it has no folder “{self.folder}” with scripts."


def _refused(message: str) -> InvalidInput:
    return InvalidInput.of_field("root", message)
