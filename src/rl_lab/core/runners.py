"""A Runner adapts one learning library: it declares its algorithms, capabilities and requirements.

Everything here is plain data, which the server can read without importing the library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from rl_lab.core.errors import FieldError, InvalidInput, NotReady, nearest
from rl_lab.core.extras import how_to_install
from rl_lab.core.words.param_help import describe_param
from rl_lab.core.words.parameter_names import suggest_names
from rl_lab.core.words.validation_messages import plain_message

ActionKind = Literal["discrete", "continuous"]


class Params(BaseModel):
    """Base class of the hyper-parameters of an algorithm.

    A field declares its default, bounds, description and group once; validation, command-line help, the form and
    the docs are derived from it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Adds to each parameter its label and what too high and too low look like."""
        schema = handler.resolve_ref_schema(handler(core_schema))
        for name, field in schema.get("properties", {}).items():
            field.update(describe_param(name, field.pop("x-help", None)))
        return schema


def param(
    default: Any,
    description: str,
    *,
    group: str = "Learning",
    scale: Literal["linear", "log"] = "linear",
    advanced: bool = False,
    help_key: str | None = None,
    actions: ActionKind | None = None,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
    lt: float | None = None,
    max_length: int | None = None,
) -> Any:
    """A field of Params, with the metadata that the form needs.

    `help_key`: its entry in `PARAM_HELP`, if not its own name. `actions`: it matters for this kind of actions only.
    """
    extra: dict[str, Any] = {"x-group": group}
    if scale == "log":
        extra["x-scale"] = "log"
    if advanced:
        extra["x-advanced"] = True
    if help_key:
        extra["x-help"] = help_key
    if actions:
        extra["x-actions"] = actions
    return Field(
        default=default,
        description=description,
        ge=ge,
        gt=gt,
        le=le,
        lt=lt,
        max_length=max_length,
        json_schema_extra=extra,
    )


class Preset(BaseModel, frozen=True):
    """A named, partial set of Params; for one environment if `env_id` is set, otherwise for all others.

    Presets answer two questions: how to learn (parameters) and how long (the number of steps, or a time).
    """

    id: str
    """fast, stable, high_score, short, medium, long"""
    title: str
    description: str = ""
    question: Literal["how", "how_long"] = "how"
    env_id: str | None = None
    total_timesteps: int | None = None
    max_seconds: int | None = None
    """How long, as a time: where the steps that the environment needs are not known."""
    params: dict[str, Any] = {}


class Requirement(BaseModel, frozen=True):
    """A module that a runner needs; the lab looks for it without importing it."""

    module: str
    remedy: str
    is_met: bool | None = None
    """Set by a runner that has checked itself (a checkout, an interpreter); then `module` is only a name."""
    extra: str | None = None
    """The extra of this package that brings the module; the lab can install it into its own Python."""

    @classmethod
    def of_extra(cls, extra: str, module: str) -> Requirement:
        return cls(module=module, remedy=how_to_install(extra), extra=extra)


class OwnInterpreter(BaseModel, frozen=True):
    """A separate Python that a runner's scripts run in; the lab can create it if it is missing."""

    path: str
    """Absolute path of its `python` executable."""
    packages: tuple[str, ...]
    """The packages that pip installs into it."""


class Capabilities(BaseModel, frozen=True):
    """What the page offers for runs of this runner; false = hidden."""

    pause: bool = False
    checkpoint: bool = False
    resume: bool = False
    exact_resume: bool = False
    """A resumed run continues exactly like one that was not stopped."""
    not_restored: str = "its runner does not restore everything that the run depends on"
    """Why a resume is not exact; part of a sentence."""
    evaluate: bool = False
    own_classes: bool = False
    """Checkpoints are played by the script's own classes, where they can be found."""
    record: bool = False
    thoughts: bool = False
    """Reports the policy's value estimate and action probabilities for each state."""
    early_stop: bool = False
    gpu: bool = False
    vectors_only: bool = False
    """Supports vector and scalar observations only; no images or nested observations."""
    foreign: bool = False
    """Runs code from outside the lab: the user approves it first, and it is confined if the system supports that."""
    own_environment: bool = False
    """Creates its own environment: a run does not have to name one."""
    dataset: bool = False
    """Learns from a dataset alone: a run has to name one, and its steps are updates."""
    own_reward: bool = False
    """Can learn from a user's reward instead of the environment's."""
    exports: tuple[str, ...] = ()
    """Formats a checkpoint can be exported to: sb3, onnx."""


