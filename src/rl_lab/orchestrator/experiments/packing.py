"""What goes into a pack: the members of runs and studies, read while the pack is being sent. Blocks; on a thread."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Forbidden, LabError
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.start_points import START_KIND
from rl_lab.core.reproduction.packs import (
    PACK_FILE,
    PACK_FORMAT,
    CheckpointChoice,
    PackedDataset,
    PackedRun,
    PackedStudy,
    PackManifest,
    PackMember,
    RunRecord,
    StudyRecord,
    member_of,
)
from rl_lab.core.runs import Run
from rl_lab.guardian.files import LAUNCH_FILE
from rl_lab.orchestrator.execution.own_code_files import OWN_CODE_FILE
from rl_lab.orchestrator.execution.reward_files import REWARD_FILE
from rl_lab.orchestrator.experiments import packed_datasets
from rl_lab.portable.regular_files import open_regular
from rl_lab.store.files.attempt_folder import newest_attempt
from rl_lab.store.files.folder_trees import walk_tree
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.safe_open import split_path
from rl_lab.store.files.zip_stream import ZipMember, stream_zip
from rl_lab.store.telemetry.copies import copy_to

CHUNK = 1 << 18
KINDS = frozenset({"model", "video", "clip", "film", "image", START_KIND})
"""Artifacts that a pack always holds; checkpoints are chosen, what a program wrote besides stays behind."""
PACKED_ALREADY = frozenset({".zip", ".mp4", ".webm", ".gif", ".png", ".jpg", ".jpeg", ".safetensors"})
SMALL = ("snapshot.json", "metrics.jsonl", "metrics.json", REWARD_FILE, OWN_CODE_FILE)
"""Files of a run folder that a pack holds as they are."""
MAX_CODE_BYTES = 4 << 20


@dataclass(frozen=True)
class PackSource:
    """One run to pack."""

    record: RunRecord
    folder: RunFolder

    @property
    def run(self) -> Run:
        return self.record.run


@dataclass(frozen=True)
class PackPlan:
    name: str
    runs: Sequence[PackSource]
    studies: Sequence[StudyRecord]
    report: str
    scratch: Path
    """A folder for copies of databases."""
    datasets: Sequence[packed_datasets.DatasetSource] = ()


@dataclass
class _Written:
    members: dict[str, PackMember] = field(default_factory=dict)
    datasets: list[PackedDataset] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def chosen_artifacts(found: Iterable[Artifact], checkpoints: CheckpointChoice) -> list[Artifact]:
    """The files of a run that go into its pack."""
    kept = [one for one in found if not one.is_elsewhere]
    files = [one for one in kept if one.kind in KINDS]
    saved = [one for one in kept if one.kind == "checkpoint"]
    if checkpoints == "none":
        return [one for one in files if one.kind != "model"]
    if checkpoints == "best" and saved:
        saved = [max(saved, key=lambda one: (one.role == "best", one.timestep or 0, one.created_at))]
    return [*files, *saved]


def stream_pack(plan: PackPlan) -> Iterator[bytes]:
    """The bytes of the pack; its list comes last, because it holds the hashes of everything before."""
    written = _Written()
    return stream_zip(_members(plan, written))


def _members(plan: PackPlan, written: _Written) -> Iterator[ZipMember]:
    for source in plan.runs:
        for member in _run_members(source, plan.scratch, written):
            yield _hashed(member, written)
    for member in _dataset_members(plan.datasets, written):
        yield _hashed(member, written)
    for record in plan.studies:
        yield _hashed(_json(f"studies/{record.study.id}.json", record.model_dump(mode="json")), written)
    constraints = _constraints(plan.runs)
    if constraints:
        yield _hashed(ZipMember("constraints.txt", [constraints.encode()]), written)
    yield _hashed(ZipMember("report.html", [plan.report.encode()]), written)
    yield _hashed(ZipMember("README.txt", [_readme(plan, bool(constraints), written).encode()]), written)
    manifest = PackManifest(
        format=PACK_FORMAT if written.datasets else 1,
        lab_version=version("rl-lab"),
        name=plan.name,
        packed_at=datetime.now(UTC),
        runs=[_packed_run(source.run) for source in plan.runs],
        studies=[_packed_study(record) for record in plan.studies],
        datasets=written.datasets,
        notes=written.notes[:1000],
        members=written.members,
    )
    yield _json(PACK_FILE, manifest.model_dump(mode="json"))


def _dataset_members(
    sources: Iterable[packed_datasets.DatasetSource], written: _Written
) -> Iterator[ZipMember]:
    for source in sources:
        copy = packed_datasets.pick_copy(source)
        if isinstance(copy, str):
            written.notes.append(copy)
            continue
        written.datasets.append(packed_datasets.about(copy))
        yield from packed_datasets.members(copy)


def _run_members(source: PackSource, scratch: Path, written: _Written) -> Iterator[ZipMember]:
    run_id, folder = source.run.id, source.folder
    kept = []
    for artifact in source.record.artifacts:
        try:
            fd = folder.open_beneath(artifact.path)
        except LabError as error:
            written.notes.append(f"{source.run.name}: {artifact.path} is left out: {error.detail}")
            continue
        kept.append(artifact)
        is_packed = Path(artifact.path).suffix.lower() in PACKED_ALREADY
        yield ZipMember(member_of(run_id, f"files/{artifact.path}"), _read_fd(fd), is_packed)
    for name in SMALL:
        try:
            fd = folder.open_beneath(name)
        except LabError:
            continue  # not every run has each
        yield ZipMember(member_of(run_id, name), _read_fd(fd))
    config = source.run.config.model_dump(mode="json")
    yield _json(member_of(run_id, "config.json"), config)
    yield from _code_members(source, written)
    if folder.telemetry.exists():
        yield ZipMember(member_of(run_id, "telemetry.db"), _telemetry(folder.telemetry, scratch))
    record = source.record.model_copy(update={"artifacts": kept})
    yield _json(member_of(run_id, "run.json"), record.model_dump(mode="json"))


def _telemetry(path: Path, scratch: Path) -> Iterator[bytes]:
    """Copied first: a database that is in use is more than one file."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        copy = Path(folder) / "telemetry.db"
        copy_to(path, copy)
        with copy.open("rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk


def _code_members(source: PackSource, written: _Written) -> Iterator[ZipMember]:
    """The script and the modules next to it, if they are still what ran."""
    agreed = _agreed_files(source.folder.path)
    if not agreed:
        yield from _imported_code(source)
        return
    top = os.path.commonpath([os.path.dirname(path) for path in agreed])  # noqa: PTH120
    for path, sha256 in sorted(agreed.items()):
        name = os.path.relpath(path, top)
        try:
            split_path(name)
            with open_regular(path) as file:
                data = file.read(MAX_CODE_BYTES + 1)
        except (Forbidden, OSError) as error:
            written.notes.append(f"{source.run.name}: {name} is left out: it cannot be read ({error}).")
            continue
        if hashlib.sha256(data).hexdigest() != sha256:
            written.notes.append(f"{source.run.name}: {name} is left out: it has changed since the run.")
            continue
        yield ZipMember(member_of(source.run.id, f"code/{name}"), [data])


def _imported_code(source: PackSource) -> Iterator[ZipMember]:
    """Of a run that came with a pack: the code that came with it."""
    top = source.folder.path / "code"
    for entry in walk_tree(top):
        if entry.is_file(follow_symlinks=False):
            name = os.path.relpath(entry.path, top)
            fd = source.folder.open_beneath(f"code/{name}")
            yield ZipMember(member_of(source.run.id, f"code/{name}"), _read_fd(fd))


def _agreed_files(run_folder: Path) -> dict[str, str]:
    """What the newest attempt ran, with hashes: of a script in job.json, of a program in launch.json."""
    attempt = newest_attempt(run_folder)
    if attempt is None:
        return {}
    for file, keys in (("job.json", ("inputs", "agreed")), (LAUNCH_FILE, ("agreed",))):
        try:
            found: Any = orjson.loads((attempt / file).read_bytes())
            for key in keys:
                found = found[key]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if isinstance(found, dict) and found:
            return {str(path): str(sha256) for path, sha256 in found.items()}
    return {}


def _hashed(member: ZipMember, written: _Written) -> ZipMember:
    """The member, noted with its size and hash once it was read."""

    def read() -> Iterator[bytes]:
        digest, size = hashlib.sha256(), 0
        for chunk in member.chunks:
            digest.update(chunk)
            size += len(chunk)
            yield chunk
        written.members[member.name] = PackMember(size=size, sha256=digest.hexdigest())

    return member._replace(chunks=read())


def _json(name: str, value: Any) -> ZipMember:
    return ZipMember(
        name, [orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS) + b"\n"]
    )


