"""The interpreter of a script is foreign code too: what it may do while it is asked, and which of its claims count."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab

from rl_lab.cli.commands.scripts import show
from rl_lab.core.commands import CommandPreview
from rl_lab.core.errors import ConsentNeeded, InvalidInput
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.foreign.interpreter_claims import read_claims
from rl_lab.orchestrator.foreign.interpreter_probe import Question, ask
from rl_lab.orchestrator.foreign.own_pythons import missing_modules
from rl_lab.orchestrator.foreign.python_shims import behind_shim
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun

VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"
needs_landlock = pytest.mark.skipif(not probe().landlock, reason="this kernel has no Landlock")


@pytest.fixture(autouse=True)
def _furnished(home: Path) -> None:
    furnish(home)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout with a script and its own virtual environment."""
    folder = tmp_path / "project"
    site = folder / ".venv" / "lib" / VERSION / "site-packages"
    site.mkdir(parents=True)
    (folder / ".venv" / "bin").mkdir()
    base = Path(os.path.realpath(sys.executable))
    (folder / ".venv" / "bin" / "python").symlink_to(base)
    (folder / ".venv" / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    (folder / "train.py").write_text("print('trained')\n")
    return folder


def python_of(project: Path) -> str:
    return str(project / ".venv" / "bin" / "python")


def plant(project: Path, line: str, name: str = "planted.pth") -> None:
    """A line for the start of the project's interpreter."""
    (project / ".venv" / "lib" / VERSION / "site-packages" / name).write_text(line + "\n")


def wanted(project: Path, **more: Any) -> NewRun:
    params = {"command": [python_of(project), str(project / "train.py")], **more}
    return NewRun(runner="script", algorithm="python", params=params)


def previews(home: Path, *new: NewRun) -> list[CommandPreview]:
    async def story() -> list[CommandPreview]:
        async with open_lab(home) as lab:
            return [await lab.runs.preview_command(one) for one in new]

    return asyncio.run(story())


ATTACK = """
import os, sys
def attempt(name, call):
    try:
        call()
    except OSError:
        return
    sys.path.append(os.path.join({told!r}, name))  # reported by adding a folder of that name
attempt("runs", lambda: None)
attempt("token", lambda: open({token!r}).read())
attempt("home", lambda: os.listdir({home!r}))
attempt("key", lambda: open({key!r}).read())
attempt("shm", lambda: open({shm!r}, "w"))
attempt("write", lambda: open({key!r} + "x", "w"))
attempt("mode", lambda: os.chmod({key!r}, 0o604))
sys.executable = "/usr/bin" + "/" * 43 + "python3"
"""


def plant_code(project: Path, code: str) -> None:
    (project / ".venv" / "lib" / VERSION / "site-packages" / "planted_code.py").write_text(code)
    plant(project, "import planted_code")


@needs_landlock
def test_b1_an_interpreter_that_is_asked_reads_no_secret_and_writes_nowhere(
    home: Path, project: Path, tmp_path: Path
) -> None:
    """Code in a .pth file runs in it before anybody agreed."""
    key, told, shm = tmp_path / "key", tmp_path / "told", Path(f"/dev/shm/probe-{os.getpid()}")
    key.write_text("secret")
    for name in ("runs", "token", "home", "key", "shm", "write", "mode"):
        (told / name).mkdir(parents=True)
    names = {"told": told, "token": home / "token", "home": home, "key": key, "shm": shm}
    plant_code(project, ATTACK.format(**{name: str(path) for name, path in names.items()}))

    async def story() -> CommandPreview:
        async with open_lab(home) as lab:
            (home / "token").write_text("t" * 43)
            return await lab.runs.preview_command(wanted(project))

    preview = asyncio.run(story())
    assert preview.added == [str(told / "runs")]
    assert preview.command.argv[0] == preview.command.shown[0] == python_of(project)
    assert not shm.exists()


def test_b1_no_claim_of_an_interpreter_is_used_unchecked(tmp_path: Path) -> None:
    said = {
        "version": [3, 12, 1],
        "path": [str(tmp_path), "relative", str(tmp_path / "none"), "/etc\x1b[2J", 7, "/" + "x" * 9000],
        "prefixes": "not a list",
        "places": [str(tmp_path) + "////"],
        "user_base": str(tmp_path),
        "executable": "/bin/sh",
        "file": "/etc/passwd",
        "missing": ["numpy", "../../x", "a b"],
        "mentioned": {"torch": 1},
        "problem": "bad\x1b]0;title\x07" + "x" * 5000,
    }
    claims = read_claims("python", json.dumps(said).encode(), {})
    assert claims.path == [str(tmp_path)] and set(claims.places) == {str(tmp_path)}
    assert (claims.user_base, claims.file) == (None, None)
    assert (claims.missing, claims.mentioned) == (["numpy"], [])
    assert claims.problem is not None and claims.problem.isprintable() and len(claims.problem) < 400
    for version, words in (
        ([3, 8, 2], r"is Python 3\.8\.2; scripts need 3\.10"),
        (["3", 12, 1], "does not answer"),
    ):
        with pytest.raises(InvalidInput, match=words):
            read_claims("python", json.dumps({**said, "version": version}).encode(), {})
    for out in (b"", b"[]", b"hello", b"[" * 100_000):
        with pytest.raises(InvalidInput, match="does not answer like a Python"):
            read_claims("python", out, {})


@needs_landlock
def test_b1_looking_for_packages_lets_an_interpreter_change_nothing(project: Path, tmp_path: Path) -> None:
    """The Python of a runner (RL_LAB_CLEANRL_PYTHON) is started to list what it lacks."""
    plant_code(project, f"open({str(tmp_path / 'written')!r}, 'w')")
    assert missing_modules(python_of(project), ["json", "no_such_module"]) == ["no_such_module"]
    assert not (tmp_path / "written").exists()


def test_b1_a_shim_chooses_only_among_the_interpreters_next_to_it(tmp_path: Path) -> None:
    root = tmp_path / "pyenv"
    chosen = root / "versions" / "3.12.1" / "bin" / "python"
    chosen.parent.mkdir(parents=True)
    chosen.symlink_to(os.path.realpath(sys.executable))
    shim = root / "shims" / "python"
    shim.parent.mkdir()
    shim.touch(0o755)

    def says(path: str) -> str:
        shim.write_text(f"#!/bin/sh\necho {path}\n")
        return asyncio.run(behind_shim(str(shim), {}))

    assert says(str(chosen)) == str(chosen)
    for other in ("/bin/sh", str(chosen).replace("/bin/", "/bin//")):
        with pytest.raises(InvalidInput, match="chooses no interpreter"):
            says(other)
    elsewhere = tmp_path / "python"
    elsewhere.write_text("#!/bin/sh\n")
    with pytest.raises(InvalidInput, match="starts another program"):
        asyncio.run(behind_shim(str(elsewhere), {}))


def test_b4_a_folder_that_the_interpreter_adds_is_shown_and_asked_about(
    home: Path, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = tmp_path / "person" / ".ssh"
    keys.mkdir(parents=True)

    async def story(lab: Lab) -> None:
        before = await lab.runs.preview_command(wanted(project))
        await lab.runs.create(wanted(project).model_copy(update={"consent": before.sha256}))
        assert (await lab.runs.preview_command(wanted(project))).is_consented
        plant(project, str(keys))
        with pytest.raises(ConsentNeeded, match=r"may now read .*ssh as well: the interpreter adds it"):
            await lab.runs.create(wanted(project))
        after = await lab.runs.preview_command(wanted(project))
        assert (after.added, after.is_consented) == ([str(keys)], False)
        assert after.changes == [f"It may now read {keys} as well: the interpreter adds it."]
        assert str(keys) not in after.command.reads
        show(after.model_dump(mode="json"))
        with pytest.raises(ConsentNeeded, match="has changed since it was shown"):
            await lab.runs.create(wanted(project).model_copy(update={"consent": before.sha256}))
        await lab.runs.create(wanted(project).model_copy(update={"consent": after.sha256}))
        # What the user allows by name needs no further question.
        allowed = await lab.runs.preview_command(wanted(project, reads=[str(keys)]))
        assert (allowed.added, allowed.sha256) == ([], before.sha256)

    asyncio.run(with_lab(home, story))
    assert f"also reads {keys}, because the interpreter adds it" in capsys.readouterr().err


def test_b4_links_and_editable_installs_are_shown_as_the_folders_they_lead_to(
    home: Path, project: Path, tmp_path: Path
) -> None:
    site = project / ".venv" / "lib" / VERSION / "site-packages"
    secret, package = tmp_path / "secret", tmp_path / "mylib" / "src" / "mylib"
    secret.mkdir()
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (site / "inner").symlink_to(secret)
    plant(project, str(site / "inner"))
    plant_code(
        project,
        "import sys, importlib.util as u\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'mylib':\n"
        f"            return u.spec_from_file_location(name, {str(package / '__init__.py')!r})\n"
        "sys.meta_path.append(Finder())\n",
    )
    plant(project, f"import planted_code\n{site / 'inner'}")
    (project / "train.py").write_text("import mylib\n")
    [preview] = previews(home, wanted(project))
    assert preview.added == [str(package), str(secret)]
    assert preview.interpreter is not None and preview.interpreter.missing == []


def test_b4_no_interpreter_adds_the_labs_home_or_what_holds_it(home: Path, project: Path) -> None:
    async def story(lab: Lab) -> None:
        for folder in (home, home.parent):
            plant(project, str(folder))
            with pytest.raises(InvalidInput, match="lab's own files"):
                await lab.runs.preview_command(wanted(project))

    asyncio.run(with_lab(home, story))


async def with_lab(home: Path, story: Callable[[Lab], Awaitable[None]]) -> None:
    async with open_lab(home) as lab:
        await story(lab)


def test_b4_an_answer_is_kept_until_a_file_that_it_depends_on_changes(project: Path, tmp_path: Path) -> None:
    """Even with the old time of modification, which a program can set."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    plant(project, str(tmp_path / "one"))
    question = Question(python_of(project), str(project), str(project / "train.py"), reads=(str(project),))

    async def story() -> None:
        first = await ask(question, {})
        assert await ask(question, {}) is first
        file = project / ".venv" / "lib" / VERSION / "site-packages" / "planted.pth"
        times = file.stat()
        plant(project, str(tmp_path / "two"))
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert (await ask(question, {})).added == [str(tmp_path / "two")]
        config = project / ".venv" / "pyvenv.cfg"
        config.write_text(f"{config.read_text()}\n")
        assert await ask(question, {}) is not first

    asyncio.run(story())
