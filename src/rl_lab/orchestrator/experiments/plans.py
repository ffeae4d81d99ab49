"""Plans: a NewStudy becomes a complete plan with its variants, every one of them checked like a run.

Nothing is created here. All wrong fields are reported at once, with the name that the user gave them.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from rl_lab.core.bounds import DRAWN_SEEDS, MAX_SEED
from rl_lab.core.errors import FieldError, InvalidInput, LabError
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.own_environments import WRAPPERS, is_own
from rl_lab.core.run_query import METRIC
from rl_lab.core.studies.comparisons import AT_STEP, MEASURES, is_number
from rl_lab.core.studies.studies import MAX_STUDY_RUNS, StudyPlan
from rl_lab.core.studies.sweeps import Choices, Sweep
from rl_lab.core.words.validation_messages import plain_message
from rl_lab.core.words.variant_labels import ENV_PREFIX, label_variants
from rl_lab.orchestrator.experiments.points import (
    Point,
    check_sweep,
    count_points,
    make_points,
    with_integers,
)
from rl_lab.orchestrator.experiments.requests import NewStudy
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.runners.registry import find_spec

T = TypeVar("T")
Complete = Callable[[NewRun], Awaitable[TrainConfig]]
RUN_SETTINGS = ("algorithm", "preset", "total_timesteps", "env_id")
"""Fields of a run that a variant may set; all other names are hyper-parameters, or arguments of the environment."""
NOT_IN_BASE = {
    "seed": "Give the seeds of the study in `seeds`.",
    "name": "Runs of a study are named after their variant and seed; the name of the study is `name`.",
    "start": "Give `start` next to the base.",
    "priority": "Give `priority` next to the base.",
}
MOST_ERRORS = 20


@dataclass(frozen=True)
class CheckedPlan:
    plan: StudyPlan
    labels: list[str]
    settings: list[Point]
    configs: list[TrainConfig]
    """Of the variants; of a TPE sweep, which has none yet, of some of its points."""
    consent: str | None


class Plans:
    def __init__(self, complete: Complete) -> None:
        """`complete` checks a run and returns its whole configuration."""
        self._complete = complete

    async def check(self, new: NewStudy) -> CheckedPlan:
        errors = _check_shapes(new.base)
        base = new.base if errors else plain_base(new.base)
        errors += [*_check_base(base), *_check_parts(new)]
        if errors:
            raise InvalidInput.of_fields(errors)
        seeds = _draw_or_check(new.seeds)
        sweep = _with_seed(_whole_numbers(new.sweep, base)) if new.sweep else None
        settings = _settings_of(new, sweep)
        _require_size(max(len(settings), count_points(sweep) if sweep else 0) * len(seeds), new)
        base = _with_evaluation(base, new, len(seeds) * max(1, len(settings)))
        tried = settings or _probes(sweep)
        configs = await self._complete_all(base, tried, _names(new))
        exact = [_with_versions(point, config) for point, config in zip(tried, configs, strict=True)]
        sweep = _with_exact_choices(sweep, tried, exact) if sweep else None
        settings = exact if settings else []
        base = _with_start(base, tried, configs)
        _check_measure(new, configs)
        given = [variant.label for variant in new.variants] or [""] * len(settings)
        unit = configs[0].unit if configs else "step"
        labels = [word or made for word, made in zip(given, label_variants(settings, unit), strict=True)]
        _refuse_equal_labels(labels)
        plan = StudyPlan(
            question=new.question,
            base={name: value for name, value in base.items() if name != "consent"},
            variants=new.variants,
            sweep=sweep,
            seeds=seeds,
            measure=new.measure,
            budget=new.budget,
        )
        return CheckedPlan(plan, labels, settings, configs, base.get("consent"))

    async def complete(self, plan: StudyPlan, settings: Mapping[str, Any]) -> TrainConfig:
        """The configuration of one variant; its seed is set for each run."""
        return await self._complete(NewRun.model_validate(apply_settings(plan.base, settings)))

    async def _complete_all(
        self, base: Mapping[str, Any], settings: Sequence[Point], names: Callable[[int, str], str]
    ) -> list[TrainConfig]:
        configs: list[TrainConfig] = []
        errors: dict[tuple[str, str], FieldError] = {}
        for number, point in enumerate(settings):
            try:
                new = NewRun.model_validate(apply_settings(base, point))
                configs.append(await self._complete(new))
            except (InvalidInput, ValidationError) as error:
                for one in _field_errors(error):
                    found = _renamed(one, point, number, names)
                    errors.setdefault((found.field, found.message), found)
            if len(errors) > MOST_ERRORS:
                break
            # Thousands of variants must not keep the lab from answering others.
            await asyncio.sleep(0)
        if errors:
            raise InvalidInput.of_fields(list(errors.values())[:MOST_ERRORS])
        return configs


def plain_base(base: Mapping[str, Any]) -> dict[str, Any]:
    """The base with the learning rate among its parameters; the configuration of a run loses what is its own."""
    plain = dict(base)
    if "kind" in plain:
        for name in ("kind", "args", "prefill", "seed"):
            plain.pop(name, None)
    rate = plain.pop("learning_rate", None)
    if rate is not None:
        plain["params"] = {"learning_rate": rate, **(plain.get("params") or {})}
    return plain


def apply_settings(base: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a run: those of the base, with what the variant changes."""
    fields = dict(base)
    params, arguments = dict(base.get("params") or {}), dict(base.get("env_kwargs") or {})
    for name, value in settings.items():
        if name in RUN_SETTINGS:
            fields[name] = value
        elif name.startswith(ENV_PREFIX):
            arguments[name.removeprefix(ENV_PREFIX)] = value
        else:
            params[name.removeprefix("params.")] = value
    return {**fields, "params": params, "env_kwargs": arguments}


