"""How a user may name a run and one of its checkpoints."""

from __future__ import annotations

from typing import Any

import pytest

from rl_lab.cli.arguments.checkpoint_argument import _choose, find_checkpoint, split_run
from rl_lab.cli.arguments.policy_argument import find_version
from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.core.errors import InvalidInput, NotFound


def run(
    run_id: str, name: str, env_id: str = "CartPole-v1", mean: float | None = None, kind: str = "train"
) -> dict[str, Any]:
    return {
        "id": run_id,
        "name": name,
        "kind": kind,
        "config": {"env_id": env_id},
        "summary": {"mean_reward": mean},
    }


RUNS = [
    run("ccc000000003", "Gentle Landing", "LunarLander-v3", 120.0),
    run("bbb000000002", "a gentle start", "LunarLander-v3", 210.0),
    run("aaa000000001", "cart", "CartPole-v1", 500.0),
]
CHECKPOINTS = [
    {"id": "c1", "kind": "checkpoint", "timestep": 1000, "role": "interval", "created_at": "1"},
    {"id": "c2", "kind": "checkpoint", "timestep": 1500, "role": "best", "created_at": "2"},
    {
        "id": "c3",
        "kind": "checkpoint",
        "timestep": 2000,
        "role": "final",
        "created_at": "3",
        "tags": ["good"],
    },
    {"id": "c4", "kind": "checkpoint", "timestep": 1500, "role": "interval", "created_at": "2"},
    {"id": "v1", "kind": "video", "timestep": None, "role": None, "created_at": "4"},
]


class FakeClient:
    def __init__(self, runs: list[dict[str, Any]]) -> None:
        self.runs = runs

    def get(self, path: str, **query: Any) -> Any:
        if path.endswith("/artifacts"):
            return CHECKPOINTS
        found = [r for r in self.runs if query.get("env_id") in (None, r["config"]["env_id"])]
        if query.get("sort") == "-mean_reward":
            found.sort(key=lambda r: -(r["summary"]["mean_reward"] or 0))
        if query.get("kind", "train") != "all":
            found = [r for r in found if r["kind"] == "train"]
        if text := query.get("q"):
            found = [r for r in found if text.casefold() in f"{r['id']} {r['name']}".casefold()]
        return {"items": [] if query.get("archived") else found[: query.get("limit", 50)]}


def find(wanted: str, runs: list[dict[str, Any]] = RUNS) -> str:
    return find_run_id(FakeClient(runs), wanted)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("latest", "ccc000000003"),
        ("best", "bbb000000002"),  # of the newest run's environment: other rewards do not compare
        ("aaa", "aaa000000001"),
        ("aaa000000001", "aaa000000001"),
        ("gentle landing", "ccc000000003"),
        ("gentle st", "bbb000000002"),
        ("cart", "aaa000000001"),
        ("Gentle-Landing", "ccc000000003"),  # as the shell completes it
    ],
)
def test_a_run_is_found_by_id_name_and_word(wanted: str, found: str) -> None:
    assert find(wanted) == found


def test_several_that_fit_are_listed() -> None:
    with pytest.raises(InvalidInput) as refused:
        find("gentle")
    assert refused.value.errors[0].allowed == [
        "ccc000000003 (Gentle Landing)",
        "bbb000000002 (a gentle start)",
    ]


def test_nothing_found_names_the_next_step() -> None:
    with pytest.raises(NotFound, match="No run has an id or a name like “zebra”"):
        find("zebra")
    with pytest.raises(NotFound, match="no run yet"):
        find("latest", [])
    with pytest.raises(NotFound, match="mean reward yet"):
        find("best", [run("aaa000000001", "new")])


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("best", "c2"),
        ("newest", "c3"),
        ("latest", "c3"),
        ("final", "c3"),
        ("1,000", "c1"),
        ("1k", "c1"),
        ("1500", "c4"),
        ("1.5k", "c4"),
        ("c2", "c2"),
        ("good", "c3"),
    ],
)
def test_a_checkpoint_is_named_by_word_step_or_id(wanted: str, found: str) -> None:
    assert find_checkpoint(FakeClient(RUNS), "aaa", wanted) == found  # type: ignore[arg-type]