class AlgorithmSpec(BaseModel):
    """One learning algorithm as declared by its runner."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    id: str
    name: str
    description: str
    action_kinds: tuple[ActionKind, ...]
    params: type[Params] = Field(exclude=True)
    presets: tuple[Preset, ...] = ()
    default_preset: str | None = None
    """Used when the user names none; without it the defaults of `params` apply."""
    prefill: bool = False
    """A run may name a dataset, whose steps its replay buffer then begins with; it still learns in the environment."""
    steps_per_second: float = 1000.0
    """A rough figure for a small environment and two processor cores, until a run on this machine was measured."""
    network: str = ""
    """The kind of its networks: a run may start with the weights of one whose networks are of the same kind.
    Empty: it always starts from nothing."""
    network_params: tuple[str, ...] = ()
    """The parameters that make the networks what they are; a run that starts with weights has those of the weights."""

    def refuse_action_kind(self, kind: str, env_id: str) -> str | None:
        """Why this algorithm does not support this kind of actions, as a sentence; None if it does."""
        if kind in self.action_kinds:
            return None
        wanted = " or ".join(self.action_kinds)
        return f"{self.name} needs {wanted} actions, but {env_id} has {kind} actions."


class RunnerSpec(BaseModel, frozen=True):
    id: str
    name: str
    description: str
    capabilities: Capabilities
    requirements: tuple[Requirement, ...] = ()
    algorithms: tuple[AlgorithmSpec, ...]
    memory_mb: int = 0
    """Mebibytes that a run usually needs; the queue uses it until it has seen runs of the same kind. 0 = unknown."""
    cores_param: str = ""
    """The parameter that sets how many cores a run uses; without one, or with 0 there, the queue counts one core."""
    cpu_algorithms: tuple[str, ...] = ()
    """Algorithms that use the CPU with device “auto” even if there is a GPU."""
    checkpoint_suffix: str = ".zip"
    worker_word: str = "worker"
    """The word for its process in messages: worker, script, program."""
    interpreter: OwnInterpreter | None = None
    root: str | None = None
    """Folder of the user's checkout whose scripts are the algorithms; None for runners without one."""
    root_setting: str | None = None
    """Name of the setting that holds that folder."""
    notes: tuple[str, ...] = ()
    """Information that does not prevent anything: files of the checkout that are not offered."""

    def algorithm(self, algorithm_id: str) -> AlgorithmSpec:
        for algorithm in self.algorithms:
            if algorithm.id == algorithm_id.lower():
                return algorithm
        self._require_any()
        known = [a.id for a in self.algorithms]
        close = nearest(algorithm_id, known)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise InvalidInput.of_field(
            "algorithm",
            f"{self.name} has no algorithm “{algorithm_id}”.{hint} It has {', '.join(known)}.",
            known,
        )

    def _require_any(self) -> None:
        """If the runner has no algorithms because a requirement is missing, raise with that requirement."""
        missing = next((r for r in self.requirements if r.is_met is False), None)
        if missing is not None and not self.algorithms:
            raise NotReady(f"{self.name} needs {missing.module}.", next_step=missing.remedy)


def find_preset(algorithm: AlgorithmSpec, preset_id: str, env_id: str) -> Preset:
    """The preset with this name for this environment, or else the general one; raises with the known names.

    A length such as `short` may be named too: it was a preset before the two questions were separated.
    """
    return _named("preset", algorithm, algorithm.presets, preset_id, env_id)


def find_length(algorithm: AlgorithmSpec, length_id: str, env_id: str) -> Preset:
    """The length with this name (short, medium, long) for this environment; raises with the known names."""
    lengths = [preset for preset in algorithm.presets if preset.question == "how_long"]
    return _named("length", algorithm, lengths, length_id, env_id)


def _named(field: str, algorithm: AlgorithmSpec, presets: Sequence[Preset], name: str, env_id: str) -> Preset:
    wanted = name.lower().replace(" ", "_").replace("-", "_")
    named = [p for p in presets if p.id == wanted]
    for preset in sorted(named, key=lambda p: p.env_id is None):
        if preset.env_id in (env_id, None):
            return preset
    known = sorted({p.id for p in presets})
    hint = f" It has {', '.join(known)}." if known else ""
    raise InvalidInput.of_field(field, f"{algorithm.name} has no {field} “{name}”.{hint}", known)


def complete_params(
    algorithm: AlgorithmSpec, preset: Preset | None, given: Mapping[str, Any], env_id: str = ""
) -> dict[str, Any]:
    """Defaults, overridden by the preset, overridden by the user's values; raises with every invalid field."""
    merged = {**(preset.params if preset else {}), **given}
    try:
        return algorithm.params.model_validate(merged).model_dump(mode="json")
    except ValidationError as error:
        raise InvalidInput.of_fields([_field_error(algorithm, dict(e)) for e in error.errors()]) from None


def _field_error(algorithm: AlgorithmSpec, error: dict[str, Any]) -> FieldError:
    name = ".".join(str(part) for part in error["loc"]) or "params"
    field = f"params.{name}"
    known = list(algorithm.params.model_fields)
    if error["type"] == "extra_forbidden":
        close = suggest_names(name, known)
        hint = f" Did you mean {', '.join(close)}?" if close else ""
        return FieldError(
            field=field, message=f"{algorithm.name} has no parameter “{name}”.{hint}", allowed=known
        )
    return FieldError(
        field=field,
        message=plain_message(error),
        allowed=_bounds(algorithm, str(error["loc"][0]) if error["loc"] else ""),
    )


def _bounds(algorithm: AlgorithmSpec, name: str) -> dict[str, Any] | None:
    schema = algorithm.params.model_json_schema().get("properties", {}).get(name)
    if schema is None:
        return None
    keys = ("type", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "maxItems")
    branches = [schema, *schema.get("anyOf", [])]
    return {key: branch[key] for branch in branches for key in keys if key in branch} or None
