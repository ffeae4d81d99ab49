"""What is read from the text of a script: types, defaults, words, and what is left to the script."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, Literal

import pytest

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import complete_params
from rl_lab.runners.cleanrl.params import params_of
from rl_lab.runners.cleanrl.runner import argv_of
from rl_lab.runners.cleanrl.scripts import Script, parse_script
from rl_lab.runners.script_text.arguments import REQUIRED, Argument
from rl_lab.runners.script_text.expressions import UnknownValue, value_of


def script_of(text: str, name: str = "toy.py") -> Script:
    found = parse_script(Path("/checkout/cleanrl") / name, text, ast.parse(text))
    assert isinstance(found, Script), found
    return found


def field_of(declaration: str, before: str = "") -> Argument | None:
    text = f"{before}\n@dataclass\nclass Args:\n    other: int = 1\n    {declaration}\n    'what it means'\n"
    return script_of(text).find(declaration.partition(":")[0])


@pytest.mark.parametrize(
    ("declaration", "type_", "default"),
    [
        ("a: int = 3", int, 3),
        ("a: int = int(1e6)", int, 1_000_000),
        ("a: int = 32 * 512 * 10_000", int, 163_840_000),
        ("a: int = 2**16", int, 65536),
        ("a: int = LIMIT // 2", int, 50),
        ("a: float = 2.5e-4", float, 2.5e-4),
        ("a: float = 1 / 16", float, 0.0625),
        ("a: float = -10", float, -10),
        ("a: float = None", float | None, None),
        ("a: bool = True", bool, True),
        ("a: bool = not True", bool, False),
        ("a: str = 'x'", str, "x"),
        ("a: str = None", str | None, None),
        ("a: str = os.path.basename(__file__)[: -len('.py')]", str, "toy"),
        ("a: str = os.path.basename(__file__).removesuffix('.py')", str, "toy"),
        ("a: str = Path(__file__).stem", str, "toy"),
        ("a: Optional[float] = None", float | None, None),
        ("a: typing.Optional[int] = 2", int | None, 2),
        ("a: int | None = None", int | None, None),
        ("a: Union[int, str] = 'auto'", int | str, "auto"),
        ("a: 'int' = 4", int, 4),
        ("a: Literal['gloo', 'nccl'] = 'gloo'", Literal["gloo", "nccl"], "gloo"),
        ("a: List[int] = field(default_factory=lambda: [1, 2])", list[int], [1, 2]),
        ("a: list[str] = field(default_factory=list)", list[str], []),
        ("a: Tuple[int, ...] = (64, 64)", tuple[int, ...], (64, 64)),
        ("a: tuple[int, float] = (1, 0.5)", tuple[int, float], (1, 0.5)),
        ("a: Annotated[int, tyro.conf.arg(name='b')] = 1", int, 1),
        ("a: int = dataclasses.field(default=7)", int, 7),
        ("a: int", int, REQUIRED),
        ("a: Path = 'data'", str, "data"),
    ],
)
def test_a_field_is_read_with_type_default_and_words(declaration: str, type_: Any, default: Any) -> None:
    found = field_of(declaration, before="LIMIT = 100")
    assert found is not None
    assert (found.type, found.default) == (type_, default)
    assert found.description == "what it means"


@pytest.mark.parametrize(
    "declaration",
    [
        "a: int = time.time()",
        "a: float = float('inf')",
        "a: float = 10.0 ** 10 ** 10",
        "a: int = 9 ** 9 ** 9",
        "a: str = 'x' * 10 ** 9",
        "a: int = __import__('os').getpid()",
        "a: jnp.array = None",
        "a: Callable[[int], int] = abs",
        "a: ClassVar[int] = 3",
        "a: int = field(init=False, default=3)",
        "a: Dict[str, int] = field(default_factory=dict)",
        "a: int = 1 / 0",
    ],
)
def test_what_a_form_cannot_ask_for_is_left_to_the_script(declaration: str) -> None:
    assert field_of(declaration) is None


def test_nothing_is_executed_to_learn_a_value() -> None:
    with pytest.raises(UnknownValue):
        value_of(ast.parse("open('/tmp/x', 'w')", mode="eval").body, {})
    with pytest.raises(UnknownValue):
        value_of(ast.parse("'x'.format(1)", mode="eval").body, {})


def test_fields_of_a_base_class_come_first_and_can_be_overridden() -> None:
    text = """
@dataclass
class Base:
    seed: int = 1
    gamma: float = 0.9
@dataclasses.dataclass(frozen=True)
class Settings(Base):
    gamma: float = 0.5
    tau: float = 1.0
@dataclass
class Args:
    nothing: int = 0
settings = tyro.cli(Settings, description="x")
"""
    assert [(a.name, a.default) for a in script_of(text).arguments] == [
        ("seed", 1),
        ("gamma", 0.5),
        ("tau", 1.0),
    ]


def test_what_the_script_works_out_itself_is_no_parameter() -> None:
    text = """
@dataclass
class Args:
    num_envs: int = 2
    batch_size: int = 0
    rollouts: int = 0
    "how many (computed in runtime)"
    teacher: str = None
    memory: int = 10
if __name__ == "__main__":
    args = tyro.cli(Args)
    args.batch_size = args.num_envs * 4
    args.memory = min(args.memory, 5)
    if args.teacher is None:
        args.teacher = "somebody"
"""
    assert [a.name for a in script_of(text).arguments] == ["num_envs", "teacher", "memory"]


OLD = """
def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--exp-name", type=str, default=os.path.basename(__file__).rstrip(".py"), help="its name")
    parser.add_argument("--cuda", type=lambda x: bool(strtobool(x)), default=True, nargs="?", const=True)
    parser.add_argument("-q", "--quiet", action="store_true", help="say little")
    parser.add_argument("--loud", dest="noise", type=float)
    parser.add_argument("--order", choices=["up", "down"], default="up")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--broken", type=bool, default=True)
    parser.add_argument("file")
    args = parser.parse_args()
    args.batch_size = 3
    return args
