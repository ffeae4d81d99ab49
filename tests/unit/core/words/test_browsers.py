"""User agents in words."""

from __future__ import annotations

import pytest

from rl_lab.core.words.browsers import describe_browser

CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"


@pytest.mark.parametrize(
    ("user_agent", "words"),
    [
        (f"Mozilla/5.0 (X11; Linux x86_64) {CHROME}", ("Chrome 141", "Linux")),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME} Edg/141.0.0.0", ("Edge 141", "Windows")),
        (f"Mozilla/5.0 (Linux; Android 15; Pixel 9) {CHROME}", ("Chrome 141", "Android")),
        (
            "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
            ("Firefox 142", "Linux"),
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/18.1 Safari/605.1.15",
            ("Safari 18", "macOS"),
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/18.1 Mobile/15E148 Safari/604.1",
            ("Safari 18", "iPhone"),
        ),
        ("python-httpx/0.28.1", ("A Python program", "")),
        ("curl/8.5.0", ("curl 8", "")),
        ("", ("Unknown browser", "")),
        ("<script>alert(1)</script>", ("Unknown browser", "")),
    ],
)
def test_a_user_recognises_the_browser(user_agent: str, words: tuple[str, str]) -> None:
    assert describe_browser(user_agent) == words
