"""State checksums of whole rollouts."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from rl_lab.portable.state_checksums import state_checksum
from rl_lab.runners.turbo.checksums import checksum_column, packed_checksums


def test_every_50th_step_of_an_episode_has_the_checksum_of_the_state_after_it() -> None:
    horizon, envs = 70, 2
    rollouts = SimpleNamespace(
        spec=SimpleNamespace(n_states=0),
        observation=np.random.default_rng(0).random((horizon + 1, envs, 3), np.float32),
        last=np.full((horizon, envs, 3), 9, np.float32),
        reward=np.arange(horizon * envs, dtype=np.float64).reshape(horizon, envs),
        terminated=np.zeros((horizon, envs), bool),
        truncated=np.zeros((horizon, envs), bool),
    )
    rollouts.terminated[9, 0] = True  # 40 steps before the rollout and 10 in it
    column = checksum_column(rollouts, np.array([40, 0]))  # type: ignore[arg-type]
    found = {(int(t), int(env)) for t, env in zip(*np.nonzero(column), strict=True)}
    assert found <= {(9, 0), (59, 0), (49, 1)}
    for t, env in ((9, 0), (59, 0), (49, 1)):
        after = rollouts.last[t, env] if t == 9 else rollouts.observation[t + 1, env]
        assert int(column[t, env]).to_bytes(2, "little") == state_checksum(after, rollouts.reward[t, env])


def test_the_checksums_of_one_episode_are_packed() -> None:
    column = np.zeros(120, np.uint16)
    column[[49, 99]] = 1, 258
    assert packed_checksums(column) == b"\1\0\2\1"
    assert packed_checksums(column[:49]) == b""
