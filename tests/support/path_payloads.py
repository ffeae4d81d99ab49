"""Hostile paths, generated: what has worked against other servers, as it is written in an address or a file."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

UPWARD = (
    "../",
    "..\\",
    "..//",
    ".../",
    "....//",
    "..;/",
    "./../",
    "x/../../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    ".%2e/",
    "..%5c",
    "%2e%2e%5c",
    "..%252f",
    "%252e%252e/",
    "%252e%252e%252f",
    "..%255c",
    "..%c0%af",
    "%c0%ae%c0%ae/",
    "%e0%80%ae%e0%80%ae/",
    "..%e0%80%af",
    "..%u2215",
    "..%00/",
    "..%0a/",
    "..%09/",
    "\uff0e\uff0e/",
    "..\uff0f",
    "..\u2215",
    "..\u2044",
    "\u2025/",
    "\u2024\u2024/",
)
"""One step up, spelled in every way."""
DEPTHS = (1, 2, 3, 9)
ABSOLUTE = (
    "/etc/passwd",
    "//etc/passwd",
    "///etc///passwd",
    "/./etc/passwd",
    "%2fetc%2fpasswd",
    "%252fetc%252fpasswd",
    "file:///etc/passwd",
    "file://localhost/etc/passwd",
    "file:/etc/passwd",
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "C:passwd",
    "\\\\server\\share\\x",
    "//server/share/x",
    "\\\\?\\C:\\x",
    "\\\\.\\pipe\\x",
    "~/.ssh/id_rsa",
    "~root/.bashrc",
    "$HOME/.bashrc",
    "%HOME%/.bashrc",
    "/proc/self/environ",
    "/proc/self/cwd/token",
    "/proc/self/fd/0",
    "/proc/self/root/etc/passwd",
    "/proc/1/environ",
    "/dev/zero",
    "/dev/stdin",
    "/dev/fd/0",
    "/dev/tty",
)
NAMES = (
    "",
    ".",
    "..",
    "...",
    " ",
    "%20",
    "/",
    "//",
    "%2f",
    "%2e",
    "%00",
    "%0d%0aX-Injected:%20yes",
    "%ff%fe",
    "%c3%28",
    "%ed%a0%80",
    "%",
    "%2",
    "%zz",
    "%u0041",
    "CON",
    "NUL",
    "nul.txt",
    "COM1",
    "LPT1.png",
    "AUX/x",
    "token.",
    "token ",
    "token%20",
    "token...",
    "token/",
    "token/.",
    "token%00",
    "token%00.png",
    "token::$DATA",
    "token:stream",
    "token~1",
    "TOKEN",
    "token;x=1",
    "token?x",
    "token#x",
    "token|cat",
    "token`id`",
    "$(id)",
    "{run_id}",
    "{{7*7}}",
    "${jndi:x}",
    "*",
    "?*",
    "[a-z]*",
    "'--",
    '"><svg>',
    "-rf",
    "--help",
    "@/etc/passwd",
    "\u202etxt.exe",
    "\u0442\u043eken",
    "to\u200bken",
    "\ufefftoken",
    "tok\u0065\u0301n",
    "\U0001f600",
    "a" * 300,
    "a" * 5000,
    "a/" * 600,
    "../" * 800,
    "%2e%2e%2f" * 400,
)


def payloads(home: Path) -> list[str]:
    """All of them, each once; `home` is the lab's home folder, so that some lead to its real files."""
    return list(dict.fromkeys(_generate(home)))


def _generate(home: Path) -> Iterator[str]:
    for up, depth in itertools.product(UPWARD, DEPTHS):
        for target in ("token", "etc/passwd"):
            yield up * depth + target
        yield "files/" + up * depth + "lab.db"
    yield from ABSOLUTE
    yield from NAMES
    for file in ("token", "lab.db", "runs"):
        yield str(home / file)
        yield f"/{home / file}"
        yield str(home / file).replace("/", "%2f")
        yield str(home / file).replace("/", "\\")
