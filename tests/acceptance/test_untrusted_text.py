"""Texts of a program and of an adopted folder in every page that shows them: they stay texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.adoptions import adopt, runs
from support.browser import expect_live
from support.foreign_programs import run_program
from support.server import Server

HOSTILE = "<img src=x data-attack onerror=alert(1)><svg data-attack onload=alert(1)>"
SCRIPT = "</script><script data-attack>alert(1)</script>"
SHOWS = {"Overview", "Charts", "Config", "Artifacts", "Events", "Log"}
"""Tabs that show a text of the program; in the others there is only a chance to."""
LIVE_NODES = """() => [
  ...document.querySelectorAll('[data-attack], [onerror], [onload], iframe'),
  ...[...document.querySelectorAll('[href], [src]')].filter(
      (node) => /^\\s*(javascript|vbscript):/i.test(node.getAttribute('href') ?? node.getAttribute('src'))),
].map((node) => node.outerHTML.slice(0, 200))"""

LINES: tuple[dict[str, Any], ...] = (
    {"type": "config", "env_id": HOSTILE, "algo": HOSTILE, "args": {HOSTILE: HOSTILE, "lr": SCRIPT}},
    {"type": "status", "total": 3, "timestep": 3, "message": HOSTILE},
    {"type": "metric", "name": HOSTILE, "value": 1.0, "step": 1, "sources": {HOSTILE: HOSTILE}},
    {"type": "metric", "name": HOSTILE, "value": 2.0, "step": 2},
    {"type": "log", "level": "warning", "message": HOSTILE, "code": SCRIPT},
    {"type": "episode", "episode_id": HOSTILE, "steps": 9, "return": 3.0, "t": 1.5},
    {"type": "artifact", "path": "files/<svg onload=alert(1)>", "title": HOSTILE, "kind": HOSTILE},
    {"type": "artifact", "path": "wandb", "kind": "wandb", "url": "javascript:alert(1)", "title": SCRIPT},
    {"type": "artifacts", "wandb_url": "javascript:alert(1)"},
    {"type": "finished"},
)


@pytest.fixture
def hostile(lab: Server, tmp_path: Path) -> dict[str, Any]:
    """A run of a confined program whose every text is an attack, its own file name too."""
    told = "\n".join(map(json.dumps, LINES))
    text = f"#!/bin/sh\nprintf x >'<svg onload=alert(1)>'\necho '{HOSTILE}' >&2\ncat <<'END'\n{told}\nEND\n"
    run = run_program(lab, tmp_path / "<img src=x data-attack onerror=alert(1)>", text)
    labels = {"name": f"A {HOSTILE}", "tags": ["<svg data-attack onload=alert(1)>"]}
    changed = lab.client.patch(f"/api/runs/{run['id']}", json=labels)
    assert changed.status_code == 200, changed.text
    return dict(changed.json())


@pytest.fixture
def adopted(lab: Server, tmp_path: Path) -> dict[str, Any]:
    """A folder of another tool: the folder's name, the columns and the settings are attacks."""
    folder = tmp_path / "adopted" / "<svg data-attack onload=alert(1)>"
    folder.mkdir(parents=True)
    rows = "".join(f"{n},{n}.5,{n}\n" for n in range(1, 30))
    (folder / "progress.csv").write_text(f'step,rollout/ep_rew_mean,"{HOSTILE}"\n{rows}')
    (folder / "config.yaml").write_text(f"env: '{HOSTILE}'\nlearning_rate: '{SCRIPT}'\n")
    adopt(lab, folder)
    [run] = runs(lab, folder).values()
    return run


def test_texts_of_programs_and_folders_stay_texts(
    page: Page, lab: Server, hostile: dict[str, Any], adopted: dict[str, Any]
) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))

    def assert_harmless(place: str) -> None:
        assert page.evaluate(LIVE_NODES) == [], place
        assert dialogs == [], place

    for run in (hostile, adopted):
        page.goto(f"/runs/{run['id']}")
        expect(page.get_by_role("tablist")).to_be_visible()
        if run is hostile:  # a program cannot be evaluated; its tab goes when the page knows that
            expect(page.get_by_role("tab", name="Evaluations", exact=True)).to_have_count(0)
        for tab in page.get_by_role("tab").all_inner_texts():
            page.get_by_role("tab", name=tab, exact=True).click()
            panel = page.get_by_role("tabpanel", name=tab)
            expect(panel).not_to_be_empty()
            if run is hostile and tab in SHOWS:
                expect(panel).to_contain_text("data-attack")
            assert_harmless(f"{run['id']}: {tab}")
    for path in ("/runs", f"/compare?runs={hostile['id']},{adopted['id']}", "/system", "/queue", "/"):
        page.goto(path)
        expect_live(page)
        if path.startswith(("/runs", "/compare")):
            expect(page.locator("main")).to_contain_text("data-attack")
        assert_harmless(path)
    for report in (f"/api/runs/{hostile['id']}/report", "/api/compare/report"):
        answer = lab.client.get(report, params={"format": "html", "runs": [hostile["id"], adopted["id"]]})
        page.goto("about:blank")
        page.set_content(answer.text)  # without the policy that comes with the answer
        expect(page.locator("body")).to_contain_text("data-attack")
        assert_harmless(report)
