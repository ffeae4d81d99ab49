"""Rewards that come with the runs of a pack: checked as text, and saved under their names. None is executed by this."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import Connection

from rl_lab.core.reproduction.packs import RunRecord
from rl_lab.core.workbench.codes import CodeKind, NewCode, code_hash
from rl_lab.core.workbench.syntax import check_syntax
from rl_lab.orchestrator.execution.reward_files import REWARD_FILE, read_copy, reward_of
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.pack_files import refused
from rl_lab.store.workbench import codes


def read_rewards(home: Path, records: Iterable[RunRecord]) -> list[NewCode]:
    """Those in the unpacked folders below `home`, each once; refuses a pack whose code is not what its run names.

    Code that could not be saved here, such as under a name of another form, stays with its run only.
    """
    found: dict[str, NewCode] = {}
    for record in records:
        choice = reward_of(record.run.config)
        source = read_copy(RunFolder(home, record.run.id)) if choice is not None else None
        if choice is None or source is None:
            continue
        sha256 = code_hash(source)
        if choice.sha256 != sha256:
            raise refused(f"{REWARD_FILE} of its run {record.run.id} is not the reward that the run names")
        new = _as_code(choice.name, source, record.run.env_id or "")
        if new is not None:
            found.setdefault(sha256, new)
    return list(found.values())


def restore(conn: Connection, rewards: Iterable[NewCode]) -> None:
    """Saves what this lab does not have yet under any name."""
    for new in rewards:
        if codes.find_contents(conn, CodeKind.reward, code_hash(new.source)) is None:
            codes.save(conn, CodeKind.reward, new)


def _as_code(name: str, source: str, env_id: str) -> NewCode | None:
    try:
        new = NewCode(name=name, source=source, env_id=env_id)
    except ValidationError:
        return None
    return None if check_syntax(source, CodeKind.reward) else new
