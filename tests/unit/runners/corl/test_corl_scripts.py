"""Scripts of a CORL checkout: found, read as text, and called with arguments that fit the dataset."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from support.corl import IMITATION, LENGTHS, write_pendulum

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import complete_params
from rl_lab.runners.corl import CorlRunner
from rl_lab.runners.corl.call import spell
from rl_lab.runners.corl.checkout import CorlLayout
from rl_lab.runners.foreign import RunPaths


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RL_LAB_CORL", str(IMITATION))
    monkeypatch.delenv("RL_LAB_CORL_PYTHON", raising=False)
    write_pendulum(tmp_path / "datasets" / "pendulum" / "v1")
    return tmp_path


def config_of(algorithm: str, name: str = "pendulum", **changes: Any) -> TrainConfig:
    params = complete_params(CorlRunner().spec.algorithm(algorithm), None, changes.pop("params", {}))
    rest = {"seed": 5, "total_timesteps": 2000, "dataset": {"name": name}, "device": "cpu"}
    return TrainConfig(runner="corl", algorithm=algorithm, params=params, **{**rest, **changes})


def arguments_of(home: Path, config: TrainConfig) -> dict[str, str]:
    run = home / "runs" / "new"
    shown = CorlRunner().command(config, RunPaths(home, run, run / "attempts" / "1" / "job.json")).shown[2:]
    return dict(zip(shown[::2], shown[1::2], strict=True))


def test_scripts_are_offered_and_others_named_with_the_reason(home: Path) -> None:
    spec = CorlRunner().spec
    assert [one.id for one in spec.algorithms] == ["sac_n", "td3_bc"]
    assert [one.presets[0].total_timesteps for one in spec.algorithms] == [3_000_000, 1_000_000]
    assert "rebrac.py: it uses JAX" in spec.notes[0] and "algorithms/finetune" in spec.notes[0]
    assert spec.capabilities.dataset and spec.capabilities.foreign


def test_parameters_have_the_types_defaults_and_comments_of_the_dataclass(home: Path) -> None:
    fields = CorlRunner().spec.algorithm("td3_bc").params.model_fields
    assert {"env", "seed", "device", "max_timesteps", "checkpoints_path", "load_model", "clip"} & set(
        fields
    ) == set()
    assert (fields["normalize"].default, fields["normalize"].annotation) == (True, bool)
    assert fields["n_episodes"].description == "Episodes of an evaluation."
    assert fields["buffer_size"].description == "Size of the buffer. Empty: as large as the dataset."


def test_the_run_and_the_dataset_become_arguments(home: Path) -> None:
    assert arguments_of(home, config_of("td3_bc", params={"learning_rate": 1e-5, "normalize": False})) == {
        "--env": "pendulum",
        "--seed": "5",
        "--max_timesteps": "2000",
        "--device": "cpu",
        "--checkpoints_path": "models",
        "--eval_freq": "200",
        "--buffer_size": str(sum(LENGTHS)),
        "--learning_rate": "1e-05",
        "--normalize": "false",
    }


def test_epochs_and_what_describes_the_data_fit_the_run(home: Path) -> None:
    found = arguments_of(home, config_of("sac_n", params={"save_models": False}))
    assert (found["--num_epochs"], found["--max_action"], found["--train_seed"]) == ("2", "2.0", "5")
    assert "--checkpoints_path" not in found and found["--target_returns"].startswith("[-")
    chosen = arguments_of(home, config_of("sac_n", params={"max_action": 1.5}, total_timesteps=300))
    assert (chosen["--max_action"], chosen["--num_epochs"]) == ("1.5", "1")
    assert chosen["--num_updates_on_epoch"] == "300"
    with pytest.raises(InvalidInput, match="choose 2,000 or 3,000"):
        arguments_of(home, config_of("sac_n", total_timesteps=2500))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-1.0, ["--a=-1.0"]),
        ([1.0, -2.0], ["--a", "[1.0, -2.0]"]),
        (None, ["--a", "null"]),
        ("off", ["--a", '"off"']),
        ("12", ["--a", '"12"']),
        ("plain-v1", ["--a", "plain-v1"]),
    ],
)
def test_values_are_written_as_yaml(value: Any, words: list[str]) -> None:
    assert spell("a", value) == words


def test_the_dataset_is_readable_for_the_script(home: Path) -> None:
    run = home / "runs" / "new"
    command = CorlRunner().command(config_of("td3_bc"), RunPaths(home, run, run / "job.json"))
    assert str(home / "datasets" / "pendulum" / "v1") in command.reads


def test_a_dataset_that_does_not_fit_is_refused_with_the_remedy(home: Path) -> None:
    discrete = {"type": "Discrete", "n": 2, "start": 0}
    write_pendulum(home / "datasets" / "discrete" / "v1", action_space=discrete)
    write_pendulum(home / "datasets" / "nameless" / "v1", env_id="")
    for name, words in (("discrete", "continuous actions"), ("nameless", "names no environment")):
        with pytest.raises(InvalidInput, match=words):
            arguments_of(home, config_of("td3_bc", name))
    with pytest.raises(NotReady, match="there is no such dataset"):
        arguments_of(home, config_of("td3_bc", "absent"))
    with pytest.raises(NotReady, match="it has v1"):
        arguments_of(home, config_of("td3_bc", dataset={"name": "pendulum", "version": 4}))
    (home / "datasets" / "pendulum" / "v1" / "rewards.npy").write_bytes(b"short")
    with pytest.raises(NotReady, match=r"rewards\.npy"):
        arguments_of(home, config_of("td3_bc"))


def test_a_renamed_dataset_is_found_by_its_contents(home: Path) -> None:
    sha256 = write_pendulum(home / "datasets" / "other" / "v1").sha256
    (home / "datasets" / "other").rename(home / "datasets" / "renamed")
    gone = {"name": "other", "version": 1, "sha256": sha256}
    assert arguments_of(home, config_of("td3_bc", dataset=gone))["--env"] == "other"


def test_checkpoints_that_do_not_fit_on_the_disk_are_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(home)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=10_000_000))
    config = config_of("td3_bc", params={"eval_freq": 1})
    with pytest.raises(NotReady, match="2,000 checkpoints") as refused:
        arguments_of(home, config)
    assert "save_models" in str(refused.value.next_step)
    assert arguments_of(home, config_of("td3_bc", params={"eval_freq": 1, "save_models": False}))


def test_a_folder_that_is_not_a_checkout_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "algorithms").mkdir()
    for folder, words in (
        (tmp_path / "absent", "There is no folder"),
        (tmp_path, "contains no script of CORL"),
        (IMITATION / "algorithms" / "offline", f"use {IMITATION}"),
    ):
        with pytest.raises(InvalidInput, match=words):
            CorlLayout().open(folder)


def test_without_a_checkout_the_runner_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RL_LAB_CORL", "")
    spec = CorlRunner().spec
    assert (spec.algorithms, spec.requirements[0].is_met) == ((), False)
    assert "git clone" in spec.requirements[0].remedy
