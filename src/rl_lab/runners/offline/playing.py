"""An offline checkpoint as a policy: only its networks, in numpy, so that playing needs no torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.runners.offline.checkpoints import (
    OfflineHeader,
    critics_of,
    layers_of,
    read_checkpoint,
    run_layers,
)
from rl_lab.worker.runner import Decision

F32 = NDArray[np.float32]


def load_policy(checkpoint: Path) -> OfflinePolicy:
    return OfflinePolicy(*read_checkpoint(checkpoint, only_networks=True))


class OfflinePolicy:
    """Acts on single observations and reports values and probabilities."""

    def __init__(self, header: OfflineHeader, state: dict[str, Any]) -> None:
        self._spaces = header.spaces
        self._actor, self._critics = layers_of(state, "actor"), critics_of(state)
        self._value = layers_of(state, "value")
        self._log_std = state.get("log_std")
        self._rng = np.random.default_rng(0)

    def act(self, observation: Any, deterministic: bool) -> Decision:
        x = self._spaces.flatten(observation)
        if not self._spaces.is_discrete:
            return self._continuous(x, deterministic)
        return self._by_scores(x, deterministic) if self._actor else self._by_values(x)

    def _by_values(self, x: F32) -> Decision:
        q_values = run_layers(self._critics[0], x)
        best = int(q_values.argmax())
        return Decision(best + self._spaces.action_start, float(q_values[best]), q_values=q_values.tolist())

    def _by_scores(self, x: F32, deterministic: bool) -> Decision:
        scores = run_layers(self._actor, x).astype(np.float64)
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        choice = np.argmax(chances) if deterministic else self._rng.choice(len(chances), p=chances)
        q_values = run_layers(self._critics[0], x).tolist() if self._critics else None
        return Decision(
            int(choice) + self._spaces.action_start, self._value_of(x, None), chances.tolist(), q_values
        )

    def _continuous(self, x: F32, deterministic: bool) -> Decision:
        output, size = run_layers(self._actor, x), self._spaces.action_size
        mean, log_std = output[:size], output[size:] if len(output) > size else self._log_std
        if log_std is not None and len(output) > size:  # its noise is drawn before tanh
            spread = 0 if deterministic else np.exp(np.clip(log_std, -5, 2)) * self._noise(size)
            scaled = np.tanh(mean + spread)
        else:
            scaled = np.tanh(mean)
            if log_std is not None and not deterministic:
                scaled = np.clip(scaled + np.exp(log_std) * self._noise(size), -1, 1)
        scaled = scaled.astype(np.float32)
        return Decision(self._spaces.to_action(scaled), self._value_of(x, scaled))

    def _noise(self, size: int) -> F32:
        return self._rng.standard_normal(size, np.float32)

    def _value_of(self, x: F32, scaled: F32 | None) -> float | None:
        if self._value:
            return float(run_layers(self._value, x)[0])
        if scaled is None or not self._critics:
            return None
        both = np.concatenate((x, scaled))
        return min(float(run_layers(critic, both)[0]) for critic in self._critics)
