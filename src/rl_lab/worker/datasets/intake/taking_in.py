"""Reads a file of another tool and writes it as a dataset: spaces, notes, checksum, forecast."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rl_lab.core.datasets.manifest import ACTIONS, OBSERVATIONS, DatasetManifest, EpisodeSource
from rl_lab.core.errors import LabError
from rl_lab.worker.datasets.formats.source import OpenSource
from rl_lab.worker.datasets.intake.checksums import Checksum
from rl_lab.worker.datasets.intake.file_spaces import SpaceFinder, environment_spaces, fit_environment
from rl_lab.worker.datasets.intake.forecast import require_space
from rl_lab.worker.datasets.intake.sink import DatasetSink
from rl_lab.worker.datasets.writing import DatasetWriter

Advance = Callable[[int], None]
"""Called with the rows or episodes that are done; raises when the job is stopped."""


@dataclass
class ImportPlan:
    """What the user, not the file, says about a dataset."""

    label: str
    """Of the file, as its source is called."""
    env_id: str | None = None
    env_kwargs: dict[str, Any] = field(default_factory=dict)
    sha256: str | None = None
    source: str = ""
    licence: str = ""
    allowed_bytes: int | None = None
    """What the lab may still write; None: as much as the disk has."""
    run_id: str | None = None
    """Of the run that a replay buffer is from."""


def take_in(
    source: OpenSource, folder: Path, plan: ImportPlan, checksum: Checksum | None, advance: Advance
) -> DatasetManifest:
    """Writes all episodes into `folder`; leaves nothing there when it fails."""
    require_space(folder, source.bytes_needed, plan.allowed_bytes)
    _name_environment(source, plan)
    observations = SpaceFinder(source.observations, source.observation_space, OBSERVATIONS)
    actions = SpaceFinder(source.actions, source.action_space, ACTIONS)
    with DatasetWriter(
        folder,
        observation_space=observations.provisional,
        action_space=actions.provisional,
        env_id=source.env_id,
        env_kwargs=source.env_kwargs,
        source=plan.source or source.source,
        licence=plan.licence or source.licence,
        infos=source.infos,
        who=source.has_who,
    ) as writer:
        sink = DatasetSink(writer)
        for rows in source.read():
            observations.add(rows.seen)
            actions.add(rows.steps)
            sink.add(rows)
            advance(writer.episodes if source.unit == "episode" else writer.steps)
        sink.finish()
        advance(source.total)  # some steps may have been left out
        digest = checksum.compare(plan.sha256) if checksum is not None else None
        writer.observation_space, writer.action_space = observations.find(), actions.find()
        writer.sources = [_source(plan, digest)]
        notes = [f"Read as {source.form}.", *source.notes, *observations.notes(), *actions.notes()]
        return writer.finish(notes=notes, reference=source.reference)


def _source(plan: ImportPlan, digest: str | None) -> EpisodeSource:
    return EpisodeSource(
        kind="file" if plan.run_id is None else "run", label=plan.label, run_id=plan.run_id, sha256=digest
    )


def _name_environment(source: OpenSource, plan: ImportPlan) -> None:
    """The environment that the user has named has to have the spaces of the file."""
    if not plan.env_id:
        return
    source.env_id, source.env_kwargs = plan.env_id, plan.env_kwargs or source.env_kwargs
    try:
        spaces = environment_spaces(plan.env_id, source.env_kwargs)
    except (LabError, ImportError) as error:
        source.notes.append(
            f"{plan.env_id} could not be created here, so its spaces were not compared: {error}"
        )
        return
    fit_environment(source, plan.env_id, spaces)
