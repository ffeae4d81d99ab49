"""What a job on datasets will do: its inputs, and how much of everything. Raises for one that could only fail."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from rl_lab.core.datasets.datasets import DatasetVersion, Histogram
from rl_lab.core.datasets.manifest import EpisodeSource
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.datasets.operations import (
    CollectDataset,
    DatasetConfig,
    DatasetOperation,
    ImportDataset,
    MakeDataset,
    VerifyDataset,
    chosen_versions,
    new_names,
)
from rl_lab.core.environments import Environment, names_module, resolve_env_id
from rl_lab.core.errors import AlreadyExists, InvalidInput, NotFound
from rl_lab.core.own_environments import executes_own_code
from rl_lab.orchestrator.datasets.choosing import choose_episodes
from rl_lab.orchestrator.datasets.room import PER_EPISODE, require_room, step_bytes
from rl_lab.orchestrator.execution.unpublished import wait_for_versions
from rl_lab.orchestrator.jobs.rules import PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources, require_same_environment
from rl_lab.orchestrator.viewing.places import require_environment
from rl_lab.store.datasets import datasets
from rl_lab.store.datasets.versions import find_contents
from rl_lab.store.files.dataset_folders import DatasetFolders
from rl_lab.worker.datasets.statistics import histogram

PLAN_IMPORT = "rl_lab.orchestrator.datasets.importing:plan_import"
TITLES = {
    "make": "Make",
    "collect": "Collect",
    "import": "Import",
    "split": "Split",
    "merge": "Merge",
    "prune": "Prune",
    "check": "Check of",
    "verify": "Verification of",
    "export": "Export of",
}
TYPICAL_STEPS = 500
"""Length of an episode of an environment that names no limit."""


@dataclass(frozen=True)
class Plan:
    inputs: dict[str, Any] = field(default_factory=dict)
    env_id: str = ""
    env_kwargs: dict[str, Any] = field(default_factory=dict)
    operation: DatasetOperation | None = None
    """With what the lab has decided; None: as it was asked for."""
    episodes: int | None = None
    transitions: int | None = None
    bytes: int | None = None
    """Of new files."""
    more: dict[str, Any] = field(default_factory=dict)
    """Further fields of the PreparedJob."""
    notes: tuple[str, ...] = ()
    returns: Histogram | None = None


Planner = Callable[[Sources, Any], Awaitable[Plan]]


async def make_plan(sources: Sources, operation: DatasetOperation) -> Plan:
    plan = await _planner(operation)(sources, operation)
    for name in new_names(operation):
        await sources.context.db.read(lambda conn, n=name: _require_name(conn, n, plan.env_id))  # type: ignore[misc]
    if plan.bytes:
        require_room(sources.home, plan.bytes, sources.context.settings.min_free_bytes)
    return plan


def to_job(operation: DatasetOperation, plan: Plan) -> PreparedJob:
    about = new_names(operation)[:1] or [str(one) for one in chosen_versions(plan.operation or operation)]
    return PreparedJob(
        name=f"{TITLES[operation.do]} {about[0]}",
        parent_id=None,
        started="",
        env_id=plan.env_id,
        env_kwargs=plan.env_kwargs,
        inputs=plan.inputs,
        config=DatasetConfig(operation=plan.operation or operation),
        **plan.more,
    )


def _planner(operation: DatasetOperation) -> Planner:
    if isinstance(operation, MakeDataset):
        return _plan_make
    if isinstance(operation, CollectDataset):
        return _plan_collect
    if isinstance(operation, ImportDataset):
        module, _, name = PLAN_IMPORT.partition(":")
        planner: Planner = getattr(import_module(module), name)
        return planner
    return _plan_versions


async def _plan_make(sources: Sources, operation: MakeDataset) -> Plan:
    chosen = await choose_episodes(sources, operation.choose)
    for run in chosen.runs:
        await sources.require_environment(chosen.env_id, run.id)
    env = await sources.environments.catalogue.environment(chosen.env_id)
    count = len(chosen.figures)
    return Plan(
        inputs={"sources": [one.model_dump(mode="json") for one in chosen.sources], "episodes": count},
        env_id=chosen.env_id,
        env_kwargs=chosen.env_kwargs,
        episodes=count,
        transitions=chosen.transitions,
        bytes=chosen.transitions * step_bytes(env) + count * PER_EPISODE,
        returns=histogram(chosen.returns),
        more={
            "streams": {"recordings": lambda file: chosen.write(sources.home, file)},
            "looks_at": [run.id for run in chosen.runs],
        },
    )


async def _plan_collect(sources: Sources, operation: CollectDataset) -> Plan:
    policies, origins = [], []
    env_id, env_kwargs = operation.env_id, dict(operation.env_kwargs)
    for collector in operation.policies:
        if collector.run_id is None:
            origins.append(EpisodeSource(kind="policy", label="random actions"))
            continue
        training = await sources.get_training(collector.run_id)
        policy = await sources.find_policy(training, collector.checkpoint, training.name)
        env_id, env_kwargs = (
            env_id or policy["config"]["env_id"],
            env_kwargs or policy["config"]["env_kwargs"],
        )
        require_same_environment(env_id, policy["config"]["env_id"])
        await sources.require_environment(env_id, training.run_id)
        policies.append(policy)
        origins.append(_origin(policy, collector.noise))
    if env_id is None:
        raise InvalidInput.of_field("env_id", "Name the environment in which random actions are played.")
    env = await _get_environment(sources, env_id)
    steps = operation.episodes * (env.max_episode_steps or TYPICAL_STEPS)
    return Plan(
        inputs={
            "policies": policies,
            "sources": [one.model_dump(mode="json") for one in origins],
            "env_id": env_id,
            "env_kwargs": env_kwargs,
        },
        env_id=env_id,
        env_kwargs=env_kwargs,
        episodes=operation.episodes,
        transitions=steps,
        bytes=steps * step_bytes(env) + operation.episodes * PER_EPISODE,
        more={
            "looks_at": [one["run_id"] for one in policies],
            "is_foreign": _executes_code(env_id, env_kwargs),
        },
        notes=("Steps and size are those of episodes that last as long as they may.",),
    )


async def _get_environment(sources: Sources, env_id: str) -> Environment:
    catalogue = sources.environments.catalogue
    env = await catalogue.environment(env_id)
    if env is None:
        resolve_env_id(env_id, [one.id for one in await catalogue.environments()])
    require_environment(env_id, env)
    assert env is not None
    return env


def _origin(policy: dict[str, Any], noise: float) -> EpisodeSource:
    step = f" at step {policy['timestep']:,}" if policy["timestep"] else ""
    step += f" with noise {noise:g}" if noise else ""
    return EpisodeSource(
        kind="policy",
        label=f"{policy['label']}{step}",
        run_id=policy["run_id"],
        checkpoint=policy["artifact_id"],
        sha256=policy["sha256"],
    )


async def _plan_versions(sources: Sources, operation: DatasetOperation) -> Plan:
    """For operations on versions that exist."""
    versions = [await _find_version(sources, choice) for choice in chosen_versions(operation)]
    folders = DatasetFolders(sources.home)
    given = [
        {
            "name": one.name,
            "version": one.version,
            "sha256": one.sha256,
            "folder": str(folders.version(one.name, one.version)),
        }
        for one in versions
    ]
    exact = [DatasetChoice(name=one.name, version=one.version, sha256=one.sha256) for one in versions]
    of = exact if isinstance(getattr(operation, "of", None), list) else exact[0]
    first = versions[0]
    is_foreign = isinstance(operation, VerifyDataset) and _executes_code(first.env_id, first.env_kwargs)
    return Plan(
        inputs={"versions": given},
        env_id=first.env_id,
        env_kwargs=first.env_kwargs,
        operation=operation.model_copy(update={"of": of}),
        episodes=sum(one.episodes for one in versions),
        transitions=sum(one.transitions for one in versions),
        bytes=0 if operation.do in ("check", "verify") else sum(one.size for one in versions),
        more={"reads": [one["folder"] for one in given], "is_foreign": is_foreign},
    )


def _executes_code(env_id: str, env_kwargs: Mapping[str, Any]) -> bool:
    """Whether creating the environment executes code of the user, or of a module that its id names."""
    return names_module(env_id) or executes_own_code(env_id, env_kwargs)


async def _find_version(sources: Sources, choice: DatasetChoice) -> DatasetVersion:
    """Also under another name, when the dataset was renamed while the job waited."""
    db, sha256 = sources.context.db, choice.sha256
    await wait_for_versions(db, choice.name)
    try:
        found = await db.read(lambda conn: datasets.get_version(conn, choice.name, choice.version))
    except NotFound:
        same = await db.read(lambda conn: find_contents(conn, sha256)) if sha256 else None
        if same is None:
            raise
        return same
    return found


def _require_name(conn: Any, name: str, env_id: str) -> None:
    """A dataset holds one environment, so that any of its versions can be learned from in its place."""
    found = datasets.find(conn, name)
    newest = next(iter(found.versions), None) if found else None
    if newest is not None and newest.env_id and env_id and newest.env_id != env_id:
        raise AlreadyExists(
            f"The dataset “{newest.name}” holds episodes of {newest.env_id}, and these are of {env_id}.",
            next_step="Choose another name.",
        )
