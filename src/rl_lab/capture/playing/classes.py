"""The classes of a script without running it: its definitions are executed, its training is not.

Kept are imports, classes, functions and constants at the top of the file. A network is built by a class of the script
when the names and shapes of its weights are those of the checkpoint.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import inspect
import itertools
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from rl_lab.capture.own_environments import known_id
from rl_lab.capture.playing.script_arguments import read_arguments

OBSERVATION_NAMES = (
    "obs_dim",
    "state_dim",
    "n_observations",
    "num_inputs",
    "input_dim",
    "in_dim",
    "obs_size",
    "state_size",
    "n_states",
    "num_observations",
)
ACTION_NAMES = (
    "act_dim",
    "action_dim",
    "n_actions",
    "num_actions",
    "output_dim",
    "out_dim",
    "action_size",
    "num_outputs",
)
ENVIRONMENT_NAMES = ("env", "envs", "environment", "vec_env")
CRITICS = ("critic", "qf", "value", "target", "vf", "discriminator")
"""Parts of names of networks that do not act."""


class NoOwnClass(Exception):
    """Why no class of the script can play the checkpoint, as a sentence."""


def definitions(source: bytes, path: str, name: str = "rl_lab_script") -> dict[str, Any]:
    """The script's namespace after its definitions; nothing else of it is executed."""
    tree = ast.parse(source, path)
    tree.body = [node for node in tree.body if _is_definition(node)]
    module = type(sys)(name)
    module.__file__ = path
    vars(module)["__builtins__"] = builtins
    sys.modules[name] = module
    FunctionType(compile(tree, path, "exec"), vars(module))()
    return vars(module)


def _is_definition(node: ast.stmt) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        return True
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        value = node.value
        return value is not None and not any(
            isinstance(part, (ast.Call, ast.Await)) for part in ast.walk(value)
        )
    if isinstance(node, ast.Try):
        return all(_is_definition(one) for one in node.body)
    return False


def build(namespace: Mapping[str, Any], weights: Mapping[str, Mapping[str, Any]], world: World) -> Any:
    """The network that acts, with the weights of the checkpoint; NoOwnClass with the reason."""
    import torch

    classes = [
        one
        for one in namespace.values()
        if isinstance(one, type)
        and issubclass(one, torch.nn.Module)
        and one.__module__ == namespace["__name__"]
    ]
    if not classes:
        raise NoOwnClass("the script defines no network class of its own at the top of its file")
    wanted = sorted(weights, key=_acting_first)
    differences: list[str] = []
    for name in wanted:
        for cls in classes:
            for network in _instances(cls, namespace, world):
                fitting = _fitting(network, weights[name])
                if isinstance(fitting, str):
                    differences.append(f"{cls.__name__} and {name}: {fitting}")
                elif world.can_act(network):
                    network.load_state_dict(fitting)
                    return network.eval()
    names = ", ".join(cls.__name__ for cls in classes)
    why = "".join(f"; {one}" for one in [*differences[:1], *world.problems[-1:]][:1])
    raise NoOwnClass(
        f"none of its classes ({names}) has the weights of the checkpoint ({', '.join(wanted[:5])}){why}"
    )


def _acting_first(name: str) -> tuple[bool, str]:
    return any(part in name.lower() for part in CRITICS), name


def _fitting(network: Any, weights: Mapping[str, Any]) -> dict[str, Any] | str:
    """The weights as the network takes them, or how they differ.

    Limits of actions have one row for each environment of the training, all the same; here there is one environment.
    """
    own = network.state_dict()
    if own.keys() != weights.keys():
        odd = sorted(own.keys() ^ weights.keys())
        return f"only one of them has {odd[0]}"
    fitting: dict[str, Any] = {}
    for name, value in weights.items():
        wanted = own[name].shape
        is_repeated = (
            value.shape[1:] == wanted[1:] and wanted[:1] == (1,) and bool((value == value[:1]).all())
        )
        if value.shape != wanted and not is_repeated:
            return f"{name} is {_shape_text(wanted)} and {_shape_text(value.shape)}"
        fitting[name] = value if value.shape == wanted else value[:1]
    return fitting


def _shape_text(shape: Any) -> str:
    return "×".join(map(str, shape)) or "one number"


def _instances(cls: type, namespace: Mapping[str, Any], world: World) -> Iterator[Any]:
    """The class called with what its parameters are named like; a constructor that refuses is skipped."""
    try:
        parameters = list(inspect.signature(cls).parameters.values())
    except (TypeError, ValueError):
        return
    # A size such as `n_atoms` is the script's argument of that name, or the default of the class.
    for environment, arguments in itertools.product(
        (world.vector, world.env), (read_arguments(namespace), None)
    ):
        given: dict[str, Any] = {}
        for one in parameters:
            value = world.value_of(one.name, environment, namespace)
            value = getattr(arguments, one.name, None) if value is None else value
            if value is not None:
                given[one.name] = value
        network = _construct(cls, given, world)
        if network is not None:
            yield network


