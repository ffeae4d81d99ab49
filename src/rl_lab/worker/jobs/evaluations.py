"""An evaluation in the worker: play episodes with one checkpoint, or those of a play again; measure and film them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rl_lab.core.evaluations import EvaluationSummary, write_result
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.workbench.citations import cited_protocol
from rl_lab.core.workbench.protocols import judge_protocol
from rl_lab.portable.atomic_files import save_file
from rl_lab.worker.jobs.episode_numbers import EpisodeNumbers
from rl_lab.worker.jobs.episodes import Played, Table, log_notes, summarise
from rl_lab.worker.jobs.evaluation_videos import (
    DrawnVideo,
    choose_episodes,
    describe_undrawn,
    drawing_problem,
    film_played,
    video_path,
)
from rl_lab.worker.jobs.measured_sides import MeasuredSide, load_measured
from rl_lab.worker.jobs.own_evaluation import OwnEvaluation
from rl_lab.worker.policies import seed_sampling
from rl_lab.worker.rendering.simulation import render_fps
from rl_lab.worker.rendering.videos import encoder_problem
from rl_lab.worker.session import Session

CODE_FILE = "eval/evaluation_code.py"


def evaluate(session: Session) -> dict[str, Any]:
    config = session.config
    assert isinstance(config, EvaluateConfig)
    measured = load_measured(session)
    problem = encoder_problem() if config.record else None
    if problem is None and config.record and not session.is_exact:
        problem = drawing_problem(measured.environment)
    video = video_path(session, config) if config.record and problem is None else None
    notes = log_notes(session, measured.policy)
    own = OwnEvaluation(session.reward)
    with _opened_code(session, measured.environment.env_id) as numbers:
        drawn = None if session.is_exact else video
        played = _play(session, config, measured, numbers=numbers, own=own, video=drawn)
    if not played and session.should_stop():
        return {}
    shown: list[int] = []
    try:
        shown = _film(session, config, measured, played, video)
    except OSError:
        raise  # a full disk, say
    except Exception as error:  # the score is worth more than its video
        problem = describe_undrawn(error)
    if problem is not None:
        session.telemetry.log("warning", f"The video could not be made: {problem}", code="no_video")
    summary = summarise(played, deterministic=config.deterministic, env=session.job.env)
    about = {"video_problem": problem, "video_episodes": shown, "notes": notes}
    summary = summary.model_copy(update={**about, **measured.about(len(played))})
    summary = _judged(session, config, summary.model_copy(update=own.summary()), numbers)
    return _save(session, summary, video if shown else None)


@contextlib.contextmanager
def _opened_code(session: Session, env_id: str) -> Iterator[EpisodeNumbers | None]:
    """The evaluation code in its own process; a copy of it is kept with the evaluation."""
    code = session.job.inputs.get("evaluation_code")
    if code is None:
        yield None
        return
    path = session.files_dir / CODE_FILE
    save_file(lambda aside: aside.write_text(code["source"], encoding="utf-8"), path)
    name = str(path.relative_to(session.run_dir))
    session.telemetry.artifact(path=name, kind="code", title=f"Evaluation code {code['name']}")
    with contextlib.closing(EpisodeNumbers(code, env_id, session.job.inputs.get("reward"))) as numbers:
        yield numbers


def _judged(
    session: Session, config: EvaluateConfig, summary: EvaluationSummary, numbers: EpisodeNumbers | None
) -> EvaluationSummary:
    """With the numbers of the code, the protocol that the score cites, and its verdict."""
    found = summary.model_copy(update=numbers.summary()) if numbers is not None else summary
    if found.code_problem is not None:
        session.telemetry.log("warning", found.code_problem.message, code="evaluation_code")
    verdict = judge_protocol(config.cited, found.means)
    return found.model_copy(update={"protocol": cited_protocol(config), "verdict": verdict})


def _play(
    session: Session,
    config: EvaluateConfig,
    measured: MeasuredSide,
    *,
    numbers: EpisodeNumbers | None,
    own: OwnEvaluation,
    video: Path | None,
) -> list[Played]:
    """All episodes, or those until the run was stopped; the first one is drawn into `video`."""
    environment = measured.environment
    seed_sampling(environment.start_seed)
    played: list[Played] = []
    watched = numbers.watched if numbers is not None else None
    table = Table(session, environment, draw=video is not None, watched=watched, wrap=own.watch)
    with contextlib.closing(table):
        session.telemetry.status("progress", timestep=0, total=config.episodes)
        for number, seed in enumerate(measured.seeds):
            measured.begin(number)
            with _drawn(table, video if number == 0 else None) as drawn:
                one = table.play(measured.policy, seed, deterministic=config.deterministic, **drawn)
            if one is None:
                break
            measured.end(one.returned)
            played.append(one)
            if numbers is not None:
                numbers.look(number, seed)
            own.count()
            session.telemetry.status("progress", timestep=number + 1, total=config.episodes)
    return played


@contextlib.contextmanager
def _drawn(table: Table, video: Path | None) -> Iterator[dict[str, Any]]:
    """The arguments with which a game is drawn into a file; none without one."""
    if video is None:
        yield {}
        return
    with DrawnVideo(video, render_fps(table.env)) as writer:
        yield {"on_frame": writer.on_frame, "draw_every": writer.stride}


def _film(
    session: Session,
    config: EvaluateConfig,
    measured: MeasuredSide,
    played: list[Played],
    video: Path | None,
) -> list[int]:
    """The episodes that the video shows."""
    if video is None or not played:
        return []
    if not session.is_exact:
        return [0]
    shown = choose_episodes(played, config.video_episodes)
    is_whole = film_played(video, measured.environment, [played[n] for n in shown], session.should_stop)
    return shown if is_whole else []


def _video_title(config: EvaluateConfig) -> str:
    if config.after_training:
        return "Video of the evaluation after the training"
    return config.title or "Video of an evaluation"


def _save(session: Session, summary: EvaluationSummary, video: Path | None) -> dict[str, Any]:
    config = session.config
    assert isinstance(config, EvaluateConfig)
    name = str(video.relative_to(session.run_dir)) if video else None
    complete = summary.model_copy(update={"video": name})
    if video is not None:
        session.telemetry.artifact(
            path=str(video.relative_to(session.run_dir)),
            kind="video",
            title=_video_title(config),
            size=video.stat().st_size,
        )
    path = session.files_dir / "eval" / "summary.json"
    save_file(lambda aside: aside.write_text(complete.model_dump_json(indent=2)), path)
    name = str(path.relative_to(session.run_dir))
    session.telemetry.artifact(path=name, kind="summary", title="Evaluation summary")
    return write_result(complete)
