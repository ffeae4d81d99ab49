"""Evaluations: episodes played with one checkpoint; those of a play are in `evaluate_play.py`."""

from __future__ import annotations

import secrets

from rl_lab.core.bounds import MAX_SEED
from rl_lab.core.errors import InvalidInput
from rl_lab.core.evaluations import EvaluationSummary
from rl_lab.core.jobs.play import PlayConfig
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.own_environments import executes_own_code
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.run_names import job_name
from rl_lab.orchestrator.jobs.evaluate_play import prepare_play
from rl_lab.orchestrator.jobs.evaluation_protocols import with_code, with_protocol
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources


async def prepare(sources: Sources, config: EvaluateConfig) -> PreparedJob:
    run = await sources.get_run(config.run_id)
    if isinstance(run.config, PlayConfig):
        return await prepare_play(sources, run, run.config, config)
    config = _with_seeds(await with_protocol(sources, config))
    _require_one_seed_each(config)
    training = await sources.get_training(config.run_id)
    policy = await sources.find_policy(training, config.checkpoint)
    env_kwargs = {**training.config.env_kwargs, **config.env_kwargs}
    if config.env_kwargs:
        policy["config"]["env_kwargs"] = env_kwargs
    if executes_own_code("", env_kwargs):
        # Kept with the evaluation: it, too, says that the lab cannot check its returns.
        config = config.model_copy(update={"env_kwargs": env_kwargs})
    config, code = await with_code(sources, config)
    await sources.require_environment(training.config.env_id, training.run_id)
    return PreparedJob(
        name=job_name("Evaluation", [training.name]),
        parent_id=config.run_id,
        started=f"Evaluation started: {plural(config.episodes, 'episode')}.",
        env_id=training.config.env_id,
        env_kwargs=env_kwargs,
        inputs={"policy": policy, **code},
        config=config,
        is_foreign=executes_own_code(training.config.env_id, env_kwargs),
    )


def describe_result(result: EvaluationSummary) -> str:
    return f"Evaluation complete: {describe_score(result)}{_played_by(result)}.{_numbers(result)}{_outcome(result)}"


def describe_score(result: EvaluationSummary) -> str:
    """ "return 212.4 ± 18.0 over 100 episodes (protocol nightly@v2)" """
    score = f"return {result.return_mean:.1f} ± {result.return_std:.1f}"
    cited = f" ({result.protocol.text})" if result.protocol is not None else ""
    return f"{score} over {plural(result.episodes, 'episode')}{cited}"


def _numbers(result: EvaluationSummary) -> str:
    found = ", ".join(f"{name} {one.mean:.4g} ± {one.std:.4g}" for name, one in result.numbers.items())
    return f" {result.code}: {found}." if found else ""


def _outcome(result: EvaluationSummary) -> str:
    problem = [result.code_problem.message] if result.code_problem else []
    verdict = [result.verdict.sentence] if result.verdict else []
    return "".join(f" {sentence}" for sentence in [*problem, *verdict])


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
    return config.model_copy(update={"seeds": drawn, "fresh_seeds": False, "drawn_seeds": True})


def _require_one_seed_each(config: EvaluateConfig) -> None:
    seeds, episodes = config.seeds, config.episodes
    if seeds and len(seeds) != episodes:
        raise InvalidInput.of_field(
            "seeds",
            f"{len(seeds)} seeds are given for {episodes} episodes; each episode takes one.",
            {"length": episodes},
        )


RULES = JobRules(prepare, describe_result)
