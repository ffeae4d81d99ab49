"""The estimated time of `rl-lab train`."""

from typing import Any

import pytest

from rl_lab.cli.estimates import estimate_line, estimated_time
from rl_lab.core.errors import NotFound

CONFIG = {"total_timesteps": 90_000, "runner": "turbo", "algorithm": "ppo", "env_id": "CartPole-v1"}


class OneAnswer:
    """A client of a lab that gives this answer, or refuses."""

    def __init__(self, speed: dict[str, Any] | None) -> None:
        self.speed = speed

    def get(self, path: str, **query: Any) -> dict[str, Any]:
        assert (path, query) == ("/api/runners/turbo/speed", {"algorithm": "ppo", "env_id": "CartPole-v1"})
        if self.speed is None:
            raise NotFound("No such runner.")
        return self.speed


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        (10, "about 1 s (10 steps"),
        (90_000, "about 1 min 30 s (90,000 steps at 1,000 steps/s, measured on 1 earlier run)."),
        (11_234_567, "about 3 h 5 min ("),
    ],
)
def test_it_is_rounded_to_what_an_estimate_can_tell(steps: int, text: str) -> None:
    assert text in estimate_line(steps, {"steps_per_second": 1000.4, "runs": 1})


def test_it_is_said_only_where_the_speed_was_measured_and_the_steps_are_known() -> None:
    measured = {"steps_per_second": 1000.0, "is_measured": True, "runs": 3}
    said = estimated_time(OneAnswer(measured), CONFIG)  # type: ignore[arg-type]
    assert said is not None and "3 earlier runs" in said
    declared = OneAnswer({**measured, "is_measured": False, "runs": 0})
    for lab, config in [
        (declared, CONFIG),
        (OneAnswer(None), CONFIG),
        (OneAnswer(measured), {**CONFIG, "total_timesteps": 0}),
    ]:
        assert estimated_time(lab, config) is None  # type: ignore[arg-type]
