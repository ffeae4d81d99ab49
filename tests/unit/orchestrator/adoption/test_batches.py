"""What was read of a source becomes telemetry under the lab's names, whatever way it was cut."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

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


def values(batch: Batch | None) -> dict[str, list[float]]:
    assert batch is not None
    return {name: list(points.values) for name, points in batch.points.items()}


def test_names_of_other_tools_become_the_labs() -> None:
    batch, _ = gather(
        Memory(),
        curves={
            "train/entropy_loss": line(-0.6),
            "time/fps": line(100.0),
            "losses/approx_kl": line(0.01),
            "own/name": line(3.0),
        },
    )
    assert values(batch) == {"entropy": [0.6], "fps": [100.0], "kl": [0.01], "own/name": [3.0]}


def test_a_loss_of_another_tool_is_not_the_quantity_it_contains() -> None:
    curves = {
        "Loss/entropy_loss": line(-0.0),
        "train/entropy_loss": line(-0.1),
        "Loss/value_loss": line(2.0),
        "Loss/policy_loss": line(1.0),
    }
    batch, _ = gather(Memory(), curves=curves)
    assert values(batch) == {
        "Loss/entropy_loss": [0.0],
        "train/entropy_loss": [-0.1],
        "value_loss": [2.0],
        "policy_loss": [1.0],
    }


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("training/returns_stat/mean", "mean_reward"),
        ("train/returns_stat/mean", "mean_reward"),
        ("Rewards/rew_avg", "mean_reward"),
        ("Train/mean_reward", "mean_reward"),
        ("Reward / Total reward (mean)", "mean_reward"),
        ("Environment/Cumulative Reward", "mean_reward"),
        ("return", "reward"),
        ("train/episode_reward", "reward"),
    ],
)
def test_the_reward_of_each_tool_is_the_reward_curve(tag: str, name: str) -> None:
    memory = Memory()
    batch, _ = gather(memory, curves={tag: line(10.0, 30.0)})
    assert values(batch) == {name: [10.0, 30.0], "reward": [10.0, 30.0]}
    assert memory.means.last == 30.0
    assert batch is not None and batch.origins["reward"].tag == tag


def test_a_reward_next_to_episodes_keeps_its_own_name() -> None:
    memory = Memory()
    curves = {"charts/episodic_return": line(5.0, 7.0), "return": line(1.0), "reward": line(2.0)}
    batch, _ = gather(memory, curves=curves)
    assert values(batch) == {"reward": [5.0, 7.0], "return": [1.0], "reward (logged)": [2.0]}


def test_two_series_that_mean_the_same_are_not_mixed() -> None:
    curves = {
        "aux/loss": line(9.0),
        "train/loss": line(1.0),
        "agent_1/value_loss": line(3.0),
        "loss": line(2.0),
    }
    batch, _ = gather(Memory(), curves=curves)
    assert values(batch) == {"loss": [2.0], "train/loss": [1.0], "aux/loss": [9.0], "value_loss": [3.0]}


def test_each_metric_of_ray_is_taken_once_and_its_bookkeeping_is_none() -> None:
    gathering = Gathering(Memory())
    counters = {"pid": line(4.0), "iterations_since_restore": line(1.0), "time_total_s": line(2.0)}
    gathering.take("results", Piece(0, {"loss": line(1.0), "own": line(2.0)}), is_ray=True)
    gathering.take("progress", Piece(0, {"loss": line(1.0), "own": line(2.0), **counters}), is_ray=True)
    tagged = {
        f"ray/tune/{name}": found for name, found in {"loss": line(1.0), "own": line(2.0), **counters}.items()
    }
    gathering.take("events", Piece(0, {**tagged, "ray/tune/only_here": line(7.0)}), is_ray=True)
    assert values(gathering.batch(BORN)) == {"loss": [1.0], "own": [2.0], "only_here": [7.0]}


def test_every_metric_keeps_the_file_and_the_tag_it_came_from() -> None:
    gathering = Gathering(Memory())
    gathering.take("monitor", Piece(0, episodes=[EpisodeFact(BORN, 1.0, 10)]), file="0.monitor.csv")
    gathering.take("events", Piece(0, {"train/loss": line(1.0), "mine": line(2.0)}), file="tb/events.1")
    batch = gathering.batch(BORN)
    assert batch is not None
    assert {name: (origin.file, origin.tag) for name, origin in batch.origins.items()} == {
        "reward": ("0.monitor.csv", "r"),
        "length": ("0.monitor.csv", "l"),
        "loss": ("tb/events.1", "train/loss"),
        "mine": ("tb/events.1", "mine"),
    }


def test_values_that_are_not_finite_are_kept_and_counted() -> None:
    episodes = [EpisodeFact(BORN + i, math.inf if i == 200 else 1.0, 10) for i in range(400)]
    gathering = Gathering(Memory())
    gathering.take("monitor", Piece(0, episodes=episodes))
    gathering.take("events", Piece(0, {"train/loss": line(1.0, math.nan, -math.inf)}))
    found = values(gathering.batch(BORN))
    assert len(found["reward"]) == 400 and found["reward"][200] == math.inf
    assert gathering.not_finite == {"reward": (1, 2010), "loss": (2, 10)}


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


def test_lengths_that_no_file_holds_are_unknown() -> None:
    memory = Memory()
    batch, _ = gather(memory, curves={"charts/episodic_return": line(5.0, 7.0)})
    assert values(batch) == {"reward": [5.0, 7.0]}
    assert memory.standing.summary().mean_length is None and memory.standing.last_length is None


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


def test_rewards_that_are_no_numbers_are_gaps_of_the_curve() -> None:
    memory = Memory()
    batch, _ = gather(memory, "monitor", episodes=[EpisodeFact(BORN, math.nan, 3), EpisodeFact(BORN, 4.0, 3)])
    assert batch is not None
    assert [e.reward for e in batch.episodes] == [None, 4.0]
    assert math.isnan(batch.points["reward"].values[0]) and batch.points["reward"].values[1] == 4.0
    assert memory.standing.mean_reward == 4.0


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
