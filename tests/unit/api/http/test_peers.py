"""Whose socket is at the other end, read from tables as Linux writes them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rl_lab.api.http import peers

pytestmark = pytest.mark.skipif(
    sys.byteorder == "big", reason="the tables below are of a little-endian machine"
)

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
REST = "01 00000000:00000000 00:00000000 00000000"
LAB = ("127.0.0.1", 8642)
V4 = f"""{HEAD}   0: 0100007F:21C2 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000 0 11 1
   1: 0100007F:21C2 0100007F:C001 {REST}  1000 0 12 1
   2: 0100007F:C001 0100007F:21C2 {REST}  1001 0 13 1
   3: 0100007F:C002 0100007F:21C2 {REST}     0 0 0 1
"""
MAPPED = "0000000000000000FFFF00000100007F"
ONE = "00000000000000000000000001000000"
V6 = f"""{HEAD}   0: {MAPPED}:C003 {MAPPED}:21C2 {REST}  1002 0 14 1
   1: {ONE}:C004 {ONE}:21C2 {REST}  1003 0 15 1
"""


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tcp").write_text(V4)
    (tmp_path / "tcp6").write_text(V6)
    monkeypatch.setattr(peers, "TABLES", (tmp_path / "tcp", tmp_path / "tcp6", tmp_path / "missing"))


@pytest.mark.parametrize(
    ("client", "server", "user"),
    [
        (("127.0.0.1", 0xC001), LAB, 1001),
        (("127.0.0.1", 0xC002), LAB, peers.CLOSED),
        (("127.0.0.1", 0xC003), LAB, 1002),
        (("::1", 0xC004), ("::1", 8642), 1003),
        (("127.0.0.1", 0xC009), LAB, None),
        (("192.168.0.7", 0xC001), LAB, None),
        (("testclient", 50000), LAB, None),
    ],
)
def test_the_user_of_the_other_end_is_found(
    client: tuple[str, int], server: tuple[str, int], user: int | None
) -> None:
    assert peers.find_user(client, server) == user


def test_only_another_user_of_this_machine_is_kept_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 1002)
    assert not peers.is_own_user(("127.0.0.1", 0xC001), LAB)
    assert not peers.is_own_user(("127.0.0.1", 0xC002), LAB)
    assert peers.is_own_user(("127.0.0.1", 0xC003), LAB)
    assert peers.is_own_user(("192.168.0.7", 0xC001), LAB)
    assert peers.is_own_user(None, None)
