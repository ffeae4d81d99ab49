"""What a user asks for: a NewRun becomes a checked, complete TrainConfig; a RunPatch changes a run's labels."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from rl_lab.core.bounds import MAX_SEED
from rl_lab.core.environments import Environment, resolve_env_id
from rl_lab.core.errors import FieldError, InvalidInput
from rl_lab.core.jobs import MAX_TIMESTEPS, Seed, TrainConfig
from rl_lab.core.runners import AlgorithmSpec, Preset, RunnerSpec, complete_params, find_preset

T = TypeVar("T")

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64)]


def _require_plain(arguments: dict[str, Any]) -> dict[str, Any]:
    """What JSON allows and no file or database of ours could give back as it came."""
    try:
        # With room for what lies around it in a run's config.
        same = orjson.loads(orjson.dumps([[[[[[arguments]]]]]])) == [[[[[[arguments]]]]]]
    except TypeError:
        same = False
    if not same:
        raise PydanticCustomError(
            "plain_json",
            "It may hold text, finite numbers of 64 bits, lists and objects, not nested too deeply.",
        )
    return arguments


class NewRun(BaseModel):
    """A training run to create; everything but the environment and the algorithm may be left out."""

    model_config = ConfigDict(extra="forbid")

    env_id: str = Field(default="", max_length=200)
    """May be left out only for runners that make their environment themselves."""
    algorithm: str = Field(min_length=1, max_length=64)
    runner: str = Field(default="sb3", max_length=64)
    total_timesteps: int | None = Field(default=None, ge=1, le=MAX_TIMESTEPS)
    """The preset's, else 100,000."""
    seed: Seed | None = None
    """Drawn when absent, and kept in the config so that the run can be repeated."""
    preset: str | None = Field(default=None, max_length=64)
    params: dict[str, Any] = {}
    name: Name | None = None
    tags: list[Tag] = Field(default=[], max_length=32)
    start: bool = False
    env_kwargs: Annotated[dict[str, Any], AfterValidator(_require_plain)] = {}
    device: Literal["auto", "cpu", "cuda"] = "auto"
    until: Literal["timesteps", "solved"] = "timesteps"
    checkpoint_every: int | None = Field(default=None, ge=1, le=MAX_TIMESTEPS)
    record: bool = True
    evaluate_after: int = Field(default=5, ge=0, le=100)
    priority: int = Field(default=0, ge=-100, le=100)
    consent: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    """SHA-256 of the foreign script as it was shown: the word that it may run."""


class RunPatch(BaseModel):
    """Labels of a run to change; a field that is absent stays as it is."""

    model_config = ConfigDict(extra="forbid")

    name: Name | None = None
    tags: list[Tag] | None = Field(default=None, max_length=32)
    archived: bool | None = None
    priority: int | None = Field(default=None, ge=-100, le=100)


def train_config(new: NewRun, spec: RunnerSpec, environments: Sequence[Environment]) -> TrainConfig:
    """The complete configuration of a new run; raises InvalidInput with every wrong field at once."""
    errors: list[FieldError] = []
    is_free = spec.capabilities.own_environment
    is_unchecked = is_free or is_scripts_own(new, spec, environments)
    environment = (
        None if is_unchecked else _collect(errors, lambda: find_environment(new.env_id, environments))
    )
    algorithm = _collect(errors, lambda: spec.algorithm(new.algorithm))
    preset: Preset | None = None
    params: dict[str, Any] = {}
    if algorithm is not None:
        if environment is not None:
            _check_actions(errors, algorithm, environment)
            _check_observations(errors, spec, environment)
        env_id = environment.id if environment else new.env_id
        wanted = new.preset or algorithm.default_preset
        if wanted is not None:
            preset = _collect(errors, lambda: find_preset(algorithm, wanted, env_id))
        params = _collect(errors, lambda: complete_params(algorithm, preset, new.params, env_id)) or {}
    if errors or algorithm is None:
        raise InvalidInput.of_fields(errors)
    steps = new.total_timesteps or (preset and preset.total_timesteps)
    return TrainConfig(
        runner=spec.id,
        algorithm=algorithm.id,
        # A script makes its own environment: until it says which, what the user said is a label.
        env_id=environment.id if environment is not None else new.env_id,
        env_kwargs=new.env_kwargs,
        total_timesteps=steps or (0 if is_free else 100_000),
        seed=new.seed if new.seed is not None or is_free else secrets.randbelow(MAX_SEED),
        preset=preset.id if preset else None,
        params=params,
        device=new.device,
        until=new.until,
        checkpoint_every=new.checkpoint_every,
        record=new.record and spec.capabilities.record,
        evaluate_after=new.evaluate_after if spec.capabilities.evaluate else 0,
    )


def is_scripts_own(new: NewRun, spec: RunnerSpec, environments: Sequence[Environment]) -> bool:
    """Whether the environment is the one a script names itself, and nobody else knows: of EnvPool, of Procgen."""
    if not spec.capabilities.foreign or any(e.id == new.env_id for e in environments):
        return False
    algorithm = next((a for a in spec.algorithms if a.id == new.algorithm.lower()), None)
    return algorithm is not None and any(p.env_id == new.env_id for p in algorithm.presets)


def find_environment(env_id: str, environments: Sequence[Environment]) -> Environment:
    """The catalogue's entry, aliases followed; unknown ones and ones that cannot be made raise."""
    if not env_id:
        raise InvalidInput.of_field("env_id", "Name the environment to learn, e.g. CartPole-v1.")
    by_id = {e.id: e for e in environments}
    environment = by_id[resolve_env_id(env_id, list(by_id))]
    if environment.problem is not None:
        remedy = f" {environment.remedy}" if environment.remedy else ""
        raise InvalidInput.of_field(
            "env_id", f"{environment.id} cannot be made here: {environment.problem}{remedy}"
        )
    return environment


def _check_actions(errors: list[FieldError], algorithm: AlgorithmSpec, environment: Environment) -> None:
    refusal = algorithm.refuse_action_kind(environment.action_space_type, environment.id)
    if refusal is not None:
        errors.append(
            FieldError(field="algorithm", message=refusal, allowed={"action_kinds": algorithm.action_kinds})
        )


def _check_observations(errors: list[FieldError], spec: RunnerSpec, environment: Environment) -> None:
    is_vector = environment.obs_space_type in ("box", "discrete") and len(environment.obs_space_dims) <= 1
    if spec.capabilities.vectors_only and not is_vector:
        words = f"{spec.name} learns from vectors, and {environment.id} shows {environment.obs_space}."
        errors.append(FieldError(field="runner", message=f"{words} Choose the runner sb3.", allowed=["sb3"]))


def _collect(errors: list[FieldError], check: Callable[[], T]) -> T | None:
    try:
        return check()
    except InvalidInput as error:
        errors.extend(error.errors)
        return None
