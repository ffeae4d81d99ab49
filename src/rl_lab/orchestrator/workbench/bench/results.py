"""What a bench has found so far, and the messages made from it."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from typing import Any

from rl_lab.core.episodes import EpisodeRow
from rl_lab.core.workbench.bench import (
    BenchEpisode,
    BenchPlan,
    BenchProblem,
    BenchRun,
    BenchSummary,
    EpisodeOutcome,
    RewardScore,
)
from rl_lab.core.workbench.bench_summaries import RewardPair, RewardSummary
from rl_lab.orchestrator.workbench.bench.chosen_episodes import BenchSelection, ChosenEpisode

SUMMARY_S = 0.5
SUMMARY_SHARE = 10
"""Summaries take at most one tenth of the time."""


class BenchResults:
    def __init__(self, chosen: BenchSelection, names: Sequence[str]) -> None:
        self._chosen = chosen
        self._names = list(names)
        self._by_key = {one.key: one for one in chosen.episodes}
        self.failed: set[int] = set()
        """Places of the rewards that have failed."""
        self.episodes: list[BenchEpisode] = []
        self.steps = 0
        self.simulated = 0
        self._due_at = math.inf
        """When the next summary is: some time after the first episode, which must not wait for a summary."""

    @property
    def is_hopeless(self) -> bool:
        return len(self.failed) == len(self._names)

    @property
    def is_summary_due(self) -> bool:
        return time.monotonic() >= self._due_at

    def plan(self) -> BenchPlan:
        counts: dict[str, int] = {}
        for one in self._chosen.episodes:
            counts[one.run.id] = counts.get(one.run.id, 0) + 1
        runs = {one.run.id: one.run for one in self._chosen.episodes}
        return BenchPlan(
            total=len(self._chosen.episodes),
            recorded=self._chosen.recorded,
            env_id=self._chosen.env_id,
            runs=[
                BenchRun(run_id=run.id, name=run.name, kind=run.kind, episodes=counts[run.id])
                for run in runs.values()
            ],
            rewards=self._names,
            left_out=list(self._chosen.left_out.values()),
        )

    def add(self, item: dict[str, Any]) -> BenchEpisode | None:
        """None for an episode that could not be simulated."""
        one = self._by_key[item["key"]]
        if "failed" in item:
            self._chosen.leave_out(one.run.id, item["failed"])
            return None
        episode = self._to_episode(one, item)
        if not self.episodes:
            self._due_at = time.monotonic() + SUMMARY_S
        self.episodes.append(episode)
        self.steps += episode.length
        self.simulated += bool(item["was_simulated"])
        return episode

    def add_problem(self, found: dict[str, Any]) -> BenchProblem | None:
        """None when another process has reported that reward already."""
        place = int(found["reward"])
        if place in self.failed:
            return None
        self.failed.add(place)
        one = self._by_key.get(found.get("key", ""))
        return BenchProblem(
            reward=place,
            name=self._names[place],
            message=found["message"],
            next_step=found.get("next_step"),
            line=found.get("line"),
            run_id=one.run.id if one else None,
            episode=one.row.episode if one else None,
            step=found.get("step"),
        )

    async def summary(self, *, is_final: bool = False) -> BenchSummary:
        started = time.monotonic()
        episodes = list(self.episodes)
        rewards, pairs = await asyncio.to_thread(_summarise, episodes, self._names)
        now = time.monotonic()
        self._due_at = now + max(SUMMARY_S, SUMMARY_SHARE * (now - started))
        return BenchSummary(
            is_final=is_final,
            episodes=len(episodes),
            inexact=sum(not one.is_exact for one in episodes),
            left_out=list(self._chosen.left_out.values()),
            rewards=rewards,
            pairs=pairs,
        )

    def _to_episode(self, one: ChosenEpisode, item: dict[str, Any]) -> BenchEpisode:
        scores = enumerate(item["scores"])
        return BenchEpisode(
            run_id=one.run.id,
            episode=one.row.episode,
            kind=one.run.kind,
            timestep=one.row.timestep,
            outcome=outcome_of(one.row),
            length=item["length"],
            env_return=item["env_return"],
            recorded_return=one.row.reward,
            is_exact=item["is_exact"],
            scores=[
                None
                if score is None or place in self.failed
                else RewardScore(own_return=score["own_return"], terms=score["terms"])
                for place, score in scores
            ],
        )


def _summarise(
    episodes: list[BenchEpisode], names: list[str]
) -> tuple[list[RewardSummary], list[RewardPair]]:
    # Imported with the first bench: numpy is not needed before, and takes a while on a busy machine.
    from rl_lab.analysis.rewards.summaries import compare_rewards, summarise_rewards

    return summarise_rewards(episodes, names), compare_rewards(episodes, names)


def outcome_of(row: EpisodeRow) -> EpisodeOutcome:
    if row.success:
        return "success"
    if row.terminated:
        return "terminated"
    return "truncated" if row.truncated else "unfinished"
