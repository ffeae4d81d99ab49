"""Event files between the lab and the programs that define them: TensorBoard reads ours, we read torch's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from rl_lab.analysis.event_files import Column, read_scalars, write_scalars


def _column(count: int, seed: int = 0) -> Column:
    values = np.random.default_rng(seed).normal(size=count).astype(np.float32).astype(np.float64)
    return Column(np.arange(count, dtype=np.int64) * 77, 1.7e9 + np.arange(count) * 0.25, values)


def test_tensorboard_reads_what_we_write(tmp_path: Path) -> None:
    columns = {"mean_reward": _column(3000), "train/loss": _column(500, 1), "ünïcode": _column(1, 2)}
    write_scalars(
        tmp_path / "events.out.tfevents.1.lab", columns, config={"lr": 0.1, "env_id": "CartPole-v1"}
    )
    accumulator = EventAccumulator(str(tmp_path), size_guidance={"scalars": 0, "tensors": 0})
    accumulator.Reload()
    assert set(accumulator.Tags()["scalars"]) == set(columns)
    for tag, column in columns.items():
        found = accumulator.Scalars(tag)
        assert [e.step for e in found] == column.steps.tolist()
        assert [e.wall_time for e in found] == column.wall_times.tolist()
        assert [e.value for e in found] == column.values.tolist()
    (text,) = accumulator.Tensors("hyperparameters/text_summary")
    assert b"|env_id|CartPole-v1|" in text.tensor_proto.string_val[0]


def test_files_of_torchs_writer_are_read(tmp_path: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_text("hyperparameters", "|param|value|\n|-|-|\n|lr|0.25|\n|cuda|False|")
        for n in range(200):
            writer.add_scalar("charts/SPS", n, n * 10, walltime=100.0 + n)
            writer.add_scalar("new/single", n / 4, n, new_style=True)
            writer.add_scalar("new/double", n / 3, n, new_style=True, double_precision=True)
            writer.add_histogram("weights", np.arange(10.0), n)
    (path,) = tmp_path.glob("*tfevents*")
    read = read_scalars(path)
    assert read.problems == [] and read.offset == path.stat().st_size
    assert read.config == {"lr": 0.25, "cuda": False}
    assert list(read.columns) == ["charts/SPS", "new/single", "new/double"]
    assert read.columns["charts/SPS"].steps.tolist() == list(range(0, 2000, 10))
    assert read.columns["charts/SPS"].wall_times.tolist() == [100.0 + n for n in range(200)]
    assert read.columns["new/double"].values.tolist() == [n / 3 for n in range(200)]


def test_a_file_is_read_while_torchs_writer_appends_to_it(tmp_path: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    values: list[float] = []
    offset = 0
    with SummaryWriter(str(tmp_path)) as writer:
        (path,) = tmp_path.glob("*tfevents*")
        for n in range(5):
            writer.add_scalar("a", n, n)
            writer.flush()
            read = read_scalars(path, start=offset)
            values += read.columns["a"].values.tolist()
            offset = read.offset
    assert values == [0, 1, 2, 3, 4]


def test_hyperparameters_of_torch_are_read(tmp_path: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_hparams({"lr": 0.1, "layers": 2, "activation": "tanh"}, {"score": 1.0}, run_name="one")
    configs = [read_scalars(path).config for path in (tmp_path / "one").glob("*tfevents*")]
    assert configs == [{"lr": 0.1, "layers": 2, "activation": "tanh"}]
