"""The sides of a duel: checkpoints, and people whose recorded episodes are played again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rl_lab.core.job_file import PolicyInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.worker.jobs.forks import read_recordings
from rl_lab.worker.jobs.played_again import PlayedAgain
from rl_lab.worker.policies import load_policy
from rl_lab.worker.runner import Policy


@dataclass(frozen=True)
class Side:
    run_id: str
    label: str
    config: TrainConfig
    policy: Policy

    def begin(self, seed: int) -> None:
        if isinstance(self.policy, PlayedAgain):
            self.policy.begin(seed)

    def end(self, returned: float) -> None:
        if isinstance(self.policy, PlayedAgain):
            self.policy.require_same(returned)


def load_sides(inputs: dict[str, Any]) -> list[Side]:
    given = [PolicyInput.model_validate(policy) for policy in inputs["policies"]]
    recordings = read_recordings(Path(inputs["recordings"])) if inputs.get("recordings") else []
    named = inputs.get("sides") or [{"is_play": False, "label": one.label} for one in given]
    policies, seeds = iter(given), len(inputs.get("seeds") or ())
    sides = []
    for side in named:
        if side["is_play"]:
            own, recordings = recordings[:seeds], recordings[seeds:]
            config = TrainConfig.model_validate(side["config"])
            sides.append(
                Side(
                    side["run_id"],
                    side["label"],
                    config,
                    PlayedAgain({one.seed: one for one in own if one.seed is not None}),
                )
            )
        else:
            one = next(policies)
            sides.append(Side(one.run_id, one.label, one.config, load_policy(one)))
    return sides
