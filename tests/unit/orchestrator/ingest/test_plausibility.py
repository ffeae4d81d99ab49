"""What is accepted of well-formed events: how an episode begins, its trace, paths of files."""

from __future__ import annotations

from base64 import b64encode

import pytest

from rl_lab.core.protocol.events import EpisodeEvent, StepsEvent, Trace
from rl_lab.core.protocol.lines import Broken, parse_line
from rl_lab.orchestrator.ingest.plausibility import ImplausibleValue, check_recording, is_safe_path

STATE = bytes(range(37))


def trace(**fields: int) -> Trace:
    return Trace(**{"count": 2, **fields}, actions=b"\0\1")


@pytest.mark.parametrize("cls", [EpisodeEvent, StepsEvent])
def test_a_generator_state_is_kept_only_where_there_is_no_seed(
    cls: type[EpisodeEvent] | type[StepsEvent],
) -> None:
    unseeded, seeded = cls(trace=trace(), generator=STATE), cls(trace=trace(), generator=STATE, seed=4)
    check_recording(unseeded)
    check_recording(seeded)
    assert (unseeded.seed, unseeded.generator) == (None, STATE)
    assert (seeded.seed, seeded.generator) == (4, b"")


def test_a_generator_state_of_the_wrong_length_is_implausible() -> None:
    with pytest.raises(ImplausibleValue, match="generator state of 5 bytes"):
        check_recording(EpisodeEvent(trace=trace(), generator=b"short"))


@pytest.mark.parametrize("fields", [{"start": -1}, {"count": 2**60}])
def test_impossible_counts_in_a_trace_are_implausible(fields: dict[str, int]) -> None:
    with pytest.raises(ImplausibleValue, match="a count of"):
        check_recording(StepsEvent(trace=trace(**fields), seed=1))


@pytest.mark.parametrize("field", ["generator", "actions"])
def test_bytes_that_are_not_base64_make_a_line_broken(field: str) -> None:
    good = {"generator": b64encode(STATE).decode(), "actions": b64encode(b"\0\1").decode()}
    line = '{{"type":"episode","generator":"{generator}","trace":{{"count":2,"actions":"{actions}"}}}}'
    assert isinstance(parse_line(line.format(**good).encode()), EpisodeEvent)
    broken = parse_line(line.format(**{**good, field: "not base64 at all!"}).encode())
    assert isinstance(broken, Broken)
    assert "base64" in broken.reason


@pytest.mark.parametrize("path", ["files/model.pt", "checkpoints/a.zip", "ünïcode.txt"])
def test_files_in_the_run_folder_are_accepted(path: str) -> None:
    assert is_safe_path(path)


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../other", "a/../../b", "telemetry.db", "attempts/1/x", "a\\b", "a\nb"]
)
def test_paths_elsewhere_and_files_of_the_lab_are_refused(path: str) -> None:
    assert not is_safe_path(path)
