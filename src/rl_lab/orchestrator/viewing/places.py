"""Where a recorded environment can be created: in the lab's Python, or in the Python of the script that recorded it."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import msgspec

from rl_lab.core.environments import Environment
from rl_lab.core.errors import NotReady
from rl_lab.core.recordings import Recording, RemotePlace
from rl_lab.guardian.files import LAUNCH_FILE, Launch, as_json, read_launch
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.portable.regular_files import open_regular
from rl_lab.store.files.attempt_folder import newest_attempt
from rl_lab.store.files.folders import RunFolder

MAX_SCRIPT_BYTES = 4 << 20


async def place_recording(recording: Recording, catalogue: Catalogue, home: Path) -> Recording:
    """With its place filled in where the lab itself lacks the environment; NotReady where nobody has it."""
    entry = await catalogue.environment(recording.env_id)
    if entry is not None and not entry.problem:
        return recording
    folder = RunFolder(home, recording.run_id).path
    place = await asyncio.to_thread(find_place, folder, recording.env_version)
    if place is None:
        require_environment(recording.env_id, entry)
    return msgspec.structs.replace(recording, place=place)


def require_environment(env_id: str, entry: Environment | None) -> None:
    """NotReady, with the remedy, when the environment cannot be created here."""
    if entry is None:
        raise NotReady(
            f"{env_id} is no longer installed.",
            next_step="Install the package it came from; `rl-lab envs` lists what is installed.",
        )
    if entry.problem:
        raise NotReady(f"{env_id} cannot be created: {entry.problem}", next_step=entry.remedy or None)


def find_place(run_folder: Path, env_version: str | None) -> RemotePlace | None:
    """The Python of the run's newest attempt; None unless it was a confined script."""
    attempt = newest_attempt(run_folder)
    try:
        launch = read_launch((attempt / LAUNCH_FILE).read_bytes()) if attempt else None
    except (OSError, ValueError, TypeError):
        return None
    if launch is None or launch.confine is None or "--" not in launch.argv:
        return None
    script = _script(launch)
    return RemotePlace(
        python=launch.argv[0],
        folder=str(script.parent),
        modules=[*_package(env_version), *local_modules(script)],
        launch=as_json(launch),
    )


def _script(launch: Launch) -> Path:
    """The file after `--`; a module that was run with `-m` lies in the folder it was started in."""
    words, start = launch.argv[launch.argv.index("--") + 1 :], Path(launch.cwd or "/")
    return start / f"{words[1]}.py" if words[0] == "-m" else start / words[0]


def _package(env_version: str | None) -> list[str]:
    """ "minigrid 3.0.0" comes from the module minigrid."""
    return [env_version.split()[0].replace("-", "_")] if env_version else []


def local_modules(script: Path) -> list[str]:
    """What the script imports from its own folder: importing it registers its environments."""
    try:
        with open_regular(script) as file:
            text = file.read(MAX_SCRIPT_BYTES + 1)
        if len(text) > MAX_SCRIPT_BYTES:
            return []
        tree = ast.parse(text)
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return []
    names = [name for node in ast.walk(tree) for name in _imported(node)]
    beside = script.parent
    return [
        name
        for name in dict.fromkeys(names)
        if (beside / f"{name.partition('.')[0]}.py").is_file() or (beside / name.partition(".")[0]).is_dir()
    ]


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        return [node.module]
    return []
