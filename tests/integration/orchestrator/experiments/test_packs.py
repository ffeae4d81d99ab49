"""Runs and a study leave one lab and are complete in another."""

from __future__ import annotations

import asyncio
import csv
import io
from pathlib import Path

import pytest
from support.labs import furnish, open_lab, toy, wait_for
from support.packs import read_members, send, write_members
from support.waiting import wait_until_async

from rl_lab.core.errors import MoveRefused
from rl_lab.core.jobs.policy_jobs import EvaluateConfig, VerifyConfig
from rl_lab.core.reproduction.exports import ExportRequest
from rl_lab.core.runs import RunStatus
from rl_lab.core.studies.comparisons import ComparisonQuestion
from rl_lab.core.studies.studies import Study, StudyStatus
from rl_lab.orchestrator.experiments.exports import RunExports
from rl_lab.orchestrator.experiments.requests import NewStudy
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import Again, NewRun
from rl_lab.store.run_pages import RunFilter

TURBO = {"env_id": "CartPole-v1", "runner": "turbo", "algorithm": "ppo", "total_timesteps": 2000, "seed": 5}
FAKE = {"env_id": "CartPole-v1", "algorithm": "toy", "runner": "fake", "total_timesteps": 200}


async def numbers(lab: Lab, run_id: str) -> list[tuple[str, str, str]]:
    rooms = RunExports(lab.context, lab.queries, lab.dashboards.event_exports)
    export = await rooms.open(ExportRequest(runs=[run_id], format="csv"))
    text = b"".join(export.chunks).decode("utf-8-sig")
    return [
        (row["metric"], row["step"], row["value"]) for row in csv.DictReader(io.StringIO(text, newline=""))
    ]


async def make_study(lab: Lab) -> Study:
    sweep = {"parameters": {"learning_rate": {"values": [0.1, 0.2]}}}
    plan = NewStudy.model_validate(
        {"name": "Which rate?", "base": FAKE, "seeds": [3], "sweep": sweep, "start": True, "notes": "*mine*"}
    )
    study = await lab.experiments.studies.create(plan)

    async def find_ended() -> Study | None:
        found = await lab.experiments.studies.get(study.id)
        return found if found.ended_at is not None else None

    return await wait_until_async(find_ended, "the study to end")


def test_a_pack_brings_a_study_and_a_run_complete_into_another_lab(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    furnish(first)
    furnish(second)

    async def pack() -> tuple[bytes, str, str, list[tuple[str, str, str]]]:
        async with open_lab(first) as lab:
            run = await lab.runs.create(NewRun.model_validate({**TURBO, "start": True, "evaluate_after": 1}))
            study = await make_study(lab)
            await wait_for(lab, run.id, RunStatus.succeeded)

            async def is_evaluated() -> bool:
                found = await lab.queries.list_runs(RunFilter(kind="evaluate", status=(RunStatus.succeeded,)))
                return found.total == 1

            await wait_until_async(is_evaluated, "the evaluation to end")
            waiting = await lab.runs.create(toy(start=False))
            with pytest.raises(MoveRefused, match="has not ended"):
                await lab.experiments.packs.make([waiting.id], [])
            made = await lab.experiments.packs.make([run.id], [study.id])
            assert made.name == "3-runs-pack.zip"
            return b"".join(made.chunks), run.id, study.id, await numbers(lab, run.id)

    data, run_id, study_id, curves = asyncio.run(pack())
    members = read_members(data)
    assert {"pack.json", "README.txt", "report.html", "constraints.txt"} <= set(members)
    assert b"numpy==" in members["constraints.txt"] and f"runs/{run_id}/snapshot.json" in members

    async def unpack() -> None:
        async with open_lab(second) as lab:
            room = lab.experiments.packs
            preview = await send(room, data, "results.zip")
            assert preview.taken == [] and len(preview.manifest.runs) == 4
            assert (await lab.queries.list_runs(RunFilter(kind="all"))).total == 0
            # A client that has lost the answer asks again.
            made, again_made = await asyncio.gather(room.take_in(preview.id), room.take_in(preview.id))
            assert again_made == made == await room.take_in(preview.id)
            assert made.runs[run_id] == run_id and made.studies == {study_id: study_id}

            run = await lab.queries.get_run(run_id)
            assert run.origin is not None and run.origin.pack == "results.zip"
            assert run.origin.sha256 == preview.sha256 and run.allowed == []
            assert await numbers(lab, run_id) == curves
            assert (await lab.runs.episodes.best(run_id)).recorded
            assert (await lab.queries.events(run_id))[-1].type == "imported"
            assert len(await lab.queries.artifacts(run_id)) >= 2
            assert "CartPole-v1" in await lab.queries.report(run_id, "text")

            study = await lab.experiments.studies.get(study_id)
            assert (study.name, study.status, study.notes) == ("Which rate?", StudyStatus.finished, "*mine*")
            variants = await lab.experiments.studies.list_variants(study_id)
            assert [len(variant.run_ids) for variant in variants] == [1, 1]
            ids = [one for variant in variants for one in variant.run_ids]
            compared = await lab.experiments.aggregates.compare(ids, ComparisonQuestion())
            assert len(compared.groups) == 2

            again = await lab.runs.again(run_id, Again(start=False))
            assert again.config.model_dump() == run.config.model_dump() and again.origin is None
            job = await lab.jobs.start(EvaluateConfig(run_id=run_id, episodes=1, record=False))
            evaluated = await wait_for(lab, job.id, RunStatus.succeeded)
            assert evaluated.isolation is not None  # a checkpoint of somebody else is played confined
            checked = await wait_for(lab, (await lab.jobs.start(VerifyConfig(run_id=run_id))).id)
            assert checked.summary.result is not None, checked.reason
            assert checked.summary.result["verdict"] == "identical"

            same = await send(room, data, "results.zip")
            assert same.is_here and same.taken == []
            repeated = await room.take_in(same.id)
            assert repeated.is_repeated and (repeated.runs, repeated.studies) == (made.runs, made.studies)
            assert (await lab.queries.list_runs(RunFilter(kind="evaluate", parent_id=run_id))).total == 2

            twice = await room.take_in((await send(room, write_members(members), "other.zip")).id)
            assert set(twice.runs) == set(made.runs) and not set(twice.runs.values()) & set(
                made.runs.values()
            )
            copy = await lab.queries.get_run(twice.runs[run_id])
            assert copy.origin is not None and copy.origin.run_id == run_id
            assert await numbers(lab, copy.id) == curves
            children = await lab.queries.list_runs(RunFilter(kind="evaluate", parent_id=copy.id))
            assert [getattr(child.config, "run_id", "") for child in children.items] == [copy.id]
            further = await room.make([copy.id], [])
            assert f"runs/{copy.id}/telemetry.db" in read_members(b"".join(further.chunks))

    asyncio.run(unpack())
