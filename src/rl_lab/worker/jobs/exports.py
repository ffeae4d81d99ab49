"""A checkpoint in another library's form, written by the runner that made it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.core.job_file import PolicyInput
from rl_lab.portable.atomic_files import save_file
from rl_lab.worker.checkpoint_files import verified
from rl_lab.worker.runner import runner_of


def export_model(given: dict[str, Any]) -> dict[str, Any]:
    """`policy` is a PolicyInput, `format` one of the runner's exports, `path` where the file goes."""
    policy = PolicyInput.model_validate(given["policy"])
    runner = runner_of(policy.runner)
    export = getattr(runner, "export", None)
    if export is None or given["format"] not in runner.spec.capabilities.exports:
        raise InvalidInput.of_field("format", f"{runner.spec.name} cannot export to {given['format']}.")
    with verified(policy.checkpoint, policy.sha256) as checkpoint:
        saved = save_file(lambda path: export(checkpoint, given["format"], path), Path(given["path"]))
    return {"size": saved.size, "sha256": saved.sha256}
