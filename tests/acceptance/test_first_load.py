"""What the first visit costs over the wire, counted by the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect
from support.browser import Visitor
from support.server import Server
from support.waiting import wait_until

MOST_BYTES = 250_000


def test_the_first_load_weighs_at_most_250_kb_over_the_wire(
    server: Server, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(server, fetches_ahead=True)
    page = visitor.context.new_page()
    wire = visitor.context.new_cdp_session(page)
    wire.send("Network.enable")
    addresses: dict[str, str] = {}
    received: dict[str, int] = {}

    def start(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["request"]["url"]

    def end(event: dict[str, Any]) -> None:
        address = addresses.get(event["requestId"], "")
        received[address] = received.get(address, 0) + int(event["encodedDataLength"])

    wire.on("Network.requestWillBeSent", start)
    wire.on("Network.loadingFinished", end)
    page.goto(f"/#token={server.token}")
    expect(page.get_by_test_id("connection")).to_have_text("live")
    loaded = "document.images.length > 0 && [...document.images].every((image) => image.complete)"
    wait_until(lambda: page.evaluate(loaded), "the pictures of the cards, which come last")
    heaviest = sorted(received.items(), key=lambda item: -item[1])[:60]
    print(f"first load: {sum(received.values()):,} bytes in {len(received)} requests; {heaviest}")
    assert sum(received.values()) <= MOST_BYTES, heaviest
