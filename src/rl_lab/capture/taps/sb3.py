"""Taps Stable-Baselines3: values of its logger become metrics, the argument of `learn` is the total."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rl_lab.capture.to_json import plain

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession


def tap_logger(module: ModuleType, session: CaptureSession) -> None:
    logger = module.Logger
    dump = logger.dump

    @functools.wraps(dump)
    def dumped(self: Any, step: int = 0, *args: Any, **kwargs: Any) -> Any:
        # Read before the dump, which clears the values. With SB3's TensorBoard format the same numbers arrive through
        # a SummaryWriter, so nothing is read then.
        values = {} if _writes_tensorboard(self) else dict(getattr(self, "name_to_value", {}))
        done = dump(self, step, *args, **kwargs)
        if values:
            session.metrics(values, step, "Stable-Baselines3 logger")
        return done

    logger.dump = dumped


def tap_learning(module: ModuleType, session: CaptureSession) -> None:
    algorithm = module.BaseAlgorithm
    setup = algorithm._setup_learn

    @functools.wraps(setup)
    def set_up(self: Any, total_timesteps: int, *args: Any, **kwargs: Any) -> Any:
        session.set_total(total_timesteps)
        if session.is_main_process:
            session.arguments.add_model(type(self).__name__, settings_of(self))
        env = _innermost(getattr(self, "env", None))
        if env is not None and session.roles is not None and session.is_main_process:
            session.roles.learners.learn_begins(env)
        total, callback = setup(self, total_timesteps, *args, **kwargs)
        _note_end(callback, session)
        return total, callback

    algorithm._setup_learn = set_up


SETTINGS = (
    "learning_rate",
    "n_steps",
    "batch_size",
    "n_epochs",
    "gamma",
    "gae_lambda",
    "clip_range",
    "ent_coef",
    "vf_coef",
    "max_grad_norm",
    "target_kl",
    "use_sde",
    "buffer_size",
    "learning_starts",
    "train_freq",
    "gradient_steps",
    "tau",
    "target_update_interval",
    "target_entropy",
    "exploration_fraction",
    "exploration_initial_eps",
    "exploration_final_eps",
    "policy_delay",
    "target_policy_noise",
    "policy_kwargs",
    "n_envs",
    "seed",
)
"""Attributes of Stable-Baselines3 models that are hyper-parameters; each algorithm has some of them."""


def settings_of(model: Any) -> dict[str, Any]:
    """The hyper-parameters of a model; a schedule is given by its value at the start."""
    found = {name: _setting(getattr(model, name)) for name in SETTINGS if hasattr(model, name)}
    policy = getattr(model, "policy", None)
    return {"policy": type(policy).__name__, **{k: v for k, v in found.items() if v is not None}}


def _setting(value: Any) -> Any:
    if isinstance(value, tuple):  # train_freq: a number and a unit
        return " ".join(str(getattr(part, "value", part)) for part in value)
    if callable(value) and not isinstance(value, type):
        try:
            return float(value(1.0))
        except Exception:
            return plain(value)
    return plain(value)


def _innermost(vector: Any) -> Any:
    """The vector environment below wrappers such as VecNormalize."""
    while hasattr(vector, "venv"):
        vector = vector.venv
    return vector


def _note_end(callback: Any, session: CaptureSession) -> None:
    """Every `learn` calls this callback as its last action; there is no function that all of them end with."""
    end = callback.on_training_end

    def ended() -> Any:
        if session.roles is not None and session.is_main_process:
            session.roles.learners.learn_ends()
        return end()

    callback.on_training_end = ended


def _writes_tensorboard(logger: Any) -> bool:
    formats = getattr(logger, "output_formats", ())
    return any(type(one).__name__ == "TensorBoardOutputFormat" for one in formats)
