"""One turbo training, from the job to the last checkpoint: advances the learner and reports to the session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rl_lab.portable.actions import action_packing
from rl_lab.runners.turbo.blas import use_one_thread
from rl_lab.runners.turbo.checkpoints import Header, read_checkpoint, write_checkpoint
from rl_lab.runners.turbo.dqn import Dqn
from rl_lab.runners.turbo.envs import describe
from rl_lab.runners.turbo.own_rewards import RolloutScorer
from rl_lab.runners.turbo.params import TurboDqnParams, TurboPpoParams
from rl_lab.runners.turbo.ppo import Ppo
from rl_lab.runners.turbo.reporting import Reporter
from rl_lab.runners.turbo.warm_start import take_weights
from rl_lab.worker.best_score import BestScore
from rl_lab.worker.environments.make import environment_version, make_environment
from rl_lab.worker.failures import Diverged, LearningRateTooHigh
from rl_lab.worker.resume_reports import report_resume
from rl_lab.worker.session import Session

LEARNERS: dict[str, tuple[type[Any], type[Any]]] = {
    "ppo": (Ppo, TurboPpoParams),
    "dqn": (Dqn, TurboDqnParams),
}


def train(session: Session) -> None:
    use_one_thread()
    total = session.step_limit
    state = _read_state(session)
    learner = _begin(session, state)
    session.best = BestScore()
    reporter = Reporter(session, learner, _announce(session, learner))
    if state is not None:
        _continue(session, learner, reporter, state)

    def save(path: Path) -> None:
        header = Header(session.train_config.algorithm.lower(), learner.params.model_dump(), learner.spec)
        more = {"session": session.state(), "reporter": reporter.state()}
        write_checkpoint(path, header, {**learner.state(), **more})

    try:
        while learner.timesteps < total:
            reporter.report(learner.advance())
            if session.boundary(learner.timesteps, save):
                break
        reporter.end()
        session.finish(save, learner.timesteps)
    except Diverged as error:
        rate = learner.params.learning_rate
        raise LearningRateTooHigh(str(error), rate) from error
    finally:
        learner.close()


def _read_state(session: Session) -> dict[str, Any] | None:
    """What the checkpoint to resume from contains; None for a new training."""
    with session.resume_file() as checkpoint:
        return read_checkpoint(checkpoint)[1] if checkpoint else None


def _continue(session: Session, learner: Ppo | Dqn, reporter: Reporter, state: dict[str, Any]) -> None:
    """Restores what the learner itself does not know; checkpoints of earlier versions have less of it."""
    if learner.own is not None:
        learner.own.bring_back(learner.log)
    session.restore(state.get("session") or {"best": state.get("best")})
    reporter.restore(state.get("reporter", {}))
    is_complete = "session" in state
    report_resume(session, "" if is_complete else "an earlier version of RL Lab saved the checkpoint")


def _begin(session: Session, state: dict[str, Any] | None) -> Ppo | Dqn:
    """A new learner, or the learner of the checkpoint to resume from."""
    config = session.train_config
    kind, params_class = LEARNERS[config.algorithm.lower()]
    params: Any = params_class.model_validate(config.params)
    spec = describe(config.env_id, config.env_kwargs)
    learner: Ppo | Dqn = kind(
        spec,
        params,
        seed=config.seed,
        schedule_left=config.schedule_left,
        processes=params.processes,
        state=state,
        own=RolloutScorer(session.reward, spec) if session.reward is not None else None,
    )
    with session.start_file() as checkpoint:
        if checkpoint is not None:
            take_weights(learner, config.algorithm.lower(), checkpoint)
    return learner


def _announce(session: Session, learner: Ppo | Dqn) -> str:
    """Announces the run to the session; returns the dtype of packed actions in recordings."""
    config = session.train_config
    env = make_environment(config.env_id, config.env_kwargs)
    packing = action_packing(env.action_space)
    env.close()
    assert packing is not None, "describe() let only packable spaces through"
    session.announce(
        packing=packing,
        n_envs=learner.params.n_envs,
        env_version=environment_version(config.env_id),
        args=learner.params.model_dump() | {"processes": learner.rollouts.processes},
    )
    return str(packing["dtype"])
