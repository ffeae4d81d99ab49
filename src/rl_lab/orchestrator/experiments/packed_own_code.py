"""Environments and wrappers that come with the runs of a pack: checked as text and laid out; nothing is executed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rl_lab.core.errors import LabError
from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.reproduction.packs import RunRecord
from rl_lab.core.workbench.code_files import check_files
from rl_lab.orchestrator.execution.own_code_files import OWN_CODE_FILE, read_own_code
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders
from rl_lab.store.files.pack_files import refused


def read_all_own_code(home: Path, records: Iterable[RunRecord]) -> dict[OwnEnvironment, str]:
    """That of the unpacked folders below `home`; refuses a pack whose code is damaged."""
    found: dict[OwnEnvironment, str] = {}
    for record in records:
        try:
            found |= read_own_code(RunFolder(home, record.run.id))
            wrong = [source for source in found.values() if check_files(source)]
        except (ValueError, AttributeError, LabError) as error:
            raise refused(f"{OWN_CODE_FILE} of its run {record.run.id} cannot be used: {error}") from None
        if wrong:
            raise refused(f"{OWN_CODE_FILE} of its run {record.run.id} is not Python code")
    return found


def require_same(home: Path, codes: Mapping[OwnEnvironment, str]) -> None:
    """Refuses a pack whose environment has the id of another one of this lab."""
    folders = OwnEnvironmentFolders(home)
    for own, source in codes.items():
        here = folders.read(own)
        if here is not None and here.strip() != source.strip():
            raise refused(
                f"this lab has another environment own:{own.slug}-v{own.version}; delete it here, with the runs in it"
            )


def lay_out(home: Path, codes: Mapping[OwnEnvironment, str]) -> None:
    folders = OwnEnvironmentFolders(home)
    for own, source in codes.items():
        folders.write(own, source)
