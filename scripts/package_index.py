"""The package index as pip is configured: which files of a version it has, and their hashes."""

from __future__ import annotations

import json
import ssl
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from functools import cached_property
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urlsplit

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version
from pip._internal.models.index import PyPI

ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.1"
TIMEOUT_S = 120


@dataclass(frozen=True)
class IndexFile:
    name: str
    sha256: str

    @property
    def version(self) -> Version | None:
        """None for a file that pip could not install, such as an old .exe."""
        try:
            if self.name.endswith(".whl"):
                return parse_wheel_filename(self.name)[1]
            return parse_sdist_filename(self.name)[1]
        except (InvalidWheelFilename, InvalidSdistFilename, InvalidVersion):
            return None


class PackageIndex:
    """pip's `index-url`: the one index whose hashes are written. Other sources may only serve the same files."""

    @cached_property
    def _settings(self) -> dict[str, str]:
        command = [sys.executable, "-m", "pip", "config", "list"]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        ordered = sorted(lines, key=lambda line: line.startswith(":env:"))  # variables win over files
        pairs = (line.partition("=")[::2] for line in ordered)
        return {key.rpartition(".")[2]: value.strip("'\"") for key, value in pairs}

    def files(self, package: str, version: str) -> list[IndexFile]:
        """Every file of this version, wheels of all platforms and the source; stops the program when there is none."""
        wanted = Version(version)
        found = [file for file in self._all(package) if file.version == wanted]
        if not found:
            sys.exit(f"The package index has no file of {package} {version} with a SHA-256.")
        return sorted(found, key=lambda file: file.name)

    def _all(self, package: str) -> list[IndexFile]:
        address = f"{self._settings.get('index-url', PyPI.simple_url).rstrip('/')}/{package}/"
        trust = ssl.create_default_context(cafile=self._settings.get("cert"))
        request = urllib.request.Request(address, headers={"Accept": ACCEPT})
        with urllib.request.urlopen(request, timeout=TIMEOUT_S, context=trust) as answer:
            text = answer.read().decode()
            is_json = "json" in (answer.headers.get("Content-Type") or "")
        return files_of_json(text) if is_json else files_of_page(text)


def files_of_json(text: str) -> list[IndexFile]:
    found = ((file["filename"], file.get("hashes", {}).get("sha256")) for file in json.loads(text)["files"])
    return [IndexFile(name, sha256) for name, sha256 in found if sha256]


def files_of_page(text: str) -> list[IndexFile]:
    """From the links of an HTML page, which carry the hash behind a #."""
    links = _Links()
    links.feed(text)
    found = []
    for address in links.addresses:
        place, fragment = urldefrag(address)
        kind, _, digest = fragment.partition("=")
        if kind == "sha256":
            found.append(IndexFile(unquote(urlsplit(place).path.rpartition("/")[2]), digest))
    return found


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value for key, value in attrs if tag == "a" and key == "href" and value]
