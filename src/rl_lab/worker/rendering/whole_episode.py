"""Re-simulates a whole recording: as a table of its steps, or as an MP4."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec

from rl_lab.core.recordings import Recording
from rl_lab.worker.rendering.made_files import handed_over
from rl_lab.worker.rendering.own_scores import EpisodeReward, with_own_rewards
from rl_lab.worker.rendering.replay_player import explained, trust, with_recorded_rewards
from rl_lab.worker.rendering.simulation import Simulation, render_fps
from rl_lab.worker.rendering.videos import GifWriter, Mp4Writer, frame_stride, require_encoder

MP4_FPS = 30.0
GIF_FPS = 15.0
"""A GIF stores every picture in full."""


def tabulate(given: dict[str, Any]) -> dict[str, Any]:
    """Worker call `tabulate`: every step of the recording, and whether the re-simulation matches it."""
    recording = msgspec.convert(given["recording"], Recording)
    with contextlib.closing(EpisodeReward(given, recording)) as reward:
        with contextlib.closing(Simulation(recording, render=False, noted=reward.noted)) as simulation:
            rows = [simulation.describe_fully()]
            while simulation.advance():
                rows.append(simulation.describe_fully())
        own = reward.scores()
    table = {
        **trust(recording, rows, given.get("version_mismatch"), explained(simulation, given)),
        "steps": with_own_rewards(with_recorded_rewards(recording, rows), own),
        "own_name": own.name,
        "own_note": own.note,
    }
    # msgspec writes NaN as null.
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(table))
    return plain


def film_episode(given: dict[str, Any]) -> dict[str, Any]:
    """Worker call `film_episode`: the recording in real time as an MP4 or GIF, written to the open file `output`."""
    is_gif = given["format"] == "gif"
    if not is_gif:
        require_encoder()
    with contextlib.closing(Simulation(msgspec.convert(given["recording"], Recording))) as simulation:
        stride, fps = frame_stride(render_fps(simulation.env), GIF_FPS if is_gif else MP4_FPS)
        with (
            handed_over(int(given["output"]), f".{given['format']}") as made,
            GifWriter(made.path, fps) if is_gif else Mp4Writer(made.path, fps) as writer,
        ):
            writer.add(simulation.frame())
            while simulation.advance():
                if simulation.step % stride == 0 or simulation.ended:
                    writer.add(simulation.frame())
    return {"frames": writer.frames, "size": made.size}
