"""Tags and notes of checkpoints: what a user wrote about is pinned, and belongs to contents that are not replaced."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from support.contexts import add_run, temporary_context

from rl_lab.core.disk.artifacts import Artifact, ArtifactPatch
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.housekeeping.artifact_edits import ArtifactEdits
from rl_lab.store import artifacts


def checkpoint(run: Run, path: str, sha256: str, role: str = "interval") -> Artifact:
    return Artifact(
        id=artifacts.artifact_id(run.id, path),
        run_id=run.id,
        path=path,
        kind="checkpoint",
        sha256=sha256,
        role=role,
        timestep=10,
        created_at=run.created_at,
    )


async def put(context: Context, made: Artifact) -> Artifact:
    return await context.db.write(lambda conn: artifacts.upsert(conn, made))


def edited(home: Path, patch: dict[str, Any], *, has_twin: bool = True) -> tuple[Artifact, Artifact]:
    """The best checkpoint and the answer, after its patch and after it was replaced."""

    async def scenario() -> tuple[Artifact, Artifact]:
        async with temporary_context(home) as context:
            run = await add_run(context)
            if has_twin:
                await put(context, checkpoint(run, "step", "aa"))
            best = await put(context, checkpoint(run, "best", "aa", "best"))
            edits = ArtifactEdits(context, None)  # type: ignore[arg-type]
            answer = await edits.change(best.id, ArtifactPatch(**patch))
            return await put(context, checkpoint(run, "best", "bb", "best")), answer

    return asyncio.run(scenario())


def test_a_tag_of_the_best_checkpoint_goes_to_the_one_of_its_step_and_pins_it(tmp_path: Path) -> None:
    best, answer = edited(tmp_path, {"tags": ["good", "good", " late "], "note": "lands softly"})
    assert (answer.path, answer.tags, answer.note, answer.pinned) == (
        "step",
        ["good", "late"],
        "lands softly",
        True,
    )
    assert (best.tags, best.note, best.pinned) == ([], "", False)


def test_tags_of_a_best_checkpoint_that_is_replaced_are_not_those_of_the_next(tmp_path: Path) -> None:
    best, answer = edited(tmp_path, {"tags": ["good"]}, has_twin=False)
    assert (answer.path, answer.tags) == ("best", ["good"])
    assert best.tags == []


def test_a_tag_without_a_pin_and_a_pin_alone(tmp_path: Path) -> None:
    _, answer = edited(tmp_path, {"tags": ["x"], "pinned": False})
    assert (answer.tags, answer.pinned) == (["x"], False)
    _, answer = edited(tmp_path / "b", {"pinned": True})
    assert (answer.path, answer.pinned) == ("best", True)
    _, answer = edited(tmp_path / "c", {"tags": [], "note": ""})
    assert not answer.pinned


@pytest.mark.parametrize(
    "patch",
    [
        {"tags": ["x" * 65]},
        {"tags": [" "]},
        {"tags": [*map(str, range(33))]},
        {"note": "x" * 4001},
        {"size": 1},
    ],
)
def test_labels_have_bounds(patch: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ArtifactPatch(**patch)
