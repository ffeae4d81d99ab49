"""Runners, what they need, and the schema of each algorithm's params."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from rl_lab.api.deps import LabDep
from rl_lab.core.runners import ActionKind, AlgorithmSpec, Capabilities, Preset, Requirement
from rl_lab.orchestrator.lab import RunnerState

router = APIRouter(prefix="/api/runners", tags=["runners"])


class Algorithm(BaseModel):
    id: str
    name: str
    description: str
    action_kinds: tuple[ActionKind, ...]
    params_schema: dict[str, Any]
    """JSON Schema with defaults and bounds; `x-group`, `x-scale` and `x-advanced` say how to draw a field."""
    presets: tuple[Preset, ...]


class Runner(BaseModel):
    id: str
    name: str
    description: str
    ready: bool
    problems: list[Requirement]
    """What is missing, each with its remedy."""
    capabilities: Capabilities
    algorithms: list[Algorithm]


@router.get("", operation_id="list_runners")
async def list_runners(lab: LabDep) -> list[Runner]:
    """Every runner with its algorithms; one that is not ready says what it lacks."""
    return [_runner(state) for state in await lab.runners()]


def _runner(state: RunnerState) -> Runner:
    spec = state.spec
    return Runner(
        id=spec.id,
        name=spec.name,
        description=spec.description,
        ready=not state.problems,
        problems=state.problems,
        capabilities=spec.capabilities,
        algorithms=[_algorithm(one) for one in spec.algorithms],
    )


def _algorithm(spec: AlgorithmSpec) -> Algorithm:
    return Algorithm(
        id=spec.id,
        name=spec.name,
        description=spec.description,
        action_kinds=spec.action_kinds,
        params_schema=spec.params.model_json_schema(),
        presets=spec.presets,
    )
