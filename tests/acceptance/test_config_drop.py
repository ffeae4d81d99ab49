"""A config.json dropped on the lab opens the form with its settings; a wrong file is answered with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.browser import Visitor
from support.server import Server

DROP = """([name, text]) => {
  const given = new DataTransfer();
  given.items.add(new File([text], name));
  document.querySelector("h1").parentElement.dispatchEvent(
    new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
}"""


def drop(page: Page, name: str, text: str) -> None:
    page.evaluate(DROP, [name, text])


def test_a_config_dropped_on_the_lab_opens_the_form(lab: Server, visit: Callable[..., Visitor]) -> None:
    run = lab.create(name="to repeat", seed=321, total_timesteps=7000)
    config = lab.client.get(f"/api/runs/{run['id']}/config").json()
    page = visit(lab).sign_in("/")
    expect(page.get_by_role("button", name="TRAIN").first).to_be_visible()

    drop(page, "model.zip", "PK")
    expect(page.get_by_text("“model.zip” is not JSON.")).to_be_visible()
    drop(page, "config.json", json.dumps({**config, "runner": "gone"}))
    expect(page.get_by_text("which this lab does not have")).to_be_visible()

    drop(page, "config.json", json.dumps(config))
    expect(page.get_by_text("The form has the settings of “config.json”.")).to_be_visible()
    expect(page.get_by_label("Seed", exact=True)).to_have_value("321")
    expect(page.get_by_label("Total Timesteps", exact=True)).to_have_value("7,000")
    assert lab.client.get("/api/runs", params={"q": "seed:321"}).json()["total"] == 1
