"""A real Chromium with a person's eyes: whatever the page complains about, or asks of another host, fails the test."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from support.server import Server
from support.waiting import DEADLINE_S, wait_until

ROOT: Final = Path(__file__).resolve().parents[2]
OUTPUT: Final = ROOT / "test-output"
WAIT_MS: Final = DEADLINE_S * 1000
DESK: Final = {"width": 1400, "height": 900}
PHONE: Final = {"width": 390, "height": 844}
ARGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--disable-sync",
    "--disable-quic",
)
CUT_OFF: Final = re.compile(r"net::ERR_CONTENT_LENGTH_MISMATCH http://127\.0\.0\.1:\d+/assets/")
"""Chromium reports this now and then of a file of the page whose loading a navigation has cut off. A page that lacks
a file still fails its test: its module cannot be imported, so it does not appear."""
UNDRAWN: Final = "/api/environments/fake/Toy-v0/thumbnail"
"""The toy environment of the tests has no picture, and the page asks for one when its card comes into view."""
NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's own browser; while it is open, no other event loop can run in this thread."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "no Chromium here. Next: run scripts/setup-browser.sh"
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGS))
        yield browser
        browser.close()


class Visitor:
    """One browser profile at one lab. Its tabs share the sign-in; what goes wrong in any of them is kept."""

    def __init__(self, browser: Browser, lab: Server, *, fetches_ahead: bool = False, **options: Any) -> None:
        """`fetches_ahead`: its pages fetch the code of all other pages when they are idle, as they do for users."""
        self.lab = lab
        self.complaints: list[str] = []
        self.forgiven: tuple[str, ...] = (UNDRAWN,)
        options = {"viewport": DESK, "reduced_motion": "no-preference", "locale": "en-GB", **options}
        self.context: BrowserContext = browser.new_context(base_url=lab.url, **options)
        self.context.set_default_timeout(WAIT_MS)
        if not fetches_ahead:
            self.context.add_init_script("window.requestIdleCallback = () => 0")
        self.context.on("console", self._hear_console)
        self.context.on("weberror", lambda error: self.complaints.append(f"page error: {error.error}"))
        self.context.on("request", lambda request: self._look_at(request.url))
        self.context.on("page", lambda page: page.on("websocket", lambda socket: self._look_at(socket.url)))

    def forgive(self, *words: str) -> None:
        """What the test provokes: a refused request, a lab that is away."""
        self.forgiven += words

    def sign_in(self, path: str = "/") -> Page:
        """A tab that came by the link `rl-lab serve` prints."""
        page = self.context.new_page()
        page.goto(f"{path}#token={self.lab.token}")
        expect_live(page)
        return page

    def tab(self, path: str = "/") -> Page:
        """Another tab of somebody who is known already."""
        page = self.context.new_page()
        page.goto(path)
        expect_live(page)
        return page

    def end(self) -> None:
        self.context.close()
        found = [said for said in self.complaints if not any(word in said for word in self.forgiven)]
        assert found == [], "the browser complained:\n" + "\n".join(found)

    def _hear_console(self, message: Any) -> None:
        said = f"{message.text} {message.location.get('url')}"
        if message.type in ("error", "warning") and not CUT_OFF.search(said):
            self.complaints.append(f"console {message.type}: {said}")

    def _look_at(self, url: str) -> None:
        own = (self.lab.url, self.lab.url.replace("http", "ws", 1), "data:", "blob:")
        if not url.startswith(own):
            self.complaints.append(f"a request left the origin: {url}")


def expect_live(page: Page) -> None:
    expect(page.get_by_test_id("connection")).to_have_text("live")


def status_of(page: Page, word: str) -> Locator:
    """The badge that says where the shown run stands."""
    return page.locator("main").get_by_text(word, exact=True).first


def stage_changes(page: Page, stage: Locator) -> None:
    """The picture really moves: its lower half, where nothing is written, looks different after a while."""
    expect(stage.locator("canvas")).to_be_visible()
    first = lower_half(page, stage)
    wait_until(lambda: lower_half(page, stage) != first, "the picture to move")


def lower_half(page: Page, stage: Locator) -> bytes:
    box = stage.bounding_box()
    assert box is not None
    half = {
        "x": box["x"],
        "y": box["y"] + box["height"] / 2,
        "width": box["width"],
        "height": box["height"] / 2,
    }
    return page.screenshot(clip=half)  # type: ignore[arg-type]


def number_in(text: str | None) -> int:
    """The figure of "1,234 of 5,000 steps" and the like, as the page writes it."""
    digits = (text or "").split(" of ")[0]
    return int("".join(c for c in digits if c.isdigit()) or 0)


def scrolls_sideways(page: Page) -> bool:
    root = "document.documentElement"
    return bool(page.evaluate(f"{root}.scrollWidth > {root}.clientWidth"))


def keep_picture(page: Page, name: str) -> None:
    OUTPUT.mkdir(exist_ok=True)
    page.screenshot(path=OUTPUT / f"{name}.png")
