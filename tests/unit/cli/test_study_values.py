"""A study that is judged by evaluations or derived metrics is shown when their values are there."""

from __future__ import annotations

from typing import Any

import pytest

from rl_lab.cli.studies import study_values

STUDY = "/api/studies/s/variants"


class Client:
    """Two runs: one was evaluated, the other could not be; the variant has its value at the third look."""

    def __init__(self) -> None:
        self.looks = 0
        self.asked: list[str] = []

    def get(self, address: str, **query: Any) -> Any:
        self.asked.append(address)
        if address == STUDY:
            self.looks += 1
            value = 0.5 if self.looks > 2 else None
            return {"items": [{"status": "finished", "value": value, "run_ids": ["good", "odd"]}]}
        if address == "/api/runs":
            evaluation = {"id": "e", "status": "running", "progress": {"unit": "episode"}}
            return {"items": [evaluation] if query["parent_id"] == "good" else []}
        if address.endswith("/events"):
            return {"items": [{"type": "follow_up_failed"}]}
        return {"id": address.rpartition("/")[2], "status": "succeeded"}


def waited(monkeypatch: pytest.MonkeyPatch, measure: str) -> tuple[Client, list[str]]:
    client, jobs = Client(), []
    monkeypatch.setattr("rl_lab.cli.jobs.wait_for_job", lambda _, job, *__, **___: jobs.append(job["id"]))
    monkeypatch.setattr(study_values, "LOOK_S", 0.0)
    study = {"id": "s", "plan": {"measure": measure}}
    study_values.wait_for_values(client, study, quiet=True)  # type: ignore[arg-type]
    return client, jobs


@pytest.mark.parametrize("measure", ["evaluation", "soft_landings"])
def test_evaluations_are_waited_for_and_their_values(monkeypatch: pytest.MonkeyPatch, measure: str) -> None:
    client, jobs = waited(monkeypatch, measure)
    assert jobs == ["e"] and client.looks == 3


def test_values_of_derived_metrics_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    client, jobs = waited(monkeypatch, "metrics.speed")
    assert jobs == [] and client.looks == 3


def test_returns_of_the_training_are_there_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    assert waited(monkeypatch, "final")[0].asked == []


def test_an_interrupted_wait_shows_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(study_values, "_wait_for_evaluations", interrupt)
    monkeypatch.setattr(study_values, "_wait_until_judged", interrupt)
    waited(monkeypatch, "evaluation")
