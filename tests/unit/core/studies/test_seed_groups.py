"""Which runs are seeds of one configuration."""

from typing import Any

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.studies.seed_groups import group_seeds
from rl_lab.orchestrator.runs.creation import new_run


def run_of(seed: int | None, **changes: Any) -> Any:
    config = TrainConfig(
        algorithm="ppo",
        env_id="CartPole-v1",
        seed=seed,
        **({"params": {"learning_rate": 0.1}} | changes),
    )
    return new_run(config, name="x")


def test_runs_that_differ_only_in_their_seed_are_one_group() -> None:
    first, second, other = run_of(1), run_of(2), run_of(3, params={"learning_rate": 0.2})
    assert group_seeds([first, other, second]) == [[first, second]]


def test_how_a_finished_training_is_evaluated_makes_no_other_group() -> None:
    runs = [run_of(1), run_of(2, evaluate_after=20), run_of(3, evaluate_after=0, evaluate_by="nightly@v2")]
    assert group_seeds(runs) == [runs]


def test_the_seed_of_a_script_is_in_its_arguments() -> None:
    scripts = [
        run_of(
            None,
            runner="script",
            args={"seed": seed, "lr": 1},
            params={"command": ["python", "a.py", "--seed", str(seed)]},
        )
        for seed in (1, 2)
    ]
    assert group_seeds(scripts) == [scripts]


def test_one_run_is_no_group() -> None:
    assert group_seeds([run_of(1), run_of(1, total_timesteps=7)]) == []
