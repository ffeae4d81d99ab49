"""Worker call `check_code`: steps to try user code on, recorded ones simulated again or random play, and the trial.

The environment is in this process; the code is only in a confined process of its own (`worker/user_code/`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from statistics import median
from typing import Any

import gymnasium
import msgspec

from rl_lab.core.recordings import Recording
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.guardian.files import confinement_of
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.rendering.simulation import Simulation
from rl_lab.worker.user_code.checking import check_evaluation, check_reward
from rl_lab.worker.user_code.noted_steps import NotedSteps, NotingEnv
from rl_lab.worker.user_code.scorer import StepRows
from rl_lab.worker.user_code.watched_episode import WatchedEpisode

STEPS = 1000
EPISODES = 10
LONGEST_S = 10.0
"""Of gathering steps: slow environments give fewer."""


def check_code(given: dict[str, Any]) -> dict[str, Any]:
    """`kind`, `source`, `confine`, and `recordings` or `env_id` with `env_kwargs`; a `CodeCheck`."""
    source, confine = str(given["source"]), confinement_of(given["confine"])
    recordings = [msgspec.convert(one, Recording) for one in given.get("recordings") or ()]
    env_id = recordings[0].env_id if recordings else str(given.get("env_id") or "")
    arguments = recordings[0].env_kwargs if recordings else dict(given.get("env_kwargs") or {})
    gathered = GatheredSteps()
    if env_id:
        gathered.gather(env_id, arguments, recordings)
    if CodeKind(given["kind"]) is CodeKind.evaluation:
        episodes = [_fields(source, env_id, rows) for rows in gathered.episodes()]
        return check_evaluation(source, confine, episodes).model_dump(mode="json")
    rows = gathered.rows()
    return check_reward(source, confine, rows, gathered.step_s).model_dump(mode="json")


class TimedEnv(gymnasium.Wrapper):  # type: ignore[misc]
    """Measures the environment's own steps."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.times: list[float] = []

    def step(self, action: Any) -> Any:
        begun = time.perf_counter()
        result = self.env.step(action)
        self.times.append(time.perf_counter() - begun)
        return result


class GatheredSteps:
    """Up to 1,000 steps of whole episodes, the last one possibly cut."""

    def __init__(self) -> None:
        self._notes = NotedSteps(with_info=True)
        self._ends: list[int] = []
        self._seeds: list[int | None] = []
        self._until = time.monotonic() + LONGEST_S
        self._cached: StepRows | None = None
        self.step_s = 0.0

    @property
    def is_done(self) -> bool:
        return len(self._notes) >= STEPS or self._notes.is_full or time.monotonic() > self._until

    def gather(self, env_id: str, arguments: dict[str, Any], recordings: Sequence[Recording]) -> None:
        """Those of the recordings, else of random play."""
        with closing(make_environment(env_id, arguments)) as env:
            timed = TimedEnv(env)
            noting = NotingEnv(timed, self._notes)
            if recordings:
                self._replay(noting, [one for one in recordings if one.env_kwargs == arguments])
            else:
                self._play(noting)
            # The median: a machine that is busy makes some steps slow.
            self.step_s = median(timed.times) if timed.times else 0.0

    def rows(self) -> StepRows | None:
        if self._cached is None and len(self._notes):
            self._cached = self._notes.take()
        return self._cached

    def episodes(self) -> Iterator[tuple[StepRows, slice, int | None]]:
        rows = self.rows()
        begin = 0
        for end, seed in list(zip(self._ends, self._seeds, strict=True))[:EPISODES]:
            if rows is not None and end > begin:
                yield rows, slice(begin, end), seed
            begin = end

    def _replay(self, env: Any, recordings: Sequence[Recording]) -> None:
        for recording in recordings:
            simulation = Simulation(recording, render=False, env=env)
            while not self.is_done and simulation.advance():
                pass
            self._end(recording.seed)
            if self.is_done:
                return

    def _play(self, env: Any) -> None:
        env.action_space.seed(0)
        seed = 0
        while not self.is_done:
            env.reset(seed=seed)
            is_over = False
            while not is_over and not self.is_done:
                _, _, terminated, truncated, _ = env.step(env.action_space.sample())
                is_over = bool(terminated or truncated)
            self._end(seed)
            seed += 1

    def _end(self, seed: int | None) -> None:
        self._ends.append(len(self._notes))
        self._seeds.append(seed)


def _fields(source: str, env_id: str, found: tuple[StepRows, slice, int | None]) -> dict[str, Any]:
    """One episode as evaluation code sees it."""
    rows, part, seed = found
    watched = WatchedEpisode(source, env_id)
    indices = range(part.start, part.stop)
    infos = rows.info or [{}] * len(rows)
    watched.begin(rows.obs[part.start], {})
    for index in indices:
        outcome = (rows.next_obs[index], rows.reward[index], rows.terminated[index], rows.truncated[index])
        watched.add(rows.action[index], (*outcome, dict(infos[index])))
    return watched.fields(seed)
