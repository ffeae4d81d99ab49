"""How each kind of job is prepared and described, without a database or a process."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.kinds import KINDS, JobConfig, RunKind
from rl_lab.core.jobs.policy_jobs import Contestant, DuelConfig, EvaluateConfig, FilmConfig, ForkConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run, Summary
from rl_lab.orchestrator.jobs.duel import distinct_labels
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob, describe_result, find_rules
from rl_lab.orchestrator.jobs.sources import Training
from rl_lab.orchestrator.runs.creation import new_run


class FakeSources:
    """Trainings by id; counts how often each was read."""

    def __init__(self, **env_ids: str) -> None:
        self._env_ids = env_ids
        self.reads: list[str] = []

    async def get_training(self, run_id: str) -> Training:
        self.reads.append(run_id)
        config = TrainConfig(algorithm="ppo", env_id=self._env_ids[run_id])
        return Training(run_id, f"run {run_id}", config)

    async def get_run(self, run_id: str) -> Run:
        return new_run(TrainConfig(algorithm="ppo", env_id=self._env_ids[run_id]), name=f"run {run_id}")

    async def get_name(self, run_id: str) -> str:
        return (await self.get_training(run_id)).name

    async def find_policy(self, training: Training, _: str | None, label: str = "") -> dict[str, Any]:
        config = training.config.model_dump(mode="json")
        return {"config": config, "label": label or "checkpoint", "timestep": 10, "run_id": training.run_id}

    async def require_environment(self, env_id: str, run_id: str) -> None:
        assert env_id and run_id


def prepare(sources: FakeSources, config: JobConfig) -> PreparedJob:
    return asyncio.run(find_rules(RunKind(config.kind)).prepare(sources, config))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_rules(kind: RunKind) -> None:
    assert isinstance(find_rules(kind), JobRules)


def test_an_evaluation_reads_its_training_once() -> None:
    sources = FakeSources(a="CartPole-v1")
    job = prepare(sources, EvaluateConfig(run_id="a", episodes=1))
    assert sources.reads == ["a"]
    assert (job.name, job.parent_id, job.env_id) == ("Evaluation of run a", "a", "CartPole-v1")
    assert job.started == "Evaluation started: 1 episode."


def test_seeds_that_do_not_match_the_episodes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="2 seeds are given for 1 episodes"):
        prepare(FakeSources(a="CartPole-v1"), EvaluateConfig(run_id="a", seeds=[1, 2], episodes=1))


def test_fresh_seeds_are_drawn_once_and_kept_with_the_evaluation() -> None:
    asked = EvaluateConfig(run_id="a", episodes=10, fresh_seeds=True)
    first, second = (prepare(FakeSources(a="CartPole-v1"), asked).config for _ in range(2))
    assert isinstance(first, EvaluateConfig)
    assert isinstance(second, EvaluateConfig)
    assert first.seeds is not None
    assert len(set(first.seeds)) == 10
    assert first.seeds != second.seeds
    assert prepare(FakeSources(a="CartPole-v1"), first).config == first, (
        "at its launch nothing is drawn again"
    )


def test_fresh_seeds_and_given_ones_are_refused_together() -> None:
    with pytest.raises(InvalidInput, match="leave one of the two out"):
        prepare(FakeSources(a="CartPole-v1"), EvaluateConfig(run_id="a", seeds=[1, 2], fresh_seeds=True))


def test_a_duel_belongs_to_its_first_training() -> None:
    sources = FakeSources(a="CartPole-v1", b="CartPole-v1")
    duel = DuelConfig(contestants=[Contestant(run_id="b"), Contestant(run_id="a")], episodes=3)
    job = prepare(sources, duel)
    assert (job.name, job.parent_id) == ("Duel of run b and run a", "b")
    assert sources.reads == ["b", "a"]


def test_a_duel_on_two_environments_is_refused() -> None:
    duel = DuelConfig(contestants=[Contestant(run_id="a"), Contestant(run_id="b")])
    with pytest.raises(InvalidInput, match="trained on Acrobot-v1, and this plays CartPole-v1"):
        prepare(FakeSources(a="CartPole-v1", b="Acrobot-v1"), duel)


def test_equal_labels_get_their_step_or_a_number() -> None:
    same = [{"label": "ppo", "timestep": 10}, {"label": "ppo", "timestep": 20}]
    assert [p["label"] for p in distinct_labels(same)] == ["ppo @ 10", "ppo @ 20"]
    assert [p["label"] for p in distinct_labels([same[0], same[0]])] == ["1: ppo @ 10", "2: ppo @ 10"]


SUMMARY = {
    "episodes": 1,
    **dict.fromkeys(("return_mean", "return_min", "return_max", "return_median"), 1.26),
    "return_std": 0.0,
    "return_ci": [None, None],
    "length_mean": 4.0,
    "terminated": 1,
    "truncated": 0,
    "seeds": [7],
    "returns": [1.26],
    "lengths": [4],
}
"""As the first version of the lab stored it."""
EVALUATION = EvaluateConfig(run_id="a")
FORK = ForkConfig(run_id="a", episode=0, step=2)
DUEL = DuelConfig(contestants=[Contestant(run_id="a"), Contestant(run_id="b")])
FILM = FilmConfig(run_id="a")


def finished(config: JobConfig, result: dict[str, Any] | None) -> Run:
    job = new_run(config, name="job")
    return job.model_copy(update={"summary": Summary(result=result)})


@pytest.mark.parametrize(
    ("config", "result", "sentence"),
    [
        (EVALUATION, SUMMARY, "Evaluation complete: return 1.3 ± 0.0 over 1 episode."),
        (
            FORK,
            {
                "parent_episode": 0,
                "parent_return": 1.0,
                "forked_at": 2,
                "return": 3.0,
                "length": 4,
                "terminated": True,
                "truncated": False,
            },
            "Fork complete: return 3.0 after 4 steps.",
        ),
        (
            DUEL,
            {
                "env_id": "CartPole-v1",
                "seeds": [7],
                "differences": [],
                "sides": [{"run_id": "a", "label": "ppo", "summary": SUMMARY, "wins": 2}],
            },
            "Duel complete. Wins: ppo 2.",
        ),
        (
            FILM,
            {"film": "film.mp4", "scenes": [{"episode": 0, "timestep": 5, "return": 1.0}]},
            "Film complete: 1 scene.",
        ),
        (EVALUATION, None, "Evaluation complete."),
        (EVALUATION, {"timestep": 0, "episodes": 0}, "Evaluation complete."),
        (DUEL, {"sides": "of another lab"}, "Duel complete."),
    ],
)
def test_the_result_is_described_in_one_sentence(
    config: JobConfig, result: dict[str, Any] | None, sentence: str
) -> None:
    assert describe_result(finished(config, result)) == sentence
