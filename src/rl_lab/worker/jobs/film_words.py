"""What a film says around its scenes, on the title, the captions and the end: of a training, or of a play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rl_lab.core.evaluations import FilmScene
from rl_lab.core.job_file import PolicyInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.plays.players import Player, player_of
from rl_lab.core.recordings import Recording
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.durations import short_duration
from rl_lab.worker.rendering.simulation import who_acted

PLAYED_BY: Mapping[Player, str] = {
    "person": "by a person",
    "hybrid": "by a person and an agent",
    "policy": "by an agent",
}


class FilmWords(NamedTuple):
    of: str
    """What is filmed: training or play."""
    title: str
    about: Sequence[str]
    """Lines under the title."""
    end_title: str
    facts: Sequence[str]
    """Lines after the returns of the scenes."""
    timesteps: int
    curve: Sequence[float] = ()
    """The reward over the training; empty: no curve is drawn."""


def training_words(inputs: Mapping[str, Any], scenes: int, seed: int | None) -> FilmWords:
    """`seed`: the one that all checkpoints play; None where recorded episodes are shown."""
    config: Any = TrainConfig.model_validate(inputs["config"])
    timesteps, best_mean = inputs["timesteps"], inputs["best_mean"]
    shown = f"{scenes} episodes recorded in training"
    if seed is not None:
        shown = f"{scenes} checkpoints play seed {seed:,}"
    facts = [f"trained {timesteps:,} steps in {short_duration(round(inputs['seconds']))}"]
    if best_mean is not None:
        facts.append(f"best mean of 100 training episodes: {return_text(best_mean)}")
    return FilmWords(
        of="training",
        title=inputs["name"],
        about=[
            f"{config.algorithm.upper()} on {config.env_id}",
            f"{timesteps:,} steps, seed {config.start_seed:,}, {config.runner}",
            shown,
        ],
        end_title="What it learnt",
        facts=facts,
        timesteps=timesteps,
        curve=inputs["curve"],
    )


def play_words(inputs: Mapping[str, Any], recordings: Sequence[Recording]) -> FilmWords:
    episodes, timesteps = inputs["episodes"], inputs["timesteps"]
    count = plural(len(recordings), "episode")
    if episodes > len(recordings):
        count = f"{len(recordings)} of {plural(episodes, 'episode')}"
    by_person = [bool(chosen) for recording in recordings for chosen in who_acted(recording)]
    about = [inputs["name"], f"{count}, played {PLAYED_BY[player_of(by_person)]}"]
    if start := inputs["start"]:
        about.append(f"taken over at step {start['step']:,} of episode {start['episode']:,}")
    return FilmWords(
        of="play",
        title=f"A play on {recordings[0].env_id}",
        about=about,
        end_title="Returns",
        facts=[f"played {plural(episodes, 'episode')}, {plural(timesteps, 'step')}"],
        timesteps=timesteps,
    )


def checkpoint_label(one: PolicyInput) -> str:
    return f"step {one.timestep or 0:,}" + (" · best" if one.role == "best" else "")


def episode_label(words: FilmWords, recording: Recording) -> str:
    if words.of == "play":
        player = player_of([bool(chosen) for chosen in who_acted(recording)])
        return f"episode {recording.episode} · {PLAYED_BY[player]}"
    return f"step {recording.timestep or 0:,} · episode {recording.episode}"


def end_row(words: FilmWords, scene: FilmScene) -> str:
    what = f"episode {scene.episode}" if words.of == "play" else f"step {scene.timestep or 0:,}"
    return f"{what}: return {return_text(scene.returned)}"


def return_text(value: float | None) -> str:
    return "unknown" if value is None else f"{value:+.1f}"
