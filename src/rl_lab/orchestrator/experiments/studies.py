"""Studies: create, read, start, pause, stop, label, delete and restore. Their runs are created by `planner.py`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from rl_lab.core.errors import Gone, InvalidInput, LabError, MoveRefused, NotFound
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.run_query import METRIC
from rl_lab.core.runs import LIVE, Move, RunStatus
from rl_lab.core.studies.comparisons import MEASURES, is_number
from rl_lab.core.studies.outcomes import StudyEnd
from rl_lab.core.studies.studies import Study, StudyStatus, Variant, VariantStatus, require_study_move
from rl_lab.core.words.variant_labels import study_name
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.queue import Queue
from rl_lab.orchestrator.experiments.planner import Planner
from rl_lab.orchestrator.experiments.plans import CheckedPlan, Plans, draw_seeds, refuse_repeated
from rl_lab.orchestrator.experiments.requests import MoreSeeds, NewConfirmation, NewStudy, StudyPatch
from rl_lab.orchestrator.experiments.study_ends import StudyEnds
from rl_lab.orchestrator.experiments.study_files import confirmation_of
from rl_lab.orchestrator.experiments.templates import StudyTemplate, make_templates
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.orchestrator.runs.service import Runs
from rl_lab.runners.registry import find_spec
from rl_lab.store.experiments import studies, variants
from rl_lab.store.experiments.studies import StudyFilter, StudyListing
from rl_lab.store.workbench import derived_metrics, protocols

RESUMABLE = (RunStatus.stopped, RunStatus.failed, RunStatus.lost)


class Studies:
    def __init__(self, context: Context, runs: Runs, queue: Queue) -> None:
        self._context = context
        self._db = context.db
        self._runs = runs
        self._plans = Plans(runs.complete)
        self._ends = StudyEnds(context, self.stop_runs)
        self.planner = Planner(
            context,
            self._plans,
            ends=self._ends,
            wake_queue=queue.wake,
            training_slots=lambda: queue.training_slots,
            place_files=runs.place_files,
        )
        self._wake_queue = queue.wake

    async def open(self) -> None:
        await self.planner.open()

    async def close(self) -> None:
        await self.planner.close()

    async def create(self, new: NewStudy) -> Study:
        """Checked completely before anything is created; with `start` its runs go into the queue at once."""
        await self._require_derived(new.measure)
        checked = await self._plans.check(new)
        await self._require_code(new.measure, checked.configs)
        for config in {_what_is_checked(one): one for one in checked.configs}.values():
            await self._runs.check_new(config, checked.consent, start=new.start)
        study = _new_study(new, checked)
        found = [
            Variant(study_id=study.id, number=n, label=label, settings=settings, seeds=checked.plan.seeds)
            for n, (label, settings) in enumerate(zip(checked.labels, checked.settings, strict=True), 1)
        ]

        def work(conn: Connection) -> Study:
            studies.insert(conn, study)
            variants.insert_all(conn, found)
            return studies.get(conn, study.id)

        return self._published(await self._db.write(work))

    async def _require_derived(self, measure: str) -> None:
        name = measure.removeprefix(METRIC)
        if name == measure:
            return
        try:
            await self._db.read(lambda conn: derived_metrics.get(conn, name))
        except NotFound as error:
            raise InvalidInput.of_field(
                "measure", f"{error.detail} {error.next_step or ''}".strip()
            ) from None

    async def _require_code(self, measure: str, configs: Sequence[TrainConfig]) -> None:
        """A number is measured by evaluation code, which the protocol of the runs must have."""
        written = next((config.evaluate_by for config in configs if config.evaluate_by), None)
        if written is None or not is_number(measure):
            return
        found = await self._db.read(lambda conn: protocols.get_version(conn, written))
        if found.code is None:
            message = f"The protocol {found} has no evaluation code, so it measures no “{measure}”."
            raise InvalidInput.of_field("measure", message, [*MEASURES, f"{METRIC}NAME"])

    async def get(self, study_id: str) -> Study:
        return await self._db.read(lambda conn: studies.get(conn, study_id))

    async def list_page(
        self, wanted: StudyFilter, *, sort: str, limit: int, cursor: str | None
    ) -> StudyListing:
        return await self._db.read(lambda conn: studies.find_page(conn, wanted, sort, limit, cursor))

    async def list_variants(self, study_id: str) -> list[Variant]:
        def work(conn: Connection) -> list[Variant]:
            studies.get(conn, study_id)
            return variants.list_all(conn, study_id)

        return await self._db.read(work)

    async def patch(self, study_id: str, patch: StudyPatch) -> Study:
        fields = {name: value for name, value in patch.model_dump().items() if value is not None}

        def work(conn: Connection) -> Study:
            study = studies.get(conn, study_id)
            question = fields.pop("question", None)
            if question is not None:
                fields["plan"] = study.plan.model_copy(update={"question": question})
            if "priority" in fields:
                studies.set_waiting_priority(conn, study_id, fields["priority"])
            return studies.patch(conn, study_id, **fields)

        changed = await self._db.write(work)
        self._wake_queue()
        return self._published(changed)

    async def move(self, study_id: str, move: Move) -> Study:
        """MoveRefused with the allowed moves when the state of the study forbids it."""
        study = await self.get(study_id)
        target = require_study_move(move, study.status)
        if move == "stop":
            changed = await self._ends.end(study_id, StudyEnd(target, None), expected=[study.status])
        else:
            changed = await self._db.write(
                lambda conn: studies.change_status(conn, study_id, expected=[study.status], to=target)
            )
        if changed is None:
            return await self.move(study_id, move)
        if move == "resume" and study.status is not StudyStatus.paused:
            await self._resume_runs(study_id)
        self._wake_queue()
        return self._published(await self.get(study_id))

    async def delete(self, study_id: str) -> Study:
        """Hidden now with its runs, removed for good after the undo time. Live runs must be stopped first."""
        study = await self.get(study_id)
        if study.counts.running:
            raise MoveRefused(
                f"{study.counts.running} runs of the study “{study.name}” are running.",
                next_step="Stop the study first.",
                allowed=study.allowed,
            )
        if study.status in (StudyStatus.running, StudyStatus.paused):
            await self.move(study_id, "stop")
        now = datetime.now(UTC)
        return self._published(await self._db.write(lambda conn: _delete(conn, study_id, now)))

    async def restore(self, study_id: str) -> Study:
        study = await self._db.read(lambda conn: studies.get(conn, study_id, include_deleted=True))
        deleted_at = study.deleted_at
        if deleted_at is None:
            return study
        if datetime.now(UTC) - deleted_at > timedelta(seconds=self._context.settings.undo_s):
            raise Gone(f"The time to restore the study “{study.name}” is over.")

        def work(conn: Connection) -> Study:
            studies.restore_runs(conn, study_id, deleted_at)
            return studies.patch(conn, study_id, deleted_at=None)

        return self._published(await self._db.write(work))

    async def add_seeds(self, study_id: str, more: MoreSeeds) -> Study:
        """The study continues, if it had ended; a study that was never started waits for its start."""
        if more.seeds is not None:
            refuse_repeated(more.seeds)
        return self._published(await self._db.write(lambda conn: _add_seeds(conn, study_id, more)))

    async def confirm(self, study_id: str, wanted: NewConfirmation) -> Study:
        """A new study of one variant, and of the base if it differs, with seeds that this study has not used."""
        study = await self.get(study_id)
        found = await self.list_variants(study_id)
        chosen = await self._db.read(lambda conn: variants.get(conn, study_id, wanted.variant))
        used = {seed for variant in found for seed in variant.seeds} | set(study.plan.seeds)
        return await self.create(confirmation_of(study, chosen, draw_seeds(wanted.seeds, used), wanted.start))

    async def templates(self, env_id: str, algorithm: str, runner: str) -> list[StudyTemplate]:
        """Ready plans around the values of the preset."""
        new = NewRun.model_validate({"env_id": env_id, "algorithm": algorithm, "runner": runner})
        config = await self._runs.complete(new)
        return make_templates(config, find_spec(config.runner).algorithm(config.algorithm))

    async def stop_runs(self, run_ids: Sequence[str]) -> None:
        """Politely; those that have ended are left alone."""
        for run_id in run_ids:
            try:
                await self._runs.move(run_id, "stop")
            except LabError:
                continue  # it has ended meanwhile, or was deleted

    async def _resume_runs(self, study_id: str) -> None:
        """Runs that were stopped or have failed continue from their checkpoints, those that never began start.

        Variants that were stopped because they are too low stay stopped.
        """
        found = await self.list_variants(study_id)
        pruned = {run_id for v in found if v.status is VariantStatus.pruned for run_id in v.run_ids}
        for run_id in await self._db.read(lambda conn: studies.list_runs(conn, study_id, RESUMABLE)):
            if run_id in pruned:
                continue
            try:
                await self._runs.move(run_id, "resume")
            except LabError:
                continue  # it has no checkpoint, or its runner cannot resume: it stays as it is

    def _published(self, study: Study) -> Study:
        self.planner.publish(study)
        self.planner.look_at(study.id)
        return study


def _what_is_checked(config: TrainConfig) -> tuple[object, ...]:
    """Configurations that are alike in this can all be started, or none."""
    learner = (config.runner, config.algorithm, config.device)
    return (*learner, config.reward, config.env_id, repr(config.env_kwargs))


def _new_study(new: NewStudy, checked: CheckedPlan) -> Study:
    plan, first = checked.plan, checked.configs[0]
    varied = (
        list(plan.sweep.parameters)
        if plan.sweep
        else list(dict.fromkeys(n for s in checked.settings for n in s))
    )
    count = plan.sweep.points if plan.sweep and plan.sweep.method == "tpe" else len(checked.settings)
    now = datetime.now(UTC)
    return Study(
        id=new_run_id(),
        name=new.name or study_name(first.algorithm, first.env_id, varied, count or 1, len(plan.seeds)),
        status=StudyStatus.running if new.start else StudyStatus.created,
        plan=plan,
        env_id=first.env_id or None,
        algorithm=first.algorithm,
        notes=new.notes,
        tags=list(dict.fromkeys(new.tags)),
        priority=new.priority,
        created_at=now,
        started_at=now if new.start else None,
        updated_at=now,
    )


def _delete(conn: Connection, study_id: str, now: datetime) -> Study:
    """Checked in the transaction of the change: a run that was just started keeps its folder."""
    study = studies.get(conn, study_id)
    if studies.list_runs(conn, study_id, [*LIVE, RunStatus.queued]):
        raise MoveRefused(
            "Some of its runs are running.", next_step="Stop the study first.", allowed=study.allowed
        )
    studies.delete_runs(conn, study_id, now)
    return studies.patch(conn, study_id, deleted_at=now)


def _add_seeds(conn: Connection, study_id: str, more: MoreSeeds) -> Study:
    study = studies.get(conn, study_id)
    found = variants.list_all(conn, study_id)
    used = {seed for variant in found for seed in variant.seeds} | set(study.plan.seeds)
    seeds = more.seeds or draw_seeds(more.count or 1, used)
    chosen = [variants.get(conn, study_id, number) for number in dict.fromkeys(more.variants or [])] or found
    for variant in chosen:
        twice = next((seed for seed in seeds if seed in variant.seeds), None)
        if twice is not None:
            message = f"The study has the seed {twice} already (variant {variant.number}, {variant.label})."
            raise InvalidInput.of_field("seeds", message)
        status = VariantStatus.running if variant.created else VariantStatus.waiting
        variants.change(
            conn, study_id, variant.number, seeds=[*variant.seeds, *seeds], status=status, reason=None
        )
    if more.variants is None:
        plan = study.plan.model_copy(update={"seeds": [*study.plan.seeds, *seeds]})
        study = studies.patch(conn, study_id, plan=plan)
    if study.status not in (StudyStatus.created, StudyStatus.running, StudyStatus.paused):
        changed = studies.change_status(conn, study_id, expected=[study.status], to=StudyStatus.running)
        return changed or study
    return studies.get(conn, study_id)
