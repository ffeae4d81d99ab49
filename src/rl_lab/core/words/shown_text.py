"""Foreign text as it may be shown: without characters that move the cursor, drive the terminal, reorder or hide text.

Names, events, logs and paths come from scripts. A terminal obeys the control characters in them: they can clear the
screen, write to the clipboard, or make one command look like another.
"""

from __future__ import annotations

import re

_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, clear the screen
    r"|(?:\x1b[]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f\n]*(?:\x07|\x1b\\|\x9c)"  # OSC and others with a text
    r"|\x1b[ -/]*[0-Z\\`-~]"  # two characters: reset, character sets
)
"""Whole escape sequences; without this, their printable rest ("[31m") would stay in the text."""
_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 (but tab and newline), DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction of writing
    "\u00ad\u180e\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # invisible, or other line ends
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # invisible: musical marks, tags, variation selectors
    "\ud800-\udfff"  # half of a character
    "]"
)
"""U+200C and U+200D stay: Persian, Indic scripts and emoji need them."""


def without_controls(text: str) -> str:
    """The text without control and invisible characters; a carriage return begins a new line, so it hides nothing."""
    if text.isprintable():
        return text
    text = _SEQUENCES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _HIDDEN.sub(lambda found: "\ufffd" if "\ud800" <= found[0] <= "\udfff" else "", text)


def on_one_line(text: str) -> str:
    """For a cell of a table: it cannot begin a line that looks like ours."""
    return re.sub(r"[\t\n]+", " ", without_controls(text))


def with_escapes(text: str) -> str:
    r"""Each such character as \uXXXX: JSON keeps its value."""
    return text if text.isprintable() else _HIDDEN.sub(_escape, text)


def visible(text: str) -> str:
    """On one line, with every hidden character seen: for a command that somebody has to approve."""
    return with_escapes(text).replace("\n", "\\n").replace("\t", "\\t")


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
