"""Metrics that a learner reports at its updates: healthy ones, and ones with faults."""

from collections.abc import Callable

import numpy as np

from rl_lab.analysis.curves import Floats

Rng = np.random.Generator
Updates = dict[str, Floats]
GAUSSIAN = 1.4189385


def healthy_updates(rng: Rng, skill: Floats, actions: int) -> Updates:
    """PPO's usual metrics for a policy with the given course of skill; `actions` 0 means a continuous action."""
    count, u = len(skill), np.linspace(0, 1, len(skill))
    good = np.clip(skill, 0, 1)
    kl = rng.lognormal(np.log(rng.uniform(0.002, 0.02)), 0.5, count)
    fall = 1 - rng.uniform(0.2, 0.88) * np.maximum.accumulate(0.7 * good + 0.3 * u)
    value_loss = (1 + 30 * good**2) * rng.lognormal(0, 0.5, count) * np.exp(-1.5 * u)
    return {
        "kl": kl,
        "clip_fraction": np.clip(1 - np.exp(-kl * rng.uniform(5, 10)) + rng.normal(0, 0.01, count), 0, 1),
        "entropy": (np.log(actions) if actions else GAUSSIAN) * fall * rng.normal(1, 0.01, count),
        "explained_variance": np.clip(
            rng.uniform(0.4, 0.95) * (1 - np.exp(-6 * u)) + rng.normal(0, 0.12, count), -1, 0.99
        ),
        "value_loss": value_loss,
        "policy_loss": rng.normal(-0.01, 0.006, count),
        "loss": value_loss / 2 + rng.normal(0, 0.01, count),
    }


def _kl_spikes(rng: Rng, updates: Updates) -> Updates:
    count = len(updates["kl"])
    hit = rng.choice(np.arange(2, count), max(3, int(count * rng.uniform(0.04, 0.12))), replace=False)
    updates["kl"][hit] = rng.uniform(0.08, 0.8, len(hit))
    updates["clip_fraction"][hit] = rng.uniform(0.3, 0.7, len(hit))
    return updates


def _clip_spikes(rng: Rng, updates: Updates) -> Updates:
    count = len(updates["kl"])
    hit = rng.choice(np.arange(2, count), max(3, int(count * rng.uniform(0.05, 0.12))), replace=False)
    updates["clip_fraction"][hit] = rng.uniform(0.5, 0.9, len(hit))
    del updates["kl"]
    return updates


def _no_kl(rng: Rng, updates: Updates) -> Updates:
    """A healthy learner that does not report its KL."""
    del updates["kl"]
    return updates


def _one_blip(rng: Rng, updates: Updates) -> Updates:
    """A single outlier, which is not a fault."""
    updates["kl"][int(rng.integers(2, len(updates["kl"])))] = 0.12
    return updates


def _rate_too_high(rng: Rng, updates: Updates) -> Updates:
    count = len(updates["kl"])
    updates["kl"] = rng.lognormal(np.log(rng.uniform(0.07, 0.4)), 0.5, count)
    updates["clip_fraction"] = np.clip(rng.normal(rng.uniform(0.45, 0.65), 0.08, count), 0, 1)
    return updates


def _frozen_policy(rng: Rng, updates: Updates) -> Updates:
    """A learning rate close to zero: nothing changes."""
    count = len(updates["kl"])
    updates["kl"] = rng.lognormal(np.log(10 ** rng.uniform(-7, -4)), 0.6, count)
    updates["clip_fraction"] = np.zeros(count)
    updates["entropy"] = updates["entropy"][0] * (1 + rng.normal(0, 1e-4, count))
    return updates


def _annealed(rng: Rng, updates: Updates) -> Updates:
    """A learning rate that is intentionally annealed to zero."""
    updates["kl"] = updates["kl"] * np.linspace(1, 0.001, len(updates["kl"]))
    return updates


def _entropy_collapse(rng: Rng, updates: Updates) -> Updates:
    entropy = updates["entropy"]
    count = len(entropy)
    u = np.linspace(0, 1, count)
    gone = 1 / (1 + np.exp(-(u - rng.uniform(0.2, 0.6)) / 0.04))
    if abs(entropy[0] / GAUSSIAN - 1) < 0.05:
        updates["entropy"] = GAUSSIAN - rng.uniform(4.5, 8) * gone + rng.normal(0, 0.01, count)
    else:
        updates["entropy"] = np.maximum(1e-6, entropy[0] * (1 - gone * rng.uniform(0.96, 0.9999)))
    return updates


def _blind_value(rng: Rng, updates: Updates) -> Updates:
    count = len(updates["kl"])
    updates["explained_variance"] = rng.normal(rng.uniform(-0.3, 0.04), 0.1, count)
    return updates


def _constant_returns(rng: Rng, updates: Updates) -> Updates:
    """Some rollouts have constant returns, for which the library reports NaN."""
    updates["explained_variance"][rng.random(len(updates["kl"])) < 0.15] = np.nan
    return updates


def _value_runs_away(rng: Rng, updates: Updates) -> Updates:
    count = len(updates["kl"])
    away = np.exp(np.maximum(0, np.linspace(0, 1, count) - rng.uniform(0.3, 0.5)) * rng.uniform(16, 35))
    updates["value_loss"] = updates["value_loss"] * away
    updates["loss"] = updates["value_loss"] / 2
    return updates


def _not_a_number(rng: Rng, updates: Updates) -> Updates:
    since = int(rng.integers(len(updates["kl"]) // 2, len(updates["kl"]) - 1))
    for name in ("loss", "value_loss", "policy_loss", "kl"):
        updates[name][since:] = np.nan if rng.random() < 0.8 else np.inf
    return updates


def _dead_exploration(rng: Rng, updates: Updates) -> Updates:
    """A value-based learner whose random actions end early."""
    count = len(updates["kl"])
    rate = np.maximum(rng.uniform(0.01, 0.06), 1 - np.linspace(0, 1, count) / rng.uniform(0.05, 0.3))
    return {"loss": rng.lognormal(-2, 0.5, count), "exploration_rate": rate}


def _weighted_entropy(rng: Rng, updates: Updates) -> Updates:
    """The share of the entropy in a loss, with a weight of 0 or nearly so: no fault."""
    updates["entropy"] = -float(rng.choice([0.0, 0.001, 0.01])) * updates["entropy"] * -1.0
    return updates


FAULTS: dict[str, Callable[[Rng, Updates], Updates]] = {
    "none": lambda rng, updates: updates,
    "kl_spikes": _kl_spikes,
    "rate_too_high": _rate_too_high,
    "frozen_policy": _frozen_policy,
    "entropy_collapse": _entropy_collapse,
    "blind_value": _blind_value,
    "value_runs_away": _value_runs_away,
    "not_a_number": _not_a_number,
    "dead_exploration": _dead_exploration,
    "clip_spikes": _clip_spikes,
    "no_kl": _no_kl,
    "one_blip": _one_blip,
    "annealed": _annealed,
    "constant_returns": _constant_returns,
    "weighted_entropy": _weighted_entropy,
    "infinite_reward": lambda rng, updates: updates,
}
