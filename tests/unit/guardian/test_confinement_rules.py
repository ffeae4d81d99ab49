"""Which paths a rule is made for."""

from __future__ import annotations

from rl_lab.guardian.confinement.probe import Available
from rl_lab.guardian.confinement.rules import topmost


def test_a_folder_inside_another_one_gets_no_rule_of_its_own() -> None:
    assert topmost(["/run/files", "/run/files/deep", "/run/files/../scratch", "/run/filesystem"]) == [
        "/run/files",
        "/run/scratch",
        "/run/filesystem",
    ]


def test_the_level_says_no_more_than_what_holds() -> None:
    assert Available("linux", 7, True).level == "confined"
    assert Available("linux", 2, True, ("it can send signals",)).level == "partly"
    assert Available("linux", 0, True, ("it can read",)).level == "partly"
    assert Available("darwin").level == "none"
