"""Evaluations: episodes played with one checkpoint."""

from __future__ import annotations

import secrets

from rl_lab.core.bounds import MAX_SEED
from rl_lab.core.errors import InvalidInput
from rl_lab.core.evaluations import EvaluationSummary
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.run_names import job_name
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources


async def prepare(sources: Sources, config: EvaluateConfig) -> PreparedJob:
    config = _with_seeds(config)
    _require_one_seed_each(config)
    training = await sources.get_training(config.run_id)
    policy = await sources.find_policy(training, config.checkpoint)
    await sources.require_environment(training.config.env_id, training.run_id)
    return PreparedJob(
        name=job_name("Evaluation", [training.name]),
        parent_id=config.run_id,
        started=f"Evaluation started: {plural(config.episodes, 'episode')}.",
        env_id=training.config.env_id,
        env_kwargs=training.config.env_kwargs,
        inputs={"policy": policy},
        config=config,
    )


def describe_result(result: EvaluationSummary) -> str:
    score = f"return {result.return_mean:.1f} ± {result.return_std:.1f}"
    return f"Evaluation complete: {score} over {plural(result.episodes, 'episode')}{_played_by(result)}."


def _played_by(result: EvaluationSummary) -> str:
    if result.checkpoint_role is None or result.checkpoint_timestep is None:
        return ""
    return f" with the {result.checkpoint_role} checkpoint, of step {result.checkpoint_timestep:,}"


def _with_seeds(config: EvaluateConfig) -> EvaluateConfig:
    """Fresh seeds are drawn here and kept, so that the evaluation can be repeated."""
    if not config.fresh_seeds:
        return config
    if config.seeds:
        raise InvalidInput.of_field("fresh_seeds", "the seeds are given already; leave one of the two out")
    drawn = [secrets.randbelow(MAX_SEED + 1) for _ in range(config.episodes)]
    return config.model_copy(update={"seeds": drawn, "fresh_seeds": False})


def _require_one_seed_each(config: EvaluateConfig) -> None:
    seeds, episodes = config.seeds, config.episodes
    if seeds and len(seeds) != episodes:
        raise InvalidInput.of_field(
            "seeds",
            f"{len(seeds)} seeds are given for {episodes} episodes; each episode takes one.",
            {"length": episodes},
        )


RULES = JobRules(prepare, describe_result)
