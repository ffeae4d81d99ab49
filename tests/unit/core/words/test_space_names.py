"""Every named environment has as many names as its real spaces have numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from rl_lab.core.environments import Environment
from rl_lab.core.words.space_names import NAMES, SpaceNames

MUJOCO = [env_id for env_id in NAMES if "mujoco" in str(gymnasium.spec(env_id).entry_point)]
OTHERS = [env_id for env_id in NAMES if env_id not in MUJOCO]


def numbers_of(space: Any) -> int:
    """How many numbers an observation of this space has; 0 for a picture."""
    if isinstance(space, gymnasium.spaces.Tuple):
        return len(space.spaces)
    return (
        1 if isinstance(space, gymnasium.spaces.Discrete) else space.shape[0] if len(space.shape) == 1 else 0
    )


def choices_of(space: Any) -> int:
    return int(space.n) if isinstance(space, gymnasium.spaces.Discrete) else int(space.shape[0])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("env_id", OTHERS)
def test_there_is_one_name_for_each_number_of_the_real_spaces(env_id: str) -> None:
    env = gymnasium.make(env_id)
    names = NAMES[env_id]
    assert len(names.observations) == numbers_of(env.observation_space)
    assert len(names.actions) == choices_of(env.action_space)
    env.close()


def documented_rows(env_id: str) -> SpaceNames:
    """The first column of Gymnasium's two tables: MuJoCo itself is not needed to read them."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", env_id.partition("-")[0]).lower()
    folder = Path(gymnasium.__file__).parent / "envs" / "mujoco"
    actions, observations = (folder / f"{name}_v5.py").read_text().partition("## Observation Space")[::2]
    rows = re.compile(r"^ *\| *(\d+) *\|", re.MULTILINE)
    counted = dict.fromkeys(rows.findall(observations.partition("## Rewards")[0]))
    return SpaceNames(tuple(counted), tuple(rows.findall(actions)))


@pytest.mark.parametrize("env_id", MUJOCO)
def test_mujoco_has_as_many_names_as_gymnasium_documents(env_id: str) -> None:
    documented = documented_rows(env_id)
    assert len(documented.actions) > 0
    assert [len(part) for part in NAMES[env_id]] == [len(part) for part in documented]


@pytest.mark.parametrize("env_id", NAMES)
def test_no_name_is_used_twice_in_one_space(env_id: str) -> None:
    for part in NAMES[env_id]:
        assert len(set(part)) == len(part)


def test_a_catalogue_entry_carries_the_names() -> None:
    entry = {
        "id": "CartPole-v1",
        "name": "Cart Pole",
        "family": "classic control",
        "action_space_type": "discrete",
        "action_space": "DISCRETE(2)",
        "obs_space_type": "box",
        "obs_space": "BOX(4)",
        "obs_space_dims": [4],
        "package": "gymnasium",
    }
    known = Environment.model_validate({**entry, "action_names": ["an older name"]})
    assert known.action_names == ["push left", "push right"]
    assert known.observation_names[2] == "pole angle (rad)"
    assert Environment.model_validate({**entry, "id": "Own-v0"}).action_names == []
