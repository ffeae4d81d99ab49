"""Takes a checked pack apart, in a folder of its own: nothing reaches the lab's runs before all of it is right.

Blocks; on a thread. Only known files are taken: never an attempt's folder, whose files decide what a process may read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.reproduction.origins import PackOrigin
from rl_lab.core.reproduction.packs import RunRecord, StudyRecord, dataset_member, member_of, replace_ids
from rl_lab.core.runs import FINAL, Run
from rl_lab.core.studies.studies import STUDY_ENDED, Study, StudyStatus
from rl_lab.core.workbench.codes import NewCode
from rl_lab.orchestrator.execution.own_code_files import OWN_CODE_FILE
from rl_lab.orchestrator.execution.reward_files import REWARD_FILE
from rl_lab.orchestrator.experiments.packed_own_code import read_all_own_code
from rl_lab.orchestrator.experiments.packed_rewards import read_rewards
from rl_lab.orchestrator.experiments.unpacked_datasets import UnpackedDataset, unpack_all
from rl_lab.store.artifacts import artifact_id
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.pack_files import OpenedPack, refused
from rl_lab.store.telemetry.untrusted import BadTelemetry, copy_telemetry

M = TypeVar("M", bound=BaseModel)
MAX_RECORD_BYTES = 64 << 20
MAX_NUMBER = 2**53
PLAIN = ("snapshot.json", "metrics.jsonl", "metrics.json", REWARD_FILE, OWN_CODE_FILE)
AROUND = frozenset({"README.txt", "report.html", "constraints.txt"})
"""Members for people who have no lab; the lab makes its own."""
RESERVED = frozenset(
    {"attempts", "code", "config.json", "files", "manifest.json", "telemetry.db", "tensorboard", *PLAIN}
)
"""Names in a run folder that only the lab writes, or that have their own place in a pack."""
TRUSTED_DATA = frozenset({"in_source", "joined", "name", "job", "is_exported", "url"})
"""What the lab believes of an artifact's data, so a pack cannot say it."""


@dataclass(frozen=True)
class Unpacked:
    """Runs and studies as they will be in this lab; the folders of the runs are complete."""

    runs: Sequence[RunRecord]
    """A run after the one it belongs to."""
    studies: Sequence[StudyRecord]
    rewards: Sequence[NewCode]
    """Which its trainings learned from."""
    own_code: Mapping[OwnEnvironment, str]
    """Of environments and wrappers that somebody wrote."""
    datasets: Sequence[UnpackedDataset] = ()
    """Which its trainings learned from."""


@dataclass(frozen=True)
class PackFacts:
    """Where the runs come from, and the ids they get."""

    name: str
    sha256: str
    runs: Mapping[str, str]
    studies: Mapping[str, str]


def unpack(pack: OpenedPack, home: Path, facts: PackFacts) -> Unpacked:
    """Writes the folders of the runs below `home`, which is a folder for this pack alone."""
    _check_names(pack)
    records = [_read_record(pack, run.id) for run in pack.manifest.runs]
    studies = [_read_study(pack, study.id) for study in pack.manifest.studies]
    ids = {**facts.runs, **facts.studies, **_artifact_ids(records, facts.runs)}
    made = [_renamed(record, ids, facts, pack) for record in records]
    for old, record in zip(records, made, strict=True):
        _write_folder(pack, old.run.id, RunFolder(home, record.run.id), record)
    ordered = sorted(made, key=lambda record: record.run.parent_id is not None)
    renamed = [_renamed_study(record, ids) for record in studies]
    rewards, own_code = read_rewards(home, made), read_all_own_code(home, made)
    return Unpacked(ordered, renamed, rewards, own_code, unpack_all(pack, home))


def _check_names(pack: OpenedPack) -> None:
    runs = {run.id for run in pack.manifest.runs}
    studies = {f"studies/{study.id}.json" for study in pack.manifest.studies}
    datasets = tuple(dataset_member(one.sha256, "") for one in pack.manifest.datasets)
    if len(runs) != len(pack.manifest.runs):
        raise refused("it lists a run twice")
    for name in pack.manifest.members:
        if name in AROUND or name in studies or name.startswith(datasets):
            continue  # the files of datasets are compared with what describes them
        top, _, rest = name.partition("/")
        run_id, _, path = rest.partition("/")
        place, _, inner = path.partition("/")
        is_file = (place == "files" and inner.partition("/")[0] not in RESERVED) or place == "code"
        is_known = path in (*PLAIN, "run.json", "config.json", "telemetry.db") or (is_file and inner)
        if top != "runs" or run_id not in runs or not is_known:
            raise refused(f"its member “{name}” has no place in a pack")


def _read_record(pack: OpenedPack, run_id: str) -> RunRecord:
    name = member_of(run_id, "run.json")
    record = _parse(pack, name, RunRecord)
    run = record.run
    if run.id != run_id:
        raise refused(f"its member “{name}” is about another run")
    if run.status not in FINAL:
        raise refused(f"its run {run_id} has not ended")
    if len(run.name) > 1000 or len(run.tags) > 1000 or any(len(tag) > 1000 for tag in run.tags):
        raise refused(f"its member “{name}” has a name or tags that are too long")
    return record


