"""Which keys play an environment: those that the user has chosen, else what a worker finds."""

from __future__ import annotations

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput
from rl_lab.core.plays.controls import PlayControls, WholeNumbers
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store.plays import controls as chosen

NO_ACTION = -1
"""Of a gamepad button that does nothing."""


class EnvironmentKeys:
    def __init__(self, context: Context, environments: Environments) -> None:
        self._db = context.db
        self._looking = Looking(context)
        self._environments = environments
        self._found: dict[tuple[str, str], PlayControls] = {}
        """What a worker has found, by id and version of the package."""

    async def get(self, env_id: str) -> PlayControls:
        environment = await self._environments.get(env_id)
        kept = await self._db.read(lambda conn: chosen.find(conn, environment.id))
        found = await self._find(environment) if kept is None or not _is_complete(kept) else kept
        return found if kept is None else _completed(kept, found)

    async def put(self, env_id: str, controls: PlayControls) -> PlayControls:
        """Refuses keys for actions that the environment does not have."""
        environment = await self._environments.get(env_id)
        found = await self._find(environment)
        _require_fitting(environment, found, controls)
        given = _completed(controls.model_copy(update={"source": "user", "problem": ""}), found)
        await self._db.write(lambda conn: chosen.put(conn, environment.id, given))
        return given

    async def reset(self, env_id: str) -> PlayControls:
        """Back to the keys that were there before the user's."""
        environment = await self._environments.get(env_id)
        await self._db.write(lambda conn: chosen.drop(conn, environment.id))
        return await self._find(environment)

    async def _find(self, environment: Environment) -> PlayControls:
        key = (environment.id, environment.package)
        if key not in self._found:
            rights = await self._looking.module_rights(environment.id)
            question = {"env_id": environment.id, "env_kwargs": {}}
            found = await call_worker("play_controls", question, confine=rights)
            self._found[key] = PlayControls.model_validate(found)
        return self._found[key]


def _is_complete(kept: PlayControls) -> bool:
    """Earlier versions did not store what actions there are."""
    return bool(kept.entries or kept.numbers)


def _completed(given: PlayControls, found: PlayControls) -> PlayControls:
    """With what actions there are, which is no choice of the user."""
    return given.model_copy(update={"entries": found.entries, "numbers": found.numbers})


def _require_fitting(environment: Environment, found: PlayControls, given: PlayControls) -> None:
    """`found`: what a worker has found out about the environment's actions."""
    if given.kind == "none":
        raise InvalidInput.of_field("kind", "Choose controls of a kind, or delete the keys to reset them.")
    wanted = "continuous" if found.numbers else found.kind
    if wanted == "none":
        raise InvalidInput.of_field("kind", f"{environment.id} takes no keys. {found.problem}")
    if given.kind != wanted:
        raise InvalidInput.of_field("kind", f"The actions of {environment.id} are {wanted}.", wanted)
    if given.kind == "continuous":
        _require_axes(environment, found, given)
    elif given.kind == "multi":
        _require_entries(environment, found, given)
    else:
        _require_actions(environment, found, given)


def _require_axes(environment: Environment, found: PlayControls, given: PlayControls) -> None:
    if not given.axes:
        raise InvalidInput.of_field("axes", "Name at least one axis.")
    indices = [axis.index for axis in given.axes]
    _require_within(environment, "axes", "number", indices, WholeNumbers(low=0, high=found.numbers - 1))


def _require_actions(environment: Environment, found: PlayControls, given: PlayControls) -> None:
    """Without keys where the number of an action can be typed."""
    if not given.keys and found.keys:
        raise InvalidInput.of_field("keys", "Name at least one key.")
    named = {
        "keys": [one.action for one in given.keys],
        "rest": [] if given.rest is None else [given.rest],
        "buttons": [action for action in given.buttons if action != NO_ACTION],
    }
    for field, actions in named.items():
        _require_within(environment, field, "action", actions, found.entries[0])


def _require_entries(environment: Environment, found: PlayControls, given: PlayControls) -> None:
    last = len(found.entries) - 1
    if not given.keys or len(given.rests) != len(found.entries):
        count = len(found.entries)
        raise InvalidInput.of_field(
            "rests" if given.keys else "keys",
            f"Name at least one key, and in `rests` the {count} values at rest.",
        )
    indices = [-1 if one.entry is None else one.entry for one in given.keys]
    _require_within(environment, "keys", "entry", indices, WholeNumbers(low=0, high=last))
    values = [("rests", entry, value) for entry, value in enumerate(given.rests)]
    values += [("keys", entry, key.action) for entry, key in zip(indices, given.keys, strict=True)]
    for field, entry, value in values:
        noun = f"entry {entry} of value"
        _require_within(environment, field, noun, [value], found.entries[entry])


def _require_within(
    environment: Environment, field: str, noun: str, numbers: list[int], allowed: WholeNumbers
) -> None:
    outside = next((number for number in numbers if not allowed.low <= number <= allowed.high), None)
    if outside is not None:
        raise InvalidInput.of_field(
            field,
            f"{environment.id} has no {noun} {outside}; they are {allowed.low} to {allowed.high}.",
            {"minimum": allowed.low, "maximum": allowed.high},
        )
