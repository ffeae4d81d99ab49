"""The Session is a runner's interface to the lab: job, commands, telemetry, checkpoints."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rl_lab.core.job_file import Job
from rl_lab.core.jobs.choices import MAX_STEP
from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.lengths.limits import limits_of
from rl_lab.core.protocol.lines import as_number
from rl_lab.portable.actions import Packing, action_packing
from rl_lab.portable.atomic_files import Save, link_file, link_or_copy, save_file
from rl_lab.portable.control import Control
from rl_lab.portable.machine import describe_hardware, library_versions
from rl_lab.portable.recorder import Recorder
from rl_lab.portable.snapshot import take_snapshot
from rl_lab.worker.alongside import AlongsideEvaluations, SavedCheckpoint
from rl_lab.worker.best_again import restore_best
from rl_lab.worker.best_score import BestScore
from rl_lab.worker.checkpoint_files import resume_file, start_file
from rl_lab.worker.checkpoint_names import CheckpointNames
from rl_lab.worker.determinism import make_deterministic
from rl_lab.worker.failures import Diverged
from rl_lab.worker.judging import JUDGED, is_judged_by_reward, judging_sentence, own_reward_of
from rl_lab.worker.solving import NEXT_STEP, Solving, solving_of
from rl_lab.worker.telemetry import Telemetry
from rl_lab.worker.training_clock import TrainingClock

if TYPE_CHECKING:
    from rl_lab.worker.own_returns import OwnReturns

PROGRESS_S = 0.25
LOSSES = frozenset({"loss", "policy_loss", "value_loss"})
Role = Literal["interval", "best", "stop", "final"]


class Session:
    metrics_interval_s = 0.1
    """Minimum interval between metric reports of learners that update every few steps."""

    def __init__(self, job: Job, telemetry: Telemetry, control: Control) -> None:
        self.job = job
        self.telemetry = telemetry
        self.control = control
        self.checkpoint_suffix = ".zip"
        self.timestep = job.timestep0
        self._solving = solving_of(job)
        self._clock = TrainingClock(limits_of(job.config), job.seconds0, getattr(job.config, "unit", "step"))
        self.best: BestScore | None = None
        """Set by runners that keep the best checkpoint; they store it in their checkpoints and restore it."""
        self.evaluations: AlongsideEvaluations | None = None
        """For a training with `evaluate_every`: then they decide which checkpoint is the best."""
        self.checkpoint_parts: list[dict[str, str]] = []
        """Path and hash of other files that the next checkpoint needs; a runner sets it while it saves."""
        self.checkpoint_lacks = ""
        """What that checkpoint does not contain, so that a resume from it is not exact."""
        self.recorder = self._make_recorder()
        self.reward = own_reward_of(job, telemetry)
        """What a training learns from instead of the environment's reward; None: that one."""
        self._is_announced = False
        self._first_episode = job.episode0
        """Number of the first episode whose return counts in this process."""
        self._names = CheckpointNames(job)
        self._next_checkpoint = 0
        self._last_progress = 0.0
        self._plan_checkpoint(job.timestep0)

    @property
    def config(self) -> JobConfig:
        return self.job.config

    @property
    def train_config(self) -> TrainConfig:
        return self.job.train_config

    @property
    def run_dir(self) -> Path:
        return self.job.run_dir

    @property
    def files_dir(self) -> Path:
        return self.job.files_dir

    @property
    def step_limit(self) -> int:
        """The step at which the training ends; out of reach for a run that ends by time or episodes only."""
        return self.train_config.total_timesteps or MAX_STEP

    @property
    def judged(self) -> Recorder | OwnReturns:
        """Whose mean return decides about the best checkpoint and about solved."""
        if self.reward is not None and is_judged_by_reward(self.config):
            return self.reward.returns
        return self.recorder

    @property
    def is_solved(self) -> bool:
        return self._solving is not None and self._solving.is_solved

    def evaluate_alongside(self, runner: str) -> None:
        """Begins the evaluations that the configuration asks for; `runner`: import string of its class."""
        if self.train_config.evaluate_every is not None:
            self.evaluations = AlongsideEvaluations(self.job, self.telemetry, runner)
            self.evaluations.catch_up()

    def resume_file(self) -> AbstractContextManager[Path | None]:
        """The checkpoint to resume from, as it was recorded; None for a new training. Load it within the block."""
        return resume_file(self.job)

    def start_file(self) -> AbstractContextManager[Path | None]:
        """The checkpoint whose weights a new training begins with; None for any other. Load it within the block."""
        return start_file(self.job)

    def state(self) -> dict[str, Any]:
        """What a checkpoint must contain of the session, besides the learner; plain data."""
        return {
            "recorder": self.recorder.state(),
            "next_checkpoint": self._next_checkpoint,
            "best": self.best.state() if self.best else None,
            "best_mean": self._solving.best if self._solving else None,
            "own_reward": self.reward.state() if self.reward else None,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continues from the state in a checkpoint, so that the run reports what it would have without the stop.

        Checkpoints of earlier versions contain the best score only.
        """
        if state.get("best"):
            self.best = restore_best(self.job, self.telemetry, state["best"])
        if "recorder" not in state:
            return
        self.recorder.restore(state["recorder"])
        self._next_checkpoint = int(state["next_checkpoint"])
        self._first_episode = 0
        if self._solving is not None:
            self._solving.restore(state["best_mean"])
        if self.reward is not None and state.get("own_reward"):
            self.reward.restore(state["own_reward"])

    def bringing_back(self) -> AbstractContextManager[None]:
        """Around the simulation of a checkpoint's unfinished episodes, for a reward that remembers their steps."""
        return self.reward.bringing_back() if self.reward is not None else nullcontext()

    def should_stop(self) -> bool:
        """Cheap enough to be called at every step."""
        return self.control.stop_requested or self.is_solved or self._clock.is_over

    def boundary(self, timestep: int, save: Save) -> bool:
        """Call between two updates. Saves, pauses and reports as requested; True means stop now."""
        self.progress(timestep)
        control = self.control
        is_due = self._is_checkpoint_due(timestep) and not self._is_complete()
        if is_due:
            self._plan_checkpoint(timestep)
        if is_due or control.checkpoint_requested:
            control.checkpoint_requested = False
            self.save_checkpoint(save, timestep, "interval", is_planned=is_due)
        if control.pause_requested and not control.stop_requested:
            # The process may be killed during a pause, so a checkpoint is saved first.
            self.save_checkpoint(save, timestep, "interval", is_planned=False)
            paused_at = time.monotonic()
            control.wait_while_paused(self.telemetry, timestep)
            self._clock.leave_out(time.monotonic() - paused_at)
        return self.should_stop()

    def save_checkpoint(self, save: Save, timestep: int, role: Role, *, is_planned: bool = True) -> Path:
        """`save(path)` must write a complete file to exactly that path.

        One that was not planned (a pause, a stop) changes nothing that later checkpoints depend on.
        """
        # The best checkpoint has its own name, so that it never replaces one of the training's timeline.
        name = "best" if role == "best" else self._names.of(timestep)
        path = self.run_dir / "checkpoints" / f"{name}{self.checkpoint_suffix}"
        # Before the save, so that the checkpoint contains its own score.
        best = self._find_best(role, is_planned)
        saved = save_file(save, path)
        if best is not None:
            # The same contents, so a link is enough.
            self.save_checkpoint(partial(link_or_copy, path), timestep, "best")
        mean, episodes = self.judged.mean_reward, self.judged.window_episodes or None
        score = None if mean is None else as_number(mean)
        more = {"parts": self.checkpoint_parts, "lacks": self.checkpoint_lacks}
        self.telemetry.checkpoint(
            path=str(path.relative_to(self.run_dir)),
            timestep=timestep,
            role=role,
            size=saved.size,
            sha256=saved.sha256,
            score=score,
            score_episodes=episodes,
            **more,
        )
        if self.evaluations is not None and role != "best":
            checkpoint = SavedCheckpoint(path, timestep, saved.sha256, score, episodes, more)
            self.evaluations.consider(checkpoint, is_last=role in ("stop", "final"))
        return path

    def _is_checkpoint_due(self, timestep: int) -> bool:
        is_evaluated = self.evaluations is not None and self.evaluations.is_due(timestep)
        return is_evaluated or timestep >= self._next_checkpoint

    def _find_best(self, role: Role, is_planned: bool) -> BestScore | None:
        """The new best score, if a checkpoint that is saved now has it."""
        if self.best is None or role == "best" or self.evaluations is not None:
            return None
        best = self.best if is_planned else replace(self.best)
        is_new = best.improve(self.judged.mean_reward, self.judged.window_episodes)
        return best if is_new else None

    def finish(self, save: Save, timestep: int) -> None:
        """Saves the last checkpoint, also as the run's model; call once when learning has ended or was stopped."""
        self.timestep = timestep
        was_cut = self.control.stop_requested and not self._is_complete()
        path = self.save_checkpoint(save, timestep, "stop" if was_cut else "final", is_planned=not was_cut)
        # A confined training may not write to the run folder itself.
        folder = self.run_dir if self.files_dir == self.run_dir else path.parent
        model = folder / f"model{self.checkpoint_suffix}"
        saved = link_file(path, model)
        self.telemetry.artifact(
            path=str(model.relative_to(self.run_dir)),
            kind="model",
            title="Model",
            size=saved.size,
            sha256=saved.sha256,
        )
        self.progress(timestep, now=True)
        if self.evaluations is not None:
            self.evaluations.finish(lambda: self.control.stop_requested, self._report_waiting)

    def _report_waiting(self) -> None:
        """While the last evaluation plays; the clock of the training stands still."""
        self.telemetry.status("progress", timestep=self.timestep)

    def report_end(self, result: Mapping[str, Any] | None = None) -> None:
        """Sends `finished` after a job that did not fail; `result` goes into its summary."""
        summary: dict[str, Any] = {"timestep": self.timestep, "episodes": self.recorder.episodes}
        summary |= result or {}
        if self.recorder.mean_reward is not None:
            summary["mean_reward"] = as_number(self.recorder.mean_reward)
        if self.control.stop_requested and not self._is_complete():
            message = f"Stopped as asked at {self._clock.unit} {self.timestep:,}."
            self.telemetry.finished("stopped", cause="stopped", message=message, summary=summary)
        elif self._solving is not None:
            self._report_solving(self._solving, summary)
        else:
            cause, message = self._end_by_limit() or ("", "Done.")
            self.telemetry.finished("succeeded", cause=cause, message=message, summary=summary)

    def _end_by_limit(self) -> tuple[str, str] | None:
        """Cause and sentence for a run with several limits, or with another one than steps."""
        return self._clock.end(self.timestep) if self._clock.has_limits else None

    def _report_solving(self, solving: Solving, summary: dict[str, Any]) -> None:
        judged = self.judged
        if judged.mean_reward is not None and judged.is_window_full:
            solving.check_last(judged.mean_reward)
        if solving.is_solved:
            message = f"Solved after {self.timestep:,} steps."
            self.telemetry.finished("succeeded", cause="solved", message=message, summary=summary)
        else:
            message = solving.failure(self.recorder.episodes - self._first_episode)
            _, ended = self._end_by_limit() or (None, "")
            message = f"{ended} {message}".lstrip()
            self.telemetry.finished(
                "succeeded", cause="not-solved", message=message, next_step=NEXT_STEP, summary=summary
            )

    def progress(self, timestep: int, *, now: bool = False) -> None:
        """Report how far the run is, at most four times a second."""
        self.timestep = timestep
        clock = time.monotonic()
        self._clock.look(clock, self.recorder.episodes)
        if now or clock - self._last_progress >= PROGRESS_S:
            self._last_progress = clock
            total = (self.config.total_timesteps or None) if isinstance(self.config, TrainConfig) else None
            self.telemetry.status("progress", timestep=timestep, total=total)

    def metrics(self, values: Mapping[str, float], step: int) -> None:
        """Values under the names of `core.metrics`; a loss that is not a number ends the run as diverged."""
        self.telemetry.metrics(values, step)
        for name in LOSSES & values.keys():
            if not math.isfinite(values[name]):
                raise Diverged(
                    f"Learning diverged: {name.replace('_', ' ')} became {values[name]} at step {step}."
                )

    def solved(self, confirm: Callable[[], bool] | None = None) -> bool:
        """True once the run must stop because the last 100 episodes reach the environment's threshold.

        `confirm` is called only then, for a learner that checks again before it stops.
        """
        mean = self.judged.mean_reward
        if self._solving is None or mean is None or not self.judged.is_window_full:
            return False
        self._solving.check(mean, confirm)
        return self._solving.is_solved

    def make_envs(self, n: int, wrap: Callable[[Any], Any] | None = None) -> list[Callable[[], Any]]:
        """Factories of n recorded environments, for SyncVectorEnv or DummyVecEnv.

        `wrap` adds the learner's own wrappers outside the recording.
        """
        from rl_lab.worker.training_envs import make_recorded

        return [partial(make_recorded, self, index, n, wrap) for index in range(n)]

    def announce(self, **what: Any) -> None:
        """Report once what is being trained. `make_envs` calls it; other learners call it before the first step."""
        self.announce_environment(self.train_config, **what)

    def announce_environment(
        self,
        config: TrainConfig,
        *,
        action_space: Any = None,
        packing: Packing | None = None,
        n_envs: int = 1,
        wrappers: Sequence[str] = (),
        env_version: str | None = None,
        args: Mapping[str, Any] | None = None,
    ) -> None:
        """The same for a job that plays the policy of another run; `wrappers` are inside the recording."""
        if self._is_announced:
            return
        self._is_announced = True
        self._clock.begin(time.monotonic())
        if packing is None and action_space is not None:
            packing = action_packing(action_space)
        self.telemetry.config(
            run_id=self.job.run_id,
            algo=config.algorithm,
            env_id=config.env_id,
            seed=config.seed,
            args=dict(config.params if args is None else args),
            env_kwargs=config.env_kwargs,
            env_version=env_version,
            wrappers=list(wrappers),
            action=packing,
            n_envs=n_envs,
            versions=library_versions(),
            hardware=describe_hardware(),
        )
        self.telemetry.send("snapshot", data=take_snapshot())
        if judging := judging_sentence(self.job):
            self.telemetry.log("info", judging, code=JUDGED)
        if isinstance(self.config, TrainConfig) and config.deterministic:
            make_deterministic(
                self.telemetry, seed=config.start_seed, env_id=config.env_id, is_exact=self.is_exact
            )

    @property
    def is_exact(self) -> bool:
        """Whether the environment is deterministic; assumed unless the lab's check found otherwise."""
        return self.job.inputs.get("exact") is not False

    def make_watched(self, config: TrainConfig, *, draw: bool = False) -> Any:
        """The environment that viewers see; a non-deterministic one draws its frames here, while it is watched."""
        from rl_lab.worker.training_envs import make_watched

        return make_watched(self, config, draw=draw)

    def close(self) -> None:
        """Ends the process of the user's reward."""
        if self.reward is not None:
            self.reward.close()

    def _is_complete(self) -> bool:
        config = self.config
        if self.is_solved or self._clock.is_over:
            return True
        return isinstance(config, TrainConfig) and self.timestep >= self.step_limit

    def _make_recorder(self) -> Recorder:
        train = self.config if isinstance(self.config, TrainConfig) else None
        return Recorder(
            self.telemetry,
            run_seed=train.start_seed if train else 0,
            episode0=self.job.episode0,
            timestep0=self.job.timestep0,
            record=train.record if train else True,
            keep_rewards=not self.is_exact,
            is_training=train is not None,
        )

    def _plan_checkpoint(self, timestep: int) -> None:
        config = self.config
        if isinstance(config, TrainConfig):
            every = config.checkpoint_every or max(1, config.schedule_steps // 10)
            self._next_checkpoint = timestep + every
