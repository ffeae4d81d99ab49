"""Evaluations alongside a training: a second process plays fixed seeds with its checkpoints while it continues.

The learner only saves a checkpoint and passes it on; a thread waits for the process. At most one plays at once, at the
lowest priority. Which checkpoint is the best follows from the results, and so does not depend on how they are timed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rl_lab.core.evaluations import EvaluationSummary
from rl_lab.core.job_file import Job, PolicyInput
from rl_lab.core.protocol.events import Number
from rl_lab.core.protocol.lines import as_float, as_number
from rl_lab.core.protocol.metrics import OWN_EVALUATION
from rl_lab.portable.atomic_files import link_file, link_or_copy
from rl_lab.portable.recorder import episode_seed
from rl_lab.worker.best_again import link_best
from rl_lab.worker.evaluated_steps import Evaluated, EvaluatedSteps
from rl_lab.worker.judging import is_judged_by_reward
from rl_lab.worker.telemetry import Telemetry

ALONGSIDE_STREAM = 1_000_004
"""Sub-environment number the seeds are drawn from: neither training nor an evaluation after it plays them, so the one
afterwards does not repeat the episodes that the best checkpoint was chosen by."""
PLAYER = "rl_lab.worker.models.checkpoint_player"
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
WAIT_S = 0.5
STOP_S = 5.0
"""How long a run that was stopped waits for its last evaluation; the lab gives it 20 seconds to stop."""
LINK_PREFIX = ".evaluating-"


@dataclass(frozen=True, slots=True)
class SavedCheckpoint:
    """A checkpoint of the training's timeline, and its training return."""

    path: Path
    timestep: int
    sha256: str
    score: Number | None = None
    score_episodes: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    """Which other files it needs, and what it lacks."""


