"""Duels: two or more checkpoints on the same seeds."""

from __future__ import annotations

from typing import Any

from rl_lab.core.evaluations import DuelSummary
from rl_lab.core.jobs.policy_jobs import DuelConfig
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.run_names import distinct_parts, job_name
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
    await sources.require_environment(played["env_id"], config.contestants[0].run_id)
    return PreparedJob(
        name=job_name("Duel", [policy["label"] for policy in policies]),
        parent_id=config.contestants[0].run_id,
        started=f"Duel of {len(policies)} on {plural(config.episodes, 'seed')} started.",
        env_id=played["env_id"],
        env_kwargs=played["env_kwargs"],
        inputs={"policies": distinct_labels(policies)},
    )


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
