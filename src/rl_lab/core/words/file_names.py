"""The name of a file that leaves the lab: after its run, so that files of several runs stay apart in one folder."""

from __future__ import annotations

import re
import unicodedata

MAX_RUN = 100
MAX_WHAT = 80


def file_name(run_name: str, what: str, suffix: str) -> str:
    """ "PPO-CartPole-v1-seed-3-best-episode.mp4": ASCII only, so it is valid on every file system and in a header."""
    short = re.sub(r"^([A-Z0-9]+) on ", r"\1 ", run_name)
    run = plain(short)[:MAX_RUN].strip("-.")
    return f"{run or 'run'}-{plain(what)[-MAX_WHAT:].strip('-.') or 'file'}{suffix}"


def plain(text: str) -> str:
    """Letters, digits and dots, everything else as single hyphens; "20,000" is one number."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text.replace("−", "-"))
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9.]+", "-", ascii_text).strip("-.")
