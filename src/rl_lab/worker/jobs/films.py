"""The job of a film: checkpoints of a training play the same seed, or recorded episodes of a run, as MP4 or GIF."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rl_lab.core.errors import NotReady
from rl_lab.core.evaluations import FilmResult, FilmScene, write_result
from rl_lab.core.job_file import PolicyInput
from rl_lab.core.jobs.policy_jobs import FilmConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.recordings import Recording
from rl_lab.portable.evaluation_seeds import derived_seeds
from rl_lab.worker.environments.drawing import Frame, advance_render_clock, draw
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.jobs.episodes import Played, Table
from rl_lab.worker.jobs.evaluation_videos import drawing_problem
from rl_lab.worker.jobs.film_reel import Reel, Shown
from rl_lab.worker.jobs.film_words import (
    FilmWords,
    checkpoint_label,
    episode_label,
    play_words,
    training_words,
)
from rl_lab.worker.jobs.forks import read_recordings
from rl_lab.worker.policies import load_policy, seed_sampling
from rl_lab.worker.rendering.jpeg import from_jpeg, to_jpeg
from rl_lab.worker.rendering.replay_player import exactness
from rl_lab.worker.rendering.simulation import Simulation, render_fps
from rl_lab.worker.rendering.videos import require_encoder
from rl_lab.worker.session import Session


def film(session: Session) -> dict[str, Any]:
    config = session.config
    assert isinstance(config, FilmConfig)
    if config.format == "mp4":
        require_encoder()
    given = [PolicyInput.model_validate(one) for one in session.job.inputs.get("policies", [])]
    if given:
        _require_drawable(given[0].config)
    seed = _seed(session, config) if given else None
    recordings = [] if given else read_recordings(Path(session.job.inputs["recordings"]))
    path = session.files_dir / f"film.{config.format}"
    with Reel(path, config, _words(session, len(given), seed, recordings)) as reel:
        scenes = (
            _show_recorded(session, recordings, reel)
            if seed is None
            else _play(session, config, given, seed, reel)
        )
        if scenes is None:
            reel.discard()
            return {}
        reel.end(scenes)
    name, title = str(path.relative_to(session.run_dir)), f"Film of the {reel.words.of}"
    session.telemetry.artifact(path=name, kind="film", title=title, size=path.stat().st_size)
    return write_result(FilmResult(film=name, scenes=scenes, seed=seed))


def _require_drawable(config: TrainConfig) -> None:
    problem = drawing_problem(config)
    if problem is not None:
        raise NotReady(
            problem,
            cause="not-drawn",
            next_step="A film needs an environment that takes render_mode and whose render() returns a picture.",
        )


def _seed(session: Session, config: FilmConfig) -> int:
    trained = TrainConfig.model_validate(session.job.inputs["config"])
    return derived_seeds(trained.start_seed, 1)[0] if config.seed is None else config.seed


def _words(session: Session, policies: int, seed: int | None, recordings: list[Recording]) -> FilmWords:
    inputs = session.job.inputs
    if "config" not in inputs:
        return play_words(inputs, recordings)
    return training_words(inputs, policies or len(recordings), seed)


# checkpoints that play


def _play(
    session: Session, config: FilmConfig, given: list[PolicyInput], seed: int, reel: Reel
) -> list[FilmScene] | None:
    """All checkpoints in turn; None when the run was stopped."""
    scenes: list[FilmScene] = []
    session.telemetry.status("progress", timestep=0, total=len(given))
    with contextlib.closing(Table(session, given[0].config, draw=not session.is_exact)) as table:
        for number, one in enumerate(given):
            frames = None if session.is_exact else _Thinned()
            policy = load_policy(one)
            seed_sampling(seed)
            on_frame = frames.add if frames else None
            played = table.play(policy, seed, deterministic=config.deterministic, on_frame=on_frame)
            if played is None:
                return None
            stride = reel.stride(render_fps(table.env), played.length)
            shown = frames.every(stride, played) if frames else _drawn_again(one.config, played, stride)
            if not reel.show(shown, checkpoint_label(one), one.timestep or 0, session.should_stop):
                return None
            scenes.append(
                FilmScene(episode=number, timestep=one.timestep, returned=played.returned, role=one.role)
            )
            session.telemetry.status("progress", timestep=number + 1, total=len(given))
    return scenes


def _drawn_again(config: TrainConfig, played: Played, stride: int) -> Iterator[Shown]:
    """Playing without drawing takes milliseconds, so only the frames that are shown are drawn, afterwards."""
    with contextlib.closing(make_environment(config.env_id, config.env_kwargs, "rgb_array")) as env:
        env.reset(seed=played.seed)
        returned = 0.0
        yield draw(env, 0), returned
        for step, action in enumerate(played.actions, 1):
            _, reward, *_ = env.step(action)
            returned += float(reward)
            advance_render_clock(env)
            if step % stride == 0 or step == played.length:
                yield draw(env, step), returned


class _Thinned:
    """The frames of an episode that cannot be simulated again, compressed, and fewer the longer it lasts."""

    MOST = 2000

    def __init__(self) -> None:
        self._kept: list[bytes] = []
        self._every, self._seen = 1, 0

    def add(self, frame: Frame) -> None:
        if self._seen % self._every == 0:
            self._kept.append(to_jpeg(frame))
            if len(self._kept) >= self.MOST:
                del self._kept[1::2]
                self._every *= 2
        self._seen += 1

    def every(self, stride: int, played: Played) -> Iterator[Shown]:
        for jpeg in self._kept[:: max(1, stride // self._every)]:
            yield from_jpeg(jpeg), played.returned


# recorded episodes


def _show_recorded(session: Session, recordings: list[Recording], reel: Reel) -> list[FilmScene] | None:
    scenes: list[FilmScene] = []
    session.telemetry.status("progress", timestep=0, total=len(recordings))
    for number, recording in enumerate(recordings):
        with contextlib.closing(Simulation(recording)) as simulation:
            stride = reel.stride(render_fps(simulation.env), simulation.available)
            label = episode_label(reel.words, recording)
            shown = _simulated(simulation, stride)
            if not reel.show(shown, label, recording.timestep or 0, session.should_stop):
                return None
            _check(session, simulation)
        scenes.append(
            FilmScene(episode=recording.episode, timestep=recording.timestep, returned=recording.returned)
        )
        session.telemetry.status("progress", timestep=number + 1, total=len(recordings))
    return scenes


def _simulated(simulation: Simulation, stride: int) -> Iterator[Shown]:
    while True:
        yield simulation.frame(), simulation.returned
        if not simulation.advance():
            return
        simulation.advance_to(simulation.step - 1 + stride)


def _check(session: Session, simulation: Simulation) -> None:
    """A scene that did not come out as it was recorded is not passed over in silence."""
    found = exactness(simulation.recording, simulation.describe())
    if simulation.difference() is not None:
        found = {"exact": False, "note": simulation.difference()}
    if found["exact"] is False:
        words = f"Scene of episode {simulation.recording.episode}: {found['note']}"
        session.telemetry.log("warning", words, "scene_differs")
