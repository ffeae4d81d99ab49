"""State checksums of a whole rollout at once: a column over steps, filled at every 50th step of an episode."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.bounds import CHECKSUM_STEPS
from rl_lab.portable.state_checksums import state_checksum
from rl_lab.runners.turbo.rollouts import Rollouts


def checksum_column(rollouts: Rollouts, open_length: NDArray[np.int64]) -> NDArray[np.uint16]:
    """(time, env); 0 where there is none. `open_length`: steps of the unfinished episodes before the rollout."""
    ended = rollouts.terminated | rollouts.truncated
    column = np.zeros(ended.shape, np.uint16)
    times, envs = np.nonzero(_ages(ended, open_length) % CHECKSUM_STEPS == 0)
    for t, env in zip(times.tolist(), envs.tolist(), strict=True):
        after = rollouts.last[t, env] if ended[t, env] else rollouts.observation[t + 1, env]
        observed: Any = int(after.argmax()) if rollouts.spec.n_states else after
        checksum = state_checksum(observed, rollouts.reward[t, env])
        column[t, env] = int.from_bytes(checksum, "little")
    return column


def _ages(ended: NDArray[np.bool_], open_length: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of each step in its episode, from 1."""
    steps = np.arange(1, len(ended) + 1)[:, None]
    last_end = np.maximum.accumulate(np.where(ended, steps, -open_length), axis=0)
    before = np.vstack((-open_length[None], last_end[:-1]))
    return np.asarray(steps - before)


def packed_checksums(column: NDArray[np.uint16]) -> bytes:
    """Those of the steps of one episode, from its first step on."""
    return column[CHECKSUM_STEPS - 1 :: CHECKSUM_STEPS].astype("<u2").tobytes()