class AlongsideEvaluations:
    def __init__(self, job: Job, telemetry: Telemetry, runner: str) -> None:
        """`runner`: import string of the class that loads the checkpoints."""
        self._job = job
        self._telemetry = telemetry
        self._runner = runner
        config = job.train_config
        assert config.evaluate_every is not None
        self._every = config.evaluate_every
        self._seeds = [
            episode_seed(config.start_seed, ALONGSIDE_STREAM, n) for n in range(config.evaluate_episodes)
        ]
        self._folder = job.run_dir / "checkpoints"
        self._done = EvaluatedSteps(job.files_dir / "evaluations.jsonl", job.timestep0)
        self._next = self._after(job.timestep0)
        self._links = 0
        self._waiting: deque[SavedCheckpoint] = deque()
        self.most_waiting = 1
        """Then the newest that waits is dropped for a newer one. A learner from a dataset has no other returns to
        show, and may be quicker than its evaluations: it lets them wait."""
        self._playing: SavedCheckpoint | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_cancelled = False
        self.more: Callable[[float], dict[str, float]] | None = None
        """Gives other metrics of an evaluation, from its mean return."""
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._remove_links()

    def catch_up(self) -> None:
        """Evaluates the checkpoint that the training resumes from, if the attempt before was killed before it had."""
        job = self._job
        if job.resume_path is None or job.resume_sha256 is None:
            return
        self._keep_best_again()
        if self._is_owed(job.timestep0) and job.resume_path.is_file():
            kept = next((one for one in job.kept if one.sha256 == job.resume_sha256), None)
            score = (kept.score, kept.score_episodes) if kept else (None, None)
            more = {"parts": kept.parts, "lacks": kept.lacks} if kept else {}
            self._request(SavedCheckpoint(job.resume_path, job.timestep0, job.resume_sha256, *score, more))

    def is_due(self, timestep: int) -> bool:
        """Whether a checkpoint must be saved now, to be evaluated."""
        return timestep >= self._next

    def consider(self, saved: SavedCheckpoint, *, is_last: bool) -> None:
        """Call with every checkpoint of the timeline, as soon as it is reported; the last one is always evaluated."""
        if is_last or self.is_due(saved.timestep):
            self._next = self._after(saved.timestep)
            self._request(saved)

    def finish(self, is_stopping: Callable[[], bool], report: Callable[[], None]) -> None:
        """Waits until all are evaluated; not for long when the run was stopped. `report` is called while it waits."""
        waited = 0.0
        with self._changed:
            while self._waiting or self._playing is not None:
                if is_stopping() and waited >= STOP_S:
                    self._cancel()
                    return
                self._changed.wait(WAIT_S)
                waited += WAIT_S
                report()
            if self._process is not None:
                self._process.kill()

    def _after(self, timestep: int) -> int:
        """The next step of the grid: the same one after a resume."""
        return (timestep // self._every + 1) * self._every

    def _is_owed(self, timestep: int) -> bool:
        """Whether a training that resumes from this step must evaluate it: nothing was since the last of the grid.

        Otherwise the step is there only because of a stop, and a training that was not stopped would not evaluate it.
        """
        due = timestep // self._every * self._every
        return bool(due) and not self._done.has_since(due)

    def _request(self, saved: SavedCheckpoint) -> None:
        # A link of our own: the lab may delete the checkpoint, and the next one may replace it, before it is played.
        self._links += 1
        own = self._folder / f"{LINK_PREFIX}{self._links}-{saved.path.name}"
        link_or_copy(saved.path, own)
        held = replace(saved, path=own)
        with self._changed:
            skipped = self._waiting.pop() if len(self._waiting) >= self.most_waiting else None
            self._waiting.append(held)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="evaluations", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        if skipped is not None:
            self._skip(skipped, saved)

    def _skip(self, skipped: SavedCheckpoint, newer: SavedCheckpoint) -> None:
        skipped.path.unlink(missing_ok=True)
        if skipped.timestep != newer.timestep:
            message = (
                f"The evaluation of step {skipped.timestep:,} was skipped: the one before it is still playing, "
                f"and step {newer.timestep:,} waits now."
            )
            self._telemetry.log("info", message, code="evaluation_skipped")

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    self._changed.wait()
                if self._is_cancelled:
                    return
                self._playing = checkpoint = self._waiting.popleft()
            try:
                self._evaluate(checkpoint)
            except OSError as error:  # a full disk, or the lab is gone, which the learner notices too
                print(f"The evaluation of step {checkpoint.timestep} failed: {error}", file=sys.stderr)
            finally:
                checkpoint.path.unlink(missing_ok=True)
                with self._changed:
                    self._playing = None
                    self._changed.notify_all()

    def _evaluate(self, checkpoint: SavedCheckpoint) -> None:
        answer = self._play(checkpoint)
        if self._is_cancelled:
            return
        if "error" in answer:
            message = (
                f"The checkpoint at step {checkpoint.timestep:,} could not be evaluated: {answer['error']}"
            )
            self._telemetry.log("warning", message, code="evaluation_failed")
            return
        summary = EvaluationSummary.model_validate(answer)
        score = None if checkpoint.score is None else as_float(checkpoint.score)
        mean = self._judged_mean(summary)
        found = Evaluated(checkpoint.timestep, checkpoint.sha256, mean, score)
        if summary.own_problem is not None:
            self._report_problem(checkpoint.timestep, summary.own_problem)
        if self._done.is_new_best(found, is_kept=self._best_path.exists()):
            self._keep_best(checkpoint)
        low, high = summary.return_ci
        self._telemetry.send(
            "evaluation",
            sha256=checkpoint.sha256,
            timestep=checkpoint.timestep,
            episodes=summary.episodes,
            return_mean=as_number(summary.return_mean),
            return_low=low,
            return_high=high,
            level=summary.return_ci_level,
            deterministic=summary.deterministic,
        )
        more = self.more(summary.return_mean) if self.more is not None else {}
        if summary.own_return_mean is not None:
            more = {**more, OWN_EVALUATION: summary.own_return_mean}
        if more:
            self._telemetry.metrics(more, checkpoint.timestep)
        self._telemetry.flush()
        self._done.add(found)

    def _judged_mean(self, summary: EvaluationSummary) -> float | None:
        """The mean return that decides which checkpoint is the best; None when the user's reward decides and failed."""
        return summary.own_return_mean if is_judged_by_reward(self._job.config) else summary.return_mean

    def _report_problem(self, timestep: int, problem: str) -> None:
        is_judged = is_judged_by_reward(self._job.config)
        so = ", so its checkpoint cannot become the best" if is_judged else ""
        message = f"The evaluation of step {timestep:,} has no returns under your reward{so}: {problem}"
        self._telemetry.log("warning", message, code="evaluation_failed")

    @property
    def _best_path(self) -> Path:
        suffix = self._playing.path.suffix if self._playing else ""
        return self._folder / f"best{suffix}"

    def _keep_best(self, checkpoint: SavedCheckpoint) -> None:
        saved = link_file(checkpoint.path, self._best_path)
        self._telemetry.checkpoint(
            path=str(saved.path.relative_to(self._job.run_dir)),
            timestep=checkpoint.timestep,
            role="best",
            size=saved.size,
            sha256=saved.sha256,
            score=checkpoint.score,
            score_episodes=checkpoint.score_episodes,
            **checkpoint.more,
        )

    def _keep_best_again(self) -> None:
        """After a rewind: the best of those that were evaluated by then and exist."""
        kept = {one.sha256: one for one in self._job.kept}
        ranked = [one for one in self._done.ranked() if one.sha256 in kept]
        chosen = link_best(self._job, self._telemetry, [kept[one.sha256] for one in ranked])
        if chosen is not None:
            self._done.set_best(next(one for one in ranked if one.sha256 == chosen.sha256))

    def _play(self, checkpoint: SavedCheckpoint) -> dict[str, Any]:
        policy = PolicyInput(
            checkpoint=checkpoint.path,
            sha256=checkpoint.sha256,
            runner=self._runner,
            config=self._job.train_config,
            timestep=checkpoint.timestep,
        )
        request = {
            "policy": policy.model_dump(mode="json"),
            "seeds": self._seeds,
            "reward": self._job.inputs.get("reward"),
        }
        player = self._start_player()
        output = _exchange_lines(player, json.dumps(request).encode() + b"\n")
        try:
            answer: dict[str, Any] = json.loads(output)
        except ValueError:
            return {"error": f"its process ended with code {player.wait()}."}
        return answer

    def _start_player(self) -> subprocess.Popen[bytes]:
        """The process of the last evaluation, because libraries take seconds to load; a new one if it has ended."""
        with self._changed:
            if self._process is None or self._process.poll() is not None:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", PLAYER, str(os.getpid())],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env={**os.environ, **ONE_THREAD, "CUDA_VISIBLE_DEVICES": ""},
                )
            if self._is_cancelled:
                self._process.kill()
            return self._process

    def _cancel(self) -> None:
        """Called with the condition held."""
        self._is_cancelled = True
        if self._process is not None:
            self._process.kill()
        last = self._waiting[-1] if self._waiting else self._playing
        assert last is not None
        instead = (
            "it is made up for when the run is resumed."
            if self._is_owed(last.timestep)
            else f"`rl-lab evaluate {self._job.run_id}@{last.timestep}` evaluates it."
        )
        message = f"The evaluation of step {last.timestep:,} was not finished, because the run was stopped; {instead}"
        self._telemetry.log("info", message, code="evaluation_skipped")
        self._remove_links()

    def _remove_links(self) -> None:
        for left in self._folder.glob(f"{LINK_PREFIX}*"):
            left.unlink(missing_ok=True)


def _exchange_lines(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """One line each way; an empty answer when the process has ended."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(line)
        process.stdin.flush()
    except BrokenPipeError:
        return b""
    return process.stdout.readline()
