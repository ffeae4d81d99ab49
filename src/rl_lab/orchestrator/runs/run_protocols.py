"""The protocol of the evaluation after a new training: its exact version, so that all runs of a study have the same."""

from __future__ import annotations

from rl_lab.core.errors import InvalidInput, LabError
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.store.sql.database import Database
from rl_lab.store.workbench import protocols

FIELD = "evaluate_by"


async def with_exact_protocol(db: Database, new: NewRun) -> NewRun:
    """InvalidInput for a protocol that the lab does not have."""
    written = new.evaluate_by
    if written is None:
        return new
    try:
        found = await db.read(lambda conn: protocols.get_version(conn, written))
    except InvalidInput as error:
        raise InvalidInput.of_field(FIELD, error.errors[0].message) from None
    except LabError as error:
        raise InvalidInput.of_field(FIELD, f"{error.detail} {error.next_step or ''}".strip()) from None
    return new.model_copy(update={FIELD: str(found)})


async def require_its_environment(db: Database, config: TrainConfig) -> None:
    """InvalidInput for a protocol of another environment; `config` is complete, so it has no outdated id."""
    written = config.evaluate_by
    if written is None:
        return
    found = await db.read(lambda conn: protocols.get_version(conn, written))
    if found.env_id not in ("", config.env_id):
        message = f"The protocol {found} is for {found.env_id}, and this run trains in {config.env_id}."
        raise InvalidInput.of_field(FIELD, message)
