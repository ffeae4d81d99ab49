"""The folders that belong to a Python interpreter: found by the lab itself, without starting the interpreter.

What the interpreter says about itself is not used here: a `.pth` file or `sitecustomize` in it is foreign code.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from rl_lab.guardian.confinement.rules import SYSTEM
from rl_lab.portable.regular_files import open_regular

LANDMARKS = ("lib/python3*/os.py", "lib64/python3*/os.py", "lib/pypy3*/os.py")
"""Python itself looks for them to find its library."""
BUILD_MARK = "pybuilddir.txt"
"""In the folder of a Python that is run where it was compiled."""
SHARED_PARTS = ("bin", "lib", "lib64")
"""Of a prefix that holds more than Python (~/.local): next to these are the keys and tokens of other programs."""
CONFIG = "pyvenv.cfg"
MAX_CONFIG_BYTES = 64 << 10
START_FILES = ("sitecustomize", "usercustomize")


def folders_of(python: str, env: Mapping[str, str]) -> list[str]:
    """Real paths of what an interpreter needs to start: its file, its virtual environment, its base."""
    real = Path(os.path.realpath(python))
    found = [real, *_base_of(real.parent)]
    if "PYTHONHOME" in env:
        found += _base_of(Path(env["PYTHONHOME"], "bin"))
    environment = environment_of(python)
    if environment is not None:
        found += [*_parts(Path(os.path.realpath(environment))), *_base_of(_home_in(environment))]
    return outermost(map(str, found))


def environment_of(python: str) -> Path | None:
    """The folder of the virtual environment that this path belongs to; links are not followed, as Python does."""
    folder = Path(python).parent
    return next((one for one in (folder, folder.parent) if (one / CONFIG).is_file()), None)


def _home_in(environment: Path) -> Path | None:
    """The folder with the base interpreter, as `pyvenv.cfg` names it."""
    try:
        with open_regular(environment / CONFIG) as file:
            lines = file.read(MAX_CONFIG_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return None
    pairs = (line.partition("=") for line in lines)
    named = next((value.strip() for key, _, value in pairs if key.strip().lower() == "home"), "")
    return Path(named) if named.startswith("/") else None


def _base_of(folder: Path | None) -> list[Path]:
    """The prefix around a folder with an interpreter; [] unless Python's library is there."""
    if folder is None:
        return []
    real = Path(os.path.realpath(folder))
    if (real / BUILD_MARK).is_file():
        return [real]
    has_library = any(one.is_file() for mark in LANDMARKS for one in real.parent.glob(mark))
    return _parts(real.parent) if has_library else []


def _parts(prefix: Path) -> list[Path]:
    """The whole prefix, or its parts for Python where a person's other files are in it as well."""
    home = Path(os.path.realpath(Path.home()))
    if prefix in (home, home / ".local") or prefix in home.parents:
        return [prefix / name for name in SHARED_PARTS]
    return [prefix]


def user_bases(given: str | None, version: str) -> list[Path]:
    """Where `pip --user` may install for this version; `given` is PYTHONUSERBASE."""
    home = Path.home()
    short = ".".join(version.split(".")[:2])
    own = [Path(given)] if given and given.startswith("/") else []
    return [*own, home / ".local", home / "Library" / "Python" / short]


def outermost(paths: Iterable[str]) -> list[str]:
    """Each path once, without those inside another one; missing ones are left out."""
    kept: list[str] = []
    for path in sorted({os.path.normpath(one) for one in paths if Path(one).exists()}):
        if not is_beneath(path, kept):
            kept.append(path)
    return kept


def is_beneath(path: str, folders: Iterable[str]) -> bool:
    """Whether a path is one of the folders or in one; by spelling, so give real paths."""
    return any(path == one or path.startswith(one.rstrip("/") + "/") for one in folders)


def is_system(path: str) -> bool:
    return is_beneath(path, SYSTEM)


def state_of(python: str, script: str | None, path: Iterable[str]) -> tuple[object, ...]:
    """Changes when the interpreter, its configuration, the script, or a file that Python runs at its start changes."""
    environment = environment_of(python)
    files = [Path(python), Path(os.path.realpath(python)), *([Path(script)] if script else [])]
    files += [environment / CONFIG] if environment else []
    return (*map(_stamp, files), *(stamp for folder in path for stamp in _start_files(Path(folder))))


def _start_files(folder: Path) -> list[object]:
    """The folder itself (packages come and go), its .pth files and the modules that Python imports at its start."""
    found: list[object] = [_stamp(folder)]
    try:
        with os.scandir(folder) as entries:
            named = [e.path for e in entries if e.name.endswith(".pth") or e.name.startswith(START_FILES)]
    except OSError:
        return found
    return [*found, *((one, _stamp(Path(one))) for one in sorted(named))]


def _stamp(path: Path) -> tuple[int, ...]:
    """With the time of the last change of the inode, which a program cannot set."""
    try:
        state = path.stat()
    except OSError:
        return ()
    return (state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino)
