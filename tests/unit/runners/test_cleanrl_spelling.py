"""Words on the command line, round-tripped through the real tyro."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any, List, Literal, Tuple  # noqa: UP035  as users write them

import pytest
import tyro

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.script_text.arguments import Argument, is_default, spell


@dataclasses.dataclass
class Args:
    count: int = 1
    learning_rate: float = 0.1
    anneal_lr: bool = True
    track: bool = False
    wandb_entity: str = None  # type: ignore[assignment]
    target_kl: float = None  # type: ignore[assignment]
    max_norm: float | None = 0.5
    is_sure: bool | None = None
    device_ids: List[int] = dataclasses.field(default_factory=lambda: [0])  # noqa: UP006
    pair: Tuple[int, int] = (1, 2)  # noqa: UP006
    hidden: tuple[int, ...] = (64, 64)
    names: list[str] = dataclasses.field(default_factory=list)
    backend: Literal["gloo", "nccl"] = "gloo"
    v_min: float = -10
    exp_name: str = "x"
    lambda_: float = 0.5


def argument_of(name: str) -> Argument:
    field = next(f for f in dataclasses.fields(Args) if f.name == name)
    default = getattr(Args(), name)
    spelling = "switch" if field.type == "bool" else "value"
    return Argument(name, field.type, default, "", spelling)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("count", -3),
        ("learning_rate", 1e-05),
        ("learning_rate", 5),
        ("anneal_lr", False),
        ("anneal_lr", True),
        ("track", True),
        ("track", False),
        ("wandb_entity", "me"),
        ("target_kl", 0.02),
        ("max_norm", None),
        ("max_norm", 2.0),
        ("is_sure", True),
        ("is_sure", False),
        ("device_ids", []),
        ("device_ids", [1, -2]),
        ("pair", [3, 4]),
        ("hidden", [8]),
        ("hidden", []),
        ("names", ["a b", "c"]),
        ("backend", "nccl"),
        ("v_min", -1e-05),
        ("v_min", -0.5),
        ("exp_name", ""),
        ("exp_name", "--track"),
        ("exp_name", "-x"),
        ("exp_name", "two words"),
        ("exp_name", "None"),
        ("lambda_", 0.9),
    ],
)
def test_every_value_arrives_as_it_was_meant(name: str, value: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tyro's remark on `str = None`
        parsed = tyro.cli(Args, args=spell(argument_of(name), value))
    got = getattr(parsed, name)
    assert (list(got) if isinstance(got, tuple) else got) == value


def test_what_the_script_does_anyway_is_told_apart_from_what_only_looks_like_it() -> None:
    assert is_default(argument_of("hidden"), [64, 64])
    assert not is_default(argument_of("count"), True)
    assert not is_default(argument_of("target_kl"), 0.0)


def test_a_word_in_a_list_that_would_be_an_argument_is_refused() -> None:
    with pytest.raises(InvalidInput, match="starts with a dash"):
        spell(argument_of("names"), ["--track"])
