"""The user that foreign programs run as in a lab of root: an unprivileged one, unless the lab was told otherwise.

That user must reach the program; whether it does is asked of the kernel, as that user.
"""

from __future__ import annotations

import json
import os
import pwd
import stat
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import rl_lab
from rl_lab.core.commands import Command
from rl_lab.core.datasets.manifest import DATASETS_FOLDER
from rl_lab.core.errors import NotReady
from rl_lab.core.own_environments import OWN_FOLDER
from rl_lab.orchestrator.foreign.interpreter_folders import folders_of
from rl_lab.runners.foreign import OWN_FOLDERS, RunPaths
from rl_lab.runners.python_call import PYTHON
from rl_lab.settings import Settings

ACCOUNTS = ("rl-lab", "nobody")
"""The first of them that exists is used, unless the setting names one."""
REACH_S = 30.0
PACKAGE = Path(rl_lab.__file__).parent
_REACH = (
    "import sys; sys.path.insert(0, sys.argv[1]); from rl_lab.guardian.confinement.reach import main; main()"
)
REMEDY = (
    "Install the lab, the interpreter and the script where every user can read them (not below /root), or run the "
    "lab as an ordinary user, or start it with --allow-root (RL_LAB_ALLOW_ROOT=1): programs then stay root, without "
    "its capabilities."
)


class ScriptUser(NamedTuple):
    name: str
    uid: int
    gid: int


def script_user(settings: Settings) -> ScriptUser | None:
    """None: programs run as the user of the lab. NotReady when the lab is root and there is no other user."""
    if os.geteuid() != 0 or settings.allow_root:
        return None
    for name in (settings.script_user,) if settings.script_user else ACCOUNTS:
        found = _find_account(name)
        if found is not None:
            return found
    raise NotReady(
        f"This lab runs as root, and there is no unprivileged user “{settings.script_user or ACCOUNTS[-1]}” for "
        "foreign programs.",
        next_step="Create the user (useradd --system rl-lab), name another one in RL_LAB_SCRIPT_USER, or start the "
        "lab with --allow-root.",
    )


def runs_as(settings: Settings) -> str:
    """The user of a foreign program, for people."""
    user = script_user(settings)
    if user is not None:
        return user.name
    if os.geteuid() == 0:
        return "root, without its capabilities"
    own = os.geteuid()
    try:
        return pwd.getpwuid(own).pw_name
    except KeyError:
        return str(own)


def require_reach(user: ScriptUser, command: Command, paths: RunPaths) -> None:
    """NotReady unless that user can use everything the command needs that is not the lab's own."""
    refused, trouble = _ask_kernel(user, needed_paths(command, paths))
    if trouble:
        raise NotReady(
            f"This lab runs as root, and foreign programs cannot run as “{user.name}”: {trouble}.",
            next_step=REMEDY,
        )
    if refused:
        raise NotReady(
            f"This lab runs as root, and foreign programs run as “{user.name}”, who may not use "
            f"{', '.join(refused)}.",
            next_step=REMEDY,
        )


def needed_paths(command: Command, paths: RunPaths) -> list[tuple[str, int]]:
    """What the program needs besides the folders of its run, each with how it uses it (os.R_OK and so on)."""
    home = paths.home
    needed = [(command.argv[0], os.X_OK), (str(home.parent), os.X_OK)]
    # A captured script loads a part of the lab.
    needed += [(word, os.R_OK) for word in command.argv[1:] if _is_in(word, PACKAGE)]
    if command.script:
        needed.append((command.script, os.R_OK))
    outside = [path for path in (command.cwd, *command.reads) if not _is_in(path, home)]
    if PYTHON.fullmatch(Path(command.argv[0]).name):
        outside += folders_of(command.argv[0], command.env)
    needed += [(path, os.R_OK | (os.X_OK if os.path.isdir(path) else 0)) for path in outside]  # noqa: PTH112
    needed += [(path, os.W_OK | os.X_OK) for path in command.writes if not _is_in(path, home)]
    return needed


def hand_over(user: ScriptUser, paths: RunPaths) -> None:
    """Give the run's own folders to the user, who may only pass through the folders above them."""
    attempt = paths.job.parent
    attempt.mkdir(parents=True, exist_ok=True, mode=0o700)
    for folder in (paths.home, paths.run_dir.parent, paths.run_dir, attempt.parent, attempt):
        _let_through(folder, user.gid)
    for name in OWN_FOLDERS:
        _give(paths.run_dir / name, user)


def share_folders(user: ScriptUser, command: Command, home: Path) -> None:
    """Let the user read the datasets and environments that the command reads; nobody else gains anything."""
    roots = (home / DATASETS_FOLDER, home / OWN_FOLDER)
    for folder in map(Path, command.reads):
        if not any(root in (folder, *folder.parents) for root in roots):
            continue
        for above in (one for one in folder.parents if one == home or home in one.parents):
            _let_through(above, user.gid)
        for _, _, files, here in os.fwalk(folder):
            _let_list(here, user.gid)
            for name in files:
                _let_read(name, here, user.gid)


def _let_list(folder: int, gid: int) -> None:
    """Modules are found by listing the folder they are in."""
    mode = stat.S_IMODE(os.fstat(folder).st_mode)
    if not mode & stat.S_IROTH:
        os.fchown(folder, -1, gid)
        os.fchmod(folder, (mode & ~stat.S_IRWXG) | stat.S_IRGRP | stat.S_IXGRP)


def _let_read(name: str, folder: int, gid: int) -> None:
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISREG(found.st_mode) or found.st_mode & stat.S_IROTH:
        return
    os.chown(name, -1, gid, dir_fd=folder, follow_symlinks=False)
    mode = stat.S_IMODE(found.st_mode) & ~stat.S_IRWXG
    os.chmod(name, mode | stat.S_IRGRP, dir_fd=folder)


def _let_through(folder: Path, gid: int) -> None:
    mode = stat.S_IMODE(folder.stat().st_mode)
    if not mode & stat.S_IXOTH:
        # Only the group of that user, instead of everybody.
        os.chown(folder, -1, gid)
        folder.chmod((mode & ~stat.S_IRWXG) | stat.S_IXGRP)


def _give(folder: Path, user: ScriptUser) -> None:
    """Links are not followed, and a file with a second name stays as it is: the other name may be outside."""
    for _, folders, files, here in os.fwalk(folder):
        os.fchown(here, user.uid, user.gid)
        for name in (*folders, *files):
            found = os.stat(name, dir_fd=here, follow_symlinks=False)
            if found.st_uid != user.uid and (stat.S_ISDIR(found.st_mode) or found.st_nlink == 1):
                os.chown(name, user.uid, user.gid, dir_fd=here, follow_symlinks=False)


def _ask_kernel(user: ScriptUser, paths: Iterable[tuple[str, int]]) -> tuple[Sequence[str], str]:
    asked = {"uid": user.uid, "gid": user.gid, "paths": list(dict(paths).items())}
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _REACH, str(PACKAGE.parent)],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=REACH_S,
            check=True,
        )
        answer = json.loads(done.stdout)
        return [str(path) for path in answer["refused"]], str(answer["trouble"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        return (), f"it could not be tried ({type(error).__name__})"


def _find_account(name: str) -> ScriptUser | None:
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        return None
    return ScriptUser(name, found.pw_uid, found.pw_gid) if found.pw_uid != 0 else None


def _is_in(path: str, folder: Path) -> bool:
    return Path(path) == folder or folder in Path(path).parents
