"""own_code.json of a run: the code of its environment and wrappers, where the user wrote them; packs carry it."""

from __future__ import annotations

from pathlib import Path

import orjson

from rl_lab.core.own_environments import OwnEnvironment, read_own_id, version_name
from rl_lab.core.workbench.codes import MAX_CODE_BYTES
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders

OWN_CODE_FILE = "own_code.json"
MAX_BYTES = 32 * MAX_CODE_BYTES


def write_own_code(home: Path, run_id: str, codes: list[OwnEnvironment]) -> None:
    """Nothing for an environment of the catalogue."""
    folders = OwnEnvironmentFolders(home)
    found = {version_name(own): folders.read(own) for own in codes}
    if found:
        RunFolder(home, run_id).write_atomic(OWN_CODE_FILE, orjson.dumps(found))


def read_own_code(folder: RunFolder) -> dict[OwnEnvironment, str]:
    """What came with an unpacked run; ValueError when the file is not one of ours."""
    path = folder.path / OWN_CODE_FILE
    if not path.is_file():
        return {}
    if path.stat().st_size > MAX_BYTES:
        raise ValueError("it is too large")
    found: dict[OwnEnvironment, str] = {}
    for name, source in orjson.loads(path.read_bytes()).items():
        own = read_own_id(f"own:{name}")
        if own is None or not isinstance(source, str):
            raise ValueError(f"“{name}” is no version of an environment")
        found[own] = source
    return found
