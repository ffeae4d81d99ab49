"""Templates: questions that many users have, as plans for a chosen environment and algorithm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import AlgorithmSpec
from rl_lab.orchestrator.experiments.requests import NewStudy

LADDER = (0.1, 0.3, 1.0, 3.0, 10.0)
SIZES = (0.25, 0.5, 1.0, 2.0, 4.0)
SIZE_PARAMETERS = ("hidden", "net_arch", "hidden_size", "n_units")
"""Names that runners have for the size of their networks."""


class StudyTemplate(BaseModel):
    id: str
    title: str
    description: str
    plan: NewStudy
    """Can be posted as it is."""


def make_templates(config: TrainConfig, algorithm: AlgorithmSpec) -> list[StudyTemplate]:
    """Those that make sense for this configuration, which holds the values of its preset."""
    made = (make(config, algorithm) for make in TEMPLATES)
    return [template for template in made if template is not None]


def _learning_rates(config: TrainConfig, algorithm: AlgorithmSpec) -> StudyTemplate | None:
    values = _around("learning_rate", config, algorithm, LADDER)
    if len(values) < 2:
        return None
    plan = _sweep(config, "learning_rate", values, "Which learning rate is best?")
    words = "Five learning rates around the preset's, each a factor of about three apart."
    return StudyTemplate(id="learning-rate", title="Learning rate ladder", description=words, plan=plan)


def _network_sizes(config: TrainConfig, algorithm: AlgorithmSpec) -> StudyTemplate | None:
    for name in SIZE_PARAMETERS:
        values = _around(name, config, algorithm, SIZES)
        if len(values) > 1:
            plan = _sweep(config, name, values, "How large must the network be?")
            words = "Networks from a quarter to four times the preset's size."
            return StudyTemplate(id="network-size", title="Network size", description=words, plan=plan)
    return None


def _real_gain(config: TrainConfig, algorithm: AlgorithmSpec) -> StudyTemplate | None:
    rates = _around("learning_rate", config, algorithm, (2.0,))
    settings: dict[str, Any] = {"learning_rate": rates[0]} if rates else {}
    if not settings:
        return None
    plan = NewStudy.model_validate(
        {
            "question": "Is my change better than the base, or was it luck?",
            "base": _base(config),
            "variants": [{"label": "base"}, {"label": "my change", "settings": settings}],
            "seeds": 10,
        }
    )
    words = "The base against one change, ten seeds each. Replace the example by your own change."
    return StudyTemplate(id="real-gain", title="Is my gain real?", description=words, plan=plan)


TEMPLATES: tuple[Callable[[TrainConfig, AlgorithmSpec], StudyTemplate | None], ...] = (
    _learning_rates,
    _network_sizes,
    _real_gain,
)


def _sweep(config: TrainConfig, name: str, values: Sequence[Any], question: str) -> NewStudy:
    sweep = {"method": "grid", "parameters": {name: {"values": list(values)}}}
    return NewStudy.model_validate({"question": question, "base": _base(config), "sweep": sweep, "seeds": 3})


def _base(config: TrainConfig) -> dict[str, Any]:
    return {"env_id": config.env_id, "algorithm": config.algorithm, "runner": config.runner}


def _around(name: str, config: TrainConfig, algorithm: AlgorithmSpec, factors: Sequence[float]) -> list[Any]:
    """The preset's value times each factor, within the bounds of the parameter; of a list, each of its numbers."""
    value = config.params.get(name)
    schema = algorithm.params.model_json_schema().get("properties", {}).get(name)
    if schema is None or not value:
        return []
    scaled = [_scale(value, factor) for factor in factors]
    return [one for n, one in enumerate(scaled) if one not in scaled[:n] and _accepts(algorithm, name, one)]


def _scale(value: Any, factor: float) -> Any:
    if isinstance(value, list):
        return [_scale(item, factor) for item in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    scaled = value * factor
    return max(1, round(scaled)) if isinstance(value, int) else float(f"{scaled:.2g}")


def _accepts(algorithm: AlgorithmSpec, name: str, value: Any) -> bool:
    try:
        algorithm.params.model_validate({name: value})
    except ValidationError:
        return False
    return True
