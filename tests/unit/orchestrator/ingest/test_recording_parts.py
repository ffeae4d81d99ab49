"""How an episode begins, from a protocol line to what is stored."""

from __future__ import annotations

from base64 import b64encode

import pytest

from rl_lab.core.protocol.events import Episode, Steps, Trace
from rl_lab.orchestrator.ingest.plausibility import Nonsense
from rl_lab.orchestrator.ingest.recording_parts import live_part, recording

STATE = bytes(range(37))
TRACE = Trace(count=2, actions=b64encode(b"\0\1").decode())


def test_a_generators_state_is_carried_where_there_is_no_seed() -> None:
    text = b64encode(STATE).decode()
    kept = recording(Episode(trace=TRACE, generator=text), 3)
    part = live_part(Steps(trace=TRACE, generator=text))
    assert kept is not None
    assert part is not None
    assert (kept.seed, kept.generator, part.generator) == (None, STATE, STATE)
    seeded = recording(Episode(trace=TRACE, generator=text, seed=4), 3)
    assert seeded is not None
    assert (seeded.seed, seeded.generator) == (4, b"")


@pytest.mark.parametrize("text", ["not base64 at all!", b64encode(b"short").decode()])
def test_a_state_that_is_none_is_nonsense(text: str) -> None:
    with pytest.raises(Nonsense, match="generator's state"):
        recording(Episode(trace=TRACE, generator=text), 0)
