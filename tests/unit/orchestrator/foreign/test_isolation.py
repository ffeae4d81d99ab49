"""What is said about a machine that cannot hold everything back."""

from __future__ import annotations

from rl_lab.guardian.confinement.probe import GAPS_WITHOUT, NO_SIGNALS, Available
from rl_lab.orchestrator.foreign.isolation import describe


def test_a_machine_that_holds_everything_needs_no_words() -> None:
    assert describe(Available("linux", 7, True)) == ("confined", "")


def test_each_gap_is_named() -> None:
    level, note = describe(Available("linux", 4, True, (NO_SIGNALS,)))
    assert (level, note) == ("partly", "Only partly isolated: it can send signals to your other processes.")


def test_a_machine_without_any_of_it_is_called_not_isolated() -> None:
    level, note = describe(Available("darwin", gaps=GAPS_WITHOUT))
    assert level == "none"
    assert note.startswith("Not isolated:")
    assert all(gap in note for gap in GAPS_WITHOUT)
