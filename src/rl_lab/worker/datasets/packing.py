"""An episode of a dataset as a recording: its seed and packed actions, from which it is re-simulated."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from rl_lab.core.errors import NotReady
from rl_lab.core.recordings import Recording
from rl_lab.portable.actions import Packing, action_packing, pack
from rl_lab.worker.datasets.reading import OpenDataset
from rl_lab.worker.datasets.spaces import SpaceJson, space_words


def to_recording(dataset: OpenDataset, index: int) -> Recording:
    """NotReady for actions that a recording cannot hold: those of dict and tuple spaces."""
    manifest, episode = dataset.manifest, dataset.episode(index)
    packing = packing_of(manifest.action_space)
    if packing is None:
        raise NotReady(
            f"Episodes whose actions are {space_words(manifest.action_space)} cannot be watched.",
            cause="not-replayable",
            next_step="Verify the dataset instead: that compares every step.",
        )
    return Recording(
        run_id="",
        episode=index,
        env_id=manifest.env_id,
        env_kwargs=manifest.env_kwargs,
        env_version=manifest.env_version,
        action=packing,
        seed=int(dataset.seeds[index]),
        count=episode.length,
        actions=pack(packing, episode.actions),
        rewards=episode.rewards.astype("<f4").tobytes(),
        returned=float(episode.rewards.sum()),
        terminated=bool(episode.terminations[-1]),
        truncated=bool(episode.truncations[-1]),
    )


def packing_of(space: SpaceJson) -> Packing | None:
    """As `action_packing` of the Gymnasium space, which the server does not load."""
    named: type[Any] = type(space["type"], (SimpleNamespace,), {})
    if space["type"] == "Discrete":
        return action_packing(named(n=space["n"], start=space.get("start", 0)))
    if space["type"] == "MultiDiscrete":
        nvec = np.array(space["nvec"])
        start = np.array(space.get("start", np.zeros_like(nvec)))
        return action_packing(named(nvec=nvec, start=start, shape=nvec.shape))
    if space["type"] in ("Box", "MultiBinary"):
        dtype = np.dtype(space.get("dtype", "int8"))
        return action_packing(named(shape=tuple(space["shape"]), dtype=dtype))
    return None
