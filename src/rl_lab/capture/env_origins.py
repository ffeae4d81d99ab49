"""The Origin of an environment of a script: the arguments of `gymnasium.make` that create it again elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from rl_lab.capture.own_environments import find_own_id

NOT_SETTINGS = frozenset({"render_mode", "disable_env_checker"})
"""Arguments of `make` that do not change an episode."""
TRUSTED_MODULES = (
    "gymnasium.envs.classic_control",
    "gymnasium.envs.toy_text",
    "gymnasium.envs.box2d",
    "ale_py",
)
"""Known to be deterministic; `orchestrator/environments/repeatability.py` has the same families."""


@dataclass(frozen=True)
class Origin:
    env_id: str
    env_kwargs: dict[str, Any]
    env_version: str
    """Package and version, e.g. "gymnasium 1.4.0"; empty when unknown."""
    is_trusted: bool | None
    """Whether the environment is deterministic: its start and actions reproduce an episode; None when unknown."""
    is_begun_by_generator: bool
    """Without a seed, the state of the environment's generator determines how an episode begins."""
    problem: str = ""
    """Why its episodes cannot be re-simulated, as text; empty when they can."""

    @property
    def key(self) -> tuple[str, str]:
        """Equal for environments with the same id and settings."""
        return self.env_id, json.dumps(self.env_kwargs, sort_keys=True, default=str)


def find_origin(wanted: Any, arguments: dict[str, Any], env: Any) -> Origin:
    """The origin of `env`, which `make(wanted, **arguments)` returned."""
    spec = getattr(env.unwrapped, "spec", None)
    given, problem = _settings(wanted, arguments)
    module = _module(spec, env)
    return Origin(
        env_id=_env_id(wanted, spec),
        env_kwargs=given,
        env_version=_version(module),
        is_trusted=False if _keeps_its_simulator(env) else module.startswith(TRUSTED_MODULES) or None,
        is_begun_by_generator=not _has_own_generator(env),
        problem=problem,
    )


def _settings(wanted: Any, arguments: dict[str, Any]) -> tuple[dict[str, Any], str]:
    given = {name: value for name, value in arguments.items() if name not in NOT_SETTINGS}
    problem = ""
    if not isinstance(wanted, str):  # an EnvSpec
        kept = {name: value for name, value in wanted.kwargs.items() if name not in NOT_SETTINGS}
        given = {**kept, **given}
        if wanted.max_episode_steps is not None:
            given.setdefault("max_episode_steps", wanted.max_episode_steps)
        if getattr(wanted, "additional_wrappers", ()):
            problem = "it was created from a specification with additional wrappers"
    if given.pop("autoreset", None):
        problem = "it resets itself (autoreset=True)"
    if given.pop("apply_api_compatibility", None):
        problem = "it follows the interface of an older Gym"
    if given.get("max_episode_steps", 0) is None:
        del given["max_episode_steps"]
    return _plain(given, problem)


def _plain(given: dict[str, Any], problem: str) -> tuple[dict[str, Any], str]:
    """Settings as JSON, and the reason when some cannot be stored."""
    try:
        plain = json.loads(json.dumps(given))
    except (TypeError, ValueError):
        plain = None
    if isinstance(plain, dict) and plain == given:
        return plain, problem
    shown = {
        name: value if isinstance(value, (str, int, float, bool)) else repr(value)[:200]
        for name, value in given.items()
    }
    return shown, problem or "its settings contain values that cannot be stored as JSON"


def _env_id(wanted: Any, spec: Any) -> str:
    """Includes the module that registers it, when the script named one."""
    own = find_own_id(wanted if isinstance(wanted, str) else str(wanted.id))
    if own is not None:
        return own
    if not isinstance(wanted, str):
        return str(wanted.id)
    module, _, name = wanted.rpartition(":")
    name = str(getattr(spec, "id", None) or name)
    return f"{module}:{name}" if module else name


def _module(spec: Any, env: Any) -> str:
    entry = getattr(spec, "entry_point", None)
    if isinstance(entry, str):
        return entry.partition(":")[0]
    return str(type(env.unwrapped).__module__)


def _version(module: str) -> str:
    from importlib import metadata

    name = module.partition(".")[0].replace("_", "-")
    try:
        return f"{name} {metadata.version(name)}"
    except (metadata.PackageNotFoundError, ValueError):
        return ""


def _keeps_its_simulator(env: Any) -> bool:
    """BipedalWalker's simulator remembers earlier episodes; see `worker/environments/fresh_world.py`."""
    return type(env.unwrapped).__name__.startswith("BipedalWalker")


def _has_own_generator(env: Any) -> bool:
    """The Atari emulator has its own random generator for sticky actions, which a reset does not change."""
    ale = getattr(env.unwrapped, "ale", None)
    if ale is None:
        return False
    try:
        return float(ale.getFloat("repeat_action_probability")) != 0.0
    except Exception:  # another emulator or an older interface: its generator is unknown
        return True
