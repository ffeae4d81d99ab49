"""The dataset of a new training: its exact version, and whether it fits runner, algorithm and environment."""

from __future__ import annotations

from rl_lab.core.datasets.datasets import DatasetVersion
from rl_lab.core.datasets.fitting import action_kind_of, fitting, refuse_dataset, refuse_prefill
from rl_lab.core.datasets.manifest import ACTIONS, OBSERVATIONS
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import InvalidInput, nearest
from rl_lab.core.runners import AlgorithmSpec, RunnerSpec
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.execution.unpublished import wait_for_versions
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.runners.registry import all_specs, find_spec
from rl_lab.store.datasets.versions import find_contents, find_version, list_newest

FIELD = "dataset"


class LearnedDatasets:
    def __init__(self, context: Context, catalogue: Catalogue) -> None:
        self._db, self._catalogue = context.db, catalogue

    async def complete(self, new: NewRun) -> NewRun:
        """The request with the exact version and its environment; InvalidInput when it does not fit."""
        spec = find_spec(new.runner)
        algorithm = next((one for one in spec.algorithms if one.id == new.algorithm.lower()), None)
        if new.dataset is None:
            if spec.capabilities.dataset:
                raise await self._missing(new, spec, algorithm)
            return new
        if not spec.capabilities.dataset:
            _require_prefill(spec, algorithm)
        version = await self._find(new.dataset, new, algorithm)
        _require_fit(version, new, algorithm)
        _require_finite(version)
        if not spec.capabilities.dataset:
            await self._require_same_spaces(version, new)
        choice = DatasetChoice(name=version.name, version=version.version, sha256=version.sha256)
        return new.model_copy(
            update={
                FIELD: choice,
                "env_id": new.env_id or version.env_id,
                "env_kwargs": {**version.env_kwargs, **new.env_kwargs},
            }
        )

    async def _require_same_spaces(self, version: DatasetVersion, new: NewRun) -> None:
        """As far as the catalogue knows them, without arguments; the worker compares the real ones."""
        is_plain = not new.env_kwargs and not version.env_kwargs
        environment = await self._catalogue.find_approved(new.env_id) if is_plain else None
        refusal = refuse_prefill(version, environment)
        if refusal is not None:
            raise InvalidInput.of_field(
                FIELD, f"{refusal} Choose a dataset of this environment, or leave it out."
            )

    async def _find(
        self, choice: DatasetChoice, new: NewRun, algorithm: AlgorithmSpec | None
    ) -> DatasetVersion:
        """The named version; one with the named contents wherever the lab has them."""
        await wait_for_versions(self._db, choice.name)
        found = await self._db.read(lambda conn: find_version(conn, choice.name, choice.version))
        if found is not None and choice.sha256 in (None, found.sha256):
            return found
        sha256 = choice.sha256
        same = await self._db.read(lambda conn: find_contents(conn, sha256)) if sha256 else None
        if same is not None:
            return same
        newest = await self._db.read(list_newest)
        fits = fitting(newest, algorithm, new.env_id)
        if found is not None:
            message = (
                f"{choice} has other contents than those that are asked for: {found.sha256[:12]} instead of "
                f"{(sha256 or '')[:12]}. Leave the hash out to learn from what is there now."
            )
            raise InvalidInput.of_field(FIELD, message, fits)
        raise InvalidInput.of_field(FIELD, _unknown(choice, newest), fits)

    async def _missing(self, new: NewRun, spec: RunnerSpec, algorithm: AlgorithmSpec | None) -> InvalidInput:
        fits = fitting(await self._db.read(list_newest), algorithm, new.env_id)
        if fits:
            rest = f"These fit: {', '.join(fits[:5])}{', …' if len(fits) > 5 else ''}."
        else:
            where = f" for {new.env_id}" if new.env_id else ""
            rest = f"There is none{where} yet: make or import one on the page Datasets, or with `rl-lab datasets`."
        return InvalidInput.of_field(FIELD, f"{spec.name} learns from a dataset: name one. {rest}", fits)


def _require_prefill(spec: RunnerSpec, algorithm: AlgorithmSpec | None) -> None:
    """Of a learner in the environment: it needs a replay buffer that can begin with the dataset."""
    if algorithm is not None and algorithm.prefill:
        return
    specs = all_specs()
    able = [one.id for one in specs if one.capabilities.dataset]
    buffers = [f"{one.id}/{known.id}" for one in specs for known in one.algorithms if known.prefill]
    other = f" Leave the dataset out, or choose the runner {' or '.join(able)}" if able else ""
    begun = f"; the replay buffer of {', '.join(buffers)} can begin with it" if buffers and other else ""
    named = f"{algorithm.name} ({spec.id})" if algorithm is not None else spec.name
    message = f"{named} learns in the environment, not from a dataset.{other}{begun}{'.' if other else ''}"
    raise InvalidInput.of_field(FIELD, message, [*able, *buffers])


def _unknown(choice: DatasetChoice, newest: list[DatasetVersion]) -> str:
    names = [one.name for one in newest]
    same = next((one for one in newest if one.name.lower() == choice.name.lower()), None)
    if same is not None:
        return f"The dataset “{same.name}” has no version {choice.version}; its newest is v{same.version}."
    close = nearest(choice.name, names, 1)
    hint = f" Did you mean {close[0]}?" if close else " `rl-lab datasets` lists those that there are."
    return f"There is no dataset “{choice.name}”.{hint}"


def _require_finite(version: DatasetVersion) -> None:
    """Of rewards not: those of a user's own reward may take their place."""
    known = version.statistics.not_finite if version.statistics is not None else {}
    found = [name for name in known if known[name] and name.partition(".")[0] in (OBSERVATIONS, ACTIONS)]
    if found:
        raise InvalidInput.of_field(
            FIELD,
            f"{version.name}@v{version.version} has numbers that are NaN or infinite in {', '.join(found)}. "
            "`rl-lab datasets prune` makes a version without such episodes.",
        )


def _require_fit(version: DatasetVersion, new: NewRun, algorithm: AlgorithmSpec | None) -> None:
    refusal = refuse_dataset(version, None, new.env_id)
    if refusal is not None:
        raise InvalidInput.of_field(
            "env_id", f"{refusal} Leave the environment out, or choose another dataset.", [version.env_id]
        )
    refusal = refuse_dataset(version, algorithm, new.env_id)
    if refusal is not None and algorithm is not None:
        kind = action_kind_of(version.action_space)
        spec = find_spec(new.runner)
        able = [one.id for one in spec.algorithms if kind in one.action_kinds]
        raise InvalidInput.of_field("algorithm", refusal, able)
    for name, value in version.env_kwargs.items():
        if name in new.env_kwargs and new.env_kwargs[name] != value:
            message = f"The episodes of {version.name}@v{version.version} were played with {name} = {value}."
            raise InvalidInput.of_field("env_kwargs", message, version.env_kwargs)
