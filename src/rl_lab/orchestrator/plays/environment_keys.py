"""Which keys play an environment: those that the user has chosen, else what a worker finds."""

from __future__ import annotations

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput
from rl_lab.core.plays.controls import PlayControls
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store.plays import controls as chosen


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
        return kept or await self._find(environment)

    async def put(self, env_id: str, controls: PlayControls) -> PlayControls:
        """Refuses keys for actions that the environment does not have."""
        environment = await self._environments.get(env_id)
        given = controls.model_copy(update={"source": "user", "problem": ""})
        _require_fitting(environment, given)
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


def _require_fitting(environment: Environment, controls: PlayControls) -> None:
    wanted = environment.action_space_type
    if controls.kind == "none":
        raise InvalidInput.of_field(
            "kind", "Choose discrete or continuous, or delete the keys to reset them."
        )
    if controls.kind != wanted:
        raise InvalidInput.of_field("kind", f"The actions of {environment.id} are {wanted}.", wanted)
    if controls.kind == "discrete" and not controls.keys:
        raise InvalidInput.of_field("keys", "Name at least one key.")
    if controls.kind == "continuous" and not controls.axes:
        raise InvalidInput.of_field("axes", "Name at least one axis.")
    size = _size(environment.action_space)
    if size is None:
        return
    if controls.kind == "discrete":
        numbers = [one.action for one in controls.keys]
        numbers += [] if controls.rest is None else [controls.rest]
    else:
        numbers = [axis.index for axis in controls.axes]
    outside = next((number for number in numbers if not 0 <= number < size), None)
    if outside is not None:
        raise InvalidInput.of_field(
            "keys" if controls.kind == "discrete" else "axes",
            f"{environment.id} has no action {outside}; they are 0 to {size - 1}.",
            {"minimum": 0, "maximum": size - 1},
        )


def _size(action_space: str) -> int | None:
    """Actions of DISCRETE(4), numbers of BOX(6); None where the text does not say it."""
    inside = action_space.partition("(")[2].rstrip(")")
    return int(inside) if inside.isdigit() else None
