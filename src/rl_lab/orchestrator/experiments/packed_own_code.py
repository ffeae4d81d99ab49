"""Environments and wrappers that come with the runs of a pack: checked as text and laid out; nothing is executed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rl_lab.core.errors import InvalidInput
from rl_lab.core.own_environments import OwnEnvironment, own_env_id
from rl_lab.core.reproduction.packs import RunRecord
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.orchestrator.code_syntax import require_syntax
from rl_lab.orchestrator.execution.own_code_files import OWN_CODE_FILE, read_own_code
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders
from rl_lab.store.files.pack_files import refused


def read_all_own_code(home: Path, records: Iterable[RunRecord]) -> dict[OwnEnvironment, str]:
    """That of the unpacked folders below `home`; refuses a pack whose runs have different code under one id."""
    found: dict[OwnEnvironment, str] = {}
    for record in records:
        try:
            codes = read_own_code(RunFolder(home, record.run.id))
        except (ValueError, AttributeError) as error:
            raise refused(f"{OWN_CODE_FILE} of its run {record.run.id} cannot be used: {error}") from None
        for own, source in codes.items():
            if found.setdefault(own, source) != source:
                raise refused(f"two of its runs have different code of {own_env_id(*own)}")
    return found


def find_new(home: Path, codes: Mapping[OwnEnvironment, str]) -> dict[OwnEnvironment, str]:
    """What this lab does not have yet; refuses a pack whose environment has the id of another one of this lab."""
    folders = OwnEnvironmentFolders(home)
    new: dict[OwnEnvironment, str] = {}
    for own, source in codes.items():
        here = folders.read(own)
        if here is None:
            new[own] = source
        elif here.strip() != source.strip():
            raise refused(
                f"this lab has another environment {own_env_id(*own)}; delete it here, with the runs in it"
            )
    return new


async def require_python(codes: Mapping[OwnEnvironment, str]) -> None:
    """Refuses a pack whose code is damaged."""
    for own, source in codes.items():
        try:
            await require_syntax(source, CodeKind.environment)
        except InvalidInput as error:
            raise refused(f"the code of {own_env_id(*own)} cannot be used: {error.detail}") from None


def lay_out(home: Path, codes: Mapping[OwnEnvironment, str]) -> None:
    folders = OwnEnvironmentFolders(home)
    for own, source in codes.items():
        folders.write(own, source)
