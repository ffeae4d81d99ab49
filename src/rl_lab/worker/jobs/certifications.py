"""The job of a certification: trains unbroken, and broken and resumed, compares both, writes a certificate."""

from __future__ import annotations

import hashlib
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rl_lab.core.evaluations import write_result
from rl_lab.core.job_file import Job
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import CertifyConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol.events import CheckpointEvent
from rl_lab.core.reproduction.break_points import BreakPoint, choose_breaks
from rl_lab.core.reproduction.certifications import BreakResult, CertificationResult, CertifiedAmounts
from rl_lab.core.reproduction.event_comparison import EventComparison, digest
from rl_lab.core.reproduction.resume_certificates import (
    RESUME_FILE,
    RESUME_TITLE,
    ResumeCertificate,
    TensorDigest,
    resume_rows,
)
from rl_lab.core.reproduction.snapshots import hash_of, read_snapshot
from rl_lab.portable.machine import find_version
from rl_lab.portable.snapshot import take_snapshot
from rl_lab.worker.jobs.certificate_files import write_certificate
from rl_lab.worker.repeating.broken_training import TrainedPart, Trainer, read_steps
from rl_lab.worker.repeating.checkpoint_tensors import first_difference, read_tensors
from rl_lab.worker.runner import runner_of
from rl_lab.worker.session import Session

FOLDER = "trainings"
"""Where the trainings save their checkpoints; removed at the end."""


def certify(session: Session) -> dict[str, Any]:
    started = time.monotonic()
    folder = session.files_dir / FOLDER
    try:
        found = BrokenTrainings(session, folder).run()
        if found is None:
            return {}
        result, tensors = found
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    result = result.model_copy(update={"seconds": time.monotonic() - started})
    _write(session, result, tensors)
    session.timestep = result.steps * (1 + len(result.breaks))
    return write_result(result)


class BrokenTrainings:
    """The unbroken training, the broken ones, and what their comparison found."""

    def __init__(self, session: Session, folder: Path) -> None:
        config = session.config
        assert isinstance(config, CertifyConfig)
        self._session, self._options, self._folder = session, config, folder
        self._config = TrainConfig.model_validate(session.job.inputs["config"])
        self._steps = self._config.total_timesteps
        runner = runner_of(str(session.job.inputs["runner"]))
        preload = getattr(runner, "preload", None)
        if preload is not None:
            preload()
        self._trainer = Trainer(runner, session.control, self._report)
        self._done = 0

    def run(self) -> tuple[CertificationResult, list[TensorDigest]] | None:
        """None when the job was stopped."""
        self._report(0)
        unbroken = self._trainer.train(self._job("unbroken"))
        if unbroken is None:
            return None
        steps = read_steps(self._folder / "unbroken")
        steps.saved = [one.timestep for one in unbroken.saved if one.role == "interval"]
        points = choose_breaks(steps, count=self._options.breaks, seed=self._options.break_seed)
        results = []
        for number, point in enumerate(points, start=1):
            self._done = number * self._steps
            result = self._break(number, point, unbroken)
            if result is None:
                return None
            results.append(result)
        return self._judge(unbroken, results), self._digests(unbroken)

    def _break(self, number: int, point: BreakPoint, unbroken: TrainedPart) -> BreakResult | None:
        """Trains up to the break, and on from the newest checkpoint; None when the job was stopped."""
        name = f"break-{number}"
        if point.kind == "checkpoint":
            shutil.copytree(self._folder / "unbroken", self._folder / name)
            [checkpoint] = [one for one in unbroken.saved if one.timestep == point.step][:1]
            parts, episodes = [], 0
        else:
            broken = self._trainer.train(self._job(name, every=point.checkpoint_every), point)
            if broken is None:
                return None
            checkpoint = broken.saved[-1]
            parts, episodes = [broken], len(broken.events.episodes)
        resumed = self._trainer.train(self._job(name, checkpoint, episodes))
        if resumed is None:
            return None
        result = self._compare(point, checkpoint.timestep, unbroken, [*parts, resumed], self._folder / name)
        shutil.rmtree(self._folder / name, ignore_errors=True)
        return result

    def _compare(
        self,
        point: BreakPoint,
        resumed_at: int,
        unbroken: TrainedPart,
        parts: list[TrainedPart],
        folder: Path,
    ) -> BreakResult:
        comparison = EventComparison(_from(unbroken, resumed_at if point.kind == "checkpoint" else 0))
        for part in parts:
            comparison.add(part.events)
        comparison.end(all_values=True)
        checkpoints, tensors = self._compare_tensors(comparison, unbroken, parts, folder)
        amounts = comparison.amounts
        return BreakResult(
            kind=point.kind,
            step=point.step,
            resumed_at=resumed_at,
            first_difference=comparison.first,
            compared=CertifiedAmounts(
                episodes=amounts.episodes,
                values=amounts.values,
                recordings=amounts.recordings,
                checkpoints=checkpoints,
                tensors=tensors,
            ),
        )

    def _compare_tensors(
        self, comparison: EventComparison, unbroken: TrainedPart, parts: list[TrainedPart], folder: Path
    ) -> tuple[int, int]:
        """Of every checkpoint that both have at the same step; how many there were, and of how many tensors."""
        saved = {one.timestep: one.path for one in unbroken.saved}
        checkpoints = tensors = 0
        for one in (one for part in parts for one in part.saved if one.timestep in saved):
            before = read_tensors(self._folder / "unbroken" / saved[one.timestep])
            now = read_tensors(folder / one.path)
            if before is None or now is None:
                continue
            checkpoints, tensors = checkpoints + 1, tensors + len(before)
            found = first_difference(before, now)
            if found is not None:
                name, *values = found
                comparison.differ(one.timestep, None, f"tensor {name}", *values)
        return checkpoints, tensors

    def _judge(self, unbroken: TrainedPart, results: list[BreakResult]) -> CertificationResult:
        config, inputs = self._config, self._session.job.inputs
        different = [(r.first_difference.step, at) for at, r in enumerate(results) if r.first_difference]
        first_break = min(different)[1] if different else None
        is_deterministic = inputs.get("exact") is not False
        is_repeatable = self._repeat(unbroken) if different else None
        return CertificationResult(
            verdict="different" if different else "identical",
            runner=config.runner,
            algorithm=config.algorithm,
            env_id=config.env_id,
            seed=config.start_seed,
            steps=self._steps,
            breaks=results,
            first_difference=results[first_break].first_difference if first_break is not None else None,
            first_break=first_break,
            is_repeatable=is_repeatable,
            is_deterministic=is_deterministic,
            compared=_sum(results),
            probable_reasons=_reasons(config, is_deterministic, is_repeatable) if different else [],
            notes=[*inputs.get("notes", []), *([] if is_deterministic else [_not_deterministic(config)])],
            config_sha256=hash_of(config.model_dump(mode="json")),
            unbroken_sha256=digest(unbroken.events.episodes, _unclocked(unbroken)),
        )

    def _repeat(self, unbroken: TrainedPart) -> bool | None:
        """Whether a second unbroken training equals the first: if not, the resume is not what makes the difference."""
        second = self._trainer.train(self._job("again"))
        if second is None:
            return None
        comparison = EventComparison(unbroken.events)
        comparison.add(second.events)
        comparison.end(all_values=True)
        self._compare_tensors(comparison, unbroken, [second], self._folder / "again")
        return comparison.first is None

    def _digests(self, unbroken: TrainedPart) -> list[TensorDigest]:
        tensors = read_tensors(self._folder / "unbroken" / unbroken.saved[-1].path) or {}
        return [
            TensorDigest(
                name=name, shape=list(t.shape), dtype=t.dtype, sha256=hashlib.sha256(t.data).hexdigest()
            )
            for name, t in sorted(tensors.items())
        ]

    def _job(
        self, name: str, resumed: CheckpointEvent | None = None, episodes: int = 0, every: int | None = None
    ) -> Job:
        own, config = self._session.job, self._config
        if every is not None:
            config = config.model_copy(update={"checkpoint_every": every})
        job = Job(
            run_id=own.run_id,
            kind=RunKind.train,
            config=config,
            run_dir=self._folder / name,
            env=own.env,
            dataset_dir=own.dataset_dir,
            inputs={name: own.inputs.get(name) for name in ("exact", "reward")},
        )
        if resumed is None:
            return job
        return job.model_copy(
            update={
                "attempt": 2,
                "resume_from": resumed.path,
                "resume_sha256": resumed.sha256,
                "timestep0": resumed.timestep,
                "episode0": episodes,
            }
        )

    def _report(self, step: int) -> None:
        total = self._steps * (1 + self._options.breaks)
        done = self._done + min(step, self._steps)
        self._session.telemetry.status("progress", timestep=done, total=total)


