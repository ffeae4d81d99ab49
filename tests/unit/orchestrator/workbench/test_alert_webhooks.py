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
            resolve("127.0.0.1", leads_to)
        await send_webhook(address, {"a": 1}, allowed)

    with pytest.raises(WebhookFailed) as caught:
        asyncio.run(story())
    return caught.value


def resolve(*numbers: str) -> None:
    """The name server answers that every name leads there."""

    async def answer(_host: str, port: int, **_: Any) -> list[Any]:
        return [(2, 1, 6, "", (number, port)) for number in numbers]

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


class FakeWriter:
    """A connection whose other side answers at once."""

    def __init__(self) -> None:
        self.transport = self

    def write(self, _: bytes) -> None:
        pass

    async def drain(self) -> None:
        pass

    def abort(self) -> None:
        pass


@pytest.mark.parametrize(
    ("refusing", "tried"),
    [((), ["::1"]), (("::1",), ["::1", "127.0.0.1"]), (("::1", "127.0.0.1"), ["::1", "127.0.0.1"])],
)
def test_every_address_of_a_name_is_tried_in_turn(
    monkeypatch: pytest.MonkeyPatch, refusing: tuple[str, ...], tried: list[str]
) -> None:
    asked: list[str] = []

    async def connect(number: str, *_: Any, **__: Any) -> tuple[Any, Any]:
        asked.append(number)
        if number in refusing:
            raise ConnectionRefusedError(111, f"Connect call failed {number}")
        reader = asyncio.StreamReader()
        reader.feed_data(b"HTTP/1.1 204 No Content\r\n")
        return reader, FakeWriter()

    async def story() -> str:
        resolve("::1", "::1", "127.0.0.1")
        return await send_webhook("http://localhost:9/", {"a": 1}, [])

    monkeypatch.setattr(asyncio, "open_connection", connect)
    if len(refusing) < 2:
        assert asyncio.run(story()) == "204"
    else:
        with pytest.raises(WebhookFailed, match=r"could not be reached: .*127\.0\.0\.1"):
            asyncio.run(story())
    assert asked == tried


@pytest.mark.parametrize("line", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 abc\r\n"])
def test_an_answer_that_is_not_http_is_a_failure(line: bytes) -> None:
    with pytest.raises(WebhookFailed, match="not HTTP"):
        alert_webhooks._accepted(line)
