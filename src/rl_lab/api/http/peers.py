"""Which user of this machine is at the other end of a connection, as far as Linux tells it (/proc/net/tcp)."""

from __future__ import annotations

import ipaddress
import os
import sys
from pathlib import Path

Address = tuple[str, int]
TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
CLOSED = -1
"""In place of a user: the other end has closed its socket, and Linux no longer tells whose it was."""


def is_own_user(client: Address | None, server: Address | None) -> bool:
    """False if the connection comes from another user of this machine; root and unknown users pass."""
    user = find_user(client, server) if client and server else None
    return user is None or user in (0, os.getuid())


def find_user(client: Address, server: Address) -> int | None:
    """The user id of the client's socket; None if it is not on this machine or cannot be found."""
    if not _is_loopback(client[0]):
        return None
    wanted = {(_as_hex(client, mapped), _as_hex(server, mapped)) for mapped in (False, True)}
    for table in TABLES:
        try:
            lines = table.read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if (fields[1], fields[2]) in wanted:
                user, inode = int(fields[7]), int(fields[9])
                return user if inode else CLOSED
    return None


def _is_loopback(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _as_hex(address: Address, as_ipv6: bool) -> str:
    """`127.0.0.1:80` → `0100007F:0050`: words of 32 bits in the byte order of the machine."""
    ip = ipaddress.ip_address(address[0])
    if as_ipv6 and ip.version == 4:
        ip = ipaddress.IPv6Address(f"::ffff:{ip}")
    packed = ip.packed
    words = [packed[i : i + 4] for i in range(0, len(packed), 4)]
    host = "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words)
    return f"{host}:{address[1]:04X}"
