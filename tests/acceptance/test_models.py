"""Models: checkpoints are found, looked into, named and compared on the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser import Visitor
from support.server import Server

NAME = "pole"


@pytest.fixture
def trained(lab: Server) -> Iterator[list[dict[str, Any]]]:
    """The checkpoints of a short training, from its first to its last; the name that they get is deleted afterwards."""
    wanted = {"runner": "turbo", "algorithm": "ppo", "total_timesteps": 4000, "params": {}}
    run = lab.client.post(
        "/api/runs",
        json={"name": "to be named", "env_id": "CartPole-v1", "evaluate_after": 0, "start": True, **wanted},
    ).json()
    lab.wait(run["id"], "succeeded")
    query = {"run_id": run["id"], "sort": "timestep", "order": "asc"}
    yield lab.client.get("/api/checkpoints", params=query).json()["items"]
    lab.client.delete(f"/api/models/{NAME}")


def test_a_checkpoint_is_found_looked_into_named_and_compared(
    lab: Server, trained: list[dict[str, Any]], visitor: Visitor
) -> None:
    first, last = trained[0], trained[-1]
    page = visitor.sign_in()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Models").click()
    _filter(page, len(trained))
    _open_and_inspect(page, last)
    visitor.forgive("422")
    _name(page)
    page.goto("/models?view=named")
    versions = page.get_by_role("list", name=f"Versions of {NAME}")
    expect(versions.get_by_role("listitem")).to_have_count(1)
    expect(versions).to_contain_text("production")
    _compare(lab, page, first, last)


def _filter(page: Page, count: int) -> None:
    table = page.get_by_role("table", name="Checkpoints")
    # By its label: the page that is being left has a search field as well.
    field = page.get_by_role("searchbox", name="Filter by run, tag, note, name or hash")
    field.fill("no such model")
    expect(page.get_by_text("No checkpoint matches")).to_be_visible()
    field.fill("to be named")
    page.get_by_label("Environment").select_option("CartPole-v1")
    expect(table.get_by_role("checkbox")).to_have_count(count)
    table.get_by_role("button", name="Steps").click()
    expect(page).to_have_url(re.compile("sort=-timestep"))
    expect(table.get_by_role("columnheader", name="Steps")).to_have_attribute("aria-sort", "descending")


def _open_and_inspect(page: Page, item: dict[str, Any]) -> None:
    place = f"step {item['timestep']:,}"
    page.get_by_role("link", name=f"to be named · {place}").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"to be named · {place}")
    expect(page.get_by_role("region", name="Lineage")).to_contain_text("started from nothing")
    expect(page.get_by_role("region", name="Facts")).to_contain_text("trained in this lab")
    page.get_by_role("button", name="Compute weights").click()
    tensors = page.get_by_role("list", name="Weights by tensor")
    expect(tensors.get_by_role("img", name=re.compile("values from"))).not_to_have_count(0)
    page.get_by_role("button", name="Show the numbers").click()
    expect(page.get_by_role("region", name="Weights as a table").get_by_role("row")).not_to_have_count(1)


def _name(page: Page) -> None:
    page.get_by_role("button", name="Name it…").click()
    dialog = page.get_by_role("dialog", name="Name this model")
    dialog.get_by_label("Name", exact=True).fill(NAME)
    labels = dialog.get_by_label("Labels, separated by commas")
    labels.fill("v2")
    dialog.get_by_role("button", name="Name it", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("reads like a version")
    labels.fill("production")
    expect(dialog.get_by_role("status")).to_have_text(f"Becomes {NAME} v1.")
    dialog.get_by_role("button", name="Name it", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text(f"{NAME} v1 · production")).to_be_visible()


def _compare(lab: Server, page: Page, first: dict[str, Any], last: dict[str, Any]) -> None:
    page.goto("/models?q=to+be+named&sort=timestep")
    boxes = page.get_by_role("table", name="Checkpoints").get_by_role("checkbox")
    boxes.first.check()
    compare = page.get_by_role("button", name="Compare")
    expect(compare).to_have_attribute("aria-disabled", "true")
    boxes.last.check()
    compare.click()
    expect(page.get_by_role("region", name="Configuration")).to_contain_text("the same configuration")
    expect(page.get_by_role("region", name="Weights")).to_contain_text(
        re.compile(r"\d+ of \d+ tensors differ")
    )
    page.get_by_label("Seeds of the duel").select_option("5")
    page.get_by_role("button", name="Duel").click()
    expect(page).to_have_url(re.compile("duel="))
    duel_id = re.search("duel=([^&]+)", page.url)[1]  # type: ignore[index]
    contestants = lab.client.get(f"/api/runs/{duel_id}").json()["config"]["contestants"]
    assert {one["checkpoint"] for one in contestants} == {first["id"], last["id"]}
    lab.client.post(f"/api/runs/{duel_id}/stop")
