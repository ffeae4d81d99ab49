"""What a process may use that looks at something foreign code has named: an environment, its arguments, a recording.

Drawing a recording creates its environment, and creating it may import a module that the run has named, or written.
So a process that looks at a run of foreign code is confined like the run itself, and may write nothing. One that looks
at a run of the lab's own learners is not: the same environment was created by its worker already.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import rl_lab
from rl_lab.core.environments import names_module
from rl_lab.core.errors import NotReady
from rl_lab.core.jobs.play import PlayConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.forms import REWRITTEN_FORMS
from rl_lab.core.own_environments import OWN_FOLDER, executes_own_code
from rl_lab.core.reproduction.origins import ModelOrigin
from rl_lab.core.runs import Run
from rl_lab.guardian.files import LAUNCH_FILE, Confinement, read_launch
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.own_code_consents import OwnCodeConsents
from rl_lab.runners.foreign import code_in
from rl_lab.runners.registry import makes_environment
from rl_lab.settings import Settings
from rl_lab.store import runs
from rl_lab.store.files.attempt_folder import newest_attempt

PROCESSES = 256
"""A replay has up to 64 processes, and those of a script's own Python."""


class Looking:
    """Decides for each run how the processes that look at it are started."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._consents = OwnCodeConsents(context)

    async def rights(self, more: Iterable[str] = ()) -> Confinement:
        """Of a process without a run; `more` is what it may read as well."""
        found = await asyncio.to_thread(looking_rights, self._context.settings, more)
        return await self.with_approved(found)

    async def module_rights(
        self, env_id: str, env_kwargs: Mapping[str, Any] | None = None, more: Iterable[str] = ()
    ) -> Confinement | None:
        """For an environment without a run; None where creating it executes nothing that others may have written."""
        return await self.rights(more) if executes_others(env_id, env_kwargs or {}) else None

    async def with_approved(self, rights: Confinement) -> Confinement:
        """Where Landlock protects no files, a process may execute only those versions of own code that are approved."""
        if rights.landlock or not rights.own_environments:
            return rights
        return rights._replace(approved_versions=await self._consents.list_approved())

    async def find_rights(self, run_id: str) -> Confinement | None:
        """None for a run of the lab's own learners."""
        run = await self._context.db.read(lambda conn: runs.get(conn, run_id))
        if not is_foreign(run):
            return None
        folder = self._context.folders.find(run_id).path
        return await self.rights(await asyncio.to_thread(readable, folder))

    async def may_describe(self, run: Run, env_id: str) -> bool:
        """Whether the environment of a run can be looked up without executing its code unconfined."""
        if not names_module(env_id) or not is_foreign(run):
            return True
        return bool((await asyncio.to_thread(probe)).landlock)


def executes_others(env_id: str, env_kwargs: Mapping[str, Any]) -> bool:
    """Whether creating it imports a module that foreign code may have named, or executes code of the user's own."""
    return names_module(env_id) or executes_own_code(env_id, env_kwargs)


def is_foreign(run: Run) -> bool:
    """Whether its environment is not the lab's: named by a script, a program, another tool, a pack; or the user's own.

    A job of such a run is confined too, and carries its isolation.
    """
    is_foreign_run = run.source is not None or run.isolation is not None or run.origin is not None
    config = run.config
    is_own = isinstance(config, TrainConfig | PlayConfig) and executes_own_code(
        config.env_id or "", config.env_kwargs
    )
    return is_foreign_run or is_own or makes_environment(config)


def is_rewritten(run: Run) -> bool:
    """Whether it is an imported model that became a checkpoint of the lab's own, in an environment of the catalogue."""
    is_ours = isinstance(run.origin, ModelOrigin) and run.origin.form in REWRITTEN_FORMS
    return is_ours and not names_module(run.config.env_id if isinstance(run.config, TrainConfig) else "")


def looking_rights(settings: Settings, more: Iterable[str] = ()) -> Confinement:
    """Reads the system, the lab's own Python and `more`; writes nothing, no network.

    Starts a process when it is called for the first time.
    """
    found = probe()
    return Confinement(
        level=found.level,
        landlock=found.landlock,
        seccomp=found.seccomp,
        own_shared_memory=found.own_shared_memory,
        own_environments=own_environments(settings.home_path),
        reads=[*own_code(settings.home_path), *more],
        file_bytes=settings.script_file_bytes,
        memory_bytes=settings.script_memory_bytes,
        resident_bytes=settings.own_code_memory_bytes,
        processes=PROCESSES,
    )


def join_rights(rights: Sequence[Confinement]) -> Confinement | None:
    """One process that may read what each of them may."""
    if not rights:
        return None
    reads = dict.fromkeys(path for one in rights for path in one.reads)
    return rights[0]._replace(reads=list(reads))


def own_environments(home: Path) -> str:
    """The folder of the environments that the user wrote; empty when there is none."""
    folder = home / OWN_FOLDER
    return str(folder) if folder.is_dir() else ""


def require_confined(rights: Confinement | None, env_id: str, *, is_remote: bool = False) -> None:
    """NotReady when drawing would execute code that a run has named and that this machine cannot confine."""
    if rights is None or rights.landlock or not (is_remote or names_module(env_id)):
        return
    raise NotReady(
        f"{env_id} is not drawn: its code was named by a script or program, and this machine cannot confine it.",
        next_step="Use Linux 5.13 or newer with Landlock; `rl-lab doctor` shows what this machine can confine.",
    )


def readable(run_folder: Path) -> list[str]:
    """What the newest attempt of a confined run was allowed to use: its environment may be in its own Python only."""
    attempt = newest_attempt(run_folder)
    try:
        launch = read_launch((attempt / LAUNCH_FILE).read_bytes()) if attempt else None
    except (OSError, ValueError, TypeError):
        return []
    if launch is None or launch.confine is None:
        return []
    return [*launch.confine.reads, *launch.confine.writes]


def own_code(home: Path) -> list[str]:
    """Where the lab's own Python imports from; of a folder that holds the lab's home only the modules in it."""
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    program = Path(sys.executable)
    places = [*prefixes, str(program.parent), str(program.resolve().parent)]
    places += [str(Path(rl_lab.__file__).parent), *_module_folders(), *_editable_installs()]
    return list(dict.fromkeys(path for place in places for path in _without_home(place, home)))


def _module_folders() -> list[str]:
    """sys.path as a worker has it: without the folder of the program that started this process."""
    known = sys.path if sys.flags.safe_path else sys.path[1:]
    return [*filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)), *filter(None, known)]


def _without_home(place: str, home: Path) -> list[str]:
    return code_in(place, home) if Path(place).is_dir() else [place]


def _editable_installs() -> list[str]:
    """Folders that setuptools' finders map modules to: they are not in sys.path."""
    finders = [module for name, module in list(sys.modules.items()) if name.startswith("__editable__")]
    return [str(place) for finder in finders for place in getattr(finder, "MAPPING", {}).values()]
