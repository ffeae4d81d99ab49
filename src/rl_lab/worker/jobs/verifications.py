"""The job of a verification: train a run again, compare every event with the recorded ones, write a certificate."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from rl_lab.core.evaluations import write_result
from rl_lab.core.job_file import Job, PolicyInput
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import VerifyConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.reproduction.certificates import TITLE, Certificate, certificate_rows
from rl_lab.core.reproduction.event_comparison import EventComparison, ExpectedEvents
from rl_lab.core.reproduction.snapshots import Snapshot, differences, hash_of, read_snapshot
from rl_lab.core.reproduction.verifications import Verdict, VerificationResult
from rl_lab.portable.machine import find_version
from rl_lab.portable.snapshot import take_snapshot
from rl_lab.worker.checkpoint_files import verified
from rl_lab.worker.jobs.certificate_files import write_certificate
from rl_lab.worker.repeating.repeated_session import ComparedTelemetry, RepeatedSession
from rl_lab.worker.repeating.weight_digests import weights_digest
from rl_lab.worker.runner import runner_of
from rl_lab.worker.session import Session

FOLDER = "repeated"
"""Where the repeated training saves its checkpoint; removed at the end."""


def verify(session: Session) -> dict[str, Any]:
    config, inputs = session.config, session.job.inputs
    assert isinstance(config, VerifyConfig)
    expected = _read(inputs["expected"])
    comparison = EventComparison(expected)
    if config.against is None:
        _train_again(session, comparison, expected)
        here = read_snapshot(take_snapshot())
    else:
        comparison.add(_read(inputs["found"]))
        comparison.end()
        here = read_snapshot(inputs["found_snapshot"] or {})
    if session.control.stop_requested:
        return {}
    session.timestep = comparison.amounts.steps
    result = _judge(session, comparison, config, here)
    if result.has_passed:
        result = _certify(session, result, here)
    return write_result(result)


def _train_again(session: Session, comparison: EventComparison, expected: ExpectedEvents) -> None:
    config, inputs = session.config, session.job.inputs
    assert isinstance(config, VerifyConfig)
    folder = session.files_dir / FOLDER
    job = Job(
        run_id=session.job.run_id,
        kind=RunKind.train,
        config=TrainConfig.model_validate(inputs["config"]),
        run_dir=folder,
        env=session.job.env,
        dataset_dir=session.job.dataset_dir,
        inputs={name: inputs.get(name) for name in ("exact", "start", "reward")},
    )
    telemetry = ComparedTelemetry(session.telemetry, comparison, expected.end_step)
    # A learner that ends by itself may update once more after its last step.
    until = expected.end_step if inputs.get("was_cut") else expected.end_step + 1
    repeated = RepeatedSession(job, telemetry, session.control, until=until, ends_early=config.tolerance == 0)
    runner = runner_of(inputs["runner"])
    repeated.checkpoint_suffix = runner.spec.checkpoint_suffix
    try:
        runner.train(repeated)
        is_cut = repeated.timestep < expected.end_step
        if not (comparison.first and is_cut):
            comparison.end()
            _compare_weights(comparison, repeated.last_checkpoint, inputs.get("policy"))
    finally:
        repeated.close()
        shutil.rmtree(folder, ignore_errors=True)


def _compare_weights(comparison: EventComparison, made: Path | None, policy: dict[str, Any] | None) -> None:
    if made is None or policy is None:
        return
    recorded = PolicyInput.model_validate(policy)
    with verified(recorded.checkpoint, recorded.sha256) as copy:
        before, now = weights_digest(copy), weights_digest(made)
    if before is not None and now is not None:
        comparison.compare_weights(before, now, recorded.timestep or 0)


def _judge(
    session: Session, comparison: EventComparison, config: VerifyConfig, here: Snapshot | None
) -> VerificationResult:
    inputs = session.job.inputs
    recorded = read_snapshot(inputs["snapshot"]) if inputs.get("snapshot") else None
    figures = comparison.figures()
    before, now = comparison.digests()
    return VerificationResult(
        verdict=_verdict(comparison, config.tolerance, [f.deviation for f in figures]),
        tolerance=config.tolerance,
        first_difference=comparison.first,
        compared=comparison.amounts,
        figures=figures,
        probable_reasons=_reasons(session, recorded, here) if comparison.first else [],
        notes=list(inputs.get("notes") or []),
        config_sha256=hash_of(inputs["config"]),
        snapshot_sha256=recorded.sha256 if recorded else "",
        recorded_sha256=before,
        found_sha256=now,
        against=config.against,
    )


def _verdict(comparison: EventComparison, tolerance: float, deviations: list[float | None]) -> Verdict:
    if comparison.first is None:
        return "identical"
    known = [deviation for deviation in deviations if deviation is not None]
    is_close = 0 < len(known) == len(deviations) and max(known) <= tolerance
    return "within tolerance" if tolerance and is_close else "different"


def _reasons(session: Session, recorded: Snapshot | None, here: Snapshot | None) -> list[str]:
    """What is known to change numbers, most likely first."""
    inputs = session.job.inputs
    config = TrainConfig.model_validate(inputs["config"])
    found = []
    if inputs.get("exact") is False:
        found.append(
            f"{config.env_id} is not deterministic: the same seed and actions do not give the same steps."
        )
    if recorded is None or here is None:
        found.append("The run has no snapshot, so its software and hardware cannot be compared.")
    else:
        found += [f"Since then: {phrase}." for phrase in differences(recorded, here)]
        if recorded.gpu.get("cuda") and not config.deterministic and config.device != "cpu":
            found.append(
                "It may have trained on a GPU without --deterministic, whose sums vary in their order."
            )
    if not found:
        found.append(
            "Software, hardware and numeric fingerprint are the same: the learner or the environment depends on "
            "something else, such as time, threads or files."
        )
    return found


def _certify(session: Session, result: VerificationResult, here: Snapshot | None) -> VerificationResult:
    """The certificate as JSON, text and page; listed among the files of the verification and of its training."""
    result = result.model_copy(update={"certificate": "certificate.json"})
    config = session.config
    assert isinstance(config, VerifyConfig)
    certificate = Certificate(
        run_id=config.run_id,
        run_name=str(session.job.inputs["run_name"]),
        verification_id=session.job.run_id,
        at=datetime.now(UTC),
        lab_version=find_version("rl-lab") or "",
        result=result,
        here_sha256=here.sha256 if here else "",
    )
    write_certificate(
        session, "certificate", title=TITLE, certificate=certificate, rows=certificate_rows(certificate)
    )
    return result


def _read(path: str) -> ExpectedEvents:
    return msgspec.msgpack.decode(Path(path).read_bytes(), type=ExpectedEvents, strict=False)
