"""Sends the JSON of an alert to an address that the user typed.

The name is resolved once, every address it has is checked, and the connection goes to one that was checked: a name
cannot lead elsewhere a moment later. Redirects are not followed, and nothing of the lab's credentials is sent.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

import orjson

from rl_lab.core.errors import InvalidInput
from rl_lab.core.workbench.webhook_addresses import Webhook, may_reach, require_allowed

TIMEOUT_S = 5.0
"""For resolving, connecting, sending and the first line of the answer together."""
HEAD_BYTES = 4096


class WebhookFailed(Exception):
    """Why an address did not take the message; `can_retry` is False where it never would."""

    def __init__(self, message: str, *, can_retry: bool = True) -> None:
        super().__init__(message)
        self.can_retry = can_retry


async def send_webhook(address: str, contents: Mapping[str, Any], allowed: Collection[str]) -> str:
    """The status of the answer, such as “204”; raises WebhookFailed."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            return await _send(require_allowed(address, allowed), orjson.dumps(contents), allowed)
    except InvalidInput as error:
        raise WebhookFailed(error.detail.removeprefix("webhook: "), can_retry=False) from None
    except TimeoutError:
        raise WebhookFailed(f"It did not answer within {TIMEOUT_S:g} s.") from None
    except (OSError, ssl.SSLError, ValueError, UnicodeError) as error:
        raise WebhookFailed(f"It could not be reached: {error}.") from None


async def _send(webhook: Webhook, body: bytes, allowed: Collection[str]) -> str:
    reader, writer = await _connect(webhook, await _resolve(webhook, allowed))
    try:
        writer.write(_request(webhook, body))
        await writer.drain()
        return _accepted(await reader.readline())
    finally:
        writer.transport.abort()


async def _connect(
    webhook: Webhook, numbers: Sequence[str]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """To the first address that takes the connection: localhost is often ::1, where many servers do not listen."""
    for number in numbers[:-1]:
        with suppress(OSError):  # also one that does not answer in its share of the time
            async with asyncio.timeout(TIMEOUT_S / len(numbers)):
                return await _open(webhook, number)
    return await _open(webhook, numbers[-1])


async def _open(webhook: Webhook, number: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    is_safe = webhook.scheme == "https"
    return await asyncio.open_connection(
        number,
        webhook.port,
        ssl=ssl.create_default_context() if is_safe else None,
        server_hostname=webhook.host if is_safe else None,
        limit=HEAD_BYTES,
    )


async def _resolve(webhook: Webhook, allowed: Collection[str]) -> list[str]:
    """The addresses to connect to; refused if any address of the name is."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(webhook.host, webhook.port, type=socket.SOCK_STREAM)
    numbers = list(dict.fromkeys(str(place[0]) for *_, place in found))
    refused = next((one for one in numbers if not may_reach(one, webhook.host, allowed)), None)
    if refused is not None or not numbers:
        message = f"“{webhook.host}” leads to {refused or 'nothing'}, which alerts are not sent to."
        raise WebhookFailed(message, can_retry=False)
    return numbers


def _request(webhook: Webhook, body: bytes) -> bytes:
    host = f"[{webhook.host}]" if ":" in webhook.host else webhook.host
    head = (
        f"POST {webhook.target} HTTP/1.1\r\nHost: {host}:{webhook.port}\r\nUser-Agent: rl-lab\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + body


def _accepted(line: bytes) -> str:
    words = line.split(maxsplit=2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/") or not words[1].isdigit():
        raise WebhookFailed("Its answer is not HTTP.")
    status = int(words[1])
    if 200 <= status < 300:
        return str(status)
    if 300 <= status < 400:
        raise WebhookFailed(f"It answered {status}; redirects are not followed.", can_retry=False)
    raise WebhookFailed(f"It answered {status}.", can_retry=status >= 500 or status in (408, 425, 429))