"""


def test_arguments_of_the_older_style_are_read_too() -> None:
    found = {a.name: (a.type, a.default, a.spelling, a.flag) for a in script_of(OLD, "pop.py").arguments}
    assert found == {
        "exp_name": (str, "po", "value", "--exp-name"),
        "cuda": (bool, True, "value", "--cuda"),
        "quiet": (bool, False, "store_true", "--quiet"),
        "noise": (float | None, None, "value", "--loud"),
        "order": (Literal["up", "down"], "up", "value", "--order"),
        "sizes": (list[int], [1, 2], "value", "--sizes"),
    }


ARGS = "@dataclass\nclass Args:\n    gamma: float = 0.9\n"


@pytest.mark.parametrize(
    ("name", "text", "kinds"),
    [
        ("x.py", "assert isinstance(envs.single_action_space, gym.spaces.Discrete), 'no'", ("discrete",)),
        ("dqn.py", "assert isinstance(env.action_space, gym.spaces.Box)", ("continuous",)),
        (
            "x.py",
            "assert isinstance(env.action_space, (spaces.Box, spaces.Discrete))",
            ("discrete", "continuous"),
        ),
        ("td3_continuous_action.py", "", ("continuous",)),
        ("rainbow_atari.py", "", ("discrete",)),
        ("sac_atari.py", "", ("discrete",)),
        ("ppo.py", "", ("discrete", "continuous")),
    ],
)
def test_the_kind_of_actions_is_what_the_script_asks_for(
    name: str, text: str, kinds: tuple[str, ...]
) -> None:
    assert script_of(ARGS + text, name).action_kinds == kinds


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"""Learns by heart.\n\nAnd more."""\n', "Learns by heart."),
        ("#!/usr/bin/env python\n# docs are\n# elsewhere\n", "Docs are elsewhere"),
        ("# Copyright somebody\n", "The script cleanrl/toy.py of the checkout."),
        ("", "The script cleanrl/toy.py of the checkout."),
    ],
)
def test_a_script_is_described_by_its_own_head(text: str, words: str) -> None:
    assert script_of(text + ARGS).description == words


def test_names_are_written_as_people_write_them() -> None:
    names = {
        n: script_of(ARGS, f"{n}.py").name for n in ("ppo", "c51_atari_jax", "rainbow_atari", "dqn_like")
    }
    assert names == {
        "ppo": "PPO",
        "c51_atari_jax": "C51 atari JAX",
        "rainbow_atari": "Rainbow atari",
        "dqn_like": "DQN like",
    }


FORM = """
@dataclass
class Args:
    seed: int = 1
    cuda: bool = True
    env_id: str = "CartPole-v1"
    total_timesteps: int = 100
    track: bool = False
    learning_rate: float = 2.5e-4
    "size of a step"
    gamma: float = 0.99
    num_envs: int = 4
    clip_coef: float = -1.0
    anneal_lr: bool = True
    model_config: int = 1
"""


def test_the_form_is_grouped_and_bounded_and_leaves_out_the_runs_own_fields() -> None:
    fields = params_of(script_of(FORM)).model_json_schema()["properties"]
    assert set(fields) == {
        "threads",
        "network",
        "wandb",
        "gymnasium_029",
        "track",
        "learning_rate",
        "gamma",
        "num_envs",
        "clip_coef",
        "anneal_lr",
    }
    rate, gamma = fields["learning_rate"], fields["gamma"]
    assert (rate["exclusiveMinimum"], rate["x-scale"], rate["description"]) == (0, "log", "size of a step")
    assert (gamma["minimum"], gamma["maximum"]) == (0, 1)
    assert (fields["num_envs"]["minimum"], fields["num_envs"]["x-group"]) == (1, "Environment")
    assert (fields["track"]["x-group"], fields["track"]["x-advanced"]) == ("Tracking", True)
    assert "minimum" not in fields["clip_coef"]  # the script's own default would break it


def words_for(given: dict[str, Any], **changes: Any) -> list[str]:
    from rl_lab.runners.cleanrl.runner import _algorithm

    script = script_of(FORM)
    params = complete_params(_algorithm(script), None, given)
    run = {"env_id": "Acrobot-v1", "seed": 7, "total_timesteps": 500, **changes}
    return argv_of(script, TrainConfig(runner="cleanrl", algorithm="toy", params=params, **run))


def test_a_command_names_the_runs_own_fields_and_what_differs_from_the_script() -> None:
    own = ["--env-id", "Acrobot-v1", "--seed", "7", "--total-timesteps", "500"]
    assert words_for({}) == own
    assert words_for({"learning_rate": 0.1, "gamma": 0.99}) == [*own, "--learning-rate", "0.1"]
    assert words_for({"anneal_lr": False, "track": True}) == [*own, "--track", "--no-anneal-lr"]
    assert words_for({}, device="cpu") == [*own, "--no-cuda"]
    assert words_for({}, device="cuda") == [*own, "--cuda"]


def test_the_scripts_own_run_is_a_preset() -> None:
    from rl_lab.runners.cleanrl.runner import _algorithm

    algorithm = _algorithm(script_of(FORM))
    assert algorithm.default_preset == "script"
    assert [(p.env_id, p.total_timesteps) for p in algorithm.presets] == [("CartPole-v1", 100), (None, 100)]
    assert "100 steps on CartPole-v1" in algorithm.presets[0].description
