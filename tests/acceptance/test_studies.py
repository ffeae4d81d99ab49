"""Studies: created in the dialog, judged in one sentence, unfolded to runs, and continued with more seeds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser import Visitor
from support.server import Server
from support.waiting import wait_until


@pytest.fixture
def tidy(lab: Server) -> Iterator[None]:
    """Deletes what the test made, once its tabs are closed: other tests of this lab look at the newest runs."""
    before = {study["id"] for study in lab.client.get("/api/studies").json()["items"]}
    yield
    for study in lab.client.get("/api/studies").json()["items"]:
        if study["id"] in before:
            continue
        lab.client.post(f"/api/studies/{study['id']}/stop")
        wait_until(lambda i=study["id"]: _is_deleted(lab, i), lambda: "the study can be deleted")


def _is_deleted(lab: Server, study_id: str) -> bool:
    return lab.client.delete(f"/api/studies/{study_id}").status_code in (200, 404, 410)


def test_a_study_is_made_in_the_dialog_and_answers_its_question(
    lab: Server, tidy: None, visitor: Visitor
) -> None:
    page = visitor.sign_in("/studies")
    page.get_by_role("button", name="New study").click()
    _fill(page)
    page.get_by_role("button", name="Start the study").click()

    expect(page.get_by_role("heading", name="Two rates")).to_be_visible()
    study_id = page.url.rsplit("/", 1)[1]
    study = _ended(lab, study_id)
    assert [study["counts"]["succeeded"], study["counts"]["planned"]] == [4, 4], study
    verdict = page.get_by_role("region", name="Verdict")
    expect(verdict).to_contain_text("a verdict needs 5 ended seeds of each")
    table = page.get_by_role("table", name="Variants")
    expect(table.get_by_text("Finished")).to_have_count(2)
    table.get_by_role("button", name="Runs of ").first.click()
    expect(table.get_by_role("link", name=re.compile("^seed "))).to_have_count(2)

    _runs_page_folds(page, study_id)

    verdict.get_by_role("button", name="Add 3 seeds").click()
    expect(page.get_by_text(re.compile("of 10 runs"))).to_be_visible()
    lab.client.post(f"/api/studies/{study_id}/stop")
    verdict.get_by_role("button", name="Train it again with 5 fresh seeds").click()
    expect(page).not_to_have_url(re.compile(study_id))
    expect(page.get_by_role("region", name="Verdict")).to_be_visible()


def _fill(page: Page) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Algorithm and runner").select_option("fake/toy")
    dialog.get_by_label("Name").fill("Two rates")
    dialog.get_by_label("Total timesteps of a run").fill("2k")
    dialog.get_by_label("Add a parameter that varies").select_option("learning_rate")
    values = dialog.get_by_role("textbox", name=re.compile("^Values of"))
    values.fill("0.0002, fast")
    expect(dialog.get_by_role("alert")).to_contain_text("“fast”: This is not a number.")
    values.fill("0.0002, 0.01")
    dialog.get_by_label("Seeds").fill("2")
    expect(dialog.get_by_role("status")).to_contain_text("2 variants × 2 seeds = 4 runs")


def _ended(lab: Server, study_id: str) -> dict[str, Any]:
    study: dict[str, Any] = {}

    def look() -> dict[str, Any] | None:
        study.update(lab.client.get(f"/api/studies/{study_id}").json())
        return study if study["status"] == "finished" else None

    return wait_until(look, lambda: f"the study is finished; it is {study}")


def _runs_page_folds(page: Page, study_id: str) -> None:
    """In another tab: the study is one row, which unfolds to its runs; a filter lists them like all others."""
    runs = page.context.new_page()
    runs.goto("/runs")
    table = runs.get_by_role("table", name="Runs")
    expect(table.get_by_role("link", name="Two rates", exact=True)).to_have_count(1)
    table.get_by_role("button", name="Runs of Two rates").click()
    expect(
        table.get_by_role("checkbox", name=re.compile("Two rates|learning rate|CartPole"))
    ).not_to_have_count(0)
    runs.goto(f"/runs?study={study_id}")
    expect(runs.get_by_role("checkbox", name=re.compile("^Select (?!all)"))).to_have_count(4)
    runs.close()
