"""Where alerts may send to: this machine, and hosts that the settings list, wherever their names lead."""

from __future__ import annotations

import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.core.workbench.webhook_addresses import may_name, may_reach, read_webhook, require_allowed

LISTED = ["hooks.example.org", "*.team.example", "10.0.0.7"]


def test_an_address_is_read() -> None:
    assert read_webhook("http://127.0.0.1:9000/hook?a=1") == ("http", "127.0.0.1", 9000, "/hook?a=1")
    assert read_webhook("https://Hooks.Example.org") == ("https", "hooks.example.org", 443, "/")
    assert read_webhook("http://[::1]:80/") == ("http", "::1", 80, "/")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "127.0.0.1:9000",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "http://user:secret@127.0.0.1/",
        "http://127.0.0.1@evil.example/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1/#part",
        "http://127.0.0.1/a b",
        "http://127.0.0.1/\r\nHost: x",
        "http://127.0.0.1\\@evil.example/",
        "http:///path",
        "http://ėvil.example/",
        "http://127.0.0.1/" + "a" * 2000,
    ],
)
def test_other_text_is_no_address(address: str) -> None:
    assert read_webhook(address) is None


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.8.7", "::1", "localhost", "a.localhost"])
def test_this_machine_may_always_be_named(host: str) -> None:
    assert may_name(host, [])


@pytest.mark.parametrize(
    "host", ["example.org", "10.0.0.1", "169.254.169.254", "0.0.0.0", "localhost.example.org", "127.1"]
)
def test_other_hosts_must_be_listed(host: str) -> None:
    assert not may_name(host, [])


def test_listed_hosts_may_be_named() -> None:
    assert may_name("hooks.example.org", LISTED)
    assert may_name("a.team.example", LISTED)
    assert may_name("10.0.0.7", LISTED)
    assert not may_name("team.example", LISTED)
    assert not may_name("evilteam.example", LISTED)


def test_a_name_of_this_machine_must_lead_to_this_machine() -> None:
    assert may_reach("127.0.0.1", "localhost", [])
    assert may_reach("::1", "localhost", [])
    assert may_reach("::ffff:127.0.0.1", "localhost", [])
    assert not may_reach("10.0.0.1", "localhost", [])
    assert not may_reach("::ffff:10.0.0.1", "localhost", [])


@pytest.mark.parametrize(
    "found", ["127.0.0.1", "::1", "169.254.169.254", "fe80::1%eth0", "0.0.0.0", "224.0.0.1"]
)
def test_a_listed_name_cannot_lead_back_to_this_machine(found: str) -> None:
    assert not may_reach(found, "hooks.example.org", LISTED)
    assert may_reach("93.184.216.34", "hooks.example.org", LISTED)


def test_a_refusal_names_the_setting() -> None:
    with pytest.raises(InvalidInput) as caught:
        require_allowed("http://example.org/hook", [])
    assert "RL_LAB_ALERT_HOSTS=example.org" in str(caught.value.next_step)
    [error] = caught.value.errors
    assert (error.field, caught.value.detail) == ("webhook", f"webhook: {error.message}")
