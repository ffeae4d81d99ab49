"""Continues a training from its checkpoint so that it equals one that was not stopped, or says what differs."""

from __future__ import annotations

from typing import Any

from rl_lab.core.errors import NotReady
from rl_lab.runners.sb3.checkpoints import restore_normaliser
from rl_lab.runners.sb3.open_rollouts import bring_back, continue_rollout, fill_rollout
from rl_lab.runners.sb3.random_states import State, restore_random_state
from rl_lab.runners.sb3.replay.files import ReplayFiles, learn_later
from rl_lab.worker.resume_reports import report_resume
from rl_lab.worker.session import Session

EARLIER = "an earlier version of RL Lab saved the checkpoint, without its unfinished episodes"
NOT_REPEATED = (
    "the environment did not repeat its unfinished episodes (it is not deterministic), so new ones begin"
)
OTHER_DEVICE = "it was saved on {saved} and continues on {now}, where numbers are rounded differently"
GPU = "results on a GPU are not deterministic; a run with `deterministic` is"


class Resumed:
    """The checkpoint that a training continues from; a new training has an empty one.

    Everything random is restored at the point of the loop where the checkpoint was saved: between two steps, after
    the library has drawn the noise of a rollout, or between two rollouts for a training that had ended.
    """

    def __init__(self, session: Session, model: Any, vector: Any, state: State | None) -> None:
        self._session, self._model, self._state = session, model, state or {}
        self.replay = ReplayFiles(session, model) if hasattr(model, "replay_buffer") else None
        self.is_in_rollout = False
        """Whether the learner is choosing actions, not before or after it does."""
        if state is not None:
            self._restore(vector)

    def begin(self) -> None:
        """Once `learn` has reset what it resets, before the first rollout."""
        if self._state and not self._rollout:
            restore_random_state(self._model, self._random)

    def enter_rollout(self) -> int:
        """Before the first action; returns how many steps of the rollout were collected before the stop."""
        self.is_in_rollout = True
        rollout = self._rollout
        if rollout:
            restore_random_state(self._model, self._random)
            fill_rollout(self._model, rollout)
        self._state = {}
        return int(rollout.get("collected", 0))

    @property
    def _rollout(self) -> State:
        return self._state.get("training", {}).get("rollout") or {}

    @property
    def _random(self) -> State:
        # Earlier versions stored it at the top.
        found: State = self._state.get("random", self._state)
        return found

    def _restore(self, vector: Any) -> None:
        model, training = self._model, self._state.get("training", {})
        restore_normaliser(model.get_vec_normalize_env(), self._state)
        self._session.restore(training.get("session") or {"best": self._state.get("best")})
        differences = [self._restore_replay(training), self._restore_environments(vector, training)]
        differences.append(self._describe_device(training))
        report_resume(self._session, "; ".join(filter(None, differences)))

    def _restore_replay(self, training: State) -> str:
        if self.replay is None:
            return ""
        problem = self.replay.restore(training.get("replay"))
        if problem:
            self._require_agreement(problem, "Resume from another checkpoint")
            learn_later(self._model)
        return problem and f"{problem}; learning continues once a new one is partly filled"

    def _require_agreement(self, difference: str, instead: str) -> None:
        if not self._session.job.inexact:
            raise NotReady(
                f"The run cannot be resumed exactly: {difference}.",
                cause="not-exact",
                next_step=f"{instead}, or allow an inexact resume (`rl-lab resume RUN --inexact`).",
            )

    def _restore_environments(self, vector: Any, training: State) -> str:
        with self._session.bringing_back():
            is_repeated = "environments" in training and bring_back(vector, training["environments"])
        if is_repeated:
            continue_rollout(self._model, self._rollout)
            return ""
        # The library resets the environments before it begins a new rollout.
        self._model._last_obs = None
        training.pop("rollout", None)
        return NOT_REPEATED if "environments" in training else EARLIER

    def _describe_device(self, training: State) -> str:
        now, saved = self._model.device.type, training.get("device")
        if saved is not None and saved != now:
            difference = OTHER_DEVICE.format(saved=saved, now=now)
            self._require_agreement(difference, f"Resume it on a machine with {saved}")
            return difference
        is_repeatable = now == "cpu" or self._session.train_config.deterministic
        return "" if is_repeatable else GPU
