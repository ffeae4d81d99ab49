"""Inspections and comparisons of checkpoints: computed by a worker on demand, remembered by the hash of the file."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.errors import LabError, NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.checkpoints import CheckpointItem
from rl_lab.core.models.differences import CheckpointDifference, ParameterDifference
from rl_lab.core.models.inspections import Inspection, InspectionPart
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.looking import join_rights
from rl_lab.orchestrator.models.checkpoint_list import read_item
from rl_lab.orchestrator.shared_calls import SharedCalls
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store import runs

LONGEST_S = 180.0
REMEMBERED = 128
"""Answers kept in memory; each is some tens of kilobytes."""
ABOUT_A_RUN = frozenset({"kind", "start_from", "expected_steps", "args"})
"""Parts of a configuration that say nothing about how a policy was trained."""


class Inspections:
    def __init__(self, context: Context, sources: Sources) -> None:
        self._db = context.db
        self._sources = sources
        self._calls: SharedCalls[Any] = SharedCalls()
        self._known: OrderedDict[str, Any] = OrderedDict()

    async def close(self) -> None:
        await self._calls.close()

    async def inspect(self, checkpoint_id: str, part: InspectionPart) -> Inspection:
        item = await self._db.read(lambda conn: read_item(conn, checkpoint_id))
        policy, rights = await self._open(item, needs_environment=part != "weights")
        question = {"policy": policy, "checkpoint_id": checkpoint_id, "part": part}
        key = f"{item.id} {item.sha256} {part}"
        return Inspection.model_validate(await self._ask(key, "inspect_checkpoint", question, rights))

    async def compare(self, first_id: str, second_id: str) -> CheckpointDifference:
        """The configurations always; the weights where both can be loaded."""

        def read(conn: Connection) -> tuple[Any, ...]:
            items = [read_item(conn, one) for one in (first_id, second_id)]
            return *items, *(runs.get(conn, item.run_id).config for item in items)

        first, second, first_config, second_config = await self._db.read(read)
        problem: str | None = None
        found: dict[str, Any] = {"tensors": [], "shapes": []}
        try:
            found = await self._compare_weights(first, second)
        except LabError as error:
            problem = error.detail
        moved = [one for one in found["tensors"] if one["norm"] != 0]
        return CheckpointDifference(
            first=first,
            second=second,
            configuration=compare_configs(first_config, second_config),
            **found,
            has_same_weights=problem is None and not moved and not found["shapes"],
            weights_problem=problem,
        )

    async def _compare_weights(self, first: CheckpointItem, second: CheckpointItem) -> Any:
        opened = [await self._open(one, needs_environment=False) for one in (first, second)]
        question = {"first": opened[0][0], "second": opened[1][0]}
        rights = join_rights([one for _, one in opened if one is not None])
        if rights is not None:  # also what needs no confinement alone is read by the confined process
            rights = rights._replace(reads=[*rights.reads, *(policy["checkpoint"] for policy, _ in opened)])
        key = f"{first.id} {first.sha256} {second.id} {second.sha256}"
        return await self._ask(key, "compare_weights", question, rights)

    async def _open(
        self, item: CheckpointItem, *, needs_environment: bool
    ) -> tuple[dict[str, Any], Confinement | None]:
        """What a worker needs to load it, and how it is confined; raises for what the lab cannot load."""
        training = await self._sources.get_training(item.run_id)
        if needs_environment:
            await self._sources.require_environment(training.config.env_id, item.run_id)
        policy = await self._sources.find_policy(training, item.id)
        rights = await self._sources.looking.find_rights(item.run_id)
        if rights is None:
            return policy, None
        if not rights.landlock:
            raise NotReady(
                f"“{item.run_name}” comes from elsewhere, and this machine cannot confine the code in its file.",
                next_step="Use Linux 5.13 or newer with Landlock; `rl-lab doctor` shows what this machine can confine.",
            )
        return policy, rights._replace(reads=[*rights.reads, str(policy["checkpoint"])])

    async def _ask(self, key: str, name: str, question: dict[str, Any], rights: Confinement | None) -> Any:
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        answer = await self._calls.ask(
            key, lambda: call_worker(name, question, timeout_s=LONGEST_S, confine=rights)
        )
        self._known[key] = answer
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return answer


def compare_configs(first: object, second: object) -> list[ParameterDifference]:
    """What differs, parameters first."""
    one, other = (_flat(config) for config in (first, second))
    names = [name for name in dict.fromkeys([*one, *other]) if one.get(name) != other.get(name)]
    names.sort(key=lambda name: not name.startswith("params."))
    return [ParameterDifference(name=name, first=one.get(name), second=other.get(name)) for name in names]


def _flat(config: object) -> dict[str, Any]:
    if not isinstance(config, TrainConfig):
        return {}
    fields = config.model_dump(mode="json", exclude=set(ABOUT_A_RUN))
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{key}": inner for key, inner in value.items()}
        else:
            flat[name] = value
    return flat
