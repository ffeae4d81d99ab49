"""Notes about transfers at work, in their folders: what is found there at the next start was interrupted.

A transfer is not continued by itself: its user may not want it any more. The page shows that it was interrupted until
it is started again or the note is dismissed.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import ValidationError

from rl_lab.core.models.transfers import ENDED, Transfer, TransferKind
from rl_lab.store.files.folder_trees import remove_tree

NOTE = "transfer.json"
SHOWN_FOR = timedelta(days=7)
AGAIN: dict[TransferKind, str] = {
    "push": "Push again: files that have arrived are not sent twice. A repository never holds half a model.",
    "pull": "Pull again: files that have arrived are not fetched twice. Nothing was imported.",
}


def write_note(folder: Path, record: Transfer) -> None:
    """Blocks; call it on a thread."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    (folder / NOTE).write_text(record.model_dump_json(), encoding="utf-8")


def read_interrupted(home: Path, now: datetime) -> list[Transfer]:
    """Oldest first; of all but these notes nothing is left. Blocks."""
    found: list[Transfer] = []
    for folder in list(home.iterdir()) if home.is_dir() else []:
        record = _read(folder / NOTE)
        remove_tree(folder)
        if record is not None and now - record.created_at < SHOWN_FOR:
            found.append(record if record.state in ENDED else as_interrupted(record))
            write_note(folder, found[-1])
    return sorted(found, key=lambda record: record.created_at)


def as_interrupted(record: Transfer) -> Transfer:
    changes = {
        "state": "interrupted",
        "message": f"The lab was stopped, which interrupted the {record.kind} of {record.repo}.",
        "next_step": AGAIN[record.kind],
        "ended_at": datetime.now(UTC),
    }
    return record.model_copy(update=changes)


def _read(path: Path) -> Transfer | None:
    try:
        return Transfer.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
