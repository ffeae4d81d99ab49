"""A new learner begins with the weights of a checkpoint: networks and observation statistics, nothing else of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.offline.starting import Networks, find_networks, require_layers
from rl_lab.runners.turbo.checkpoints import read_checkpoint
from rl_lab.runners.turbo.dqn import Dqn
from rl_lab.runners.turbo.envs import EnvSpec
from rl_lab.runners.turbo.ppo import Ppo

NETWORK = ("hidden", "activation", "normalize_observations")


def take_weights(learner: Ppo | Dqn, algorithm: str, checkpoint: Path) -> None:
    """InvalidInput when the weights are for other spaces or another network."""
    offline = find_networks(checkpoint)
    if offline is not None:
        _take_offline(learner, offline)
        return
    header, state = read_checkpoint(checkpoint)
    _require_algorithm(header.algorithm, algorithm)
    _require_spaces(header.env, learner.spec)
    _require_network(header.params, learner.params.model_dump())
    learner.network.flat[:] = state["parameters"]
    if isinstance(learner, Ppo):
        learner.norm.restore(state["norm"])
    else:
        learner.target.flat[:] = state["target"]


def _take_offline(learner: Ppo | Dqn, found: Networks) -> None:
    """The policy of an offline checkpoint, or its values of actions; the rest of the learner is new."""
    layers = require_layers(found, "actor" if isinstance(learner, Ppo) else "critic1")
    (w1, b1), (w2, b2), (w3, b3) = layers
    # Turbo's values are those of scaled rewards.
    scale = np.float32(1 if isinstance(learner, Ppo) else learner.params.reward_scale)
    own = learner.network.parameters
    wanted = {
        "w1": (own["w1"][0], w1.T),
        "b1": (own["b1"][0, 0], b1),
        "w2": (own["w2"][0], w2.T),
        "b2": (own["b2"][0, 0], b2),
        "w3": (own["w3_0"], w3.T * scale),
        "b3": (own["b3_0"], b3 * scale),
    }
    for name, (into, values) in wanted.items():
        if into.shape != values.shape:
            message = f"The weights do not fit: {name} has the shape {values.shape}, not {into.shape}."
            raise InvalidInput.of_field("start_from", message)
        into[:] = values
    if isinstance(learner, Dqn):
        learner.target.flat[:] = learner.network.flat


def _require_algorithm(trained: str, wanted: str) -> None:
    if trained != wanted:
        message = f"The weights are those of turbo {trained}; turbo {wanted} has other networks."
        raise InvalidInput.of_field("algorithm", message, [trained])


def _require_spaces(trained: EnvSpec, wanted: EnvSpec) -> None:
    if spaces_text(trained) != spaces_text(wanted):
        raise InvalidInput.of_field(
            "env_id",
            f"The weights are for {trained.env_id} with {spaces_text(trained)}; {wanted.env_id} has "
            f"{spaces_text(wanted)}.",
        )


def _require_network(trained: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name in NETWORK:
        if trained.get(name) != wanted.get(name):
            message = f"The weights have {name} = {trained.get(name)}, not {wanted.get(name)}."
            raise InvalidInput.of_field(f"params.{name}", message, [trained.get(name)])


def spaces_text(env: EnvSpec) -> str:
    """ "observations of size 4 and 2 discrete actions" """
    seen = f"{env.n_states} states" if env.n_states else f"observations of size {env.observation_size}"
    kind = "discrete actions" if env.is_discrete else "continuous actions"
    return f"{seen} and {env.action_size} {kind}"
