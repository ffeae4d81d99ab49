"""A name that leads elsewhere is refused before a connection is made."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rl_lab.orchestrator.workbench import alert_webhooks
from rl_lab.orchestrator.workbench.alert_webhooks import WebhookFailed, send_webhook


def send(address: str, *allowed: str, leads_to: str | None = None) -> WebhookFailed:
    async def story() -> None:
        if leads_to is not None:
            resolve(leads_to)
        await send_webhook(address, {"a": 1}, allowed)

    with pytest.raises(WebhookFailed) as caught:
        asyncio.run(story())
    return caught.value


def resolve(number: str) -> None:
    """The name server says that every name leads there."""

    async def answer(_host: str, port: int, **_: Any) -> list[Any]:
        return [(2, 1, 6, "", ("127.0.0.1", port)), (2, 1, 6, "", (number, port))]

    asyncio.get_running_loop().getaddrinfo = answer  # type: ignore[method-assign, assignment]


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [("http://a.localhost:9/", "10.0.0.1"), ("http://hooks.example.org/", "169.254.169.254")],
)
def test_a_name_that_leads_elsewhere_is_refused(address: str, leads_to: str) -> None:
    found = send(address, "hooks.example.org", leads_to=leads_to)
    assert "which alerts are not sent to" in str(found)
    assert not found.can_retry


def test_a_host_that_is_not_listed_is_refused_without_asking_for_its_address() -> None:
    found = send("http://example.org/", leads_to="127.0.0.1")
    assert "this machine only" in str(found)


@pytest.mark.parametrize("line", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 abc\r\n"])
def test_an_answer_that_is_not_http_is_a_failure(line: bytes) -> None:
    with pytest.raises(WebhookFailed, match="not HTTP"):
        alert_webhooks._accepted(line)
