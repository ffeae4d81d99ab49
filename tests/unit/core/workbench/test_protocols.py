"""Rules of evaluation protocols: what their contents are, what is cited, and who passes."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.workbench.citations import cited_protocol
from rl_lab.core.workbench.codes import CodeChoice
from rl_lab.core.workbench.protocols import (
    CitedProtocol,
    NewProtocol,
    ProtocolContents,
    contents_hash,
    judge_protocol,
    read_protocol_choice,
)


def test_contents_are_what_decides_about_a_score() -> None:
    same = [
        ProtocolContents(episodes=3),
        ProtocolContents(episodes=3, description="other words"),
        ProtocolContents(episodes=3, base_seed=0),
    ]
    assert len({contents_hash(one) for one in same}) == 1
    others: list[dict[str, Any]] = [
        {"episodes": 4},
        {"seeds": [1, 2, 3]},
        {"base_seed": 1, "episodes": 3},
        {"deterministic": False, "episodes": 3},
        {"threshold": 1.0, "episodes": 3},
        {"env_kwargs": {"gravity": 1}, "episodes": 3},
        {"code": CodeChoice(name="a", version=1, sha256="1"), "episodes": 3},
        {"code": CodeChoice(name="a", version=2, sha256="2"), "episodes": 3},
    ]
    hashes = {contents_hash(ProtocolContents(**one)) for one in others}
    assert len(hashes) == len(others)
    assert contents_hash(same[0]) not in hashes


def test_renamed_code_and_an_unused_base_seed_change_nothing() -> None:
    first = ProtocolContents(code=CodeChoice(name="a", version=1, sha256="1"))
    renamed = ProtocolContents(code=CodeChoice(name="b", version=4, sha256="1"))
    assert contents_hash(first) == contents_hash(renamed)
    given = [ProtocolContents(seeds=[1, 2], base_seed=seed) for seed in (0, 9)]
    assert contents_hash(given[0]) == contents_hash(given[1])


@pytest.mark.parametrize(
    "wrong",
    [
        {"threshold": float("nan")},
        {"threshold": float("inf")},
        {"seeds": [-1]},
        {"seeds": [1] * 101},
        {"env_kwargs": {"x": float("nan")}},
        {"judged_by": "x"},
        {"unknown": 1},
    ],
)
def test_wrong_contents_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ProtocolContents(**wrong)


def test_a_protocol_is_written_with_or_without_its_version() -> None:
    assert read_protocol_choice("nightly") == ("nightly", None)
    assert read_protocol_choice(" two words@V12 ") == ("two words", 12)
    assert read_protocol_choice("nightly@3") == ("nightly", 3)
    for wrong in ("", "@v1", "nightly@", "nightly@vx", "a@v1@v2", "nightly@v0", "nightly@v٣", "x" * 65):
        with pytest.raises(InvalidInput):
            read_protocol_choice(wrong)


@pytest.mark.parametrize(
    ("passes", "value", "passed"),
    [("at_least", 10.0, True), ("at_least", 9.9, False), ("at_most", 10.0, True), ("at_most", 10.1, False)],
)
def test_who_passes(passes: Any, value: float, passed: bool) -> None:
    cited = CitedProtocol(sha256="1", text="protocol p@v1", threshold=10, judged_by="x", passes=passes)
    verdict = judge_protocol(cited, {"x": value, "return": 0.0})
    assert verdict is not None
    assert (verdict.passed, verdict.value) == (passed, value)
    assert verdict.sentence.startswith("Passed" if passed else "Not passed")


def test_a_missing_number_is_not_judged_and_no_threshold_gives_no_verdict() -> None:
    cited = CitedProtocol(sha256="1", text="protocol p@v1", threshold=10, judged_by="x")
    verdict = judge_protocol(cited, {"return": 0.0})
    assert verdict is not None
    assert (verdict.passed, verdict.value) == (None, None)
    assert judge_protocol(CitedProtocol(sha256="1", text="p"), {"return": 0.0}) is None
    assert judge_protocol(None, {"return": 0.0}) is None


def test_options_are_a_protocol_without_a_name() -> None:
    first = cited_protocol(EvaluateConfig(run_id="a"))
    assert first.text == "5 episodes, seeds derived, best actions"
    assert cited_protocol(EvaluateConfig(run_id="b", record=False)).sha256 == first.sha256
    others = [
        EvaluateConfig(run_id="a", episodes=6),
        EvaluateConfig(run_id="a", seeds=[1, 2, 3, 4, 5]),
        EvaluateConfig(run_id="a", seeds=[1, 2, 3, 4, 6]),
        EvaluateConfig(run_id="a", deterministic=False),
        EvaluateConfig(run_id="a", code=CodeChoice(name="c", version=1, sha256="1")),
    ]
    assert len({cited_protocol(one).sha256 for one in others} | {first.sha256}) == len(others) + 1
    drawn = [EvaluateConfig(run_id="a", seeds=seeds, drawn_seeds=True) for seeds in ([1, 2], [3, 4])]
    assert cited_protocol(drawn[0]) == cited_protocol(drawn[1]), "fresh seeds are one protocol"


def test_an_episode_does_not_count_twice_because_its_seed_is_given_twice() -> None:
    with pytest.raises(ValidationError, match="seed 4 is given more than once"):
        NewProtocol(name="nightly", seeds=[3, 4, 4])
    assert NewProtocol(name="nightly", seeds=[4, 4], deterministic=False).episodes == 2
    saved_before = ProtocolContents(seeds=[4, 4])
    assert saved_before.episodes == 2
