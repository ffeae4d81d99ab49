"""A new study is checked completely: every wrong field is named as the user wrote it, and nothing is built in vain."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.studies.sweeps import Choices, Range, Sweep
from rl_lab.orchestrator.experiments.plans import CheckedPlan, Plans, draw_seeds
from rl_lab.orchestrator.experiments.points import count_points, make_points
from rl_lab.orchestrator.experiments.requests import NewStudy
from rl_lab.orchestrator.experiments.templates import make_templates
from rl_lab.orchestrator.runs.requests import NewRun, train_config
from rl_lab.runners.registry import find_spec

BASE = {"env_id": "CartPole-v1", "algorithm": "ppo", "runner": "turbo"}

CARTPOLE = Environment(
    id="CartPole-v1",
    name="Cart Pole",
    family="classic_control",
    package="gymnasium",
    description="",
    action_space="Discrete(2)",
    action_space_type="discrete",
    obs_space="Box(4)",
    obs_space_type="box",
    obs_space_dims=[4],
    reward_threshold=475.0,
)


async def complete(new: NewRun) -> TrainConfig:
    return train_config(new, find_spec(new.runner), [CARTPOLE])


def check(**fields: Any) -> CheckedPlan:
    return asyncio.run(Plans(complete).check(NewStudy.model_validate({"base": BASE, **fields})))


def refused(**fields: Any) -> dict[str, str]:
    with pytest.raises(InvalidInput) as error:
        check(**fields)
    return {e.field: e.message for e in error.value.errors}


def grid(**values: Any) -> dict[str, Any]:
    return {"parameters": {name: {"values": found} for name, found in values.items()}}


def test_a_number_of_seeds_is_drawn_once_and_all_differ() -> None:
    seeds = check(seeds=50).plan.seeds
    assert len(set(seeds)) == 50 and all(0 <= seed < 100_000 for seed in seeds)


def test_fresh_seeds_are_none_of_those_used() -> None:
    assert not set(draw_seeds(99, range(100_000 - 200))) & set(range(100_000 - 200))


def test_a_seed_twice_is_refused_by_name() -> None:
    assert refused(seeds=[3, 7, 3]) == {"seeds": "The seed 3 is given twice; each seed is trained once."}


def test_the_base_alone_is_one_variant_and_many_runs_are_not_evaluated() -> None:
    found = check(seeds=3)
    assert (found.settings, found.labels, found.configs[0].evaluate_after) == ([{}], ["base"], 0)
    assert check(seeds=1).configs[0].evaluate_after == 5
    assert check(seeds=3, base={**BASE, "evaluate_after": 2}).configs[0].evaluate_after == 2
    assert check(seeds=3, measure="evaluation").configs[0].evaluate_after == 5
    assert "measure" in refused(measure="evaluation", base={**BASE, "evaluate_after": 0})


def test_a_number_of_evaluation_code_is_a_measure_with_the_protocol_that_computes_it() -> None:
    wrong = refused(seeds=3, measure="soft_landings")["measure"]
    assert "no measure of the lab" in wrong and "--evaluate-by" in wrong
    plan = check(seeds=3, measure="soft_landings", base={**BASE, "evaluate_by": "nightly@v2"}).plan
    assert (plan.measure, plan.protocol) == ("soft_landings", "nightly@v2")
    assert check(measure="metrics.speed").plan.measure == "metrics.speed"
    evaluated = {**BASE, "evaluate_by": "nightly@v2"}
    assert "no step to be judged at" in refused(measure="at_step", base=evaluated)["measure"]


def test_the_configuration_of_a_run_is_a_base() -> None:
    config = check(seeds=1).configs[0].model_dump(mode="json")
    assert check(base=config, seeds=[8]).configs[0].params == config["params"]


def test_a_study_keeps_the_versions_of_own_code_that_there_were_when_it_was_created() -> None:
    """A version that is saved while its runs wait would otherwise be that of its last seeds."""
    slow, slow_now = ([{"id": "custom", "code": code}] for code in ("slow", "slow@v2"))

    async def with_versions(new: NewRun) -> TrainConfig:
        env_id = {"own:grid": "own:grid-v3"}.get(new.env_id, new.env_id)
        kwargs = {**new.env_kwargs, **({"wrappers": slow_now} if "wrappers" in new.env_kwargs else {})}
        exact = new.model_copy(update={"env_id": env_id, "env_kwargs": kwargs})
        grid_world = CARTPOLE.model_copy(update={"id": "own:grid-v3"})
        return train_config(exact, find_spec(new.runner), [CARTPOLE, grid_world])

    def checked(**fields: Any) -> CheckedPlan:
        return asyncio.run(Plans(with_versions).check(NewStudy.model_validate(fields)))

    base = {**BASE, "env_id": "own:grid", "env_kwargs": {"wrappers": slow}}
    found = checked(base=base)
    assert {name: found.plan.base[name] for name in ("env_id", "env_kwargs")} == {
        "env_id": "own:grid-v3",
        "env_kwargs": {"wrappers": slow_now},
    }
    assert found.settings == [{}]
    varied = [{"settings": {"env_id": "own:grid"}}, {"settings": {"env.wrappers": slow}}]
    found = checked(base=BASE, variants=varied)
    assert found.plan.base["env_id"] == "CartPole-v1"
    assert found.settings == [{"env_id": "own:grid-v3"}, {"env.wrappers": slow_now}]
    for sweep in ({}, {"method": "tpe", "points": 4}):
        choices = {"env_id": ["own:grid", "CartPole-v1"], "env.wrappers": [slow]}
        found = checked(base=BASE, sweep={**grid(**choices), **sweep})
        assert found.plan.sweep is not None and found.plan.sweep.parameters == {
            "env_id": Choices(values=["own:grid-v3", "CartPole-v1"]),
            "env.wrappers": Choices(values=[slow_now]),
        }
        assert {one["env_id"] for one in found.settings} <= {"own:grid-v3", "CartPole-v1"}


def test_a_grid_is_every_combination() -> None:
    found = check(sweep=grid(learning_rate=[0.1, 0.2], hidden=[16, 32]), seeds=2)
    assert found.labels[1] == "learning rate 0.1 · hidden 32"
    assert [c.params["hidden"] for c in found.configs] == [16, 32, 16, 32]


def test_a_sweep_may_vary_run_settings_and_environment_arguments() -> None:
    settings = {"algorithm": ["ppo", "dqn"], "total_timesteps": [100, 200], "env.sutton_barto_reward": [True]}
    found = check(sweep=grid(**settings))
    assert [(c.algorithm, c.total_timesteps) for c in found.configs][-1] == ("dqn", 200)
    assert found.configs[0].env_kwargs == {"sutton_barto_reward": True}
    assert found.labels[0] == "PPO · 100 steps · sutton barto reward"


def test_everything_wrong_is_reported_at_once_with_the_name_the_user_gave() -> None:
    wrong = refused(
        base={**BASE, "preset": "slow"},
        variants=[{"settings": {"learning_rte": 0.1}}, {"settings": {"learning_rate": -1}}],
    )
    assert set(wrong) == {
        "base.preset",
        "variants.0.settings.learning_rte",
        "variants.1.settings.learning_rate",
    }
    assert "Did you mean learning_rate" in wrong["variants.0.settings.learning_rte"]
    assert set(refused(sweep=grid(learning_rate=[0.1, 7, 9]))) == {"sweep.parameters.learning_rate"}
    assert set(refused(sweep=grid(seed=[1]))) == {"sweep.parameters.seed"}


@pytest.mark.parametrize("name", ["seed", "name", "start", "priority"])
def test_the_base_has_nothing_that_belongs_to_the_study(name: str) -> None:
    assert set(refused(base={**BASE, name: 1})) == {f"base.{name}"}


def test_a_base_of_the_wrong_shape_is_refused() -> None:
    wrong = {**BASE, "params": 5, "env_kwargs": ["a"], "learning_rate": 0.1}
    assert set(refused(base=wrong)) == {"base.params", "base.env_kwargs"}
    assert set(refused(base={"algorithm": [1], "runner": {}, "tags": 3})) == {
        "base.algorithm",
        "base.runner",
        "base.tags",
    }


def test_an_empty_grid_is_refused() -> None:
    assert set(refused(sweep={"parameters": {}})) == {"sweep.parameters"}
    with pytest.raises(ValidationError):
        NewStudy.model_validate({"base": BASE, "sweep": grid(gamma=[])})


def test_a_billion_points_are_refused_with_their_number_and_never_built() -> None:
    many = {name: {"low": 0, "high": 999, "step": 1} for name in ("hidden", "n_envs", "n_epochs")}
    assert "1,000,000,000 points" in refused(sweep={"parameters": many})["sweep.parameters"]
    tiny = {"gamma": {"low": 0, "high": 1e300, "step": 1e-300}}
    assert "points" in refused(sweep={"parameters": tiny})["sweep.parameters"]


def test_too_many_runs_are_refused_with_their_number_unless_the_budget_ends_the_study() -> None:
    sweep = {"parameters": {"hidden": {"low": 4, "high": 1003, "step": 1}}}
    assert "20,000 runs" in refused(sweep=sweep, seeds=20)["sweep"]
    assert len(check(sweep={**sweep, "method": "random", "points": 30}, seeds=20).settings) == 30


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"low": 2, "high": 1}, "not below"),
        ({"low": 0, "high": 1, "scale": "log"}, "above 0"),
        ({"low": 1, "high": 2, "scale": "log", "step": 0.5}, "no step"),
        ({"low": 0.9, "high": 0.99}, "with a step"),
        ({"values": [0.9, 0.9]}, "given twice"),
    ],
)
def test_a_range_that_makes_no_sense_is_refused(values: dict[str, Any], message: str) -> None:
    assert message in refused(sweep={"parameters": {"gamma": values}})["sweep.parameters.gamma"]


def test_random_points_stay_within_their_ranges_and_integers_stay_integers() -> None:
    ranges = {"learning_rate": {"low": 1e-5, "high": 1e-2, "scale": "log"}, "hidden": {"low": 8, "high": 64}}
    sweep = {"method": "random", "points": 40, "seed": 3, "parameters": ranges}
    found, again = check(sweep=sweep), check(sweep=sweep)
    assert found.settings == again.settings and len(found.settings) == 40
    assert all(1e-5 <= s["learning_rate"] <= 1e-2 and isinstance(s["hidden"], int) for s in found.settings)
    assert sum(s["learning_rate"] < 3e-4 for s in found.settings) > 10  # log-uniform, not uniform
    assert set(refused(sweep={**sweep, "points": None})) == {"sweep.points"}


def test_a_random_sweep_of_few_values_has_no_point_twice() -> None:
    sweep = Sweep(method="random", points=10, seed=1, parameters={"a": Choices(values=[1, 2, 3])})
    assert sorted(p["a"] for p in make_points(sweep)) == [1, 2, 3]


def test_steps_of_a_range_are_whole_decimals() -> None:
    sweep = Sweep(parameters={"a": Range(low=0.1, high=0.5, step=0.1), "b": Range(low=1, high=3, step=1)})
    assert [p["a"] for p in make_points(sweep)][::3] == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert count_points(sweep) == 15


def test_the_ends_of_a_tpe_sweep_are_checked_before_it_starts() -> None:
    sweep = {"method": "tpe", "points": 10, "parameters": {"learning_rate": {"low": 0.1, "high": 2.0}}}
    assert set(refused(sweep=sweep)) == {"sweep.parameters.learning_rate"}
    sweep["parameters"] = {"learning_rate": {"low": 0.1, "high": 0.2}}
    assert check(sweep=sweep).settings == []


def test_variants_and_a_sweep_exclude_each_other_and_equal_variants_are_refused() -> None:
    variant = {"settings": {"gamma": 0.9}}
    assert "sweep" in refused(variants=[variant], sweep=grid(gamma=[0.9]))
    assert "variants.1.settings" in refused(variants=[variant, variant])
    assert "variants" in refused(variants=[{"label": "a"}, {"label": "a", **variant}])


def test_a_file_of_a_newer_version_is_refused_clearly() -> None:
    with pytest.raises(ValidationError, match="version 99; this lab reads versions up to 1"):
        NewStudy.model_validate({"version": 99, "base": BASE, "something_new": 1})


@pytest.mark.parametrize(
    ("runner", "algorithm"), [("turbo", "ppo"), ("turbo", "dqn"), ("sb3", "ppo"), ("sb3", "dqn")]
)
def test_templates_are_plans_that_the_lab_accepts(runner: str, algorithm: str) -> None:
    base = {"env_id": "CartPole-v1", "algorithm": algorithm, "runner": runner}
    config = check(base=base, seeds=1).configs[0]
    templates = make_templates(config, find_spec(runner).algorithm(algorithm))
    assert [t.id for t in templates] == ["learning-rate", "network-size", "real-gain"]
    for template in templates:
        found = check(**template.plan.model_dump(exclude_unset=True))
        assert len(found.configs) >= 2
