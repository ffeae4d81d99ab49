"""What was read of a source becomes telemetry under the lab's names, whatever way it was cut."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from rl_lab.analysis.adoption.pieces import Curve, EpisodeFact, Piece, curve
from rl_lab.orchestrator.adoption.reader.batches import Gathering
from rl_lab.orchestrator.adoption.reader.bookmarks import Memory
from rl_lab.store.telemetry import Batch

BORN = 1_700_000_000.0


def gather(memory: Memory, role: str = "events", **piece: object) -> tuple[Batch | None, Gathering]:
    gathering = Gathering(memory)
    gathering.take(role, Piece(0, **piece))  # type: ignore[arg-type]
    return gathering.batch(BORN), gathering


def line(*values: float, first: int = 0, every: int = 10) -> Curve:
    steps = first + np.arange(len(values)) * every
    return curve(steps, BORN + steps, values)


def test_names_of_other_tools_become_the_labs() -> None:
    batch, _ = gather(
        Memory(),
        curves={"train/entropy_loss": line(-0.6), "losses/approx_kl": line(0.01), "own/name": line(3.0)},
    )
    assert batch is not None
    assert {name: list(points.values) for name, points in batch.points.items()} == {
        "entropy": [0.6],
        "kl": [0.01],
        "own/name": [3.0],
    }


def test_a_metric_that_two_files_hold_is_taken_from_one() -> None:
    memory = Memory()
    gathering = Gathering(memory)
    gathering.take("progress", Piece(0, {"train/loss": line(1.0, 2.0)}))
    gathering.take("events", Piece(0, {"train/loss": line(1.0, 2.0), "other": line(5.0)}))
    batch = gathering.batch(BORN)
    assert batch is not None
    assert [list(batch.points[name].values) for name in ("loss", "other")] == [[1.0, 2.0], [5.0]]


def test_returns_and_lengths_logged_one_by_one_become_episodes() -> None:
    curves = {"charts/episodic_return": line(5.0, 7.0, 9.0), "charts/episodic_length": line(50, 70, 90)}
    memory = Memory()
    batch, _ = gather(memory, curves=curves)
    assert batch is not None
    assert [(e.episode, e.reward, e.length, e.timestep) for e in batch.episodes] == [
        (0, 5.0, 50, 0),
        (1, 7.0, 70, 10),
        (2, 9.0, 90, 20),
    ]
    assert memory.standing.summary().mean_reward == 7.0
    assert set(batch.points) == {"reward", "length"}


def test_a_return_whose_length_is_not_written_yet_waits_for_it() -> None:
    memory = Memory()
    gather(memory, curves={"charts/episodic_return": line(5.0, 7.0), "charts/episodic_length": line(50)})
    assert memory.standing.episodes == 1
    memory = msgspec.convert(msgspec.to_builtins(memory), Memory)
    batch, _ = gather(memory, curves={"charts/episodic_length": line(70, first=10)})
    assert batch is not None
    assert [(e.episode, e.reward, e.length) for e in batch.episodes] == [(1, 7.0, 70)]


def test_episodes_of_several_monitors_are_counted_in_the_order_they_ended() -> None:
    gathering = Gathering(Memory())
    gathering.take(
        "monitor", Piece(0, episodes=[EpisodeFact(BORN + 1, 1.0, 10), EpisodeFact(BORN + 3, 3.0, 10)])
    )
    gathering.take("monitor", Piece(0, episodes=[EpisodeFact(BORN + 2, 2.0, 5)]), env=1)
    batch = gathering.batch(BORN)
    assert batch is not None
    assert [(e.reward, e.env, e.timestep) for e in batch.episodes] == [
        (1.0, 0, 10),
        (2.0, 1, 15),
        (3.0, 0, 25),
    ]


def test_means_stand_in_where_no_episode_is_told() -> None:
    memory = Memory()
    batch, _ = gather(memory, curves={"rollout/ep_rew_mean": line(10.0, 30.0, 20.0)})
    assert batch is not None
    assert list(batch.points["reward"].values) == [10.0, 30.0, 20.0]
    assert (memory.means.last, memory.means.best, memory.means.line) == (20.0, 30.0, [10.0, 30.0, 20.0])
    assert memory.standing.timestep == 20 and not batch.episodes


def test_negative_steps_are_left_out_and_said() -> None:
    batch, gathering = gather(Memory(), curves={"x": curve([5, -1, math.nan, 7], [BORN] * 4, [1, 2, 3, 4])})
    assert batch is not None and list(batch.points["x"].values) == [1, 4]
    assert "x: 2 points with a negative step" in gathering.problems[0]


def test_times_no_file_tells_come_from_the_other_curves() -> None:
    nowhere = curve([0, 10, 15], [math.nan] * 3, [1, 2, 3])
    batch, _ = gather(Memory(), curves={"loss": line(1.0, 2.0, 3.0), "eval/mean_reward": nowhere})
    assert batch is not None
    assert [t - BORN for t in batch.points["eval/mean_reward"].times] == [0, 10, 15]


def test_rewards_that_are_no_numbers_are_episodes_without_a_reward() -> None:
    memory = Memory()
    batch, _ = gather(memory, "monitor", episodes=[EpisodeFact(BORN, math.nan, 3), EpisodeFact(BORN, 4.0, 3)])
    assert batch is not None
    assert [e.reward for e in batch.episodes] == [None, 4.0]
    assert list(batch.points["reward"].values) == [4.0]


def test_cut_anywhere_the_standing_is_the_same() -> None:
    episodes = [EpisodeFact(BORN + i, float(i % 17), 10 + i % 5) for i in range(300)]
    whole, pieces = Memory(), Memory()
    gather(whole, "monitor", episodes=episodes)
    for first in range(0, 300, 70):
        gather(pieces, "monitor", episodes=episodes[first : first + 70])
    assert pieces.standing.summary() == whole.standing.summary()
    assert pieces.standing.progress().elapsed_s == whole.standing.progress().elapsed_s == 299.0


def test_nothing_gives_no_batch() -> None:
    batch, _ = gather(Memory())
    assert batch is None
