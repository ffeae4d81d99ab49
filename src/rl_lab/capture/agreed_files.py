"""The files that the user approved: read once, compared with their hashes, and run from exactly these bytes.

So a file that is changed after the lab looked at it, or while the script runs, is not run in its place. Compiled files
in `__pycache__` are not used for them.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from rl_lab.capture.failures import ScriptChanged
from rl_lab.portable.regular_files import open_regular


class AgreedFiles:
    """By real path. Without any, nothing was agreed to and nothing is compared."""

    def __init__(self, hashes: Mapping[str, str]) -> None:
        self.contents = {path: read_agreed(path, sha256) for path, sha256 in hashes.items()}
        self._names = {os.path.basename(path) for path in self.contents}

    def require(self, path: str) -> bytes | None:
        """The contents of what is about to run; None when nothing was agreed to. Raises ScriptChanged."""
        if not self.contents:
            return None
        found = self.find(path)
        if found is None:
            raise ScriptChanged(f"{path} is not the file that was approved: it now leads to another one.")
        return found

    def find(self, path: str) -> bytes | None:
        # The last name first: it is asked for every imported module, and the real path costs system calls.
        return self.contents.get(os.path.realpath(path)) if os.path.basename(path) in self._names else None


def read_agreed(path: str, sha256: str) -> bytes:
    try:
        with open_regular(path) as file:
            found: bytes = file.read()
    except OSError as error:
        raise ScriptChanged(f"{path} was approved and cannot be read now: {error.strerror}.") from None
    if hashlib.sha256(found).hexdigest() != sha256:
        raise ScriptChanged(f"{path} has changed since it was approved, so it was not run.")
    return found


class AgreedFinder:
    """Imports approved modules from the bytes that were compared; all others as usual."""

    def __init__(self, files: AgreedFiles) -> None:
        self._files = files

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or type(spec.loader) is not SourceFileLoader or spec.origin is None:
            return spec
        found = self._files.find(spec.origin)
        if found is not None:
            spec.loader = AgreedLoader(name, spec.origin, found)
        return spec


class AgreedLoader(SourceFileLoader):
    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self._source = source

    def get_data(self, path: str) -> bytes:
        return self._source if path == self.path else super().get_data(path)

    def get_code(self, fullname: str) -> CodeType | None:
        code: CodeType = self.source_to_code(self._source, self.path)
        return code


def install_finder(files: AgreedFiles) -> None:
    """In front of Python's own finder for folders."""
    finders: list[Any] = sys.meta_path
    place = finders.index(PathFinder) if PathFinder in finders else len(finders)
    finders.insert(place, AgreedFinder(files))
