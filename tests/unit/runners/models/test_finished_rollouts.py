"""A training that had ended has no unfinished rollout; made longer, it begins a new one."""

from rl_lab.runners.sb3.open_rollouts import continue_rollout


class Model:
    def collect_rollouts(self) -> None:
        pass


def test_a_training_that_had_ended_begins_a_whole_rollout() -> None:
    model = Model()
    continue_rollout(model, {})
    assert "collect_rollouts" not in vars(model)
