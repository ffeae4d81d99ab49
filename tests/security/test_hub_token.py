"""The token of the Hugging Face Hub goes to one kind of process, and into no message."""

from __future__ import annotations

import pytest

from rl_lab.core.errors import NotReady
from rl_lab.orchestrator.models.hub_process import hub_variables
from rl_lab.orchestrator.worker_variables import worker_variables
from rl_lab.worker.models.hub_errors import explain_hub, without_tokens

SECRET = "hf_abcdefgh12345678"


def test_only_the_process_of_a_transfer_gets_the_hubs_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", SECRET)
    monkeypatch.setenv("RL_LAB_DATABASE_URL", "postgresql://user:password@host/lab")
    assert SECRET not in worker_variables().values()
    assert hub_variables()["HF_TOKEN"] == SECRET
    assert "RL_LAB_DATABASE_URL" not in {**worker_variables(), **hub_variables()}


def test_no_message_about_a_transfer_contains_a_token() -> None:
    assert SECRET not in without_tokens(f"refused: {SECRET} / Authorization: Bearer {SECRET}")

    class Refused(Exception):
        response = type("Response", (), {"status_code": 500})
        server_message = f"token {SECRET} is odd"

    found = explain_hub(Refused(), "ada/lander", "https://huggingface.co")
    assert isinstance(found, NotReady) and SECRET not in found.detail
