"""Runners: what they need, the schema of each algorithm's params, a runner's folder, installing what is missing."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from rl_lab.api.deps import ForeignDep, RunsDep
from rl_lab.core.jobs.training import options_schema
from rl_lab.core.lengths.speeds import Speed
from rl_lab.core.runners import ActionKind, AlgorithmSpec, Capabilities, Params, Preset, Requirement
from rl_lab.orchestrator.foreign.installations import Preparation
from rl_lab.orchestrator.foreign.runner_states import RunnerState
from rl_lab.runners.warm_starts import followers_of

router = APIRouter(prefix="/api/runners", tags=["runners"])

RunnerId = Annotated[str, Path(max_length=64)]


class Algorithm(BaseModel):
    id: str
    name: str
    description: str
    action_kinds: tuple[ActionKind, ...]
    params_schema: dict[str, Any]
    """JSON Schema with defaults and bounds; `x-group`, `x-scale` and `x-advanced` say how to draw a field."""
    presets: tuple[Preset, ...]
    prefill: bool = False
    """Whether a run may name a dataset, whose steps its replay buffer then begins with."""
    followed_by: dict[str, list[str]] = {}
    """Of one that learns from a dataset: runner and algorithm that can go on with its weights in the environment, by
    the kind of actions."""


class RunnerEntry(BaseModel):
    id: str
    name: str
    description: str
    ready: bool
    problems: list[Requirement]
    """What is missing, each with its remedy; one with an `extra` can be installed by the lab."""
    capabilities: Capabilities
    algorithms: list[Algorithm]
    root: str | None
    """Folder of the user's checkout; null when none is set."""
    root_setting: str | None
    """Its setting; null for runners that need no such folder."""
    interpreter: str | None
    """The Python its scripts run in; null is the lab's own."""
    preparing: Preparation | None
    """Progress of an installation for this runner; null when none was started since the lab started."""
    notes: tuple[str, ...]
    """Hints that do not prevent a run."""
    options_schema: dict[str, Any]
    """JSON Schema of the run options this runner follows: device, until, record and others."""


class Root(BaseModel):
    model_config = ConfigDict(extra="forbid")

    path: str = Field(min_length=1, max_length=4096)
    """Absolute path of the checkout."""


@router.get("", operation_id="list_runners")
async def list_runners(foreign: ForeignDep) -> list[RunnerEntry]:
    """Every runner with its algorithms; one that is not ready lists what is missing."""
    return [_runner(state) for state in await foreign.runners.list()]


@router.get("/{runner_id}/speed", operation_id="get_speed")
async def get_speed(
    runner_id: RunnerId,
    runs: RunsDep,
    algorithm: Annotated[str, Query(max_length=64)],
    env_id: Annotated[str, Query(max_length=200)] = "",
) -> Speed:
    """How fast this configuration trains on this machine, from its past runs; for estimates before a run."""
    return await runs.estimates.speed(runner_id, algorithm, env_id)


@router.put("/{runner_id}/root", operation_id="put_runner_root")
async def put_root(runner_id: RunnerId, root: Root, foreign: ForeignDep) -> RunnerEntry:
    """Set the folder of a runner's scripts; it is remembered."""
    return _runner(await foreign.runners.put_root(runner_id, root.path))


@router.post("/{runner_id}/prepare", operation_id="prepare_runner", status_code=202)
async def prepare(runner_id: RunnerId, foreign: ForeignDep) -> RunnerEntry:
    """Start to make the separate Python of a runner; `preparing` in the list reports the progress."""
    return _runner(await foreign.runners.prepare(runner_id))


@router.post("/{runner_id}/install", operation_id="install_runner", status_code=202)
async def install(runner_id: RunnerId, foreign: ForeignDep) -> RunnerEntry:
    """Start to install what a runner needs into the lab's Python; `preparing` in the list reports the progress."""
    return _runner(await foreign.runners.install(runner_id))


def _runner(state: RunnerState) -> RunnerEntry:
    spec = state.spec
    return RunnerEntry(
        id=spec.id,
        name=spec.name,
        description=spec.description,
        ready=not state.problems,
        problems=state.problems,
        capabilities=spec.capabilities,
        algorithms=[_algorithm(one, spec.capabilities) for one in spec.algorithms],
        root=spec.root,
        root_setting=spec.root_setting,
        interpreter=spec.interpreter.path if spec.interpreter else None,
        preparing=state.preparing,
        notes=spec.notes,
        options_schema=options_schema(spec.capabilities),
    )


def _algorithm(spec: AlgorithmSpec, capabilities: Capabilities) -> Algorithm:
    return Algorithm(
        id=spec.id,
        name=spec.name,
        description=spec.description,
        action_kinds=spec.action_kinds,
        params_schema=_schema(spec.params),
        presets=spec.presets,
        prefill=spec.prefill,
        followed_by=followers_of(spec) if capabilities.dataset and spec.network else {},
    )


@lru_cache(maxsize=1024)
def _schema(params: type[Params]) -> dict[str, Any]:
    """Cached: a checkout has dozens of them, and the list is requested often."""
    return params.model_json_schema()
