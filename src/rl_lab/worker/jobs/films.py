"""The job of a film: a training seen through its milestone episodes, captioned, as MP4 or GIF."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from rl_lab.core.episodes import Recording
from rl_lab.core.evaluations import FilmResult, FilmScene, write_result
from rl_lab.core.jobs.policy_jobs import FilmConfig
from rl_lab.worker.environments.drawing import Frame
from rl_lab.worker.jobs.forks import read_recordings
from rl_lab.worker.rendering.captions import with_caption, with_curve
from rl_lab.worker.rendering.replay_player import exactness
from rl_lab.worker.rendering.simulation import Simulation, render_fps
from rl_lab.worker.rendering.videos import GifWriter, Mp4Writer, frame_stride, require_encoder
from rl_lab.worker.session import Session

Writer = Mp4Writer | GifWriter
GIF_FPS = 15.0


def film(session: Session) -> dict[str, Any]:
    config = session.config
    assert isinstance(config, FilmConfig)
    scenes = read_recordings(Path(session.job.inputs["recordings"]))
    if config.format == "mp4":
        require_encoder()
    path = session.files_dir / f"film.{config.format}"
    with contextlib.ExitStack() as stack:
        writer: Writer | None = None
        session.telemetry.status("progress", timestep=0, total=len(scenes))
        for number, recording in enumerate(scenes):
            simulation = Simulation(recording)
            stack.callback(simulation.close)
            stride, fps = frame_stride(
                render_fps(simulation.env), GIF_FPS if config.format == "gif" else 30.0
            )
            if writer is None:
                writer = _writer(path, config.format, fps)
                stack.enter_context(writer)
            if not _scene(session, simulation, writer, stride, round(config.seconds_per_scene * fps)):
                return {}
            _check(session, simulation)
            session.telemetry.status("progress", timestep=number + 1, total=len(scenes))
    name = str(path.relative_to(session.run_dir))
    session.telemetry.artifact(path=name, kind="film", title="Film of the training", size=path.stat().st_size)
    return write_result(FilmResult(film=name, scenes=[_scene_of(s) for s in scenes]))


def _scene(session: Session, simulation: Simulation, writer: Writer, stride: int, most_frames: int) -> bool:
    """One episode; a long one is shown faster rather than cut. False when the run was stopped."""
    stride *= max(1, -(-simulation.available // (stride * most_frames)))
    while True:
        if session.should_stop():
            return False
        writer.add(_captioned(session, simulation))
        if not simulation.advance():
            return True
        simulation.advance_to(simulation.step - 1 + stride)


def _check(session: Session, simulation: Simulation) -> None:
    """A scene that did not come out as it was recorded is not passed over in silence."""
    found = exactness(simulation.recording, simulation.describe())
    if simulation.difference() is not None:
        found = {"exact": False, "note": simulation.difference()}
    if found["exact"] is False:
        words = f"Scene of episode {simulation.recording.episode}: {found['note']}"
        session.telemetry.log("warning", words, "scene_differs")


def _captioned(session: Session, simulation: Simulation) -> Frame:
    inputs, recording = session.job.inputs, simulation.recording
    total = max(1, int(inputs.get("total_timesteps") or 1))
    frame = with_curve(simulation.frame(), inputs.get("curve", []), (recording.timestep or 0) / total)
    return with_caption(
        frame,
        f"step {recording.timestep or 0:,} · episode {recording.episode}",
        f"return {simulation.returned:+.1f}",
    )


def _writer(path: Path, kind: str, fps: float) -> Writer:
    return GifWriter(path, fps) if kind == "gif" else Mp4Writer(path, fps)


def _scene_of(recording: Recording) -> FilmScene:
    return FilmScene(episode=recording.episode, timestep=recording.timestep, returned=recording.returned)