def _from(part: TrainedPart, start: int) -> Any:
    """The events after a step: what a training that is resumed there must report."""
    events = part.events
    return type(events)(
        end_step=events.end_step,
        episodes=[episode for episode in events.episodes if episode.timestep > start],
        series={
            name: {step: value for step, value in points.items() if step > start}
            for name, points in events.series.items()
        },
    )


def _unclocked(part: TrainedPart) -> dict[str, dict[int, float]]:
    from rl_lab.core.reproduction.event_comparison import CLOCKED

    return {name: points for name, points in part.events.series.items() if name not in CLOCKED}


def _sum(results: list[BreakResult]) -> CertifiedAmounts:
    names = CertifiedAmounts.model_fields
    return CertifiedAmounts(**{name: sum(getattr(r.compared, name) for r in results) for name in names})


def _not_deterministic(config: TrainConfig) -> str:
    return (
        f"{config.env_id} is not deterministic: the same seed and actions do not give the same steps, so its state "
        "cannot be brought back exactly."
    )


def _reasons(config: TrainConfig, is_deterministic: bool, is_repeatable: bool | None) -> list[str]:
    """Why it may differ, most likely first."""
    if not is_deterministic:
        return [_not_deterministic(config)]
    if is_repeatable is False:
        return [
            "Two unbroken trainings differ as well, so the resume is not the reason: the learner or the environment "
            "depends on something else, such as time, threads or a GPU (--deterministic)."
        ]
    return [
        "Two unbroken trainings are identical, so the resume is the reason: the checkpoint lacks a part of the state."
    ]


def _write(session: Session, result: CertificationResult, tensors: list[TensorDigest]) -> None:
    config = session.config
    assert isinstance(config, CertifyConfig)
    result.certificate = f"{RESUME_FILE}.json"
    here = read_snapshot(take_snapshot())
    certificate = ResumeCertificate(
        run_id=config.run_id,
        run_name=str(session.job.inputs["run_name"]),
        certification_id=session.job.run_id,
        at=datetime.now(UTC),
        lab_version=find_version("rl-lab") or "",
        result=result,
        tensors=tensors,
        here_sha256=here.sha256 if here else "",
    )
    rows = resume_rows(certificate)
    write_certificate(session, RESUME_FILE, title=RESUME_TITLE, certificate=certificate, rows=rows)
