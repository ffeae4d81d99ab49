"""How the script of a run was started, as its newest attempt recorded it."""

from __future__ import annotations

from pathlib import Path

import orjson

from rl_lab.core.job_file import ScriptProgram
from rl_lab.guardian.files import LAUNCH_FILE, read_launch
from rl_lab.runners.script import START
from rl_lab.store.files.attempt_folder import newest_attempt


def find_program(run_folder: Path) -> ScriptProgram | None:
    """None for a run that is no captured script file; the program cannot write to the files that are read here."""
    attempt = newest_attempt(run_folder)
    try:
        launch = read_launch((attempt / LAUNCH_FILE).read_bytes()) if attempt else None
        inputs = orjson.loads((attempt / "job.json").read_bytes()).get("inputs", {}) if attempt else {}
    except (OSError, ValueError, TypeError):
        return None
    if launch is None or str(START) not in launch.argv or "--" not in launch.argv:
        return None
    at, dashes = launch.argv.index(str(START)), launch.argv.index("--")
    target, *args = launch.argv[dashes + 1 :] or [""]
    if not target.endswith(".py"):
        return None  # started as a module: which file that is only its Python knows
    return ScriptProgram(
        python=launch.argv[0],
        options=launch.argv[1:at],
        script=str(Path(launch.cwd or "/") / target),
        args=args,
        env=dict(launch.env or {}),
        agreed={str(path): str(sha256) for path, sha256 in (inputs.get("agreed") or {}).items()},
    )
