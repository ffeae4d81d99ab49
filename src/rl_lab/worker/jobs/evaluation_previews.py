"""Worker call `preview_evaluation`: recorded episodes are simulated again, and evaluation code looks at them."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec

from rl_lab.analysis.evaluation_numbers import summarise_numbers
from rl_lab.core.recordings import Recording
from rl_lab.core.workbench.evaluation_previews import EvaluationPreview, PreviewedEpisode
from rl_lab.worker.jobs.episode_numbers import EpisodeNumbers
from rl_lab.worker.rendering.simulation import Simulation, recorded_environment
from rl_lab.worker.user_code.watched_episode import WatchedEpisode


def preview_evaluation(given: dict[str, Any]) -> dict[str, Any]:
    """`recordings` of one run, and `evaluation_code` as an evaluation gets it."""
    recordings = [msgspec.convert(one, Recording) for one in given["recordings"]]
    first = recordings[0]
    found: list[PreviewedEpisode] = []
    notes: list[str] = []
    numbers = EpisodeNumbers(given["evaluation_code"], first.env_id, given.get("reward"))
    with contextlib.closing(numbers), contextlib.closing(_Environments()) as environments:
        for recording in recordings:
            simulation = Simulation(recording, env=environments.find(recording))
            _replay(simulation, numbers.watched)
            if simulation.differs_at is not None or simulation.parted_at is not None:
                notes.append(
                    f"Episode {recording.episode} is left out: its replay differs from the recording."
                )
                continue
            numbers.look(recording.episode, recording.seed)
            if numbers.problem is not None:
                break
            found.append(_row(simulation, numbers.rows[-1]))
    preview = EvaluationPreview(
        run_id=first.run_id,
        env_id=first.env_id,
        episodes=found,
        numbers=summarise_numbers(numbers.rows),
        problem=numbers.problem,
        notes=notes,
    )
    return preview.model_dump(mode="json")


def _replay(simulation: Simulation, watched: WatchedEpisode) -> None:
    watched.begin(simulation.observation, simulation.info)
    while simulation.advance():
        action = simulation.actions[simulation.step - 1]
        outcome = (simulation.observation, simulation.reward, simulation.terminated, simulation.truncated)
        watched.add(action, (*outcome, simulation.info))


def _row(simulation: Simulation, numbers: dict[str, float]) -> PreviewedEpisode:
    return PreviewedEpisode(
        episode=simulation.recording.episode,
        seed=simulation.recording.seed,
        returned=simulation.returned,
        length=simulation.step,
        numbers=numbers,
    )


class _Environments:
    """One environment for all recordings with the same arguments: making one takes longer than an episode."""

    def __init__(self) -> None:
        self._made: list[tuple[dict[str, Any], Any]] = []

    def find(self, recording: Recording) -> Any:
        for arguments, env in self._made:
            if arguments == recording.env_kwargs:
                return env
        env = recorded_environment(recording, None)
        self._made.append((recording.env_kwargs, env))
        return env

    def close(self) -> None:
        for _, env in self._made:
            env.close()