def draw_seeds(count: int, used: Collection[int] = ()) -> list[int]:
    """Distinct seeds that are not among those used before."""
    below = DRAWN_SEEDS if len(used) + count < DRAWN_SEEDS // 2 else MAX_SEED
    drawn: dict[int, None] = {}
    while len(drawn) < count:
        seed = secrets.randbelow(below)
        if seed not in used:
            drawn[seed] = None
    return list(drawn)


def refuse_repeated(seeds: Sequence[int], field: str = "seeds") -> None:
    twice = _first_repeated(seeds)
    if twice is not None:
        raise InvalidInput.of_field(field, f"The seed {twice} is given twice; each seed is trained once.")


def _draw_or_check(seeds: int | list[int]) -> list[int]:
    if isinstance(seeds, int):
        return draw_seeds(seeds)
    refuse_repeated(seeds)
    return seeds


def _check_shapes(base: Mapping[str, Any]) -> list[FieldError]:
    """Before settings are merged into them."""
    wrong = [name for name in ("params", "env_kwargs") if not isinstance(base.get(name) or {}, dict)]
    return [
        FieldError(field=f"base.{name}", message="It must be an object of names and values.")
        for name in wrong
    ]


def _check_base(base: Mapping[str, Any]) -> list[FieldError]:
    return [
        FieldError(field=f"base.{name}", message=text) for name, text in NOT_IN_BASE.items() if name in base
    ]


def _check_parts(new: NewStudy) -> list[FieldError]:
    """What is wrong with the variants and the sweep, apart from their values."""
    if new.sweep is None:
        return []
    errors = check_sweep(new.sweep)
    if new.variants:
        errors.append(FieldError(field="sweep", message="Give either variants or a sweep."))
    return errors


def _with_seed(sweep: Sweep) -> Sweep:
    return (
        sweep if sweep.seed is not None else sweep.model_copy(update={"seed": secrets.randbelow(DRAWN_SEEDS)})
    )


def _whole_numbers(sweep: Sweep, base: Mapping[str, Any]) -> Sweep:
    """Ranges of integer parameters get step 1."""
    integers = {"total_timesteps": True}
    chosen = sweep.parameters.get("algorithm")
    algorithm = base.get("algorithm") or (chosen.values[0] if isinstance(chosen, Choices) else "")
    try:
        spec = find_spec(str(base.get("runner") or NewRun.model_fields["runner"].default))
        properties = spec.algorithm(str(algorithm)).params.model_json_schema().get("properties", {})
    except LabError:
        properties = {}  # reported when the variants are checked
    integers |= {name: schema.get("type") == "integer" for name, schema in properties.items()}
    return with_integers(sweep, integers)


def _settings_of(new: NewStudy, sweep: Sweep | None) -> list[Point]:
    if sweep is not None:
        return make_points(sweep)
    settings = [dict(variant.settings) for variant in new.variants] or [{}]
    for place, one in enumerate(settings):
        if one in settings[:place]:
            first = settings.index(one) + 1
            message = f"Variant {place + 1} has the same settings as variant {first}."
            raise InvalidInput.of_field(f"variants.{place}.settings", message)
    return settings


def _probes(sweep: Sweep | None) -> list[Point]:
    """Points of a TPE sweep that reach every end and every choice: if these are valid, so are those between."""
    assert sweep is not None
    ends = {
        name: list(values.values) if isinstance(values, Choices) else [_end(values.low), _end(values.high)]
        for name, values in sweep.parameters.items()
    }
    first = {name: values[0] for name, values in ends.items()}
    return [{**first, name: value} for name, values in ends.items() for value in values]


def _end(number: float) -> float:
    return int(number) if number.is_integer() else number


def _require_size(count: int, new: NewStudy) -> None:
    most = new.budget.runs or count
    if min(count, most) > MAX_STUDY_RUNS:
        message = (
            f"These are {count:,} runs; a study has {MAX_STUDY_RUNS:,} at most. Give fewer points or seeds."
        )
        field = "sweep" if new.sweep else "seeds"
        raise InvalidInput.of_field(field, message, {"maximum": MAX_STUDY_RUNS})


