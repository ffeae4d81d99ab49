"""Foreign code and data in the page: preview, approve, run and replay a script; adopt a folder; change retention."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser import PHONE, Visitor, scrolls_sideways, status_of
from support.server import Server

SCRIPT = """
import argparse
import gymnasium
parser = argparse.ArgumentParser()
parser.add_argument("--episodes", type=int, default=12)
args = parser.parse_args()
env = gymnasium.make("CartPole-v1")
env.reset(seed=3)
for _ in range(args.episodes):
    ended = False
    while not ended:
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        ended = terminated or truncated
    env.reset()
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "walk.py"
    path.write_text(SCRIPT)
    return path


def test_a_script_is_previewed_approved_run_and_replayed(visitor: Visitor, script: Path) -> None:
    page = visitor.sign_in("/runs")
    page.get_by_role("button", name="Run a script").click()
    dialog = page.get_by_role("dialog", name="Run a script")
    dialog.get_by_label("Command", exact=True).fill(f"{sys.executable} {script} --episodes 9")
    dialog.get_by_role("button", name="Show what would run").click()
    expect(dialog).to_contain_text(f"{script} --episodes 9")
    expect(dialog.get_by_text(re.compile("confined|isolated")).first).to_be_visible()
    dialog.get_by_role("button", name="Approve and run").click()

    expect(page).to_have_url(re.compile("/runs/[0-9a-z]{12}"))
    expect(page.get_by_role("heading", name="walk.py")).to_be_visible()
    expect(status_of(page, "succeeded")).to_be_visible()
    expect(page.get_by_role("tab", name="Evaluations")).to_be_visible()
    page.get_by_role("tab", name="Config").click()
    expect(page.get_by_role("region", name="Arguments reported by the script").first).to_contain_text(
        "episodes"
    )
    page.get_by_role("tab", name="Episodes").click()
    page.get_by_role("button", name=re.compile("[Ee]pisode 8")).first.click()
    expect(page.get_by_role("slider").first).to_be_visible()


def test_problems_of_a_script_are_shown_before_it_runs(visitor: Visitor, tmp_path: Path, lab: Server) -> None:
    count = lab.client.get("/api/runs").json()["total"]
    visitor.forgive("422")
    page = visitor.sign_in("/runs")
    expect(page.get_by_role("button", name="Run a script")).to_be_visible()
    page.keyboard.press("x")
    dialog = page.get_by_role("dialog", name="Run a script")
    show = dialog.get_by_role("button", name="Show what would run")
    expect(show).to_have_attribute("aria-disabled", "true")
    dialog.get_by_label("Command", exact=True).fill(f"python {tmp_path}/nowhere.py")
    show.click()
    expect(dialog.get_by_role("alert").filter(has_text="nowhere.py")).to_be_visible()
    broken = tmp_path / "broken.py"
    broken.write_text("import no_such_package\ndef f(:\n")
    dialog.get_by_label("Command", exact=True).fill(f"{sys.executable} {broken}")
    show.click()
    expect(dialog.get_by_role("alert").first).to_contain_text("broken.py")
    assert lab.client.get("/api/runs").json()["total"] == count, "nothing was started"


def test_adopting_a_folder_twice_creates_no_duplicates(visitor: Visitor, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    lines = [f"{i}.0,{10 + i},{i}.5" for i in range(40)]
    head = '#{"t_start": 1700000000.0, "env_id": "CartPole-v1"}'
    (folder / "monitor.csv").write_text("\n".join([head, "r,l,t", *lines]) + "\n")
    page = visitor.sign_in("/runs")
    adopt(page, folder)
    expect(counted(page, "Adopted")).to_have_text("1")
    page.get_by_role("link", name="Show adopted runs").click()
    row = page.get_by_role("row").filter(has_text="logs")
    expect(row).to_contain_text("CartPole-v1")
    adopt(page, folder)
    expect(counted(page, "Adopted")).to_have_text("0")
    page.get_by_role("link", name="Show adopted runs").click()
    expect(row).to_have_count(1)
    row.get_by_role("link", name="logs").click()
    expect(page.get_by_text(f"adopted from {folder}")).to_be_visible()


def adopt(page: Page, folder: Path) -> None:
    page.get_by_role("button", name="Adopt a folder").click()
    dialog = page.get_by_role("dialog", name="Adopt a folder")
    dialog.get_by_label("Folder", exact=True).fill(str(folder))
    dialog.get_by_role("button", name="Adopt", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("Done with")


def counted(page: Page, what: str) -> Locator:
    cell = page.get_by_role("dialog").locator("dl > div").filter(has=page.get_by_text(what, exact=True))
    return cell.locator("dd")


def test_a_retention_limit_is_changed_and_reset(visitor: Visitor, lab: Server) -> None:
    page = visitor.sign_in("/system")
    videos = page.get_by_label("Videos per run")
    videos.fill("0")
    expect(page.get_by_role("alert").filter(has_text="1 to 1,000")).to_be_visible()
    videos.fill("7")
    videos.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Videos per run: 7")).to_be_visible()
    assert lab.client.get("/api/retention").json()["value"]["videos"] == 7
    videos.fill("")
    videos.press("Enter")
    expect(videos).to_have_value(str(lab.client.get("/api/retention").json()["default"]["videos"]))


def test_a_file_is_pinned_and_unpinned(visitor: Visitor, solved: dict[str, str]) -> None:
    page = visitor.sign_in(f"/runs/{solved['id']}?tab=artifacts")
    row = page.get_by_role("region", name="Models").get_by_role("listitem").first
    row.get_by_role("button", name=re.compile("^Actions for")).click()
    page.get_by_role("menuitem", name=re.compile("^Pin")).click()
    expect(row.get_by_text("pinned", exact=True)).to_be_visible()
    row.get_by_role("button", name=re.compile("^Actions for")).click()
    page.get_by_role("menuitem", name="Unpin").click()
    expect(row.get_by_text("pinned", exact=True)).to_have_count(0)


def test_dialogs_of_foreign_work_fit_a_phone(
    visit: Callable[..., Visitor], lab: Server, script: Path
) -> None:
    page = visit(lab, viewport=PHONE, color_scheme="dark").sign_in("/runs")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Run a script").click()
    dialog = page.get_by_role("dialog", name="Run a script")
    dialog.get_by_label("Command", exact=True).fill(f"{sys.executable} {script}")
    dialog.get_by_role("button", name="Show what would run").click()
    expect(dialog.get_by_text("May write")).to_be_visible()
    assert not scrolls_sideways(page)
