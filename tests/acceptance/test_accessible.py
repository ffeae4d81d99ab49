"""axe finds no problems on any page, on wide and phone screens, in light and dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser import DESK, PHONE, ROOT, Visitor, expect_live, keep_picture, scrolls_sideways
from support.server import Server

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
LOOK = """async (tags) => (await axe.run(document, { runOnly: tags, resultTypes: ["violations"] })).violations
  .map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ") + " (" + n.failureSummary + ")").join("; ")}`)"""
SETTLE = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const ending = document.getAnimations().filter((a) => a.effect.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(ending.map((a) => a.finished));
}"""
"""Colours change over some milliseconds after the theme has: on a busy machine axe would see one in between."""
RUN_TABS = ("overview", "charts", "episodes", "evaluations", "config", "artifacts", "events", "log")


def pages_of(run_id: str, study_id: str) -> dict[str, str]:
    """Each page by its name in the screenshots."""
    return {
        "lab": f"/?run={run_id}",
        "runs": "/runs",
        **{f"run-{tab}": f"/runs/{run_id}?tab={tab}" for tab in RUN_TABS},
        "studies": "/studies",
        "study": f"/studies/{study_id}",
        "compare": f"/compare?runs={run_id}",
        "environments": "/environments?env=CartPole-v1",
        "system": "/system",
        "queue": "/queue",
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
    part.focus({ focusVisible: true, preventScroll: true });
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


def test_no_focus_ring_is_cut_off(visitor: Visitor, page: Page, solved: dict[str, Any], swept: str) -> None:
    found = []
    for name, path in pages_of(solved["id"], swept).items():
        page.goto(path)
        expect(page.locator("main h1").first).to_be_attached()
        page.evaluate(SETTLE)
        found += [f"{name}: {part}" for part in page.evaluate(CUT_OFF)]
    assert not found, "\n".join(found)


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


@pytest.mark.timeout(300)
def test_no_page_scrolls_sideways_when_narrow_or_zoomed_and_nothing_moves_with_less_motion(
    lab: Server, visit: Callable[..., Visitor], solved: dict[str, Any], swept: str
) -> None:
    page = visit(lab, viewport=NARROW, reduced_motion="reduce").sign_in()
    assert page.evaluate(MOTION) == ["1", True, True]
    found = []
    for name, path in pages_of(solved["id"], swept).items():
        page.goto(path)
        expect(page.locator("main h1").first).to_be_attached()
        for size in (NARROW, ZOOMED):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.evaluate(SETTLE)
            if scrolls_sideways(page):
                found.append(f"{name}: scrolls sideways in a window of {size['width']} px")
    assert not found, "\n".join(found)


LOOKS = [(w, size, t) for w, size in (("wide", DESK), ("phone", PHONE)) for t in ("light", "dark")]


@pytest.mark.timeout(900)
def test_axe_finds_nothing_on_any_page_wide_or_narrow_light_or_dark(
    lab: Server, visit: Callable[..., Visitor], solved: dict[str, Any], swept: str
) -> None:
    # The page's security policy blocks foreign scripts such as axe, so this profile disables the policy.
    visitor = visit(lab, bypass_csp=True, reduced_motion="reduce")
    visitor.context.add_init_script(path=AXE)
    page = visitor.context.new_page()
    page.goto("/")
    expect(page.get_by_label("Token")).to_be_visible()
    found = _look_at_all(page, "token")
    page.goto(f"/#token={lab.token}")
    expect_live(page)
    for name, path in pages_of(solved["id"], swept).items():
        page.goto(path)
        page.wait_for_load_state("networkidle")
        found += _look_at_all(page, name)
    page.goto(f"/compare?runs={','.join(_two_configurations(lab))}&group=true")
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("not established")
    expect(page.get_by_text("reaches from the lowest to the highest seed")).to_be_visible()
    found += _look_at_all(page, "compare-groups")
    assert not found, "\n".join(found)


def _two_configurations(lab: Server) -> list[str]:
    """Two seeds of each."""
    created = [
        lab.create(seed=seed, start=True, total_timesteps=steps) for steps in (1500, 2500) for seed in (1, 2)
    ]
    return [lab.wait(run["id"], "succeeded")["id"] for run in created]


def _look_at_all(page: Page, name: str) -> list[str]:
    """Checks the page in every size and theme, without reloading it."""
    found = []
    for width, screen, theme in LOOKS:
        page.set_viewport_size(screen)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        page.evaluate(SETTLE)
        keep_picture(page, f"{name}-{width}-{theme}")
        found += _look(page, f"{name}, {width}, {theme}")
        if scrolls_sideways(page):
            found.append(f"{name}, {width}: the page scrolls sideways")
    return found


def _look(page: Page, name: str) -> list[str]:
    return [f"{name}: {violation}" for violation in page.evaluate(LOOK, list(RULES))]
