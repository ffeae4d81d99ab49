"""Evaluations alongside a training: at most one plays, the newest waits, and the results decide which is the best."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest

from rl_lab.core.job_file import Job, KeptCheckpoint
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.worker.alongside import AlongsideEvaluations, SavedCheckpoint
from rl_lab.worker.telemetry import Telemetry

SUMMARY: dict[str, Any] = {
    "episodes": 2,
    "return_std": 0.0,
    "return_min": 0.0,
    "return_max": 0.0,
    "return_median": 0.0,
    "return_ci": [None, None],
    "length_mean": 1.0,
    "terminated": 2,
    "truncated": 0,
    "seeds": [1, 2],
    "returns": [0.0, 0.0],
    "lengths": [1, 1],
}


class Heard(Telemetry):
    """Keeps what is sent."""

    def __init__(self) -> None:
        super().__init__(-1)
        self.events: list[tuple[str, dict[str, Any]]] = []

    def send(self, type: str, /, **fields: Any) -> None:
        self.events.append((type, fields))

    def emit(self, event: Any, *, at_once: bool = False) -> None:
        self.events.append(("metric", {"values": event.values, "step": event.step}))

    def of(self, type: str, field: str, **where: Any) -> list[Any]:
        return [f[field] for t, f in self.events if t == type and where.items() <= f.items()]


class Scripted(AlongsideEvaluations):
    """Plays nothing: the return of a step is given, and the first one waits until it is allowed."""

    chosen: ClassVar[dict[str, Any]] = {}

    def __init__(self, run_dir: Path, heard: Heard, returns: dict[int, float], **job: Any) -> None:
        config = TrainConfig(
            algorithm="toy",
            env_id="Toy-v0",
            evaluate_every=100,
            evaluate_episodes=2,
            total_timesteps=1000,
            **self.chosen,
        )
        super().__init__(Job(run_id="r", config=config, run_dir=run_dir, **job), heard, "runner:Class")
        self.returns = returns
        self.is_playing, self.may_play = threading.Event(), threading.Event()
        self.may_play.set()

    def _play(self, checkpoint: SavedCheckpoint) -> dict[str, Any]:
        assert checkpoint.path.is_file()
        self.is_playing.set()
        self.may_play.wait(60)
        mean = self.returns.get(checkpoint.timestep)
        return {"error": "no such return"} if mean is None else {**SUMMARY, "return_mean": mean}

    def save(self, timestep: int, *, is_last: bool = False, score: float = 1.0) -> None:
        path = self._folder / f"step-{timestep}.zip"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(timestep))
        self.consider(SavedCheckpoint(path, timestep, f"sha-{timestep}", score, 3), is_last=is_last)

    def wait(self) -> None:
        self.finish(lambda: False, lambda: None)


def test_only_checkpoints_of_the_grid_and_the_last_are_evaluated(tmp_path: Path) -> None:
    heard = Heard()
    one = Scripted(tmp_path, heard, dict.fromkeys((120, 200, 350), 1.0))
    assert [step for step in (50, 120) if one.is_due(step)] == [120]
    for step in (50, 120, 150, 200):
        one.save(step)
        one.wait()
    one.save(350, is_last=True)
    one.wait()
    assert heard.of("evaluation", "timestep") == [120, 200, 350]
    assert not list((tmp_path / "checkpoints").glob(".*")), "its own links are gone"


def test_a_newer_checkpoint_replaces_a_waiting_one_and_the_log_says_so(tmp_path: Path) -> None:
    heard = Heard()
    one = Scripted(tmp_path, heard, dict.fromkeys((100, 200, 300), 1.0))
    one.may_play.clear()
    one.save(100)
    assert one.is_playing.wait(60)
    one.save(200)
    one.save(300)
    one.may_play.set()
    one.wait()
    assert heard.of("evaluation", "timestep") == [100, 300]
    [message] = heard.of("log", "message")
    assert message.startswith("The evaluation of step 200 was skipped")


def test_a_learner_that_shows_no_other_returns_lets_them_wait_and_reports_more_of_each(
    tmp_path: Path,
) -> None:
    heard = Heard()
    one = Scripted(tmp_path, heard, {100: 1.0, 200: 2.0, 300: 3.0, 400: 4.0})
    one.most_waiting, one.more = 3, lambda mean: {"normalised_score": 10 * mean}
    one.may_play.clear()
    one.save(100)
    assert one.is_playing.wait(60)
    for step in (200, 300, 400):
        one.save(step)
    one.may_play.set()
    one.wait()
    assert heard.of("evaluation", "timestep") == [100, 200, 300, 400]
    assert heard.of("metric", "values") == [{"normalised_score": 10.0 * n} for n in (1, 2, 3, 4)]


def test_the_highest_mean_is_the_best_and_keeps_its_training_return(tmp_path: Path) -> None:
    heard = Heard()
    one = Scripted(tmp_path, heard, {100: 5.0, 200: 9.0, 300: 7.0})
    for step in (100, 200, 300):
        one.save(step)
        one.wait()
    assert heard.of("checkpoint", "timestep", role="best", score=1.0, score_episodes=3) == [100, 200]
    assert (tmp_path / "checkpoints" / "best.zip").read_text() == "200"
    types = [type for type, _ in heard.events]
    assert types[:2] == ["checkpoint", "evaluation"], "the score finds the best checkpoint in the list"


def test_of_equal_evaluations_the_one_with_the_higher_training_return_is_the_best(tmp_path: Path) -> None:
    heard = Heard()
    one = Scripted(tmp_path, heard, dict.fromkeys((100, 200, 300), 500.0))
    for step, score in ((100, 300.0), (200, 480.0), (300, 470.0)):
        one.save(step, score=score)
        one.wait()
    assert heard.of("checkpoint", "timestep", role="best") == [100, 200]
    resumed = Scripted(tmp_path, heard, {400: 500.0}, timestep0=300)
    resumed.save(400, score=475.0)
    resumed.wait()
    assert heard.of("checkpoint", "timestep", role="best") == [100, 200]


def test_a_resumed_training_knows_what_was_measured_before(tmp_path: Path) -> None:
    first = Scripted(tmp_path, Heard(), {100: 5.0, 200: 9.0, 300: 99.0})
    for step in (100, 200, 300):
        first.save(step)
        first.wait()
    heard = Heard()
    resumed = Scripted(tmp_path, heard, {300: 8.0, 400: 10.0}, timestep0=250)
    resumed.catch_up()
    for step in (300, 400):
        resumed.save(step)
        resumed.wait()
    assert heard.of("evaluation", "timestep") == [300, 400]
    assert heard.of("checkpoint", "timestep", role="best") == [400]


def test_the_checkpoint_of_a_killed_training_is_evaluated_when_it_resumes(tmp_path: Path) -> None:
    first = Scripted(tmp_path, Heard(), {100: 5.0})
    first.save(100)
    first.wait()
    first.is_playing.clear()
    first.may_play.clear()
    first.save(200)
    assert first.is_playing.wait(60)  # where it is killed
    heard = Heard()
    job = {"timestep0": 200, "resume_from": "checkpoints/step-200.zip", "resume_sha256": "sha-200"}
    resumed = Scripted(tmp_path, heard, {200: 6.0}, **job)
    resumed.catch_up()
    resumed.wait()
    assert heard.of("evaluation", "timestep") == [200]
    again = Scripted(tmp_path, heard, {}, **job)
    again.catch_up()
    again.wait()
    assert heard.of("evaluation", "timestep") == [200]
    first.may_play.set()


def test_a_checkpoint_that_cannot_be_played_is_named_and_the_next_one_is_played(tmp_path: Path) -> None:
    heard = Heard()
    one = Scripted(tmp_path, heard, {200: 1.0})
    for step in (100, 200):
        one.save(step)
        one.wait()
    assert heard.of("log", "message") == ["The checkpoint at step 100 could not be evaluated: no such return"]
    assert heard.of("evaluation", "timestep") == [200]


def test_a_stopped_run_does_not_wait_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rl_lab.worker.alongside.STOP_S", 0)
    heard = Heard()
    one = Scripted(tmp_path, heard, {100: 1.0})
    one.may_play.clear()
    one.save(100)
    one.finish(lambda: True, lambda: None)
    assert heard.of("log", "message")[0].startswith("The evaluation of step 100 was not finished")
    one.may_play.set()


def test_only_an_evaluation_that_the_grid_owes_is_promised_for_the_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rl_lab.worker.alongside.STOP_S", 0)
    promised = {}
    for step in (50, 150, 250):
        heard, run_dir = Heard(), tmp_path / str(step)
        one = Scripted(run_dir, heard, {100: 1.0, step: 2.0})
        one.save(100)
        one.wait()
        one.is_playing.clear()
        one.may_play.clear()
        one.save(step, is_last=True)
        assert one.is_playing.wait(60)
        one.finish(lambda: True, lambda: None)
        one.may_play.set()
        [message] = heard.of("log", "message")
        promised[step] = message.endswith("made up for when the run is resumed.")
        assert promised[step] or message.endswith(f"`rl-lab evaluate r@{step}` evaluates it.")
        job = {
            "timestep0": step,
            "resume_from": f"checkpoints/step-{step}.zip",
            "resume_sha256": f"sha-{step}",
        }
        resumed = Scripted(run_dir, heard, {step: 2.0}, **job)
        resumed.catch_up()
        resumed.wait()
        assert (heard.of("evaluation", "timestep")[1:] == [step]) == promised[step]
    assert promised == {50: False, 150: False, 250: True}


def test_after_a_rewind_the_best_checkpoint_is_the_best_that_was_evaluated_by_then(tmp_path: Path) -> None:
    first = Scripted(tmp_path, Heard(), {100: 7.0, 200: 9.0, 300: 8.0, 400: 99.0})
    for step in (100, 200, 300, 400):
        first.save(step)
        first.wait()
    files = {step: tmp_path / "checkpoints" / f"step-{step}.zip" for step in (100, 200, 300)}
    shas = {step: hashlib.sha256(path.read_bytes()).hexdigest() for step, path in files.items()}
    measured = tmp_path / "evaluations.jsonl"
    for step, sha256 in shas.items():
        measured.write_text(measured.read_text().replace(f"sha-{step}", sha256))
    best = tmp_path / "checkpoints" / "best.zip"
    kept = [
        KeptCheckpoint(path=f"checkpoints/step-{step}.zip", timestep=step, sha256=sha256, score=1.0)
        for step, sha256 in shas.items()
    ]
    job = {
        "timestep0": 300,
        "resume_from": "checkpoints/step-300.zip",
        "resume_sha256": shas[300],
        "kept": kept,
    }
    for gone, expected in ((None, 200), (files[200], 300)):
        best.unlink()
        if gone is not None:
            gone.unlink()
        heard = Heard()
        resumed = Scripted(tmp_path, heard, {400: 8.5}, **job)
        resumed.catch_up()
        assert heard.of("checkpoint", "timestep", role="best") == [expected]
        assert best.read_text() == str(expected)
    resumed.save(400)
    resumed.wait()
    assert best.read_text() == "400", "it is compared with those that exist"


def test_the_seeds_are_the_same_for_every_evaluation_and_not_those_of_other_evaluations(
    tmp_path: Path,
) -> None:
    from rl_lab.portable.evaluation_seeds import derived_seeds

    seeds = [Scripted(tmp_path, Heard(), {}, timestep0=at)._seeds for at in (0, 500)]
    assert seeds[0] == seeds[1]
    assert not set(seeds[0]) & set(derived_seeds(0, 100))


class JudgedByReward(Scripted):
    """The returns are those of the user's reward, which fails where there is none; the environment's are all 1,000."""

    chosen: ClassVar[dict[str, Any]] = {"reward": {"name": "mine", "version": 1}, "judge_by": "reward"}

    def _play(self, checkpoint: SavedCheckpoint) -> dict[str, Any]:
        own = self.returns.get(checkpoint.timestep)
        found = {"own_problem": "It failed in line 3."} if own is None else {"own_return_mean": own}
        return {**SUMMARY, "return_mean": 1000.0, **found}


def test_an_evaluation_in_which_the_reward_fails_is_not_compared_with_others(tmp_path: Path) -> None:
    heard = Heard()
    one = JudgedByReward(tmp_path, heard, {200: 5.0, 400: 6.0})
    for step in (100, 200, 300, 400):
        one.save(step)
        one.wait()
    assert heard.of("evaluation", "timestep") == [100, 200, 300, 400]
    assert heard.of("checkpoint", "timestep", role="best") == [200, 400]
    assert heard.of("log", "message", level="warning") == [
        f"The evaluation of step {step} has no returns under your reward, so its checkpoint cannot become the best: "
        "It failed in line 3."
        for step in (100, 300)
    ]


def test_after_a_resume_such_an_evaluation_is_not_the_best_either(tmp_path: Path) -> None:
    heard = Heard()
    before = JudgedByReward(tmp_path, heard, {})
    before.save(100)
    before.wait()
    after = JudgedByReward(tmp_path, heard, {200: -5.0}, timestep0=100)
    assert not after._is_owed(100), "it was evaluated"
    after.save(200)
    after.wait()
    assert heard.of("checkpoint", "timestep", role="best") == [200]
