"""The video of an evaluation: chosen episodes, drawn after all of them were played.

Playing without drawing takes milliseconds, so the episodes are played first and only those that the video shows are
simulated again. A non-deterministic environment cannot be: of it the first episode is drawn while it is played.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from rl_lab.core.jobs.policy_jobs import EvaluateConfig, VideoEpisodes
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.portable.error_text import error_text
from rl_lab.worker.environments.drawing import Frame, advance_render_clock, draw
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.jobs.episodes import Played
from rl_lab.worker.rendering.simulation import render_fps
from rl_lab.worker.rendering.videos import Mp4Writer, frame_stride, video_name
from rl_lab.worker.session import Session


def video_path(session: Session, config: EvaluateConfig) -> Path:
    return session.files_dir / "eval" / f"{config.title or video_name('eval')}.mp4"


def choose_episodes(played: Sequence[Played], wanted: VideoEpisodes) -> list[int]:
    """Which episodes a video shows; the median is one that was played, the lower of two."""
    if wanted == "all":
        return list(range(len(played)))
    by_return = sorted(range(len(played)), key=lambda n: played[n].returned)
    return [by_return[-1] if wanted == "best" else by_return[(len(by_return) - 1) // 2]]


def film_played(
    path: Path, config: TrainConfig, episodes: Sequence[Played], should_stop: Callable[[], bool]
) -> bool:
    """Simulates these episodes again and writes their frames; False when the run was stopped in it."""
    with contextlib.ExitStack() as stack:
        writer: Mp4Writer | None = None
        for episode in episodes:
            env = make_environment(config.env_id, config.env_kwargs, "rgb_array")
            stack.callback(env.close)
            stride, fps = frame_stride(render_fps(env))
            if writer is None:
                writer = stack.enter_context(Mp4Writer(path, fps))
            env.reset(seed=episode.seed)
            writer.add(draw(env, 0))
            for step, action in enumerate(episode.actions, 1):
                if should_stop():
                    writer.discard()
                    return False
                env.step(action)
                advance_render_clock(env)
                if step % stride == 0:
                    writer.add(draw(env, step))
    return True


def drawing_problem(config: TrainConfig) -> str | None:
    """Why the environment cannot be drawn while it is played; None when its first frame can be drawn."""
    try:
        with contextlib.closing(make_environment(config.env_id, config.env_kwargs, "rgb_array")) as env:
            env.reset(seed=0)
            draw(env, 0)
    except Exception as error:  # whatever its render() does, the score does not depend on it
        return describe_undrawn(error)
    return None


def describe_undrawn(error: Exception) -> str:
    reason = error_text(error).partition(" was raised from the environment creator for ")[0]
    return f"The environment cannot be drawn: {reason}"


class DrawnVideo:
    """The video of an episode that is drawn while it is played."""

    def __init__(self, path: Path, fps: float) -> None:
        self.stride, video_fps = frame_stride(fps)
        self._writer = Mp4Writer(path, video_fps)

    def on_frame(self, frame: Frame) -> None:
        self._writer.add(frame)

    def __enter__(self) -> DrawnVideo:
        self._writer.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._writer.__exit__(*exc)  # type: ignore[arg-type]