def _with_evaluation(base: dict[str, Any], new: NewStudy, count: int) -> dict[str, Any]:
    """Many runs are not evaluated one by one unless somebody asks: it would take as long as the training."""
    asked = base.get("evaluate_by") or "evaluate_after" in base or new.measure == "evaluation"
    if asked or count == 1:
        return base
    return {**base, "evaluate_after": 0}


def _with_start(
    base: dict[str, Any], settings: Sequence[Point], configs: Sequence[TrainConfig]
) -> dict[str, Any]:
    """All runs of a study start with the same weights and learn from the same contents, whatever is added later."""
    exact = (
        {name: getattr(configs[0], name) for name in ("start_from", "dataset", "reward")} if configs else {}
    )
    named = {name: value for name, value in base.items() if name != "reward_source"}  # saved by now
    if configs and configs[0].evaluate_by:
        named["evaluate_by"] = configs[0].evaluate_by
    if configs:
        named |= _own_code(named, settings[0], configs[0])
    return {**named, **{name: one.model_dump() for name, one in exact.items() if one}}


def _own_code(base: Mapping[str, Any], settings: Point, config: TrainConfig) -> dict[str, Any]:
    """What the base names of environments and wrappers of the user, with the versions that `config` has of them."""
    found: dict[str, Any] = {}
    if is_own(str(base.get("env_id"))) and "env_id" not in settings:
        found["env_id"] = config.env_id
    arguments = base.get("env_kwargs") or {}
    if WRAPPERS in arguments and ENV_PREFIX + WRAPPERS not in settings:
        found["env_kwargs"] = {**arguments, WRAPPERS: config.env_kwargs.get(WRAPPERS)}
    return found


def _with_versions(settings: Point, config: TrainConfig) -> Point:
    """The same for what a variant names."""
    exact: dict[str, Any] = {}
    if is_own(str(settings.get("env_id"))):
        exact["env_id"] = config.env_id
    if ENV_PREFIX + WRAPPERS in settings:
        exact[ENV_PREFIX + WRAPPERS] = config.env_kwargs.get(WRAPPERS)
    return {**settings, **exact}


def _with_exact_choices(sweep: Sweep, tried: Sequence[Point], exact: Sequence[Point]) -> Sweep:
    """The same for its choices, from which TPE draws further points later."""
    parameters = dict(sweep.parameters)
    for name in {"env_id", ENV_PREFIX + WRAPPERS} & parameters.keys():
        chosen = parameters[name]
        if isinstance(chosen, Choices):
            pairs = [(point[name], version[name]) for point, version in zip(tried, exact, strict=True)]
            values = [next((new for old, new in pairs if old == one), one) for one in chosen.values]
            parameters[name] = Choices(values=values)
    return sweep.model_copy(update={"parameters": parameters})


def _check_measure(new: NewStudy, configs: Sequence[TrainConfig]) -> None:
    if new.measure == "evaluation" and not all(config.is_evaluated for config in configs):
        message = "The runs are not evaluated (evaluate_after is 0, or their runner cannot); choose another measure."
        raise InvalidInput.of_field("measure", message, ["final", "best", "area"])
    if new.measure == AT_STEP:
        message = "A study has no step to be judged at. `rl-lab compare STUDY --step N` compares its variants there."
        raise InvalidInput.of_field("measure", message, [*MEASURES, f"{METRIC}NAME"])
    if is_number(new.measure) and any(config.evaluate_by is None for config in configs):
        message = (
            f"“{new.measure}” is no measure of the lab. To judge by a number of evaluation code, name a protocol with "
            "that code in evaluate_by (--evaluate-by NAME), and a runner that can evaluate."
        )
        raise InvalidInput.of_field("measure", message, [*MEASURES, f"{METRIC}NAME"])


def _names(new: NewStudy) -> Callable[[int, str], str]:
    if new.sweep is not None:
        return lambda number, name: f"sweep.parameters.{name}"
    return lambda number, name: f"variants.{number}.settings.{name}"


def _field_errors(error: InvalidInput | ValidationError) -> list[FieldError]:
    if isinstance(error, InvalidInput):
        return error.errors
    return [
        FieldError(field=".".join(map(str, one["loc"])) or "base", message=plain_message(dict(one)))
        for one in error.errors()
    ]


def _renamed(
    error: FieldError, point: Mapping[str, Any], number: int, names: Callable[[int, str], str]
) -> FieldError:
    """With the field as the user wrote it: a setting of the variant, or a field of the base."""
    field = error.field.removeprefix("params.")
    first = next((name for name in (field, field.split(".")[0], f"params.{field}") if name in point), None)
    if error.field == "params" or (first is None and field != "seed"):
        return FieldError(field=f"base.{error.field}", message=error.message, allowed=error.allowed)
    return FieldError(field=names(number, first or field), message=error.message, allowed=error.allowed)


def _refuse_equal_labels(labels: Sequence[str]) -> None:
    twice = _first_repeated(labels)
    if twice is not None:
        raise InvalidInput.of_field(
            "variants", f"Two variants are called “{twice}”; give them different labels."
        )


def _first_repeated(items: Sequence[T]) -> T | None:
    seen: set[T] = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None
