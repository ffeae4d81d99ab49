"""One object gets methods of ours and otherwise stays what it was."""

from __future__ import annotations

import copy
import pickle
from typing import Any

from rl_lab.capture.taps.class_swap import swap_class


class Env:
    """An environment."""

    size = 3

    def __init__(self) -> None:
        self.steps = 0

    def step(self) -> str:
        self.steps += 1
        return "own"


class OwnCopy(Env):
    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = type(self)()
        made.steps = self.steps
        return made


def swapped(kind: type[Env] = Env) -> Env:
    env = kind()
    bare_step = kind.step
    assert swap_class(env, {"step": lambda self: "tapped " + bare_step(self)})
    return env


def test_the_method_is_replaced_for_this_object_only() -> None:
    env, other = swapped(), Env()
    assert (env.step(), env.steps) == ("tapped own", 1)
    assert other.step() == "own"


def test_class_name_attributes_and_isinstance_are_as_before() -> None:
    env = swapped()
    kind = type(env)
    assert isinstance(env, Env)
    assert (kind.__name__, kind.__qualname__, kind.__module__, kind.__doc__) == (
        Env.__name__,
        Env.__qualname__,
        Env.__module__,
        Env.__doc__,
    )
    env.size = 5
    assert (env.size, vars(env)) == (5, {"steps": 0, "size": 5})


def test_copies_and_pickles_have_the_original_class() -> None:
    env = swapped()
    env.steps = 7
    for made in (copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (type(made), made.steps, made.step()) == (Env, 7, "own")
    assert env.step() == "tapped own"


def test_a_class_with_its_own_copy_method_copies_itself_unswapped() -> None:
    env = swapped(OwnCopy)
    env.steps = 4
    made = copy.deepcopy(env)
    assert (type(made), made.steps) == (OwnCopy, 4)
    assert env.step() == "tapped own"


def test_an_object_whose_class_cannot_change_is_left_alone() -> None:
    value: Any = (1, 2)
    assert not swap_class(value, {"step": lambda self: None})
    assert type(value) is tuple
