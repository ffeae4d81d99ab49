"""The evaluation of a play: its recorded episodes are simulated again and measured; nobody plays again."""

from __future__ import annotations

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.jobs.play import PlayConfig
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.own_environments import executes_own_code
from rl_lab.core.recordings import Recording
from rl_lab.core.runs import Run
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.run_names import job_name
from rl_lab.core.workbench.citations import cite_recorded
from rl_lab.core.workbench.protocols import MAX_EPISODES, ProtocolVersion
from rl_lab.orchestrator.jobs.evaluation_protocols import require_no_other, with_code
from rl_lab.orchestrator.jobs.rules import PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.store.plays import play_episodes
from rl_lab.store.workbench import protocols

OF_POLICIES = {"checkpoint": None, "seeds": None, "fresh_seeds": False, "deterministic": True}
"""Options about what plays, as they are when nobody has chosen them."""


async def prepare_play(sources: Sources, run: Run, play: PlayConfig, config: EvaluateConfig) -> PreparedJob:
    env_id, env_kwargs = play.env_id or "", play.env_kwargs
    # A queued job is prepared again; it measures the episodes that were chosen when it was asked for.
    if config.recorded is None:
        _require_recorded_only(run, config)
        config = await _with_protocol(sources, run, play, await _with_episodes(sources, run, config))
    config, code = await with_code(sources, config)
    await sources.require_environment(env_id, run.id)
    environment = TrainConfig(runner="none", algorithm="play", env_id=env_id, env_kwargs=env_kwargs)
    return PreparedJob(
        name=job_name("Evaluation", [run.name]),
        parent_id=run.id,
        started=f"Evaluation of {plural(config.episodes, 'recorded episode')} started.",
        env_id=env_id,
        env_kwargs=env_kwargs,
        inputs={"config": environment.model_dump(mode="json"), **code},
        config=config,
        recordings=await _find_recordings(sources, run, config),
        is_foreign=executes_own_code(env_id, env_kwargs),
    )


def _require_recorded_only(run: Run, config: EvaluateConfig) -> None:
    for name, unset in OF_POLICIES.items():
        if getattr(config, name) != unset:
            raise InvalidInput.of_field(
                name,
                f"“{run.name}” is a play: its recorded episodes are measured as they were played. Leave this out.",
            )


async def _with_episodes(sources: Sources, run: Run, config: EvaluateConfig) -> EvaluateConfig:
    """With the finished episodes that are measured, in the order in which they were played."""
    rows = await sources.read(lambda conn: play_episodes.list_of_run(conn, run.id))
    finished = [row for row in rows if row.seed is not None]
    if not finished:
        raise NotReady(
            f"“{run.name}” has no finished episode to measure.",
            next_step="Play one from its beginning to its end; episodes that were cut off or taken over do not count.",
        )
    most = config.episodes if "episodes" in config.model_fields_set else MAX_EPISODES
    chosen = finished[-most:]
    changes = {
        "episodes": len(chosen),
        "seeds": [row.seed for row in chosen],
        "recorded": [row.episode for row in chosen],
    }
    return config.model_copy(update=changes)


async def _with_protocol(
    sources: Sources, run: Run, play: PlayConfig, config: EvaluateConfig
) -> EvaluateConfig:
    """With the code and the threshold of a protocol; the episodes are those that were played."""
    written = config.protocol
    if written is None:
        return config
    require_no_other(config, written, ("code",))
    found = await sources.read(lambda conn: protocols.get_version(conn, written))
    _require_same_environment(run, play, found)
    changes = {"protocol": str(found), "cited": cite_recorded(found, config), "code": found.code}
    return config.model_copy(update=changes)


def _require_same_environment(run: Run, play: PlayConfig, found: ProtocolVersion) -> None:
    if found.env_id not in ("", play.env_id):
        raise InvalidInput.of_field(
            "protocol",
            f"The protocol {found} is for {found.env_id}, and “{run.name}” was played in {play.env_id}.",
        )
    changed = [name for name, value in found.env_kwargs.items() if play.env_kwargs.get(name) != value]
    if changed:
        raise InvalidInput.of_field(
            "protocol",
            f"The protocol {found} sets {' and '.join(changed)} of the environment, and “{run.name}” was played "
            "without; play with the same arguments, or choose another protocol.",
        )


async def _find_recordings(sources: Sources, run: Run, config: EvaluateConfig) -> list[Recording]:
    return [await sources.get_recording(run.id, episode) for episode in config.recorded or ()]