def _construct(cls: type, given: dict[str, Any], world: World) -> Any:
    try:
        return cls(**given)
    except Exception as error:  # code of the script may raise anything
        world.problems.append(f"{cls.__name__}: {type(error).__name__}: {error}")
        return None


class World:
    """The environment as the script's own library makes it, and how its spaces are asked for."""

    def __init__(self, env_id: str, env_kwargs: dict[str, Any]) -> None:
        gymnasium = _environments()
        env_id = known_id(gymnasium, env_id)
        self.env = gymnasium.make(env_id, **env_kwargs)
        self.vector = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make(env_id, **env_kwargs)])
        self.problems: list[str] = []
        """Why constructors failed."""
        self.is_discrete = hasattr(self.env.action_space, "n")

    @property
    def observation_size(self) -> int:
        space = self.env.observation_space
        size = 1
        for one in getattr(space, "shape", None) or ():
            size *= int(one)
        return int(space.n) if hasattr(space, "n") else size

    @property
    def action_size(self) -> int:
        space = self.env.action_space
        return int(space.n) if self.is_discrete else int(space.shape[0])

    def value_of(self, name: str, environment: Any, namespace: Mapping[str, Any]) -> Any:
        """What an argument of this name means; None: its default."""
        lower = name.lower()
        if lower in ENVIRONMENT_NAMES:
            return environment
        if lower in OBSERVATION_NAMES:
            return self.observation_size
        if lower in ACTION_NAMES:
            return self.action_size
        if lower in ("observation_space", "obs_space", "state_space"):
            return self.env.observation_space
        if lower in ("action_space", "act_space"):
            return self.env.action_space
        return read_arguments(namespace) if lower in ("args", "cfg", "config") else None

    def can_act(self, network: Any) -> bool:
        """Whether one observation gives one action."""
        import numpy as np

        try:
            action = act(
                network, np.zeros(self.env.observation_space.shape, np.float32), self, deterministic=True
            )
        except Exception:  # a critic, for example
            return False
        return bool(self.env.action_space.contains(self.cast(action)))

    def cast(self, action: Any) -> Any:
        import numpy as np

        space = self.env.action_space
        if self.is_discrete:
            return int(action)
        return np.clip(np.asarray(action, space.dtype).reshape(space.shape), space.low, space.high)


def _environments() -> Any:
    """Gymnasium, or its predecessor in an old Python."""
    has_new = importlib.util.find_spec("gymnasium") is not None
    return importlib.import_module("gymnasium" if has_new else "gym")


def act(network: Any, observation: Any, world: World, *, deterministic: bool) -> Any:
    """One action: by the script's own methods when chance may decide, else the best one of its outputs."""
    import torch

    seen = torch.as_tensor(observation, dtype=torch.float32)[None]
    with torch.no_grad():
        if not deterministic or not _has_outputs(network):
            for method in ("get_action_and_value", "get_action", "act", "select_action"):
                if hasattr(network, method):
                    return _chosen(getattr(network, method)(seen), world, deterministic)
        output = _output(network, seen)
    if world.is_discrete and output.numel() == world.action_size:
        return output.reshape(-1).argmax().item()
    return output.reshape(-1).numpy() if not world.is_discrete else output.reshape(-1)[0].item()


def _has_outputs(network: Any) -> bool:
    """Whether its best action can be computed: CleanRL's agents have an actor, others a forward of their own."""
    import torch

    has_forward = type(network).forward is not torch.nn.Module.forward
    samples = hasattr(network, "get_action")
    return hasattr(network, "actor") or hasattr(network, "actor_mean") or (has_forward and not samples)


def _output(network: Any, seen: Any) -> Any:
    for part in ("actor", "actor_mean"):
        if hasattr(network, part):
            hidden = network.network(seen) if hasattr(network, "network") else seen
            return getattr(network, part)(hidden)
    found = network(seen)
    return found[0] if isinstance(found, (tuple, list)) else found


def _chosen(found: Any, world: World, deterministic: bool) -> Any:
    """The first of several results is the action; the third of SAC's is the best one."""
    if isinstance(found, (tuple, list)):
        is_sac = deterministic and not world.is_discrete and len(found) == 3
        found = found[2] if is_sac else found[0]
    values = found.reshape(-1)
    return int(values[0].item()) if world.is_discrete else values.numpy()
