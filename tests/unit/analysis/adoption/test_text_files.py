"""Text files of other tools, whole, growing, half written and wrong."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

from rl_lab.analysis.adoption.monitor_files import read_monitor
from rl_lab.analysis.adoption.progress_files import read_progress
from rl_lab.analysis.adoption.ray_files import read_params, read_results

MONITOR = b'#{"t_start": 1700000000.0, "env_id": "CartPole-v1"}\nr,l,t\n10.5,21,0.5\n12.0,30,1.25\n'


def test_a_monitor_gives_its_episodes_with_their_times() -> None:
    piece = read_monitor(io.BytesIO(MONITOR), 0, {})
    assert [(e.reward, e.length, e.at) for e in piece.episodes] == [
        (10.5, 21, 1700000000.5),
        (12.0, 30, 1700000001.25),
    ]
    assert (piece.facts.env_id, piece.facts.began) == ("CartPole-v1", 1700000000.0)
    assert piece.offset == len(MONITOR) and not piece.problems


def test_a_growing_monitor_is_continued_and_half_a_line_is_left_for_later() -> None:
    first = read_monitor(io.BytesIO(MONITOR + b"7.0,1"), 0, {})
    assert first.offset == len(MONITOR)
    more = read_monitor(io.BytesIO(MONITOR + b"7.0,14,2.0\n"), first.offset, first.memo)
    assert [(e.reward, e.length) for e in more.episodes] == [(7.0, 14)]


@pytest.mark.parametrize(
    "data", [b"\x00\xff" * 500, b"a,b,c\n1,2,3\n", b"#not json\nr,l,t\n", b"#{}\nx,y\n1,2\n"]
)
def test_a_file_that_is_not_a_monitor_is_reported(data: bytes) -> None:
    piece = read_monitor(io.BytesIO(data), 0, {})
    assert piece.episodes == []
    assert "no monitor file" in piece.problems[0]


def test_a_monitor_that_was_just_created_is_not_a_problem() -> None:
    for data in (b"", b'#{"t_start": 1', MONITOR.partition(b"\n")[0] + b"\n"):
        piece = read_monitor(io.BytesIO(data), 0, {})
        assert (piece.offset, piece.problems, piece.episodes) == (0, [], [])


def test_invalid_lines_of_a_monitor_are_counted_and_skipped() -> None:
    piece = read_monitor(io.BytesIO(MONITOR + b"x,y,z\n\xff\xfe\n1,-5,2\n3,4,5\nnan,6,7\n"), 0, {})
    assert [e.length for e in piece.episodes] == [21, 30, 4, 6]
    assert piece.problems == ["3 lines that cannot be read left out."]


PROGRESS = (
    b"time/total_timesteps,time/time_elapsed,train/loss,rollout/ep_rew_mean\n100,1.0,,9.5\n200,2.0,0.5,nan\n"
)


def test_progress_has_a_curve_per_column_and_skips_empty_cells() -> None:
    piece = read_progress(io.BytesIO(PROGRESS), 0, {})
    assert set(piece.curves) == {"train/loss", "rollout/ep_rew_mean"}
    assert piece.curves["train/loss"].steps.tolist() == [200]
    means = piece.curves["rollout/ep_rew_mean"]
    assert means.steps.tolist() == [100, 200] and np.isnan(means.values[1])
    assert np.diff(means.times).tolist() == [1.0]


def test_progress_is_continued_with_the_names_of_its_header() -> None:
    first = read_progress(io.BytesIO(PROGRESS + b"300,3.0,0."), 0, {})
    more = read_progress(io.BytesIO(PROGRESS + b"300,3.0,0.25,11\n"), first.offset, first.memo)
    assert more.curves["train/loss"].values.tolist() == [0.25]
    assert more.curves["train/loss"].times[0] - first.curves["train/loss"].times[0] == pytest.approx(1.0)


def test_a_million_columns_are_refused_with_a_message() -> None:
    header = b",".join(b"c%d" % i for i in range(300_000)) + b"\n1,2\n"
    piece = read_progress(io.BytesIO(header), 0, {})
    assert piece.curves == {} and "300,000 columns" in piece.problems[0]


def test_a_table_of_binary_data_is_refused_with_a_message() -> None:
    piece = read_progress(io.BytesIO(b"\x89PNG\xff\xfe,\x00\n1,2\n"), 0, {})
    assert piece.curves == {} and "no table of text" in piece.problems[0]


def test_rows_of_another_width_are_skipped_and_counted() -> None:
    piece = read_progress(io.BytesIO(PROGRESS + b"1,2\n400,4.0,0.1,12\n"), 0, {})
    assert piece.curves["train/loss"].steps.tolist() == [200, 400]
    assert "1 row with another number of columns" in piece.problems[0]


def test_ray_results_are_flat_curves_over_sampled_steps() -> None:
    rows = [
        {
            "timesteps_total": 100 * i,
            "timestamp": 1700000000 + i,
            "env_runners": {"episode_return_mean": i * 1.5},
            "config": {"env": "CartPole-v1", "lr": 0.1},
            "done": False,
        }
        for i in (1, 2, 3)
    ]
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows) + b"{half"
    piece = read_results(io.BytesIO(data), 0, {})
    mean = piece.curves["env_runners/episode_return_mean"]
    assert (mean.steps.tolist(), mean.values.tolist()) == ([100, 200, 300], [1.5, 3.0, 4.5])
    assert piece.facts.env_id == "CartPole-v1" and set(piece.curves) == {"env_runners/episode_return_mean"}
    assert piece.offset == len(data) - len(b"{half")


def test_ray_lines_that_are_not_results_are_counted() -> None:
    piece = read_results(io.BytesIO(b'[1]\nnope\n{"timesteps_total": 5, "x": NaN}\n'), 0, {})
    assert np.isnan(piece.curves["x"].values[0]) and "2 lines" in piece.problems[0]


def test_ray_params_give_environment_and_seed() -> None:
    facts = read_params(b'{"env": "CartPole-v1", "seed": 7, "lr": 0.001}')
    assert facts is not None and (facts.env_id, facts.seed, facts.args["lr"]) == ("CartPole-v1", 7, 0.001)
    assert read_params(b"\xff") is None
