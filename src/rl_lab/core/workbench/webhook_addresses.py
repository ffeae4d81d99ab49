"""Which addresses an alert may send to: this machine, and hosts that the settings list. Pure; resolves no name."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic_core import PydanticCustomError

from rl_lab.core.errors import FieldError, InvalidInput

MAX_ADDRESS = 2000
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9])?")


class Webhook(NamedTuple):
    scheme: str
    host: str
    """In lower case; a number of IPv6 is without brackets."""
    port: int
    target: str
    """Path and query, as they are sent."""


def read_webhook(address: str) -> Webhook | None:
    """The parts of an address; None unless it is a plain http or https address."""
    if len(address) > MAX_ADDRESS or not address.isascii() or re.search(r"[\s\\\x00-\x20\x7f]", address):
        return None
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or parts.fragment:
        return None
    if not (_HOST.fullmatch(host) or _number(host) is not None):
        return None
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Webhook(parts.scheme, host, port or (443 if parts.scheme == "https" else 80), target)


def require_webhook(address: str) -> str:
    if read_webhook(address) is None:
        message = "Write an address such as http://127.0.0.1:9000/hook, without user name, password or #"
        raise PydanticCustomError("webhook", message)
    return address


def is_listed(host: str, allowed: Collection[str]) -> bool:
    """Whether the settings name this host: exactly, or with `*.example.org` for the hosts below it."""
    names = [name.strip().lower() for name in allowed]
    return host in names or any(name[:2] == "*." and host.endswith(name[1:]) for name in names)


def may_name(host: str, allowed: Collection[str]) -> bool:
    """Whether an alert may name it; what the name leads to is checked again when it is sent."""
    number = _number(host)
    is_near = number.is_loopback if number is not None else _is_localhost(host)
    return is_near or is_listed(host, allowed)


def may_reach(found: str, host: str, allowed: Collection[str]) -> bool:
    """Whether a request for `host` may go to this address: a listed name must not lead to this machine itself."""
    number = ipaddress.ip_address(found.partition("%")[0])
    mapped = getattr(number, "ipv4_mapped", None)
    number = mapped or number
    if not is_listed(host, allowed):
        return number.is_loopback
    is_literal = _number(host) is not None
    return is_literal or not (
        number.is_loopback or number.is_link_local or number.is_multicast or number.is_unspecified
    )


def require_allowed(address: str, allowed: Collection[str]) -> Webhook:
    found = read_webhook(address)
    if found is None or not may_name(found.host, allowed):
        host = found.host if found else address
        message = f"Alerts are sent to this machine only, and “{host}” is another one."
        raise InvalidInput(
            f"webhook: {message}",
            errors=[FieldError(field="webhook", message=message)],
            next_step=f"Start the lab with RL_LAB_ALERT_HOSTS={host} to allow it.",
        )
    return found


def _is_localhost(host: str) -> bool:
    return host == "localhost" or host.endswith(".localhost")


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
