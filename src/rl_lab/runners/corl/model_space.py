"""How much disk a script's own checkpoints need; it saves its networks and optimisers with every evaluation."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

from rl_lab.core.errors import NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.corl.call import updates_between_evaluations
from rl_lab.runners.corl.learned_data import LearnedData
from rl_lab.runners.corl.scripts import EPOCH_UPDATES, CorlScript

BYTES = 4
COPIES = 4
"""Of each number: the network, its slow copy, and the two averages of Adam."""
HIDDEN, LAYERS, CRITICS = 256, 3, 2


def require_space_for_models(script: CorlScript, config: TrainConfig, data: LearnedData, home: Path) -> None:
    """NotReady when the disk would be full before the run ends."""
    if not config.params.get("save_models", True):
        return
    count, size = models_saved(script, config), model_bytes(config.params, data)
    free = shutil.disk_usage(home).free
    if count * size > free:
        raise NotReady(
            f"The script would save {count:,} checkpoints of about {size / 1e6:,.0f} MB, "
            f"{count * size / 1e9:,.1f} GB together, and {free / 1e9:,.1f} GB are free.",
            cause="disk-full",
            next_step="Evaluate less often, free some space, or switch save_models off: the lab saves the networks "
            "at the end anyway.",
        )


def models_saved(script: CorlScript, config: TrainConfig) -> int:
    every = updates_between_evaluations(script, config)
    if every is not None:
        return config.total_timesteps // every
    each, epochs_between = script.find(EPOCH_UPDATES), script.find("eval_every")
    if each is None or epochs_between is None:
        return 1
    epochs = config.total_timesteps / int(config.params.get(EPOCH_UPDATES, each.default))
    return math.ceil(epochs / int(config.params.get("eval_every", epochs_between.default))) + 1


def model_bytes(params: dict[str, Any], data: LearnedData) -> int:
    """At most about this much: measured scripts stay below it."""
    hidden = int(params.get("hidden_dim", HIDDEN))
    one = (data.observation_size + data.action_size + 1) * hidden + LAYERS * (hidden * hidden + hidden)
    networks = int(params.get("num_critics", CRITICS)) + 1
    return one * networks * COPIES * BYTES
