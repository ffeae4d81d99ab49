"""The reward bench: scores recorded episodes with rewards that are tried, before a training uses them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.errors import WorkerFailed
from rl_lab.core.workbench.bench import (
    BenchDone,
    BenchEpisode,
    BenchEpisodes,
    BenchMessage,
    BenchProblem,
    BenchRequest,
    BenchReward,
    EpisodeTimeline,
    RewardList,
    RewardTimeline,
)
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import code_hash
from rl_lab.guardian.files import Confinement, as_json
from rl_lab.orchestrator.code_consents import CodeConsents
from rl_lab.orchestrator.code_rights import code_rights
from rl_lab.orchestrator.code_syntax import find_remarks
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.viewing.recordings import read_recording
from rl_lab.orchestrator.workbench.bench.chosen_episodes import (
    BenchSelection,
    ChosenEpisode,
    EpisodeSelector,
)
from rl_lab.orchestrator.workbench.bench.processes import PROCESSES, BenchWorker, BenchWorkers
from rl_lab.orchestrator.workbench.bench.results import BenchResults
from rl_lab.orchestrator.workbench.bench.scoring import EpisodeScoring
from rl_lab.store.workbench import codes

LEAST_EACH = 4
"""Fewer episodes than this are not worth another process."""


@dataclass(frozen=True)
class TriedReward:
    name: str
    source: str
    problem: BenchProblem | None
    """What is wrong with its syntax."""


@dataclass(frozen=True)
class PreparedBench:
    chosen: BenchSelection
    rewards: list[TriedReward]
    rights: Confinement
    """What the processes of the rewards may use."""


class RewardBench:
    def __init__(self, context: Context, sources: Sources) -> None:
        self._context = context
        self._choice = EpisodeSelector(sources)
        self._consents = CodeConsents(context)
        self._workers = BenchWorkers()

    async def close(self) -> None:
        await self._workers.close()

    async def prepare(self, asked: BenchRequest) -> PreparedBench:
        """Chooses the episodes; LabError when a reward is not saved or there is nothing to score."""
        self._workers.warm()
        rewards = await self._find_rewards(asked)
        chosen, rights = await asyncio.gather(self._choice.choose(asked), self._code_rights())
        return PreparedBench(chosen, rewards, rights)

    async def run(self, bench: PreparedBench) -> AsyncGenerator[BenchMessage, None]:
        """All messages; a client that stops reading ends everything."""
        started = time.monotonic()
        results = BenchResults(bench.chosen, [reward.name for reward in bench.rewards])
        yield results.plan()
        for reward in bench.rewards:
            if reward.problem is not None:
                results.failed.add(reward.problem.reward or 0)
                yield reward.problem
        try:
            for rights, episodes in bench.chosen.groups():
                if not results.is_hopeless:
                    async with aclosing(self._score(bench, results, rights, episodes)) as messages:
                        async for message in messages:
                            yield message
        except WorkerFailed as failed:
            yield BenchProblem(reward=None, message=failed.detail, next_step=failed.next_step)
            return
        yield await results.summary(is_final=True)
        yield BenchDone(
            seconds=round(time.monotonic() - started, 3),
            episodes=len(results.episodes),
            steps=results.steps,
            simulated=results.simulated,
        )

    async def timeline(self, run_id: str, episode: int, asked: RewardList) -> EpisodeTimeline:
        """One episode, step by step, under each reward."""
        rewards = await self._find_rewards(asked)
        chosen = await self._choice.choose_one(run_id, episode)
        # Explains a missing recording; the bench only counts it.
        await asyncio.to_thread(read_recording, self._context.home, run_id, episode)
        (one,) = chosen.episodes
        results = BenchResults(chosen, [reward.name for reward in rewards])
        problems = {index: reward.problem for index, reward in enumerate(rewards) if reward.problem}
        results.failed.update(problems)
        async with self._workers.lend(chosen.rights[run_id], 1, holding=one.key) as workers:
            await _open(workers, rewards, await self._code_rights())
            scoring = EpisodeScoring(self._context.home, [one], workers, with_steps=True)
            found: dict[str, Any] = {}
            async with aclosing(scoring.events()) as events:
                async for kind, event in events:
                    if kind == "items":
                        (found,) = event["items"]
                    elif (problem := results.add_problem(event)) is not None:
                        problems[event["reward"]] = problem
        if "failed" in found:
            raise WorkerFailed(f"The episode could not be simulated: {found['failed']}")
        return _to_timeline(one, found, rewards, problems)

    async def _score(
        self,
        bench: PreparedBench,
        results: BenchResults,
        rights: Confinement | None,
        episodes: Sequence[ChosenEpisode],
    ) -> AsyncGenerator[BenchMessage, None]:
        count = max(1, min(PROCESSES, len(episodes) // LEAST_EACH))
        async with self._workers.lend(rights, count) as workers:
            await _open(workers, bench.rewards, bench.rights)
            scoring = EpisodeScoring(self._context.home, episodes, workers)
            async with aclosing(scoring.events()) as events:
                async for kind, event in events:
                    for message in _messages(results, kind, event):
                        yield message
                    if results.is_hopeless:
                        return
                    if results.is_summary_due:
                        yield await results.summary()

    async def _code_rights(self) -> Confinement:
        return await asyncio.to_thread(code_rights, self._context.settings)

    async def _find_rewards(self, asked: RewardList) -> list[TriedReward]:
        """ConsentNeeded where this machine cannot confine one that is not approved."""

        def read(conn: Connection) -> list[tuple[str, str]]:
            return [_find_source(conn, reward) for reward in asked.rewards]

        found = await self._context.db.read(read)
        rewards = [await _try(place, name, source) for place, (name, source) in enumerate(found)]
        for reward in rewards:
            if reward.problem is None:
                sha256 = code_hash(reward.source)
                given = sha256 if sha256 in asked.consents else None
                await self._consents.require(sha256, f"the reward “{reward.name}”", given)
        return rewards


async def _open(workers: Sequence[BenchWorker], rewards: Sequence[TriedReward], rights: Confinement) -> None:
    usable = [
        None if reward.problem else {"name": reward.name, "source": reward.source} for reward in rewards
    ]
    for worker in workers:
        await worker.send({"op": "open", "rewards": usable, "confine": as_json(rights)})


def _find_source(conn: Connection, reward: BenchReward) -> tuple[str, str]:
    if reward.source is not None:
        return reward.name, reward.source
    saved = codes.get_version(conn, CodeKind.reward, reward.choice)
    return f"{saved.name}@v{saved.version}", saved.source


async def _try(place: int, name: str, source: str) -> TriedReward:
    remarks = await find_remarks(source, CodeKind.reward)
    wrong = [remark for remark in remarks if remark.level == "error"]
    problem = None
    if wrong:
        problem = BenchProblem(reward=place, name=name, message=wrong[0].message, line=wrong[0].line)
    return TriedReward(name, source, problem)


def _messages(results: BenchResults, kind: str, event: dict[str, Any]) -> list[BenchMessage]:
    if kind == "problem":
        problem = results.add_problem(event)
        return [] if problem is None else [problem]
    items: list[BenchEpisode] = [one for item in event["items"] if (one := results.add(item)) is not None]
    return [BenchEpisodes(items=items)] if items else []


def _to_timeline(
    one: ChosenEpisode,
    found: dict[str, Any],
    rewards: Sequence[TriedReward],
    problems: dict[int, BenchProblem],
) -> EpisodeTimeline:
    timelines = []
    for place, (reward, score) in enumerate(zip(rewards, found["scores"], strict=True)):
        scored = {} if score is None else score
        timelines.append(
            RewardTimeline(
                name=reward.name,
                own_return=scored.get("own_return"),
                rewards=scored.get("rewards", []),
                terms=scored.get("columns", {}),
                problem=problems.get(place),
            )
        )
    return EpisodeTimeline(
        run_id=one.run.id,
        episode=one.row.episode,
        env_id=one.run.env_id or "",
        length=found["length"],
        env_rewards=found["env_rewards"],
        env_return=found["env_return"],
        is_exact=found["is_exact"],
        rewards=timelines,
    )
