"""What each kind of job declares to the lab: how it is prepared, and one sentence about its result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeVar

from rl_lab.core.episodes import Recording
from rl_lab.core.jobs import KINDS, RunKind
from rl_lab.orchestrator.jobs.sources import Sources

C = TypeVar("C")


@dataclass(frozen=True)
class PreparedJob:
    """A job that can start: checked, with all that its worker needs."""

    name: str
    """Name of its run."""
    parent_id: str
    """The training that gets its videos and the lines in the event log."""
    started: str
    """Message in the training's event log when the job starts."""
    env_id: str
    env_kwargs: Mapping[str, Any]
    inputs: Mapping[str, Any] = field(default_factory=dict)
    recordings: Sequence[Recording] = ()
    """Written into the job's folder before its worker starts."""


@dataclass(frozen=True)
class JobRules(Generic[C]):
    prepare: Callable[[Sources, C], Awaitable[PreparedJob]]
    """Raises a LabError for a job that could only fail."""
    describe_result: Callable[[Mapping[str, Any]], str]
    """One sentence; a result of another version of the lab may lack fields."""


@cache
def find_rules(kind: RunKind) -> JobRules[Any]:
    module, _, name = KINDS[kind].rules.partition(":")
    rules: JobRules[Any] = getattr(import_module(module), name)
    return rules
