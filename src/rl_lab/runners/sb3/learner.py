"""One training of one SB3 algorithm, from the job to the last checkpoint."""

from __future__ import annotations

import warnings
from typing import Any

import torch

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.sb3.callback import LabCallback, record_thoughts
from rl_lab.runners.sb3.checkpoints import PROGRESS, read_state
from rl_lab.runners.sb3.late_rewards import LateRewards
from rl_lab.runners.sb3.metrics import GradientNorm, LearningStatistics, MetricWriter, logger_to
from rl_lab.runners.sb3.models import CLASSES, choose_device, make_model, params_of
from rl_lab.runners.sb3.observations import policy_name
from rl_lab.runners.sb3.open_rollouts import StopTraining, call_before_actions
from rl_lab.runners.sb3.params import Sb3Params
from rl_lab.runners.sb3.replay.prefill import prefill
from rl_lab.runners.sb3.resume import Resumed
from rl_lab.runners.sb3.vector import make_vector_env
from rl_lab.runners.sb3.warm_start import take_weights
from rl_lab.worker.best_score import BestScore
from rl_lab.worker.failures import Diverged
from rl_lab.worker.session import Session


def train(session: Session) -> None:
    config = session.train_config
    params = params_of(config)
    vector = make_vector_env(session, params)
    session.best = BestScore()
    try:
        model, resumed = _begin(session, params, vector)
        gradients, learning = GradientNorm(model), LearningStatistics(model)
        writer = MetricWriter(session, model, gradients, learning)
        model.set_logger(logger_to(writer))
        record_thoughts(model, session)
        rewards = LateRewards(session)
        rewards.attach(model)
        callback = LabCallback(session, resumed, writer, learning, rewards)
        callback.init_callback(model)
        call_before_actions(model, callback.before_actions)
        with gradients.capture():
            _learn(session, params, model, callback)
        rewards.fill_in()
        session.finish(callback.save, model.num_timesteps)
    finally:
        vector.close()


def _begin(session: Session, params: Sb3Params, vector: Any) -> tuple[Any, Resumed]:
    """A new model, or the model of the checkpoint to resume from."""
    config = session.train_config
    if session.job.resume_path is None:
        model = _make(session, params, vector)
        resumed = Resumed(session, model, vector, None)
        if resumed.replay is not None:
            resumed.replay.begin_with(prefill(session, model))
        return model, resumed
    algorithm = CLASSES[config.algorithm.lower()]
    device = choose_device(config, policy_name(vector.observation_space))
    with session.resume_file() as checkpoint, warnings.catch_warnings():
        assert checkpoint is not None
        # The library takes its own buffer for n-step returns, which it has saved with the model, for a user's.
        warnings.simplefilter("ignore")
        model = algorithm.load(checkpoint, env=vector, device=device, force_reset=False)
        state = read_state(checkpoint)
    return model, Resumed(session, model, vector, state)


def _make(session: Session, params: Sb3Params, vector: Any) -> Any:
    """A new model, with the weights that the training starts with if there are any."""
    config = session.train_config
    model = make_model(config, params, vector)
    with session.start_file() as checkpoint:
        if checkpoint is not None:
            take_weights(model, config.algorithm.lower(), checkpoint)
    return model


def _learn(session: Session, params: Sb3Params, model: Any, callback: LabCallback) -> None:
    remaining = session.step_limit - model.num_timesteps
    if remaining <= 0:
        return
    if session.train_config.has_own_schedule:
        _use_own_schedule(model, session.train_config)
    try:
        # The step counter is not reset, so schedules cover the whole run, even after a resume.
        model.learn(remaining, callback, log_interval=None, reset_num_timesteps=False)
        callback.end()
    except StopTraining:
        if not session.control.stop_requested:
            callback.report()  # it has ended by itself: the values of the last updates are still to be sent
    except Diverged as error:
        raise _with_advice(str(error), params) from error
    except Exception as error:
        if _is_finite(model):
            raise
        message = f"Training diverged: the network's weights became NaN at step {model.num_timesteps}."
        raise _with_advice(message, params) from error


def _use_own_schedule(model: Any, config: TrainConfig) -> None:
    """The library lays schedules out over the steps that `learn` gets: out of reach here, or those of a longer run."""

    def update(num_timesteps: int, _total: int) -> None:
        model._current_progress_remaining = config.schedule_left(num_timesteps)

    setattr(model, PROGRESS, update)


def _is_finite(model: Any) -> bool:
    return all(bool(torch.isfinite(p).all()) for p in model.policy.parameters())


def _with_advice(message: str, params: Sb3Params) -> Diverged:
    rate = params.learning_rate
    return Diverged(
        message, next_step=f"Lower learning_rate from {rate:g} to {rate / 3:.2g}, then start again."
    )
