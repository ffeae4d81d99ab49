"""The Evaluation tab of the workbench: code is tried and saved, a protocol is made, and a score cites it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect
from support.browser import Visitor, keep_picture
from support.server import Server
from support.waiting import wait_until

CODE = "def evaluate(episode):\n    return {'upright': abs(episode.observations[-1][2]) < 0.1}\n"


def test_code_is_tried_a_protocol_made_and_its_score_cited(
    lab: Server, visit: Callable[..., Visitor], solved: dict[str, Any]
) -> None:
    lab.client.post("/api/evaluation-codes", json={"name": "upright", "source": CODE})
    [evaluation] = wait_until(lambda: _evaluations(lab, solved["id"]), "the evaluation after the training")
    lab.wait(evaluation["run_id"], "succeeded")
    page = visit(lab).sign_in("/workbench?tab=evaluation")
    _try_the_code(page)
    _make_a_protocol(page)
    page.goto(f"/runs/{solved['id']}?tab=evaluations")
    page.get_by_role("tabpanel").get_by_role("button", name="Evaluate").click()
    page.get_by_label("Protocol").select_option("evening@v1")
    expect(page.get_by_text("passes with upright ≥ 0.5")).to_be_visible()
    page.get_by_text("Make a video").click()
    page.get_by_role("button", name="Play 3 episodes").click()
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_text("Protocol: evening@v1")).to_be_visible()
    expect(result.get_by_role("region", name="Numbers of upright@v1")).to_contain_text("upright")
    expect(result.get_by_text("mean upright")).to_be_visible()
    keep_picture(page, "evaluation-protocol")


def _evaluations(lab: Server, run_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = lab.client.get(f"/api/runs/{run_id}/evaluations").json()
    return [one for one in found if one["episodes"] == 5]


def _try_the_code(page: Page) -> None:
    page.get_by_role("link", name="upright").click()
    expect(page.get_by_text("def evaluate")).to_be_visible()
    page.get_by_label("Episodes of").select_option("Evaluation of solved")
    page.get_by_role("button", name="Try", exact=True).click()
    numbers = page.get_by_role("region", name="Numbers of each episode")
    expect(numbers.get_by_role("row")).to_have_count(6)
    keep_picture(page, "evaluation-code")
    page.get_by_role("button", name="All evaluation code").click()


def _make_a_protocol(page: Page) -> None:
    expect(page.get_by_role("link", name="standard-100")).to_be_visible()
    page.get_by_role("button", name="New protocol").click()
    page.get_by_label("Name").fill("evening")
    page.get_by_label("Episodes").fill("three")
    expect(page.get_by_text("A whole number from 1 to 100.")).to_be_visible()
    page.get_by_label("Episodes").fill("3")
    page.get_by_label("Evaluation code").select_option("upright@v1")
    page.get_by_label("Judged by").fill("upright")
    page.get_by_label("Threshold").fill("0.5")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="evening@v1")).to_be_visible()
    keep_picture(page, "protocol")
