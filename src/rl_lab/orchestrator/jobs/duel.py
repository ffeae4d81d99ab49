"""Duels: two or more sides on the same seeds; a side is a checkpoint, or the episodes of a play."""

from __future__ import annotations

from typing import Any, NamedTuple

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.evaluations import DuelSummary
from rl_lab.core.jobs.play import PlayConfig
from rl_lab.core.jobs.policy_jobs import Contestant, DuelConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.own_environments import WRAPPERS
from rl_lab.core.recordings import Recording
from rl_lab.core.runs import Run
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.run_names import describe_arguments, distinct_parts, job_name
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources, require_same_environment
from rl_lab.store.plays import play_episodes
from rl_lab.store.plays.play_episodes import PlayEpisode


class _Side(NamedTuple):
    policy: dict[str, Any]
    """A `PolicyInput`; for a play only the label, the run and the configuration of its environment."""
    episodes: dict[int, PlayEpisode] | None = None
    """Of a play: the first finished episode of each seed."""


async def prepare(sources: Sources, config: DuelConfig) -> PreparedJob:
    sides = [await _find_side(sources, contestant) for contestant in config.contestants]
    played = sides[0].policy["config"]
    for side in sides[1:]:
        require_same_environment(played["env_id"], side.policy["config"]["env_id"])
    await sources.require_environment(played["env_id"], config.contestants[0].run_id)
    await _require_same_arguments(sources, [side.policy for side in sides])
    seeds = _common_seeds(sides, config.episodes)
    recordings = [] if seeds is None else await _find_recordings(sources, sides, seeds)
    labelled = distinct_labels([side.policy for side in sides])
    number = config.episodes if seeds is None else len(seeds)
    return PreparedJob(
        name=job_name("Duel", [side.policy["label"] for side in sides]),
        parent_id=config.contestants[0].run_id,
        started=f"Duel of {len(sides)} on {plural(number, 'seed')} started.",
        env_id=played["env_id"],
        env_kwargs=played["env_kwargs"],
        inputs={
            "policies": [one for one, side in zip(labelled, sides, strict=True) if side.episodes is None],
            "sides": [
                {"is_play": side.episodes is not None, "label": one["label"], "run_id": one["run_id"]}
                | ({"config": one["config"]} if side.episodes is not None else {})
                for one, side in zip(labelled, sides, strict=True)
            ],
            "seeds": seeds,
        },
        recordings=recordings,
        looks_at=[contestant.run_id for contestant in config.contestants],
    )


async def _require_same_arguments(sources: Sources, sides: list[dict[str, Any]]) -> None:
    """With others a return counts something else. Wrappers may differ: they belong to what a policy sees."""
    env_id, first = sides[0]["config"]["env_id"], _arguments(sides[0])
    for side in sides[1:]:
        other = _arguments(side)
        if other == first:
            continue
        environment = await sources.environments.catalogue.environment(env_id)
        usual = environment.default_kwargs if environment is not None else {}
        if {**usual, **other} != {**usual, **first}:
            one, two = (describe_arguments(given) or "its defaults" for given in (first, other))
            raise InvalidInput.of_field(
                "contestants",
                f"“{sides[0]['label']}” plays {env_id} with {one} and “{side['label']}” with {two}, so their returns "
                "cannot be compared. Evaluate both by a protocol that sets these arguments.",
            )


def _arguments(side: dict[str, Any]) -> dict[str, Any]:
    given = side["config"]["env_kwargs"]
    return {name: value for name, value in given.items() if name != WRAPPERS}


async def _find_side(sources: Sources, contestant: Contestant) -> _Side:
    run = await sources.get_run(contestant.run_id)
    if isinstance(run.config, PlayConfig):
        return await _find_play(sources, run, run.config, contestant)
    training = await sources.get_training(contestant.run_id)
    return _Side(await sources.find_policy(training, contestant.checkpoint, training.name))


async def _find_play(sources: Sources, run: Run, config: PlayConfig, contestant: Contestant) -> _Side:
    if contestant.checkpoint is not None:
        raise InvalidInput.of_field("checkpoint", f"“{run.name}” is a play, so it has no checkpoints.")
    rows = await sources.read(lambda conn: play_episodes.list_of_run(conn, run.id))
    first: dict[int, PlayEpisode] = {}
    for row in rows:
        if row.seed is not None:
            first.setdefault(row.seed, row)
    if not first:
        raise NotReady(
            f"“{run.name}” has no finished episode to compare.",
            next_step="Play one from its beginning to its end; episodes that were cut off or taken over do not count.",
        )
    environment = TrainConfig(
        runner="none", algorithm="play", env_id=config.env_id or "", env_kwargs=config.env_kwargs
    )
    side = {
        "label": run.name,
        "run_id": run.id,
        "timestep": None,
        "config": environment.model_dump(mode="json"),
    }
    return _Side(side, first)


def _common_seeds(sides: list[_Side], most: int) -> list[int] | None:
    """Those that every play has, in the order in which the first one played them; None without a play."""
    plays = [side for side in sides if side.episodes is not None]
    if not plays:
        return None
    common = [seed for seed in plays[0].episodes or () if all(seed in (p.episodes or ()) for p in plays)]
    if not common:
        names = " and ".join(f"“{side.policy['label']}”" for side in plays)
        raise NotReady(f"{names} have no seed in common.", next_step="Play the same seeds in both.")
    return common[:most]


async def _find_recordings(sources: Sources, sides: list[_Side], seeds: list[int]) -> list[Recording]:
    return [
        await sources.get_recording(side.policy["run_id"], side.episodes[seed].episode)
        for side in sides
        if side.episodes is not None
        for seed in seeds
    ]


def distinct_labels(policies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What differs in the names of the runs; checkpoints of one run get their step or else a number added."""
    labels = distinct_parts([p["label"] for p in policies])
    if len(set(labels)) < len(labels):
        labels = [f"{label} @ {p['timestep'] or 0:,}" for label, p in zip(labels, policies, strict=True)]
    if len(set(labels)) < len(labels):
        labels = [f"{number + 1}: {label}" for number, label in enumerate(labels)]
    return [{**p, "label": label} for p, label in zip(policies, labels, strict=True)]


def describe_result(result: DuelSummary) -> str:
    wins = ", ".join(f"{side.label} {side.wins}" for side in result.sides)
    return f"Duel complete. Wins: {wins}."


RULES = JobRules(prepare, describe_result)
