"""Rewards that come with the runs of a pack: checked as text, and saved under their names. None is executed by this."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import Connection

from rl_lab.core.reproduction.packs import RunRecord
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import NewCode, code_hash
from rl_lab.orchestrator.code_syntax import find_remarks
from rl_lab.orchestrator.execution.reward_files import REWARD_FILE, read_copy, reward_of
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.pack_files import refused
from rl_lab.store.workbench import codes


def read_rewards(home: Path, records: Iterable[RunRecord]) -> list[NewCode]:
    """Those in the unpacked folders below `home`, each once; refuses a pack whose code is not what its run names."""
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


async def keep_usable(rewards: Iterable[NewCode]) -> list[NewCode]:
    """Without those that are no code of a reward: they stay with their runs only."""
    return [new for new in rewards if not await find_remarks(new.source, CodeKind.reward)]


def restore(conn: Connection, rewards: Iterable[NewCode]) -> None:
    """Saves what this lab does not have yet under any name."""
    for new in rewards:
        if codes.find_contents(conn, CodeKind.reward, code_hash(new.source)) is None:
            codes.save(conn, CodeKind.reward, new)


def _as_code(name: str, source: str, env_id: str) -> NewCode | None:
    """None for a name of another form: it stays with its run only."""
    try:
        return NewCode(name=name, source=source, env_id=env_id)
    except ValidationError:
        return None
