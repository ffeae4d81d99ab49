"""A browser's User-Agent header as words that its user recognises."""

from __future__ import annotations

import re

BROWSERS = (
    # The order counts: each of these also names the ones below it.
    ("Edge", r"Edg(?:e|A|iOS)?/(\d+)"),
    ("Opera", r"OPR/(\d+)"),
    ("Samsung Internet", r"SamsungBrowser/(\d+)"),
    ("Vivaldi", r"Vivaldi/(\d+)"),
    ("Firefox", r"(?:Firefox|FxiOS)/(\d+)"),
    ("Chrome", r"(?:Chrome|CriOS|HeadlessChrome)/(\d+)"),
    ("Safari", r"Version/(\d+).*Safari/"),
    ("curl", r"^curl/(\d+)"),
    ("A Python program", r"^(?:python-)?(?:httpx|requests|urllib)"),
)
SYSTEMS = (
    ("Android", r"Android"),
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("ChromeOS", r"CrOS"),
    ("Windows", r"Windows"),
    ("macOS", r"Mac OS X|Macintosh"),
    ("Linux", r"Linux|X11"),
)
UNKNOWN = "Unknown browser"


def describe_browser(user_agent: str) -> tuple[str, str]:
    """The browser with its version, and the system; the system is empty if the header does not name one."""
    return _browser(user_agent), next((name for name, sign in SYSTEMS if re.search(sign, user_agent)), "")


def _browser(user_agent: str) -> str:
    for name, sign in BROWSERS:
        if found := re.search(sign, user_agent):
            return f"{name} {found[1]}" if found.lastindex else name
    return UNKNOWN
