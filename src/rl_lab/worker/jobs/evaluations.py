"""An evaluation in the worker: play episodes with one checkpoint, measure and film them."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from rl_lab.core.evaluations import EvaluationSummary, write_result
from rl_lab.core.job_file import PolicyInput
from rl_lab.core.jobs import EvaluateConfig
from rl_lab.portable.atomic_files import save_file
from rl_lab.portable.recorder import episode_seed
from rl_lab.worker.environments.drawing import Frame
from rl_lab.worker.jobs.episodes import OnFrame, Played, Table, summarise
from rl_lab.worker.jobs.policies import load_policy, seed_sampling
from rl_lab.worker.rendering.simulation import render_fps
from rl_lab.worker.rendering.videos import Mp4Writer, encoder_problem, frame_stride, video_name
from rl_lab.worker.session import Session

EVALUATION_STREAM = 1_000_003
"""Sub-environment number from which evaluation seeds are drawn, so that they differ from training's."""


def evaluate(session: Session) -> dict[str, Any]:
    config = session.config
    assert isinstance(config, EvaluateConfig)
    given = PolicyInput.model_validate(session.job.inputs["policy"])
    policy = load_policy(given)
    seed_sampling(given.config.start_seed)
    seeds = config.seeds or derived_seeds(given.config.start_seed, config.episodes)
    problem = encoder_problem() if config.record else None
    is_filmed = config.record and problem is None
    table = Table(session, given.config, draw=is_filmed)
    if problem is not None:
        session.telemetry.log("warning", f"The video could not be made: {problem}", code="no_video")
    with contextlib.closing(table), _video(session, config, table, is_filmed) as video:
        played: list[Played] = []
        session.telemetry.status("progress", timestep=0, total=config.episodes)
        for number, seed in enumerate(seeds[: config.episodes]):
            one = table.play(policy, seed, deterministic=config.deterministic, on_frame=video.on_frame)
            if one is None:
                break
            played.append(one)
            session.telemetry.status("progress", timestep=number + 1, total=config.episodes)
    if not played and session.should_stop():
        return {}
    summary = summarise(played, deterministic=config.deterministic, env=session.job.env)
    summary = summary.model_copy(update={"video_problem": problem})
    return _save(session, summary, given, video.path if is_filmed else None)


def derived_seeds(run_seed: int, count: int) -> list[int]:
    return [episode_seed(run_seed, EVALUATION_STREAM, n) for n in range(count)]


class EpisodeVideo:
    """Keeps every n-th frame, so that the video plays in real time with at most 30 frames a second."""

    def __init__(self, path: Path, fps: float) -> None:
        self.path = path
        self._stride, video_fps = frame_stride(fps)
        self._writer = Mp4Writer(path, video_fps)
        self._count = 0

    def on_frame(self, frame: Frame) -> None:
        if self._count % self._stride == 0:
            self._writer.add(frame)
        self._count += 1

    def __enter__(self) -> EpisodeVideo:
        self._writer.__enter__()
        return self

    def __exit__(self, *exc: Any) -> None:
        self._writer.__exit__(*exc)


class NoVideo:
    path = Path()
    on_frame: OnFrame | None = None


def _video(
    session: Session, config: EvaluateConfig, table: Table, is_filmed: bool
) -> contextlib.AbstractContextManager[Any]:
    if not is_filmed:
        return contextlib.nullcontext(NoVideo())
    name = config.title or video_name("eval")
    return EpisodeVideo(session.run_dir / "eval" / f"{name}.mp4", render_fps(table.env))


def _save(
    session: Session, summary: EvaluationSummary, given: PolicyInput, video: Path | None
) -> dict[str, Any]:
    complete = summary.model_copy(
        update={
            "checkpoint": given.checkpoint.name,
            "checkpoint_timestep": given.timestep,
            "video": str(video.relative_to(session.run_dir)) if video else None,
        }
    )
    if video is not None:
        session.telemetry.artifact(
            path=str(video.relative_to(session.run_dir)),
            kind="video",
            title=video.stem,
            size=video.stat().st_size,
        )
    path = session.run_dir / "eval" / "summary.json"
    save_file(lambda aside: aside.write_text(complete.model_dump_json(indent=2)), path)
    session.telemetry.artifact(path="eval/summary.json", kind="summary", title="Evaluation summary")
    return write_result(complete)
