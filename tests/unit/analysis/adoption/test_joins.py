"""Folders are joined by evidence only: the same values, the same episodes; else they stay apart."""

from __future__ import annotations

import math

import numpy as np

from rl_lab.analysis.adoption.clues import Clue, is_telling
from rl_lab.analysis.adoption.joins import evidence_for, find_groups
from rl_lab.analysis.adoption.pieces import Curve, EpisodeFact, Facts, curve

BORN = 1_700_000_000.0
REWARDS = np.random.default_rng(0).integers(5, 60, 40).astype(float)


def line(*values: float, every: int = 128) -> Curve:
    steps = (np.arange(len(values)) + 1) * every
    return curve(steps, BORN + steps, values)


def log(path: str, *losses: float, role: str = "events", began: float | None = BORN, **facts: object) -> Clue:
    known = Facts(began=began, **facts)  # type: ignore[arg-type]
    return Clue(path, frozenset({role}), known, {"loss": line(*losses)}, written_at=BORN + 900)


def monitor(path: str, rewards: np.ndarray = REWARDS, began: float = BORN) -> Clue:
    ends = np.cumsum(rewards)
    episodes = [EpisodeFact(began + end / 100, r, int(r)) for r, end in zip(rewards, ends, strict=True)]
    return Clue(path, frozenset({"monitor"}), Facts(began=began), episodes=[episodes], written_at=began + 12)


def means(path: str, rewards: np.ndarray = REWARDS, count: int = 8, began: float = BORN) -> Clue:
    ends = np.cumsum(rewards)
    values = [rewards[ends <= (i + 1) * 128][-100:].mean() for i in range(count)]
    return Clue(path, frozenset({"events"}), Facts(began=began), {"mean_reward": line(*values)})


def groups(*clues: Clue) -> list[list[str]]:
    return sorted([group.main.path, *sorted(group.joined)] for group in find_groups(clues))


def test_the_same_values_at_the_same_steps_are_one_training() -> None:
    same = [log("/x/tb/PPO_1", 0.5, 0.3, 0.9), log("/x/wandb/offline-run-1", 0.5, 0.3, 0.9, role="wandb")]
    assert groups(*same) == [["/x/tb/PPO_1", "/x/wandb/offline-run-1"]]
    assert evidence_for(*same) == "the same values of loss at 3 steps"


def test_mean_rewards_of_these_episodes_are_one_training_and_of_others_are_not() -> None:
    other = np.random.default_rng(1).integers(5, 60, 40).astype(float)
    assert groups(monitor("/x/m/a"), means("/x/tb/PPO_1")) == [["/x/tb/PPO_1", "/x/m/a"]]
    assert len(groups(monitor("/x/m/a"), means("/x/tb/PPO_1", other))) == 2


def test_several_seeds_find_their_own_folders() -> None:
    clues = []
    for seed in range(30):
        rewards = np.random.default_rng(seed).integers(5, 60, 40).astype(float)
        clues += [monitor(f"/x/monitor/{seed}", rewards), means(f"/x/tb/PPO_{seed}", rewards)]
    assert groups(*clues) == sorted([f"/x/tb/PPO_{seed}", f"/x/monitor/{seed}"] for seed in range(30))


def test_nothing_to_compare_stays_apart() -> None:
    one = Clue("/x/tb/PPO_1", frozenset({"events"}), Facts(began=BORN), {"mine": line(1.0, 5.0, 2.0)})
    assert len(groups(one, monitor("/x/monitor"))) == 2


def test_other_names_stay_apart_whatever_the_values_are() -> None:
    for facts in ({"env_id": "Acrobot-v1"}, {"algorithm": "dqn"}, {"seed": 2}):
        mine = log("/x/a", 0.5, 0.3, 0.9, env_id="CartPole-v1", algorithm="ppo", seed=1)
        theirs = log("/x/b", 0.5, 0.3, 0.9, role="wandb", **facts)
        assert len(groups(mine, theirs)) == 2


def test_one_contradiction_outweighs_equal_values() -> None:
    one, other = log("/x/a", 0.5, 0.3, 0.9), log("/x/b", 0.5, 0.3, 0.9, role="wandb")
    one.curves["kl"], other.curves["kl"] = line(0.1, 0.2, 0.1), line(0.3, 0.1, 0.2)
    assert len(groups(one, other)) == 2


def test_a_schedule_is_no_evidence() -> None:
    assert not is_telling("learning_rate", line(0.3, 0.2, 0.15))
    assert not is_telling("anything", line(3.0, 2.0, 1.0)) and not is_telling("anything", line(1.0, 1.0, 1.0))
    assert is_telling("anything", line(3.0, 2.0, 2.5)) and not is_telling("anything", line(math.nan))


def test_of_two_equal_trainings_the_one_that_fits_best_is_joined_and_a_tie_is_not() -> None:
    one, twin = log("/x/tb/PPO_1", 0.5, 0.3, 0.9), log("/x/tb/PPO_2", 0.5, 0.3, 0.9, began=BORN + 500)
    copy = log("/x/wandb/offline-run-1", 0.5, 0.3, 0.9, role="wandb", began=BORN + 501)
    assert groups(one, twin, copy) == [["/x/tb/PPO_1"], ["/x/tb/PPO_2", "/x/wandb/offline-run-1"]]
    tied = log("/x/tb/PPO_3", 0.5, 0.3, 0.9, began=BORN + 500)
    assert len(groups(twin, tied, copy)) == 3


def test_few_equal_values_need_the_same_start() -> None:
    assert evidence_for(monitor("/x/m"), means("/x/tb/PPO_1", count=1, began=BORN + 3)) is not None
    assert evidence_for(monitor("/x/m"), means("/x/tb/PPO_1", count=1, began=BORN + 9000)) is None


def test_evaluations_next_to_the_episodes_of_their_time_are_one_training() -> None:
    made = Clue("/x/eval", frozenset({"evaluations"}), Facts(), {"eval/mean_reward": line(9.0, 7.0)})
    for written_at, count in ((BORN + 8, 1), (BORN + 5000, 2), (BORN - 10, 2)):
        made.written_at = written_at
        assert len(groups(monitor("/x/monitor"), made)) == count
    made.written_at = BORN + 8
    assert len(groups(monitor("/x/a/b/monitor"), made)) == 2


def test_folders_far_apart_stay_apart() -> None:
    one, other = log("/x/1/2/3/4/5", 0.5, 0.3, 0.9), log("/x/b", 0.5, 0.3, 0.9, role="wandb")
    assert len(groups(one, other)) == 2


def test_two_runs_that_are_known_are_never_joined_and_a_new_folder_joins_one() -> None:
    one, other = log("/x/a", 0.5, 0.3, 0.9), log("/x/b", 0.5, 0.3, 0.9, role="wandb")
    other.is_known = True
    assert groups(one, other) == [["/x/b", "/x/a"]]
    one.is_known = True
    assert len(groups(one, other)) == 2
