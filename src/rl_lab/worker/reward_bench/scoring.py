"""Scores one episode after the other with all rewards of a bench."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from rl_lab.core.errors import CodeFailed, NotReady
from rl_lab.core.recordings import Recording
from rl_lab.guardian.files import Confinement
from rl_lab.worker.reward_bench.kept_episodes import KeptEpisodes, size_of
from rl_lab.worker.reward_bench.simulated import SimulatedEpisode, Simulator
from rl_lab.worker.user_code.scorer import RewardScorer, Scored, StepRows, added_up

CALL_CPU_S = 10.0
"""Processor time for one piece of an episode: a reward that hangs must not keep the others waiting for long."""
Report = Callable[[dict[str, Any]], None]


class OpenRewards:
    """The rewards of one bench; each starts in its own process while the environment is created here."""

    def __init__(
        self, rewards: Sequence[dict[str, Any] | None], confine: Confinement, report: Report
    ) -> None:
        """None in place of a reward that is known not to work."""
        self.count = len(rewards)
        self._report = report
        self._starts = ThreadPoolExecutor(len(rewards), "start-reward")
        self._opening: dict[int, Future[RewardScorer]] = {
            place: self._starts.submit(RewardScorer, reward["source"], reward["name"], confine)
            for place, reward in enumerate(rewards)
            if reward is not None
        }
        self._opened: dict[int, RewardScorer] | None = None

    def working(self) -> dict[int, RewardScorer]:
        """By place: those that have not failed. The first call waits until all have started."""
        if self._opened is None:
            self._opened = {}
            for place, opening in self._opening.items():
                try:
                    self._opened[place] = opening.result()
                except NotReady as failed:
                    self._report(_problem(place, failed))
        return self._opened

    def fail(self, place: int, failed: CodeFailed, key: str, steps: int) -> None:
        """`steps`: of this episode that were scored before."""
        self.working().pop(place).close()
        step = None if failed.row is None else steps + failed.row + 1
        self._report({**_problem(place, failed), "key": key, "step": step})

    def end(self) -> None:
        """Ends the processes, from any thread: a call that waits for one fails."""
        for opening in self._opening.values():
            opening.add_done_callback(_end)

    def close(self) -> None:
        self._starts.shutdown()
        for scorer in self.working().values():
            scorer.close()


def _end(opening: Future[RewardScorer]) -> None:
    if opening.exception() is None:
        opening.result().end()


def _problem(place: int, failed: NotReady) -> dict[str, Any]:
    return {
        "op": "problem",
        "reward": place,
        "message": failed.detail,
        "next_step": failed.next_step,
        "line": failed.line if isinstance(failed, CodeFailed) else None,
    }


class EpisodeTally:
    """What one reward gives for one episode."""

    def __init__(self, *, with_steps: bool) -> None:
        self.total = 0.0
        self.terms: dict[str, float] = {}
        self._steps: list[Scored] | None = [] if with_steps else None

    def add(self, scored: Scored) -> None:
        self.total = added_up(scored.totals, self.total)
        for name, column in zip(scored.names, scored.terms.T, strict=True):
            self.terms[name] = added_up(column, self.terms.get(name, 0.0))
        if self._steps is not None:
            self._steps.append(scored)

    def described(self) -> dict[str, Any]:
        found: dict[str, Any] = {"own_return": self.total, "terms": self.terms}
        if self._steps is None:
            return found
        parts = [_by_name(scored) for scored in self._steps]
        steps = [value for scored in self._steps for value in scored.totals.tolist()]
        columns = {name: [value for part in parts for value in part(name)] for name in self.terms}
        return {**found, "rewards": steps, "columns": columns}


def _by_name(scored: Scored) -> Callable[[str], list[float]]:
    """A term that a reward returns for the first time later on was 0 before."""
    columns = dict(zip(scored.names, scored.terms.T.tolist(), strict=True))
    return lambda name: columns.get(name) or [0.0] * len(scored.totals)


class EpisodeScorer:
    """Simulates an episode, or finds its steps in memory, and scores them."""

    def __init__(self) -> None:
        self.simulator = Simulator()
        self._kept = KeptEpisodes()

    def score(
        self, rewards: OpenRewards, key: str, recording: Recording | None, *, with_steps: bool = False
    ) -> dict[str, Any]:
        """`recording`: None when the episode should still be in memory; `missing` when it is not."""
        with_info = any("info" in scorer.takes for scorer in rewards.working().values())
        kept = self._kept.find(key, with_info=with_info)
        if kept is None and recording is None:
            return {"key": key, "missing": True}
        scoring = _Scoring(rewards, key, with_steps)
        dropped: list[str] = []
        is_new = kept is None
        if kept is not None:
            for rows in kept.pieces:
                scoring.add(rows)
        else:
            assert recording is not None
            kept, scoring = self._simulate(recording, scoring, with_info=with_info)
            kept.is_same = kept.is_exact(recording)
            if kept.pieces:
                dropped = self._kept.keep(key, kept)
        return {
            "key": key,
            "length": kept.length,
            "env_return": kept.returned,
            "is_exact": kept.is_same,
            "is_kept": bool(kept.pieces),
            "was_simulated": is_new,
            "dropped": dropped,
            "scores": scoring.described(),
            **({"env_rewards": scoring.env_rewards} if with_steps else {}),
        }

    def _simulate(
        self, recording: Recording, scoring: _Scoring, *, with_info: bool
    ) -> tuple[SimulatedEpisode, _Scoring]:
        episode = SimulatedEpisode()
        for known, rows in self._pieces(recording, with_info):
            episode = known
            scoring.add(rows)
        if self.simulator.should_repeat(episode, recording):
            return self._simulate(recording, scoring.again(), with_info=with_info)
        return episode, scoring

    def _pieces(self, recording: Recording, with_info: bool) -> Iterator[tuple[SimulatedEpisode, StepRows]]:
        """The pieces are kept with the episode, unless it is too large."""
        for episode, rows in self.simulator.simulate(recording, with_info=with_info):
            episode.size += size_of(rows)
            episode.pieces = [*episode.pieces, rows] if episode.size <= self._kept.largest else []
            yield episode, rows


class _Scoring:
    """One episode on its way through the rewards."""

    def __init__(self, rewards: OpenRewards, key: str, with_steps: bool) -> None:
        self._rewards = rewards
        self._key = key
        self._with_steps = with_steps
        self._steps = 0
        self._tallies = {place: EpisodeTally(with_steps=with_steps) for place in rewards.working()}
        self.env_rewards: list[float] = []

    def again(self) -> _Scoring:
        return _Scoring(self._rewards, self._key, self._with_steps)

    def add(self, rows: StepRows) -> None:
        for place, scorer in list(self._rewards.working().items()):
            try:
                self._tallies[place].add(scorer.score(rows, cpu_s=CALL_CPU_S))
            except CodeFailed as failed:
                self._rewards.fail(place, failed, self._key, self._steps)
        self._steps += len(rows)
        if self._with_steps:
            self.env_rewards += np.asarray(rows.reward).tolist()

    def described(self) -> list[dict[str, Any] | None]:
        """In the order of the rewards; None for those that have failed."""
        working = self._rewards.working()
        places = range(self._rewards.count)
        return [self._tallies[place].described() if place in working else None for place in places]
