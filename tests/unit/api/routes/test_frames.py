"""When a run has a live feed, and at how many frames a second."""

from __future__ import annotations

import pytest

from rl_lab.api.routes.frames import frame_rate, require_pictures
from rl_lab.core.adoption import Source
from rl_lab.core.errors import NotReady
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.runs.creation import new_run
from rl_lab.settings import Settings


def run_with(status: RunStatus, *, feed: bool) -> Run:
    made = new_run(TrainConfig(algorithm="ppo", env_id="CartPole-v1", feed=feed), name="run")
    return made.model_copy(update={"status": status})


def test_a_run_started_without_a_feed_has_none_until_it_has_ended() -> None:
    with pytest.raises(NotReady) as refused:
        frame_rate(Settings(), run_with(RunStatus.running, feed=False), None)
    assert refused.value.next_step
    assert frame_rate(Settings(), run_with(RunStatus.succeeded, feed=False), None) > 0
    assert frame_rate(Settings(), run_with(RunStatus.running, feed=True), 7) == 7.0


def test_the_setting_of_the_lab_counts_for_all_its_runs() -> None:
    lab = Settings(frames_per_second=0)
    with pytest.raises(NotReady, match="turned off"):
        frame_rate(lab, run_with(RunStatus.running, feed=True), None)
    evaluation = new_run(EvaluateConfig(run_id="a"), name="evaluation")
    assert frame_rate(lab, evaluation, None) > 0


def test_an_adopted_run_says_that_it_has_no_pictures() -> None:
    own = run_with(RunStatus.succeeded, feed=True)
    require_pictures(own)
    source = Source.model_construct(folder="/logs")
    with pytest.raises(NotReady, match="no pictures"):
        require_pictures(own.model_copy(update={"source": source}))