def test_a_checkpoint_that_is_not_there_lists_the_steps() -> None:
    with pytest.raises(NotFound) as refused:
        find_checkpoint(FakeClient(RUNS), "aaa", "7")  # type: ignore[arg-type]
    there = "It has them at the steps 1,000, 1,500, 2,000, and tags good."
    assert refused.value.next_step == f"The nearest is @1000. {there}"


@pytest.mark.parametrize(("typed", "meant"), [("bset", "best"), ("newst", "newest"), ("goood", "good")])
def test_a_mistyped_checkpoint_is_answered_with_what_was_meant(typed: str, meant: str) -> None:
    with pytest.raises(NotFound) as refused:
        find_checkpoint(FakeClient(RUNS), "aaa", typed)  # type: ignore[arg-type]
    assert f"Did you mean {meant}?" in (refused.value.next_step or "")


def test_a_run_without_a_best_checkpoint_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "rl_lab.cli.arguments.checkpoint_argument.list_checkpoints", lambda *_: CHECKPOINTS[:1]
    )
    with pytest.raises(NotFound) as refused:
        find_checkpoint(FakeClient(RUNS), "aaa", "best")  # type: ignore[arg-type]
    assert "chooses one when it resumes. It has one at step" in (refused.value.next_step or "")


def test_a_round_number_of_steps_is_answered_with_the_nearest_checkpoint() -> None:
    with pytest.raises(NotFound) as refused:
        find_checkpoint(FakeClient(RUNS), "aaa", "1.8k")  # type: ignore[arg-type]
    assert (refused.value.next_step or "").startswith("The nearest is @2000.")


def test_the_newest_is_not_the_best_one_of_the_same_step_which_is_replaced() -> None:
    final, best = CHECKPOINTS[2], {**CHECKPOINTS[2], "id": "c9", "role": "best", "created_at": "9"}
    assert _choose([best, final], "newest") is final


def test_run_and_checkpoint_in_one_word() -> None:
    assert split_run("lander@best") == ("lander", "best")
    assert split_run("lander") == ("lander", None)
    with pytest.raises(InvalidInput, match="after the @ of “lander@”"):
        split_run("lander@")


def test_a_name_means_the_training_and_not_its_evaluations() -> None:
    runs = [*RUNS, run("ddd000000004", "Evaluation of cart pole", kind="evaluate")]
    assert find("car", runs) == "aaa000000001"
    assert find("pole", runs) == "ddd000000004"
    with pytest.raises(NotFound):  # its training was deleted: nothing else is meant
        find_run_id(FakeClient(runs), "cart pole", is_training=True)  # type: ignore[arg-type]


def test_nothing_typed_is_no_run() -> None:
    with pytest.raises(InvalidInput, match="No run is named"):
        find(" ")


def test_a_name_of_twelve_letters_is_not_taken_for_an_id() -> None:
    runs = [run("1h5w2k0p7q3x", "lunarlanding")]
    assert find("lunarlanding", runs) == "1h5w2k0p7q3x"
    assert find("1h5w2k0p7q3z", runs) == "1h5w2k0p7q3z"


class ClientWithModels(FakeClient):
    def get(self, path: str, **query: Any) -> Any:
        if path == "/api/models":
            return {"items": [{"name": name, "versions": [GOOD]} for name in ("gentle", "Cart")]}
        return super().get(path, **query)


GOOD = {"version": 1, "labels": ["good"]}


def test_a_label_that_a_model_lacks_names_a_run_only_if_one_has_exactly_its_name() -> None:
    client: Any = ClientWithModels(RUNS)
    assert find_version(client, "cart", "good") == {**GOOD, "model": "Cart"}
    assert find_version(client, "cart", "best") is None, "the run of this name is meant"
    with pytest.raises(NotFound, match="has no version or label “best”"):
        find_version(client, "gentle", "best")
