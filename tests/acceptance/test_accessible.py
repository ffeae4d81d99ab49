"""axe finds no problems on any page, on wide and phone screens, in light and dark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from support.browser import DESK, PHONE, ROOT, Visitor, expect_live, keep_picture, scrolls_sideways
from support.server import Server

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
LOOK = """async (only) => (await axe.run(document, { runOnly: only, resultTypes: ["violations"] })).violations
  .map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ") + " (" + n.failureSummary + ")").join("; ")}`)"""
SETTLE = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const ending = document.getAnimations().filter((a) => a.effect.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(ending.map((a) => a.finished));
}"""
"""Colours change over some milliseconds after the theme has: on a busy machine axe would see one in between."""
REWARD = "pass-on"
RUN_TABS = ("overview", "charts", "episodes", "evaluations", "config", "artifacts", "events", "log")


def pages_of(
    run_id: str, study_id: str, checkpoints: list[str], *, dataset: str, play_id: str
) -> dict[str, str]:
    """Each page by its name in the screenshots."""
    newest, oldest = checkpoints[0], checkpoints[-1]
    return {
        "lab": f"/?run={run_id}",
        "runs": "/runs",
        **{f"run-{tab}": f"/runs/{run_id}?tab={tab}" for tab in RUN_TABS},
        "studies": "/studies",
        "play": "/play?env=CartPole-v1",
        "play-open": f"/play/{play_id}",
        "study": f"/studies/{study_id}",
        "models": "/models",
        "model": f"/models/{newest}",
        "model-pair": f"/models/compare?a={newest}&b={oldest}",
        "datasets": "/datasets",
        "dataset": f"/datasets/{dataset}?episode=1",
        "compare": f"/compare?runs={run_id}",
        "environments": "/environments?env=CartPole-v1",
        "system": "/system",
        "queue": "/queue",
        "workbench": "/workbench",
        "workbench-new": "/workbench?tab=rewards&name=new",
        "workbench-reward": f"/workbench?tab=rewards&name={REWARD}&run={run_id}",
        "workbench-metrics": "/workbench?tab=metrics",
        "workbench-metric": f"/workbench?tab=metrics&name=new&run={run_id}",
        "welcome": "/welcome",
        "docs": "/docs",
        "docs-page": "/docs/quickstart",
        "docs-glossary": "/docs/glossary#checkpoint",
    }


CUT_OFF = """() => {
  const clips = (box) => ["auto", "scroll", "hidden", "clip"].some((word) =>
    [getComputedStyle(box).overflowX, getComputedStyle(box).overflowY].includes(word));
  const cut = [];
  for (const part of document.querySelectorAll("a[href], button, [tabindex='0'], input, summary")) {
    part.focus({ focusVisible: true });
    if (document.activeElement !== part) continue;
    const style = getComputedStyle(part);
    const reach = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
    const inner = part.getBoundingClientRect();
    if (reach <= 0 || inner.width < 2) continue;
    for (let box = part.parentElement; box && box !== document.body; box = box.parentElement) {
      if (!clips(box)) continue;
      const outer = box.getBoundingClientRect();
      const isInside = inner.top >= outer.top - 0.5 && inner.bottom <= outer.bottom + 0.5
        && inner.left >= outer.left - 0.5 && inner.right <= outer.right + 0.5;
      const hasRoom = inner.top - reach >= outer.top - 0.5 && inner.bottom + reach <= outer.bottom + 0.5
        && inner.left - reach >= outer.left - 0.5 && inner.right + reach <= outer.right + 0.5;
      if (isInside && !hasRoom) cut.push(part.outerHTML.slice(0, 140));
    }
  }
  return cut;
}"""
"""What has a focus ring that reaches out of a box that clips, although the element itself is inside."""

NARROW = {"width": 350, "height": 700}
ZOOMED = {"width": 700, "height": 450}
"""What a window of 1400 x 900 px has left at 200 % zoom."""
MOTION = """() => {
  const skeleton = document.body.appendChild(document.createElement("div"));
  skeleton.className = "animate-pulse transition-colors";
  const { animationIterationCount, animationDuration, transitionDuration } = getComputedStyle(skeleton);
  skeleton.remove();
  return [animationIterationCount, ...[animationDuration, transitionDuration].map((s) => parseFloat(s) < 0.001)];
}"""

LOOKS = [
    ("wide", DESK, "light", {"type": "tag", "values": RULES}),
    ("wide", DESK, "dark", {"type": "rule", "values": COLOURS}),
    ("phone", PHONE, "dark", {"type": "tag", "values": RULES}),
]
"""With the rules that are checked: the themes differ in their colours alone, so a second one needs no other rules.
Each look differs from the one before in one thing: a page that changes is drawn anew, which takes long."""

pytestmark = pytest.mark.timeout(900)


@dataclass(frozen=True)
class Walk:
    """What was found on all pages. They are loaded once for all tests of this file."""

    problems: list[str] = field(default_factory=list)
    too_wide: list[str] = field(default_factory=list)
    cut_rings: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def paths(lab: Server, solved: dict[str, Any], swept: str, dataset: str, waiting_play: str) -> dict[str, str]:
    found = lab.client.get("/api/checkpoints", params={"run_id": solved["id"]}).json()["items"]
    checkpoints = [item["id"] for item in found]
    saved = {"name": REWARD, "source": "def reward_function(reward):\n    return reward\n"}
    lab.client.post("/api/rewards", json=saved).raise_for_status()
    return pages_of(solved["id"], swept, checkpoints, dataset=dataset, play_id=waiting_play)


@pytest.fixture(scope="module")
def walk(browser: Browser, lab: Server, paths: dict[str, str]) -> Walk:
    # The page's security policy blocks foreign scripts such as axe, so this profile disables the policy.
    visitor = Visitor(browser, lab, bypass_csp=True, reduced_motion="reduce")
    visitor.context.add_init_script(path=AXE)
    page = visitor.context.new_page()
    page.goto("/")
    expect(page.get_by_label("Token")).to_be_visible()
    walk = Walk()
    walk.problems.extend(_look_at_all(page, "token"))
    page.goto(f"/#token={lab.token}")
    expect_live(page)
    for name, path in paths.items():
        page.emulate_media(reduced_motion="reduce")
        page.goto(path)
        page.wait_for_load_state("networkidle")
        expect(page.locator("main h1").first).to_be_attached()
        walk.problems.extend(_look_at_all(page, name))
        walk.too_wide.extend(f"{name}, {width} px" for width in _too_narrow(page))
        # With less motion every style has a transition, and a ring has its final size only in the next frame.
        page.emulate_media(reduced_motion="no-preference", color_scheme="light")
        _resize(page, DESK)
        walk.cut_rings.extend(f"{name}: {part}" for part in page.evaluate(CUT_OFF))
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/compare?runs={','.join(_two_configurations(lab))}&group=true")
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("not established")
    expect(page.get_by_text("reaches from the lowest to the highest seed")).to_be_visible()
    walk.problems.extend(_look_at_all(page, "compare-groups"))
    visitor.end()
    return walk


def test_no_focus_ring_is_cut_off(walk: Walk) -> None:
    assert not walk.cut_rings, "\n".join(walk.cut_rings)


def test_no_page_scrolls_sideways_when_narrow_or_zoomed(walk: Walk) -> None:
    assert not walk.too_wide, "\n".join(walk.too_wide)


def test_nothing_moves_with_less_motion(lab: Server, visit: Callable[..., Visitor]) -> None:
    page = visit(lab, viewport=NARROW, reduced_motion="reduce").sign_in()
    assert page.evaluate(MOTION) == ["1", True, True]


def test_axe_finds_nothing_on_any_page_wide_or_narrow_light_or_dark(walk: Walk) -> None:
    assert not walk.problems, "\n".join(walk.problems)


def _two_configurations(lab: Server) -> list[str]:
    """Two seeds of each."""
    created = [
        lab.create(seed=seed, start=True, total_timesteps=steps) for steps in (1500, 2500) for seed in (1, 2)
    ]
    return [lab.wait(run["id"], "succeeded")["id"] for run in created]


def _look_at_all(page: Page, name: str) -> list[str]:
    """Checks the page in every size and theme, without reloading it."""
    found = []
    for width, screen, theme, only in LOOKS:
        if page.locator("html").get_attribute("data-theme") != theme:
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            expect(page.locator("html")).to_have_attribute("data-theme", theme)
        _resize(page, screen)
        keep_picture(page, f"{name}-{width}-{theme}")
        found += [f"{name}, {width}, {theme}: {violation}" for violation in page.evaluate(LOOK, only)]
        if scrolls_sideways(page):
            found.append(f"{name}, {width}: the page scrolls sideways")
    return found


def _too_narrow(page: Page) -> list[int]:
    """The widths in which the page scrolls sideways."""
    found = []
    for size in (NARROW, ZOOMED):
        _resize(page, size)
        if scrolls_sideways(page):
            found.append(size["width"])
    return found


def _resize(page: Page, size: dict[str, int]) -> None:
    if page.viewport_size != size:
        page.set_viewport_size(size)  # type: ignore[arg-type]
    page.evaluate(SETTLE)
