"""High scores of an environment: people, people and policies in turn, and policies, best first."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.environments import Environment
from rl_lab.core.errors import LabError
from rl_lab.core.own_environments import returns_note
from rl_lab.core.plays.players import PLAYERS, Player
from rl_lab.core.plays.scores import Candidate, HighScore, HighScores, ScoreGroup, rank_scores
from rl_lab.core.words.run_names import describe_arguments
from rl_lab.store.plays import play_episodes, policy_scores
from rl_lab.store.telemetry import EpisodeFilter, TelemetryReader

WRAPPED = "Returns with a custom wrapper are what its code reports; the lab cannot check those."


def list_high_scores(
    conn: Connection, environment: Environment, limit: int, players: Sequence[Player] = PLAYERS
) -> HighScores:
    """`limit` of each kind of player; what was played with other arguments is in a list of its own."""
    found = {player: _candidates(conn, environment, player) for player in players}
    groups = [
        ScoreGroup(player=player, scores=rank_scores([c for c in some if not c.score.arguments], limit))
        for player, some in found.items()
    ]
    changed = [c for some in found.values() for c in some if c.score.arguments]
    return HighScores(
        env_id=environment.id,
        groups=groups,
        changed=rank_scores(changed, limit),
        threshold=environment.reward_threshold,
        returns_note=returns_note(environment.id, {}) or _wrapped_note(changed),
    )


def _wrapped_note(changed: Sequence[Candidate]) -> str:
    return WRAPPED if any(returns_note("", one.env_kwargs) for one in changed) else ""


def _candidates(conn: Connection, environment: Environment, player: Player) -> list[Candidate]:
    found = play_episodes.list_best(conn, environment.id, player)
    if player == "policy":
        found += policy_scores.list_best(conn, environment.id)
    return [_with_changes(one, environment.default_kwargs) for one in found]


def _with_changes(candidate: Candidate, defaults: Mapping[str, Any]) -> Candidate:
    """With words for the arguments that are not those of the environment."""
    given = candidate.env_kwargs.items()
    changed = {name: value for name, value in given if name not in defaults or value != defaults[name]}
    score = candidate.score.model_copy(update={"arguments": describe_arguments(changed)})
    return candidate._replace(score=score)


def name_episodes(found: HighScores, telemetry_of: Callable[[str], Path]) -> HighScores:
    """With the episode of each score; blocks."""

    def named(scores: Sequence[HighScore]) -> list[HighScore]:
        return [name_episode(one, telemetry_of(one.run_id)) for one in scores]

    groups = [group.model_copy(update={"scores": named(group.scores)}) for group in found.groups]
    return found.model_copy(update={"groups": groups, "changed": named(found.changed)})


def name_episode(score: HighScore, telemetry: Path) -> HighScore:
    """With the episode that a run's best return is from, a recorded one if there is one; blocks.

    As it is where the run is packed or has not kept its episodes.
    """
    if score.episode is not None or not telemetry.exists():
        return score
    best = score.returned - 1e-9 * max(1.0, abs(score.returned))
    try:
        with TelemetryReader(telemetry, score.run_id) as reader:
            for recorded in (True, None):
                wanted = EpisodeFilter(role="all", min_reward=best, recorded=recorded)
                for row in reader.episodes(wanted, "-reward", 1, None).items:
                    if row.reward is not None and math.isclose(row.reward, score.returned):
                        found = {"episode": row.episode, "seed": row.seed, "length": row.length, "at": row.at}
                        return score.model_copy(update=found)
    except (LabError, OSError):
        return score
    return score
