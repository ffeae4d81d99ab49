"""Packages a checkpoint: its runner writes the model, the rest follows from facts that the lab collected."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, cast

from rl_lab.analysis.models.card import FILE_MEANINGS, write_card
from rl_lab.analysis.models.licence_texts import licence_text
from rl_lab.core.job_file import PolicyInput
from rl_lab.core.models.packages import (
    CARD,
    CONFIG,
    EXAMPLE,
    LICENCE_FILE,
    PACKAGE_FORMAT,
    PACKAGE_VERSION,
    REPLAY,
    REQUIREMENTS,
    CardFacts,
    PackagedFile,
    PackagePreview,
)
from rl_lab.worker.checkpoint_files import verified
from rl_lab.worker.models.examples import distribution
from rl_lab.worker.models.zip_files import write_zip
from rl_lab.worker.runner import PackagedModel, Packager, runner_of


def make_package(given: dict[str, Any]) -> dict[str, Any]:
    """`policy` is a PolicyInput, `facts` are CardFacts, `video` a file or null; the zip is written to `output`."""
    with tempfile.TemporaryDirectory(prefix="rl-lab-package-") as folder:
        preview = build_package(Path(folder), given)
        output = given.get("output")
        if output is not None:
            with os.fdopen(int(output), "wb", closefd=False) as file:
                write_zip(file, Path(folder), [file.name for file in preview.files])
    return preview.model_dump(mode="json")


def build_package(folder: Path, given: dict[str, Any]) -> PackagePreview:
    """Writes all files of a package into an empty folder."""
    policy, facts = PolicyInput.model_validate(given["policy"]), CardFacts.model_validate(given["facts"])
    made = _write_model(folder, policy)
    texts = {
        CONFIG: _config(policy, facts, made),
        LICENCE_FILE: _licence(facts),
        REQUIREMENTS: _requirements(made, facts),
        EXAMPLE: made.example,
    }
    if given.get("video"):
        shutil.copyfile(given["video"], folder / REPLAY)
    files = {**made.files, **{name: what for name, what in FILE_MEANINGS.items() if name in texts}}
    if given.get("video"):
        files[REPLAY] = FILE_MEANINGS[REPLAY]
    texts[CARD] = write_card(facts, library=made.library, example=made.example, files=files)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    notes = [*made.notes, *given.get("notes", [])]
    return PackagePreview(card=texts[CARD], files=_list(folder), notes=notes)


def _write_model(folder: Path, policy: PolicyInput) -> PackagedModel:
    runner = cast(Packager, runner_of(policy.runner))
    with verified(policy.checkpoint, policy.sha256) as checkpoint:
        return runner.package(checkpoint, policy.config, folder)


def _config(policy: PolicyInput, facts: CardFacts, made: PackagedModel) -> str:
    content = {
        "format": PACKAGE_FORMAT,
        "version": PACKAGE_VERSION,
        "model": made.model,
        "sha256": facts.sha256,
        "runner": policy.config.runner,
        "algorithm": policy.config.algorithm,
        "env_id": policy.config.env_id,
        "env_kwargs": policy.config.env_kwargs,
        "timestep": facts.timestep,
        "run": facts.run_name,
        "evaluation": facts.evaluation.summary.model_dump(mode="json") if facts.evaluation else None,
        "config": policy.config.model_dump(mode="json"),
        "lab_version": facts.lab_version,
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _licence(facts: CardFacts) -> str:
    year = facts.trained_at.year if facts.trained_at else 1980
    return licence_text(facts.licence, year=year, author=facts.author)


def _requirements(made: PackagedModel, facts: CardFacts) -> str:
    """Versions of the training; of a package that was not recorded then, the one that is installed now."""
    recorded = {_plain(name): version for name, version in facts.packages.items()}
    lines = []
    for module in made.packages:
        name = distribution(module)
        version = recorded.get(_plain(name)) or _installed(name)
        # A local version such as 2.9.0+cpu is not on PyPI.
        lines.append(f"{name}=={version.partition('+')[0]}" if version else name)
    return "\n".join(sorted(lines, key=str.lower)) + "\n"


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _list(folder: Path) -> list[PackagedFile]:
    """The card first, then by name."""
    paths = sorted(folder.iterdir(), key=lambda path: (path.name != CARD, path.name))
    return [PackagedFile(name=path.name, size=path.stat().st_size, sha256=_hash(path)) for path in paths]


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
