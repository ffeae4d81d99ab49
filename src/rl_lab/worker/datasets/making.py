"""Recorded episodes of runs as a dataset: each is simulated again, compared with its recording, and written."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import WHO, EpisodeSource
from rl_lab.core.datasets.operations import MakeDataset
from rl_lab.core.errors import InvalidInput
from rl_lab.core.recordings import Recording
from rl_lab.core.words.amounts import plural
from rl_lab.worker.datasets.progress import WorkCount
from rl_lab.worker.datasets.recording_files import read_recordings
from rl_lab.worker.datasets.step_writer import StepWriter
from rl_lab.worker.datasets.writing import DatasetWriter
from rl_lab.worker.environments.make import environment_version, make_environment
from rl_lab.worker.rendering.simulation import Simulation, is_same_reward
from rl_lab.worker.session import Session

NOT_THE_SAME = "did not come back as they were recorded"
NO_STEP = "have no step"


def make(session: Session, operation: MakeDataset, folder: Path) -> None:
    inputs = session.job.inputs
    sources = [EpisodeSource.model_validate(one) for one in inputs["sources"]]
    numbers = {source.run_id: number for number, source in enumerate(sources)}
    left_out: Counter[str] = Counter()
    progress = WorkCount(session, int(inputs["episodes"]))
    with Path(inputs["recordings"]).open("rb") as file:
        recordings = read_recordings(file)
        first = next(recordings, None)
        if first is None:
            raise InvalidInput("There is no recording to simulate.", next_step="Choose other episodes.")
        env = make_environment(first.env_id, first.env_kwargs)
        try:
            with _writer(folder, operation, first, env, sources) as writer:
                steps = StepWriter(writer)
                for recording in (first, *recordings):
                    problem = _add(env, steps, recording, numbers[recording.run_id], progress)
                    left_out[problem] += bool(problem)
                    progress.advance()
                _finish(writer, left_out, first.env_id)
        finally:
            env.close()


def _writer(
    folder: Path, operation: MakeDataset, first: Recording, env: Any, sources: list[EpisodeSource]
) -> DatasetWriter:
    return DatasetWriter(
        folder,
        observation_space=env.observation_space,
        action_space=env.action_space,
        env_id=first.env_id,
        env_kwargs=first.env_kwargs,
        env_version=environment_version(first.env_id),
        sources=sources,
        source=f"Recorded episodes of {plural(len(sources), 'run')}.",
        licence=operation.licence,
        who=True,
    )


def _add(env: Any, steps: StepWriter, recording: Recording, source: int, progress: WorkCount) -> str:
    """Writes one episode; returns why it was left out, or nothing."""
    if recording.count == 0:
        return NO_STEP
    if not _simulate(Simulation(recording, env=env), steps, progress):
        steps.drop()
        # What the environment keeps over a reset may have changed it: once more in a new one.
        fresh = Simulation(recording, render=False)
        try:
            if not _simulate(fresh, steps, progress):
                steps.drop()
                return NOT_THE_SAME
        finally:
            fresh.close()
    steps.end(seed=recording.seed, source=source, number=recording.episode)
    return ""


def _simulate(simulation: Simulation, steps: StepWriter, progress: WorkCount) -> bool:
    """Whether it came out as it was recorded."""
    recording = simulation.recording
    who = _who(recording)
    steps.begin(simulation.observation)
    while simulation.advance():
        step = simulation.step
        if step % 1000 == 0:
            progress.look()
        is_cut = step == recording.count and not simulation.ended
        steps.add(
            simulation.actions[step - 1],
            simulation.observation,
            simulation.reward,
            terminated=simulation.terminated,
            truncated=bool(simulation.truncated) or is_cut,
            who=int(who[step - 1]),
        )
    return _is_same(simulation)


def _is_same(simulation: Simulation) -> bool:
    recording = simulation.recording
    if simulation.step != recording.count or simulation.parted_at or simulation.differs_at:
        return False
    if recording.terminated is not None and recording.terminated != bool(simulation.terminated):
        return False
    returned = recording.returned
    return returned is None or bool(is_same_reward(returned, simulation.returned))


def _who(recording: Recording) -> np.ndarray:
    """1 for each step in which a person acted."""
    column = recording.extra.get(WHO)
    if not column:
        return np.zeros(recording.count, np.uint8)
    return (np.frombuffer(column, "<f2")[: recording.count] > 0.5).astype(np.uint8)


def _finish(writer: DatasetWriter, left_out: Counter[str], env_id: str) -> None:
    notes = [f"Left out: {plural(count, 'episode')} that {why}." for why, count in left_out.items() if why]
    if writer.episodes == 0:
        raise InvalidInput(
            f"No episode was written. {' '.join(notes)}",
            next_step=f"{env_id} may not be deterministic, or another version of it is installed than when it was "
            "recorded; collect new episodes with a policy instead.",
        )
    writer.finish(notes=notes)