def _read_fd(fd: int) -> Iterator[bytes]:
    with os.fdopen(fd, "rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _packed_run(run: Run) -> PackedRun:
    training = run.config if isinstance(run.config, TrainConfig) else None
    return PackedRun(
        id=run.id,
        name=run.name[:1000],
        kind=str(run.kind),
        runner=training.runner if training else None,
        algorithm=run.algorithm,
        env_id=run.env_id,
        seed=training.seed if training else None,
        status=str(run.status),
        steps=run.progress.timestep,
        episodes=run.progress.episodes,
    )


def _packed_study(record: StudyRecord) -> PackedStudy:
    study = record.study
    runs = sum(len(variant.run_ids) for variant in record.variants)
    return PackedStudy(
        id=study.id,
        name=study.name[:1000],
        question=study.plan.question,
        variants=len(record.variants),
        runs=runs,
    )


def _constraints(sources: Sequence[PackSource]) -> str:
    """The packages of the runs, as pip reads them; of two versions the first run's."""
    found: dict[str, str] = {}
    for source in sources:
        try:
            snapshot = orjson.loads(source.folder.read_bytes("snapshot.json", 4 << 20))
            packages = snapshot["packages"]
            found = {**{str(name): str(one) for name, one in packages.items()}, **found}
        except (LabError, OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return "".join(f"{name}=={found[name]}\n" for name in sorted(found, key=str.lower))


README = """{name}
{line}

A pack of RL Lab {version}: {runs} with configuration, seeds, curves, episodes,
recordings, chosen checkpoints, evaluations, notes and event log.

  report.html            what came out; opens in any browser
  runs/*/config.json     the complete configuration of each run
  runs/*/metrics.jsonl   one JSON object per episode and update
  runs/*/code/           the scripts that ran, if they were scripts
  runs/*/reward.py       the reward it learned from, if that was not the environment's
{datasets}  pack.json              every file with its size and SHA-256

Look at it in your own lab (nothing in the pack is executed by this):

  pip install rl-lab
  rl-lab unpack FILE.zip
  rl-lab serve

Run it again with the same seeds, and compare:

{constraints}  rl-lab verify FILE.zip
  rl-lab train --config config.json
"""


DATASETS = "  datasets/*/            the datasets they learned from: one .npy file per column\n"


def _readme(plan: PackPlan, has_constraints: bool, written: _Written) -> str:
    install = "  pip install rl-lab -c constraints.txt    # the same versions\n" if has_constraints else ""
    count = len(plan.runs)
    return README.format(
        name=plan.name,
        line="=" * min(72, len(plan.name)),
        version=version("rl-lab"),
        runs="one run" if count == 1 else f"{count} runs",
        constraints=install,
        datasets=DATASETS if written.datasets else "",
    )
