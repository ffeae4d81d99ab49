"""Where a run comes from that was imported with a pack; stored with the run."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class PackOrigin(BaseModel):
    """What an imported run was in the lab that packed it."""

    model_config = ConfigDict(frozen=True)

    pack: str
    """Name of the file."""
    sha256: str
    """Of the file."""
    run_id: str
    """Its id in the lab that packed it."""
    lab_version: str = ""
    packed_at: datetime | None = None
    imported_at: datetime
