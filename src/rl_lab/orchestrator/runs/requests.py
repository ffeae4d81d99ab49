"""Requests of a user: a NewRun becomes a checked, complete TrainConfig; a RunPatch changes a run's labels."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from rl_lab.core.bounds import DRAWN_SEEDS, MAX_PRIORITY
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.environments import Environment
from rl_lab.core.errors import FieldError, InvalidInput, MoveRefused
from rl_lab.core.jobs.choices import MAX_TIMESTEPS, Seed
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.training import Lengthening, RunOptions, TrainConfig, supported_options
from rl_lab.core.models.start_points import StartPoint
from rl_lab.core.option_fields import option
from rl_lab.core.runners import (
    AlgorithmSpec,
    Preset,
    RunnerSpec,
    complete_params,
    find_length,
    find_preset,
)
from rl_lab.core.runs import Run
from rl_lab.core.workbench.codes import MAX_CODE_BYTES, CodeChoice
from rl_lab.core.wrappers import read_wrappers
from rl_lab.orchestrator.environments.service import find_environment

T = TypeVar("T")

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64)]


DEFAULT_TIMESTEPS = 100_000
EVALUATIONS = 10
"""Of a training from a dataset, alongside it."""
MAX_NOTE = 20_000
"""Characters of a note."""


def require_plain(arguments: dict[str, Any]) -> dict[str, Any]:
    """Refuses values that change when they are saved as JSON."""
    try:
        # Nested as deeply as in a run's config.
        same = orjson.loads(orjson.dumps([[[[[[arguments]]]]]])) == [[[[[[arguments]]]]]]
    except TypeError:
        same = False
    if not same:
        raise PydanticCustomError(
            "plain_json",
            "It may hold text, finite numbers of 64 bits, lists and objects, not nested too deeply.",
        )
    return arguments


class NewRun(RunOptions):
    """A training run to create; everything but the environment and the algorithm may be left out."""

    env_id: str = Field(
        default="",
        max_length=200,
        description="Environment; may be left out for runners that make their environment themselves, and with a "
        "dataset, whose environment it then is.",
    )
    algorithm: str = Field(min_length=1, max_length=64)
    runner: str = Field(default="sb3", max_length=64, description="Training backend.")
    total_timesteps: int | None = option(
        None,
        "Steps to train (default: those of the length or the preset, else 100000; none with --for or --episodes).",
        cli=["--timesteps", "-n"],
        ge=1,
        le=MAX_TIMESTEPS,
    )
    seed: Seed | None = option(
        None, f"Seed of all random numbers (default: drawn below {DRAWN_SEEDS:,}, and saved)."
    )
    expected_steps: int | None = option(
        None,
        "Steps over which schedules run when the end is a time or episodes (default: from the speed of past runs).",
        ge=1,
        le=MAX_TIMESTEPS,
    )
    preset: str | None = option(None, "How to learn: fast, stable, high_score.", max_length=64)
    length: str | None = option(
        None, "How long: short, medium, long; sets the number of steps or the time.", max_length=64
    )
    params: dict[str, Any] = Field(default={}, description="Hyper-parameters of the algorithm.")
    learning_rate: float | None = Field(
        default=None, description="The same as `learning_rate` in `params`; give it in one place."
    )
    name: Name | None = option(
        None,
        "Name of the run (default: algorithm, environment, what differs from the preset, seed).",
        scripts=True,
    )
    tags: list[Tag] = Field(default=[], max_length=32)
    start: bool = Field(default=False, description="Put the run into the queue at once.")
    start_from: StartPoint | None = Field(
        default=None, description="Warm start: begin with the weights of this checkpoint."
    )
    dataset: DatasetChoice | None = Field(
        default=None,
        description="What it learns from, for runners that learn from a dataset; for learners with a "
        "replay buffer (DQN, SAC, TD3 of sb3), what that buffer begins with.",
    )
    reward: CodeChoice | None = Field(
        default=None, description="A saved reward to learn from, instead of the environment's own."
    )
    reward_source: str | None = Field(
        default=None,
        max_length=MAX_CODE_BYTES,
        description="The code of that reward, for a lab that may not have it; it is saved under the name.",
    )
    lengthened: Lengthening | None = Field(
        default=None, description="Of a run that was lengthened, to repeat it: how its schedules continue."
    )
    env_kwargs: Annotated[dict[str, Any], AfterValidator(require_plain)] = Field(
        default={}, description="Arguments of the environment."
    )
    priority: int = option(
        0,
        "Runs with a higher priority leave the queue first.",
        scripts=True,
        ge=-MAX_PRIORITY,
        le=MAX_PRIORITY,
    )
    consent: str | None = Field(
        default=None,
        pattern="^[0-9a-f]{64}$",
        description="SHA-256 of the script as it was shown: the user's approval to run it.",
    )

    @model_validator(mode="before")
    @classmethod
    def _accept_exported(cls, data: Any) -> Any:
        """A configuration that the lab wrote (config.json) is accepted as it is."""
        return _without_exported(data) if isinstance(data, dict) and "kind" in data else data


def _without_exported(data: dict[str, Any]) -> dict[str, Any]:
    """Without the fields that only a finished configuration has: its kind, and what a script or the lab filled in."""
    if data["kind"] != RunKind.train:
        raise PydanticCustomError(
            "not_a_training",
            "This is the configuration of a job; only a training can be created from a file.",
        )
    left = {name: value for name, value in data.items() if name not in ("kind", "args", "prefill")}
    unknown = [name for name in left if name not in NewRun.model_fields]
    if unknown:
        raise PydanticCustomError(
            "unknown_fields",
            "This version of the lab does not know “{names}”: the configuration may come from a newer version. "
            "Update the lab, or remove the field.",
            {"names": "”, “".join(unknown)},
        )
    return {**left, "total_timesteps": left.get("total_timesteps") or None}


class Again(BaseModel):
    """How a training is run again: with the same settings, and with the same seed unless another one is given."""

    model_config = ConfigDict(extra="forbid")

    seed: Seed | None = Field(default=None, description="Another seed; the same when absent.")
    start: bool = Field(default=True, description="Put the run into the queue at once.")
    consent: str | None = Field(
        default=None,
        pattern="^[0-9a-f]{64}$",
        description="SHA-256 of a changed script as it was shown: the user's approval to run it.",
    )


AGAIN = " · again"
"""Added to the name of a run that repeats another one with the same seed."""


def repeat_of(run: Run, how: Again) -> NewRun:
    """The request that creates the same training again; MoveRefused for a run that the lab cannot repeat."""
    config = run.config
    if run.source is not None:
        raise MoveRefused(
            f"The run “{run.name}” was adopted from {run.source.folder}; the lab does not know how it was started.",
            allowed=run.allowed,
            next_step="Train it in the lab: choose its environment and algorithm there.",
        )
    if not isinstance(config, TrainConfig):
        raise MoveRefused(
            f"“{run.name}” is not a training, so it has no settings to run again.",
            allowed=run.allowed,
            next_step="Start the job again from the page of its training.",
        )
    is_same = how.seed in (None, config.seed)
    return NewRun.model_validate(
        {
            **config.model_dump(mode="json"),
            "seed": config.seed if is_same else how.seed,
            "name": run.name.removesuffix(AGAIN)[: 200 - len(AGAIN)] + AGAIN if is_same else None,
            "tags": run.tags,
            "priority": run.priority,
            "start": how.start,
            "consent": how.consent,
        }
    )


class RunPatch(BaseModel):
    """Labels of a run to change; a field that is absent stays as it is."""

    model_config = ConfigDict(extra="forbid")

    name: Name | None = None
    tags: list[Tag] | None = Field(default=None, max_length=32)
    notes: str | None = Field(default=None, max_length=MAX_NOTE, description="Markdown.")
    archived: bool | None = None
    priority: int | None = Field(default=None, ge=-MAX_PRIORITY, le=MAX_PRIORITY)


def train_config(new: NewRun, spec: RunnerSpec, environments: Sequence[Environment]) -> TrainConfig:
    """The complete configuration of a new run; raises InvalidInput with every wrong field at once."""
    errors: list[FieldError] = []
    makes_own_env = spec.capabilities.own_environment
    environment: Environment | None = None
    if not makes_own_env and not names_own_environment(new, spec, environments):
        environment = _find_environment(errors, new, spec, environments)
    algorithm = _collect(errors, lambda: spec.algorithm(new.algorithm))
    if algorithm is None:
        raise InvalidInput.of_fields(errors)
    if environment is not None:
        _check_actions(errors, algorithm, environment)
        _check_observations(errors, spec, environment)
    _check_until(errors, new, spec, environment)
    _check_reward(errors, new, spec)
    _collect(errors, lambda: read_wrappers(new.env_kwargs))
    # A script makes its own environment: until it reports which, the user's word is a label.
    env_id = environment.id if environment is not None else new.env_id
    preset = _find_preset(errors, algorithm, new, env_id)
    length = _find_length(errors, algorithm, new, env_id)
    given = _collect(errors, lambda: _given_params(new)) or {}
    params = _collect(errors, lambda: complete_params(algorithm, preset, given, env_id)) or {}
    if errors:
        raise InvalidInput.of_fields(errors)
    ends = _ends(new, spec, length, preset)
    return TrainConfig(
        runner=spec.id,
        algorithm=algorithm.id,
        env_id=env_id,
        env_kwargs=new.env_kwargs,
        total_timesteps=ends.total_timesteps,
        expected_steps=ends.expected_steps,
        seed=new.seed if new.seed is not None or makes_own_env else secrets.randbelow(DRAWN_SEEDS),
        preset=preset.id if preset else None,
        length=length.id if length else None,
        params=params,
        start_from=new.start_from,
        dataset=new.dataset,
        prefill=new.dataset is not None and not spec.capabilities.dataset,
        reward=new.reward,
        lengthened=new.lengthened,
        **{**_followed(new, spec, environment, ends), "max_seconds": ends.max_seconds},
    )


def _find_environment(
    errors: list[FieldError], new: NewRun, spec: RunnerSpec, environments: Sequence[Environment]
) -> Environment | None:
    """None for one that a training from a dataset can do without: then nothing is evaluated in it."""
    if spec.capabilities.dataset and new.dataset is not None:
        return _collect([], lambda: find_environment(new.env_id, environments))
    return _collect(errors, lambda: find_environment(new.env_id, environments))


class _Ends(NamedTuple):
    total_timesteps: int
    max_seconds: int | None
    expected_steps: int | None


def _followed(new: NewRun, spec: RunnerSpec, environment: Environment | None, ends: _Ends) -> dict[str, Any]:
    """The options of the run; without its environment nothing can be evaluated.

    A learner from a dataset plays no episodes, so it is evaluated ten times unless the user says how often.
    """
    found = supported_options(new, spec.capabilities)
    if not spec.capabilities.dataset or not spec.capabilities.evaluate:
        return found
    if environment is None:
        return {**found, "evaluate_every": None, "evaluate_after": 0, "evaluate_by": None}
    usual = max(1, (ends.total_timesteps or ends.expected_steps or 1) // EVALUATIONS)
    return {**found, "evaluate_every": new.evaluate_every or usual}


def _ends(new: NewRun, spec: RunnerSpec, length: Preset | None, preset: Preset | None) -> _Ends:
    """What the user or the length names is a limit; the steps of the preset are one only without any other.

    A script with a number of steps among its arguments always has one.
    """
    named = next((p for p in (length, preset) if p is not None and p.question == "how_long"), None)
    seconds = new.max_seconds or (named.max_seconds if named and not new.total_timesteps else None)
    usual = (preset.total_timesteps if preset else None) or DEFAULT_TIMESTEPS
    steps = new.total_timesteps or (named.total_timesteps if named else None)
    if spec.capabilities.own_environment:
        return _Ends(steps or 0, seconds, None)
    is_limited = bool(seconds or new.max_episodes) and not spec.capabilities.foreign
    if steps or not is_limited:
        return _Ends(steps or usual, seconds, None)
    # The schedules of a run that was lengthened have their own length.
    return _Ends(0, seconds, new.expected_steps if new.lengthened else new.expected_steps or usual)


def _check_reward(errors: list[FieldError], new: NewRun, spec: RunnerSpec) -> None:
    if new.reward is not None and not spec.capabilities.own_reward:
        message = f"{spec.name} cannot learn from a reward of your own; turbo, sb3 and offline can."
        errors.append(FieldError(field="reward", message=message))


def _given_params(new: NewRun) -> dict[str, Any]:
    if new.learning_rate is None:
        return new.params
    other = new.params.get("learning_rate", new.learning_rate)
    if other != new.learning_rate:
        message = f"It is given twice: {new.learning_rate:g} here and {other} in params; leave one out."
        raise InvalidInput.of_field("learning_rate", message)
    return {**new.params, "learning_rate": new.learning_rate}


def _find_preset(
    errors: list[FieldError], algorithm: AlgorithmSpec, new: NewRun, env_id: str
) -> Preset | None:
    wanted = new.preset or algorithm.default_preset
    if wanted is None:
        return None
    return _collect(errors, lambda: find_preset(algorithm, wanted, env_id))


def _find_length(
    errors: list[FieldError], algorithm: AlgorithmSpec, new: NewRun, env_id: str
) -> Preset | None:
    """Checked also when a number of steps or a time overrides it; then it is not kept."""
    wanted = new.length
    found = _collect(errors, lambda: find_length(algorithm, wanted, env_id)) if wanted else None
    if found is None:
        return None
    is_kept = new.total_timesteps in (None, found.total_timesteps)
    return (
        found
        if is_kept and (found.max_seconds is None or new.max_seconds in (None, found.max_seconds))
        else None
    )


def names_own_environment(new: NewRun, spec: RunnerSpec, environments: Sequence[Environment]) -> bool:
    """Whether only the script knows the environment, for example one of EnvPool or Procgen."""
    if not spec.capabilities.foreign or any(e.id == new.env_id for e in environments):
        return False
    algorithm = next((a for a in spec.algorithms if a.id == new.algorithm.lower()), None)
    return algorithm is not None and any(p.env_id == new.env_id for p in algorithm.presets)


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
        errors.append(
            FieldError(field="dataset", message=f"{words} Choose a dataset whose observations are vectors.")
            if spec.capabilities.dataset
            else FieldError(field="runner", message=f"{words} Choose the runner sb3.", allowed=["sb3"])
        )


def _check_until(
    errors: list[FieldError], new: NewRun, spec: RunnerSpec, environment: Environment | None
) -> None:
    """Only a runner that stops early, in an environment with a threshold, can train until it is solved."""
    if new.until != "solved":
        return
    message = None
    if not spec.capabilities.early_stop:
        message = f"{spec.name} does not stop when the environment is solved; choose “timesteps”."
    elif environment is not None and environment.reward_threshold is None:
        message = (
            f"{environment.id} has no reward threshold, so it never counts as solved; choose “timesteps”. "
            "An environment of your own can be registered with `reward_threshold`."
        )
    if message is not None:
        errors.append(FieldError(field="until", message=message, allowed=["timesteps"]))


def _collect(errors: list[FieldError], check: Callable[[], T]) -> T | None:
    try:
        return check()
    except InvalidInput as error:
        errors.extend(error.errors)
        return None
