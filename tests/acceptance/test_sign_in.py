"""Signing in and out in a real browser: links, tabs, other ports of the same host, browsers that are ended."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from support.browser import Visitor, expect_live
from support.plain_server import other_server
from support.server import Server


def link(lab: Server, path: str = "/") -> str:
    return f"{path}#ticket={lab.client.post('/api/tickets').json()['ticket']}"


def expect_sign_in(page: Page) -> None:
    expect(page.get_by_label("Token")).to_be_visible()
    expect(page.get_by_text("rl-lab sign-in")).to_be_visible()


def test_a_link_signs_in_once_and_every_tab_and_picture_with_it(visitor: Visitor) -> None:
    visitor.forgive("401")
    address = link(visitor.lab, "/environments")
    page = visitor.context.new_page()
    page.goto(address)
    expect_live(page)
    assert page.url.endswith("/environments")
    picture = page.locator("img[src*='CartPole-v1/thumbnail']")
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 0
    visitor.tab("/runs")
    stranger = visitor.context.browser
    assert stranger is not None
    with stranger.new_context(base_url=visitor.lab.url) as other:
        late = other.new_page()
        late.goto(address)
        expect(late.get_by_role("status")).to_contain_text("has expired or was used already")
        expect_sign_in(late)


def test_a_browser_that_is_signed_out_asks_for_a_sign_in_in_every_tab(visitor: Visitor) -> None:
    visitor.forgive("401", "WebSocket")
    page = visitor.context.new_page()
    page.goto(link(visitor.lab, "/runs"))
    expect_live(page)
    other = visitor.tab("/queue")
    for session in visitor.lab.client.get("/api/sessions").json():
        visitor.lab.client.delete(f"/api/sessions/{session['id']}")
    expect_sign_in(page)
    expect_sign_in(other)
    page.goto(link(visitor.lab, "/runs"))
    expect_live(page)
    expect_live(other)


def test_the_cookie_that_another_port_gets_is_worth_nothing(visitor: Visitor) -> None:
    # The other server may end while the browser asks it for its icon.
    visitor.forgive("a request left the origin", "favicon.ico")
    visitor.sign_in()
    with other_server() as (address, seen):
        visitor.context.new_page().goto(address)
        stolen = next(headers["Cookie"] for headers in seen if "Cookie" in headers)
    with visitor.lab.stranger(Cookie=stolen, Origin=visitor.lab.url) as thief:
        assert thief.get("/api/runs").status_code == 401
        assert thief.post("/api/runs", json={}).status_code == 401
