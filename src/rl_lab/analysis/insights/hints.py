"""Hints on what to try next: a parameter of the run, a direction, and a value computed from the current one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rl_lab.analysis.curves import RunCurves
from rl_lab.analysis.wording import number
from rl_lab.core.insights import InsightChange

SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "learning_rate": ("learning_rate", "lr", "policy_lr"),
    "entropy": ("ent_coef", "entropy_coef", "entropy_coefficient", "entropy_cost"),
    "clip": ("clip_range", "clip_coef", "clip_param"),
    "value_weight": ("vf_coef", "value_coef", "value_loss_coef"),
    "epochs": ("n_epochs", "update_epochs", "epochs"),
    "exploration_span": ("exploration_fraction",),
    "exploration_floor": ("exploration_final_eps", "end_e", "epsilon_end"),
    "target_interval": ("target_update_interval", "target_network_frequency"),
    "gradient_limit": ("max_grad_norm", "max_gradient_norm"),
    "network": ("net_arch", "hidden_sizes", "hidden_size"),
}
"""The names that different libraries use for the same parameter."""
GOALS: Mapping[str, str] = {
    "learning_rate": "a different learning rate",
    "entropy": "more exploration",
    "exploration_span": "more exploration",
    "exploration_floor": "more exploration",
}


@dataclass(frozen=True)
class Hint:
    """One change to try."""

    text: str
    param: str
    change: InsightChange
    goal: str = "different settings"
    """What the change aims at, for a title."""


def find_param(params: Mapping[str, Any], idea: str) -> tuple[str, float] | None:
    """The name and numeric value that the run has for this kind of parameter, if any."""
    for name in SPELLINGS[idea]:
        value = params.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return name, float(value)
    return None


def change(params: Mapping[str, Any], idea: str, new: Callable[[float], float]) -> Hint | None:
    """Proposes `new(current)` for a parameter; None if the run does not have it or the value would not change."""
    found = find_param(params, idea)
    if found is None:
        return None
    name, current = found
    value = float(f"{new(current):.2g}")
    if value == current:
        return None
    verb = "raise" if value > current else "lower"
    text = f"Consider adjusting {name}: {verb} it from {number(current)} to {number(value)}."
    kept = int(value) if isinstance(params[name], int) else value
    return Hint(text, name, InsightChange(params={name: kept}), GOALS.get(idea, "different settings"))


def slower(params: Mapping[str, Any]) -> Hint | None:
    """A third of the learning rate; very high rates are set to a common value."""
    return change(params, "learning_rate", lambda rate: 1e-3 if rate >= 0.01 else rate / 3)


def faster(params: Mapping[str, Any]) -> Hint | None:
    """Three times the learning rate; very low rates are set to a common value."""
    return change(params, "learning_rate", lambda rate: 1e-4 if rate < 1e-5 else min(3 * rate, 1e-2))


def explore_more(params: Mapping[str, Any]) -> Hint | None:
    """More exploration, or exploration for longer."""
    return (
        change(params, "entropy", lambda weight: 0.01 if weight <= 0 else min(3 * weight, 0.1))
        or change(params, "exploration_span", lambda share: min(max(2.5 * share, 0.2), 0.8))
        or change(params, "exploration_floor", lambda share: min(max(2 * share, 0.05), 0.2))
    )


def steadier_updates(params: Mapping[str, Any]) -> Hint | None:
    """Updates that change the policy less."""
    return (
        slower(params)
        or change(params, "clip", lambda width: max(width / 2, 0.05))
        or change(params, "epochs", lambda epochs: max(1, epochs // 2))
    )


def calmer_values(params: Mapping[str, Any]) -> Hint | None:
    """Keeps a value estimate from diverging."""
    return (
        slower(params)
        or change(params, "target_interval", lambda steps: 2 * steps)
        or change(params, "gradient_limit", lambda limit: limit / 2)
    )


def train_longer(curves: RunCurves) -> Hint | None:
    """More steps, if the run had a limit."""
    if not curves.total_timesteps:
        return None
    longer = 2 * curves.total_timesteps
    text = f"Consider training longer: raise total_timesteps from {curves.total_timesteps:,} to {longer:,}."
    return Hint(text, "total_timesteps", InsightChange(total_timesteps=longer), "more steps")


def as_fields(hint: Hint | None) -> dict[str, Any]:
    """The fields of an insight that a hint fills."""
    return {} if hint is None else {"hint": hint.text, "param": hint.param, "change": hint.change}
