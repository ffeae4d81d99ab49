"""Evaluation code that is tried on a machine without Landlock is approved first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.contexts import temporary_context

from rl_lab.core.errors import ConsentNeeded, NotFound
from rl_lab.core.workbench.codes import code_hash
from rl_lab.core.workbench.evaluation_previews import EvaluationPreviewQuestion
from rl_lab.guardian.confinement.probe import Available
from rl_lab.orchestrator import code_consents
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.reward_files import RewardFiles
from rl_lab.orchestrator.workbench.evaluation_previews import EvaluationPreviews

pytestmark = pytest.mark.anyio
SOURCE = "def evaluate(episode):\n    return {'x': 1.0}\n"


class NoRuns:
    """`Sources` of a lab without runs."""

    def __init__(self, context: Context) -> None:
        self.rewards = RewardFiles(context)

    async def get_run(self, run_id: str) -> None:
        raise NotFound(f"There is no run {run_id}.")


async def test_code_that_cannot_be_isolated_is_approved_by_its_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_consents, "probe", lambda: Available("linux"))
    async with temporary_context(tmp_path) as context:
        sources: Any = NoRuns(context)
        previews = EvaluationPreviews(context, sources)
        asked = EvaluationPreviewQuestion(source=SOURCE, run_id="1h5w2k0p7q3x")
        with pytest.raises(ConsentNeeded) as refused:
            await previews.preview(asked)
        assert [one.allowed for one in refused.value.errors] == [[code_hash(SOURCE)]]
        approved = asked.model_copy(update={"consent": code_hash(SOURCE)})
        for question in (approved, asked):
            with pytest.raises(NotFound):
                await previews.preview(question)
