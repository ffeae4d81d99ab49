"""Code that a machine cannot isolate is approved on the command line: each of several, and before a script is shown."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from support.fake_lab import FakeLab

from rl_lab.cli.arguments.own_environment_argument import save_environment
from rl_lab.cli.code_consent import post_approved
from rl_lab.cli.commands.workbench import evaluation_previews
from rl_lab.cli.main import run
from rl_lab.cli.run_creation import create_run, post_run
from rl_lab.core.errors import ConsentNeeded, FieldError, InvalidInput, NotReady

REWARD, ENVIRONMENT, SCRIPT = "a" * 64, "b" * 64, "c" * 64
CHECK = {"is_usable": True, "remarks": [], "environment": None, "calls_per_second": None}
SAVED = {"name": "grid", "version": 1, "sha256": ENVIRONMENT, "source": "x = 1\n", "check": CHECK}


class WaryLab(FakeLab):
    """Approves one code after the other, as a lab without Landlock does; then a script, after its preview."""

    def __init__(self, answers: dict[str, Any], *codes: str, script: str | None = None) -> None:
        super().__init__({**answers, "POST /api/commands/preview": {"sha256": SCRIPT}})
        self._codes, self._script = list(codes), script

    def post(self, address: str, body: Any = None) -> Any:
        found = super().post(address, body)
        if address.endswith("/preview") and "commands" in address:
            return found
        self._codes = [one for one in self._codes if one != body.get("consent")]
        if self._codes:
            needed = FieldError(field="consent", message="Approve it.", allowed=[self._codes[0]])
            raise refused(needed)
        if self._script not in (None, body.get("consent")):
            raise refused()
        return found


def refused(*errors: FieldError) -> ConsentNeeded:
    return ConsentNeeded("Not isolated: this machine cannot confine it.", errors=errors)


@pytest.fixture(autouse=True)
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The scripts that were shown and approved."""
    scripts: list[str] = []

    def approve(preview: dict[str, Any], **_: Any) -> bool:
        scripts.append(preview["sha256"])
        return True

    monkeypatch.setattr("rl_lab.cli.run_creation.approve", approve)
    return scripts


def test_each_code_is_approved_by_its_own_hash() -> None:
    lab: Any = WaryLab({"POST /api/runs": {"id": "1"}}, REWARD, ENVIRONMENT)
    assert create_run(lab, {"env_id": "own:grid-v1"}, yes=True, quiet=True) == {"id": "1"}
    assert [body.get("consent") for _, body in lab.sent("POST")] == [None, REWARD, ENVIRONMENT]


def test_a_script_in_an_environment_of_ones_own_is_shown_after_it(shown: list[str]) -> None:
    lab: Any = WaryLab({"POST /api/runs/1/again": {"id": "2"}}, ENVIRONMENT, script=SCRIPT)
    found = post_run(
        lab, lambda how: lab.post("/api/runs/1/again", how), {"seed": 3}, dict, yes=True, quiet=True
    )
    assert found == {"id": "2"}
    assert shown == [SCRIPT]
    assert lab.sent("POST")[-1] == ("/api/runs/1/again", {"seed": 3, "consent": SCRIPT})


def test_a_refusal_that_stays_is_raised() -> None:
    def post(_: dict[str, Any]) -> dict[str, Any]:
        raise refused(FieldError(field="consent", message="Approve it.", allowed=[REWARD]))

    with pytest.raises(ConsentNeeded):
        post_approved(post, {}, yes=True)

    def fail(_: dict[str, Any]) -> dict[str, Any]:
        raise NotReady("No.")

    with pytest.raises(NotReady):
        post_approved(fail, {}, yes=True)


def test_without_a_terminal_the_code_is_not_run() -> None:
    lab: Any = WaryLab({"POST /api/runs": {"id": "1"}}, ENVIRONMENT)
    with pytest.raises(InvalidInput, match="cannot confine") as caught:
        create_run(lab, {}, yes=False, quiet=True)
    assert "--yes" in (caught.value.next_step or "")


def test_saving_an_environment_asks_for_its_approval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "grid.py"
    file.write_text("x = 1\n")
    lab: Any = WaryLab({"POST /api/own-environments": SAVED}, ENVIRONMENT)
    assert save_environment(lab, file, {}, yes=True, quiet=True) == SAVED
    assert lab.sent("POST")[-1][1]["consent"] == ENVIRONMENT
    monkeypatch.setattr("rl_lab.cli.code_consent.approve_code", lambda *_, **__: False)
    lab = WaryLab({"POST /api/own-environments": SAVED}, ENVIRONMENT)
    with pytest.raises(InvalidInput, match="is not saved"):
        save_environment(lab, file, {}, yes=False, quiet=True)


@pytest.mark.parametrize(
    ("words", "address", "answer"),
    [
        (["own-environments", "check", "FILE"], "/api/own-environments/check", CHECK),
        (["own-environments", "add", "FILE"], "/api/own-environments", SAVED),
        (
            ["evaluation-codes", "preview", "FILE", "--run", "1h5w2k0p7q3x"],
            "/api/evaluation-codes/preview",
            {"episodes": [], "numbers": {}, "notes": [], "problem": None},
        ),
    ],
)
def test_yes_approves_on_the_command_line(
    words: list[str], address: str, answer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def evaluate(episode):\n    return {}\n")
    lab = WaryLab({f"POST {address}": answer}, ENVIRONMENT)
    monkeypatch.setattr("rl_lab.cli.connection.open_lab", lambda *_, **__: nullcontext(lab))
    monkeypatch.setattr(evaluation_previews, "find_run_id", lambda _, written: written)
    written = [str(file) if word == "FILE" else word for word in words]
    assert run(written) != 0, "without a terminal nothing is approved"
    assert run([*written, "--yes", "--json"]) == 0
    assert lab.sent("POST")[-1][1]["consent"] == ENVIRONMENT
