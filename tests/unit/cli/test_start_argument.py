"""`rl-lab train --from RUN`: which settings a new training takes from the run whose weights it starts with."""

from typing import Any

import pytest

from rl_lab.cli.arguments.start_argument import start_settings

PARENT = {
    "kind": "train",
    "runner": "turbo",
    "algorithm": "ppo",
    "env_id": "CartPole-v1",
    "total_timesteps": 50_000,
    "seed": 3,
    "preset": "fast",
    "params": {"hidden": 32, "learning_rate": 0.001},
    "start_from": {"run_id": "1h5w2k0p7q3y"},
    "lengthened": {"schedule_steps": 10_000, "at": 10_240},
    "args": {},
}
RUN_ID = "1h5w2k0p7q3x"


class Client:
    def get(self, address: str, **query: Any) -> Any:
        if address.endswith("/config"):
            return dict(PARENT)
        if address.endswith("/artifacts"):
            return [
                {"id": "c1", "kind": "checkpoint", "role": "interval", "timestep": 20_480, "created_at": "1"}
            ]
        return {"id": RUN_ID, "items": [{"id": RUN_ID, "name": "lander"}], "total": 1}


def settings(start: str = RUN_ID, **given: Any) -> dict[str, Any]:
    known = {"env_id": None, "algorithm": None, "runner": None, "params": {}, "env_kwargs": {}, "tags": []}
    return start_settings(Client(), {**known, **given}, start)  # type: ignore[arg-type]


def test_without_an_environment_the_settings_are_those_of_the_run() -> None:
    found = settings(params={"learning_rate": 1e-4})
    assert found["params"] == {"hidden": 32, "learning_rate": 1e-4}
    assert (found["runner"], found["algorithm"], found["total_timesteps"]) == ("turbo", "ppo", 50_000)
    assert found["start_from"] == {"run_id": RUN_ID, "checkpoint": None}
    # A new seed, and a run of its own.
    assert not {"seed", "lengthened", "kind"} & found.keys()


def test_a_step_names_the_checkpoint() -> None:
    assert settings(f"{RUN_ID}@20480")["start_from"]["checkpoint"] == "c1"


def test_with_an_environment_only_runner_and_algorithm_are_taken() -> None:
    found = settings(env_id="CartPole-v0", params={"gamma": 0.9})
    assert (found["env_id"], found["runner"], found["algorithm"]) == ("CartPole-v0", "turbo", "ppo")
    assert found["params"] == {"gamma": 0.9} and "total_timesteps" not in found


def test_another_algorithm_takes_no_parameters() -> None:
    found = settings(runner="sb3")
    assert (found["runner"], found["algorithm"], found["env_id"]) == ("sb3", "ppo", "CartPole-v1")
    assert "params" not in found and "preset" not in found


def test_a_model_that_does_not_say_how_long_it_was_trained_gives_no_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(PARENT, "total_timesteps", 0)
    assert "total_timesteps" not in settings()
    assert settings(total_timesteps=500)["total_timesteps"] == 500
