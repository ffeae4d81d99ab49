"""Which addresses that a script names become links: pages on the web, and nothing on this machine or its network."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from rl_lab.core.words.shown_text import without_controls

MAX_ADDRESS = 2000
NAME = re.compile(r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")
"""A host name with a dot, whose last part is no number: a browser reads 127.1 and 0x7f.0.0.1 as this machine."""
NEAR = (".localhost", ".local", ".localdomain", ".internal", ".lan", ".home.arpa")
"""Ends of names that lead to this machine or its network."""


def public_host(address: str) -> str | None:
    """The host of an https address on the web; None for any other address, which must not become a link."""
    if len(address) > MAX_ADDRESS or without_controls(address) != address or re.search(r"[\s\\]", address):
        return None
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").lower()
        has_more = parts.username is not None or parts.password is not None or (parts.port or 443) != 443
    except ValueError:
        return None
    if parts.scheme != "https" or has_more:
        return None
    return host if _is_public_number(host) or (NAME.fullmatch(host) and not host.endswith(NEAR)) else None


def _is_public_number(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return False
