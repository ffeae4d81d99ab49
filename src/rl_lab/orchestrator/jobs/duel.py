"""Duels: two or more checkpoints on the same seeds."""

from __future__ import annotations

from typing import Any

from rl_lab.core.evaluations import DuelSummary
from rl_lab.core.jobs import DuelConfig
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources, require_same_environment


async def prepare(sources: Sources, config: DuelConfig) -> PreparedJob:
    policies = []
    for contestant in config.contestants:
        training = await sources.get_training(contestant.run_id)
        policies.append(await sources.find_policy(training, contestant.checkpoint, training.name))
    played = policies[0]["config"]
    for policy in policies[1:]:
        require_same_environment(played["env_id"], policy["config"]["env_id"])
    await sources.require_environment(played["env_id"])
    name = f"Duel of {len(config.contestants)} on {config.episodes} seeds"
    return PreparedJob(
        name=name,
        parent_id=config.contestants[0].run_id,
        started=f"{name} started.",
        env_id=played["env_id"],
        env_kwargs=played["env_kwargs"],
        inputs={"policies": distinct_labels(policies)},
    )


def distinct_labels(policies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Checkpoints of one run, or runs of one name, get their step or else a number added."""
    labels = [p["label"] for p in policies]
    if len(set(labels)) < len(labels):
        labels = [f"{p['label']} @ {p['timestep'] or 0:,}" for p in policies]
    if len(set(labels)) < len(labels):
        labels = [f"{number + 1}: {label}" for number, label in enumerate(labels)]
    return [{**p, "label": label} for p, label in zip(policies, labels, strict=True)]


def describe_result(result: DuelSummary) -> str:
    wins = ", ".join(f"{side.label} {side.wins}" for side in result.sides)
    return f"Duel complete. Wins: {wins}."


RULES = JobRules(prepare, describe_result)
