"""`rl-lab runners ALGORITHM --explain`."""

import pytest

from rl_lab.cli.commands.runners import _explain
from rl_lab.runners.registry import find_spec


def test_parameters_are_explained_by_label_name_and_consequence(capsys: pytest.CaptureFixture[str]) -> None:
    _explain(find_spec("turbo").algorithm("ppo").params.model_json_schema()["properties"])
    printed = capsys.readouterr().out
    assert "Learning rate (learning_rate): default 0.001, > 0, ≤ 1" in printed
    assert "  Too high looks like: the reward jumps up and down or collapses" in printed
    assert "  Usual: 0.1 to 0.3." in printed
    assert max(len(line) for line in printed.splitlines()) <= 100