def _read_study(pack: OpenedPack, study_id: str) -> StudyRecord:
    name = f"studies/{study_id}.json"
    record = _parse(pack, name, StudyRecord)
    numbers = [variant.number for variant in record.variants]
    if record.study.id != study_id or len(set(numbers)) != len(numbers):
        raise refused(f"its member “{name}” is about another study, or lists a variant twice")
    return record


def _parse(pack: OpenedPack, name: str, model: type[M]) -> M:
    try:
        found = orjson.loads(pack.read(name, MAX_RECORD_BYTES))
        _check_numbers(found)
        return model.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise refused(f"its member “{name}” is not valid: {place}: {first['msg']}") from None
    except (ValueError, RecursionError) as error:
        raise refused(f"its member “{name}” is not valid: {error}") from None


def _check_numbers(value: Any) -> None:
    """Numbers that a database can store."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            waiting += found.values()
        elif isinstance(found, list):
            waiting += found
        elif isinstance(found, int) and abs(found) > MAX_NUMBER:
            raise ValueError(f"the number {str(found)[:30]} is too large")
        elif isinstance(found, float) and found.is_integer() and MAX_NUMBER < abs(found) < 1e300:
            # As an integer it would not fit; as a reward it is possible, but no learner gets that far.
            raise ValueError(f"the number {found:g} is too large")


def _artifact_ids(records: Sequence[RunRecord], new: Mapping[str, str]) -> dict[str, str]:
    """Ids of artifacts follow from the id of their run."""
    return {
        artifact.id: artifact_id(new[record.run.id], artifact.path)
        for record in records
        for artifact in record.artifacts
    }


def _renamed(record: RunRecord, ids: dict[str, str], facts: PackFacts, pack: OpenedPack) -> RunRecord:
    """The record as this lab stores it: new ids, its origin, and nothing that would make the lab believe a path."""
    old, manifest = record.run, pack.manifest
    changed = RunRecord.model_validate(replace_ids(record.model_dump(mode="json"), ids))
    known = set(facts.runs.values())
    origin = PackOrigin(
        pack=facts.name,
        sha256=facts.sha256,
        run_id=old.id,
        lab_version=manifest.lab_version,
        packed_at=manifest.packed_at,
        imported_at=datetime.now(UTC),
    )
    changes = {
        "origin": origin,
        "source": None,
        "parent_id": changed.run.parent_id if changed.run.parent_id in known else None,
        "study_id": facts.studies.get(old.study_id or ""),
        "variant": old.variant if old.study_id in facts.studies else None,
        "archived": False,
        "deleted_at": None,
        "paused_wanted": False,
        "priority": 0,
    }
    run: Run = changed.run.model_copy(update=changes)
    files = [_own_artifact(pack, old.id, run.id, one) for one in changed.artifacts]
    return changed.model_copy(update={"run": run, "artifacts": files})


def _own_artifact(pack: OpenedPack, old_id: str, run_id: str, artifact: Artifact) -> Artifact:
    member = pack.manifest.members.get(member_of(old_id, f"files/{artifact.path}"))
    if member is None:
        raise refused(f"the file “{artifact.path}” of its run {old_id} is missing")
    data = {name: value for name, value in artifact.data.items() if name not in TRUSTED_DATA}
    return artifact.model_copy(
        update={
            "id": artifact_id(run_id, artifact.path),
            "run_id": run_id,
            "size": member.size,
            "sha256": member.sha256,
            "title": artifact.title[:1000],
            "data": data,
        }
    )


def _renamed_study(record: StudyRecord, ids: dict[str, str]) -> StudyRecord:
    changed = StudyRecord.model_validate(replace_ids(record.model_dump(mode="json"), ids))
    study: Study = changed.study
    if study.status not in STUDY_ENDED:
        study = study.model_copy(update={"status": StudyStatus.stopped})
    study = study.model_copy(update={"deleted_at": None, "priority": 0})
    variants = [one.model_copy(update={"study_id": study.id}) for one in changed.variants]
    return StudyRecord(study=study, variants=variants)


def _write_folder(pack: OpenedPack, old_id: str, folder: RunFolder, record: RunRecord) -> None:
    folder.create()
    folder.checkpoints.mkdir(exist_ok=True)
    folder.write_config(record.run.config)
    members = pack.manifest.members
    for name in PLAIN:
        if member_of(old_id, name) in members:
            _extract(pack, member_of(old_id, name), folder, name)
    for artifact in record.artifacts:
        _extract(pack, member_of(old_id, f"files/{artifact.path}"), folder, artifact.path)
    code = member_of(old_id, "code/")
    for name in members:
        if name.startswith(code):
            _extract(pack, name, folder, f"code/{name.removeprefix(code)}")
    if member_of(old_id, "telemetry.db") in members:
        _take_telemetry(pack, old_id, folder)


def _extract(pack: OpenedPack, name: str, folder: RunFolder, path: str) -> None:
    with folder.creating(path) as fd, os.fdopen(fd, "wb", closefd=False) as file:
        pack.copy(name, file.write)


def _take_telemetry(pack: OpenedPack, old_id: str, folder: RunFolder) -> None:
    """Copied row by row; the foreign database is deleted again."""
    foreign = folder.path / "foreign.db"
    with foreign.open("xb") as file:
        pack.copy(member_of(old_id, "telemetry.db"), file.write)
    try:
        copy_telemetry(foreign, folder.telemetry)
    except BadTelemetry as error:
        raise refused(f"the telemetry.db of its run {old_id} cannot be used: {error}") from None
    finally:
        foreign.unlink()
