"""What each kind of job declares to the lab: how it is prepared, and one sentence about its result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, BinaryIO, Generic, TypeVar

from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.evaluations import read_result
from rl_lab.core.jobs.kinds import KINDS, JobConfig, RunKind
from rl_lab.core.recordings import Recording
from rl_lab.core.runs import Run
from rl_lab.orchestrator.jobs.sources import Sources

C = TypeVar("C")
R = TypeVar("R")


@dataclass(frozen=True)
class PreparedJob:
    """A job that can start: checked, with all that its worker needs."""

    name: str
    """Name of its run."""
    parent_id: str | None
    """The training that gets its videos and the lines in the event log; None: a job that belongs to no run."""
    started: str
    """Message in the training's event log when the job starts."""
    env_id: str
    env_kwargs: Mapping[str, Any]
    inputs: Mapping[str, Any] = field(default_factory=dict)
    config: JobConfig | None = None
    """The configuration with what the lab has decided; None: as it was asked for."""
    recordings: Sequence[Recording] = ()
    """Written into the job's folder before its worker starts."""
    attachments: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    """Further files for the worker, by the name of the input that gets their path; made just before its start."""
    streams: Mapping[str, Callable[[BinaryIO], None]] = field(default_factory=dict)
    """The same for files that do not fit into memory: each function writes one. Runs on a thread."""
    looks_at: Sequence[str] = ()
    """Further runs whose recordings or checkpoints it uses; it is confined if one of them is of foreign code."""
    reads: Sequence[str] = ()
    """Folders that it has to read, if it is confined."""
    is_foreign: bool = False
    """Confined in any case: it reads files, or makes an environment, that others have written."""
    writes: Sequence[str] = ()
    """Further folders that it may write to, if it is confined."""
    network: bool = False
    """Whether it may use the network, if it is confined: it downloads something."""
    largest_file: int | None = None
    """Bytes, if it is confined; None: as for every script."""
    dataset: DatasetChoice | None = None
    """What the training learns from that it repeats."""


@dataclass(frozen=True)
class JobRules(Generic[C, R]):
    prepare: Callable[[Sources, C], Awaitable[PreparedJob]]
    """Raises a LabError for a job that could only fail."""
    describe_result: Callable[[R], str]
    """One sentence."""


@cache
def find_rules(kind: RunKind) -> JobRules[Any, Any]:
    module, _, name = KINDS[kind].rules.partition(":")
    rules: JobRules[Any, Any] = getattr(import_module(module), name)
    return rules


def describe_result(job: Run) -> str:
    """One sentence about the result of a finished job."""
    kind = KINDS[job.kind]
    result = read_result(kind.result, job.summary.result)
    if result is None:
        return f"{kind.noun.capitalize()} complete."
    return find_rules(job.kind).describe_result(result)
