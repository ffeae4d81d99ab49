"""Foreign programs under a guardian: every attack is tried for real, and ordinary work goes on as ever.

What the kernel offers is found out first, and each test expects exactly that: refused where it can be held back,
open where the probe says so.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.guarded import Guarded, guarded
from support.waiting import DEADLINE_S

import rl_lab
from rl_lab.core.commands import Command
from rl_lab.core.errors import Forbidden, InvalidInput
from rl_lab.guardian.files import as_json
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.foreign.isolation import confinement_of, isolation
from rl_lab.settings import Settings
from rl_lab.store.files.folders import RunFolder

FILES_HELD = probe().landlock > 0
CALLS_HELD = probe().seccomp
SIGNALS_HELD = probe().landlock >= 6

PRELUDE = """
import json, os, sys
def attempt(name, act):
    try:
        act()
    except OSError as error:
        print(json.dumps({"name": name, "errno": error.errno}))
    except BaseException as error:
        print(json.dumps({"name": name, "errno": 0, "error": repr(error)}))
    else:
        print(json.dumps({"name": name, "errno": None}))
def call(number, *arguments):
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(number, *arguments) == -1:
        raise OSError(ctypes.get_errno(), "refused")
"""
PACKAGE = str(Path(rl_lab.__file__).parents[1])
EACCES, EPERM, EFBIG = 13, 1, 27


class Fenced:
    """A lab's home with a token, a database and two runs; programs run as the first of them."""

    def __init__(self, home: Path, attempt: Guarded) -> None:
        self.home = home
        self.run_dir = attempt.run_dir
        self.attempt = attempt
        self.settings = Settings(home=home)
        self.files, self.scratch = self.run_dir / "files", self.run_dir / "scratch"

    def command(self, argv: list[str], **changes: Any) -> Command:
        reads = [
            PACKAGE,
            *{sys.prefix, sys.base_prefix, str(Path(sys.executable).parent)},
            str(self.attempt.folder / "job.json"),
        ]
        known = {
            "argv": argv,
            "shown": argv,
            "cwd": str(self.files),
            "reads": reads,
            "writes": [str(self.files), str(self.scratch)],
        }
        return Command(**{**known, **changes})

    def run(self, code: str, *, settings: Settings | None = None, **changes: Any) -> dict[str, Any]:
        """The exit record of a program that was run to its end."""
        order = dict(changes.pop("order", {}))
        command = self.command([sys.executable, "-u", "-c", PRELUDE + code], **changes)
        confine = {**as_json(confinement_of(command, settings or self.settings)), **order}
        env = {**os.environ, "HOME": str(self.scratch), "TMPDIR": str(self.scratch), "OMP_NUM_THREADS": "1"}
        env["RL_LAB_ATTEMPT"] = f"{self.attempt.run_id}/{self.attempt.attempt}"
        self.attempt.start(command.argv, cwd=command.cwd, env=env, confine=confine)
        return self.attempt.exit()

    def answers(self, code: str, **changes: Any) -> dict[str, int | None]:
        """What each attempt of the program met: an error number, None when it went through."""
        record = self.run(code, **changes)
        assert record["exit_code"] == 0, (record, self.attempt.log())
        lines = [json.loads(line) for line in self.attempt.journal().splitlines()]
        return {line["name"]: line["errno"] for line in lines}


@pytest.fixture
def fenced(tmp_path: Path) -> Iterator[Fenced]:
    home = tmp_path / "home"
    for name, text in {"token": "secret", "lab.db": "rows", "runs/other/config.json": "{}"}.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "id_ed25519").write_text("key")
    with guarded(home / "runs" / "mine") as attempt:
        (attempt.folder / "job.json").write_text("{}")
        for name in ("files", "scratch"):
            (attempt.run_dir / name).mkdir()
        yield Fenced(home, attempt)


def held(by: bool, code: int) -> int | None:
    """What an attack must meet on this machine."""
    return code if by else None


def test_the_level_follows_from_what_this_kernel_holds() -> None:
    level, note = isolation()
    found = probe()
    assert level == (
        "confined"
        if FILES_HELD and CALLS_HELD and SIGNALS_HELD
        else "partly"
        if FILES_HELD or CALLS_HELD
        else "none"
    )
    assert (note == "") == (level == "confined")
    assert all(gap in note for gap in found.gaps)


def test_files_of_the_lab_and_of_the_user_cannot_be_read(fenced: Fenced) -> None:
    targets = {
        "token": fenced.home / "token",
        "database": fenced.home / "lab.db",
        "other run": fenced.home / "runs" / "other" / "config.json",
        "ssh key": fenced.home.parent / ".ssh" / "id_ed25519",
        "journal": fenced.attempt.folder / "launch.json",
    }
    given = {name: str(path) for name, path in targets.items()}
    code = f"for name, path in {given!r}.items(): attempt(name, lambda: open(path).read())\n"
    code += f"attempt('names', lambda: os.listdir({str(fenced.home)!r}))\n"
    code += f"attempt('job', lambda: open({str(fenced.attempt.folder / 'job.json')!r}).read())\n"
    found = fenced.answers(code)
    assert found == {**dict.fromkeys([*targets, "names"], held(FILES_HELD, EACCES)), "job": None}


@pytest.mark.parametrize("abi", range(1, probe().landlock + 1))
def test_older_kernels_hold_files_too(fenced: Fenced, abi: int) -> None:
    """Asked for what an older kernel knows, as it would be there."""
    code = f"""
attempt("token", lambda: open({str(fenced.home / "token")!r}))
attempt("outside", lambda: open({str(fenced.home / "new")!r}, "w"))
attempt("inside", lambda: open("here", "w").write("x"))
"""
    found = fenced.answers(code, order={"landlock": abi})
    assert found == {"token": EACCES, "outside": EACCES, "inside": None}


def test_nothing_can_be_written_outside(fenced: Fenced) -> None:
    home = str(fenced.home)
    code = f"""
home = {home!r}
run = home + '/runs/mine'
attempt('new', lambda: open(home + '/new', 'w'))
attempt('append', lambda: open(home + '/lab.db', 'a'))
attempt('truncate', lambda: os.truncate(home + '/lab.db', 0))
attempt('unlink', lambda: os.unlink(home + '/runs/other/config.json'))
attempt('exit record', lambda: open(run + '/attempts/1/exit.json', 'w'))
attempt('rename away', lambda: os.rename(run + '/files', run + '/gone'))
attempt('link in', lambda: os.link(home + '/token', 'token'))
attempt('tmp', lambda: open('/tmp/rl-lab-escape', 'w'))
attempt('inside', lambda: open('here', 'w').write('x'))
"""
    found = fenced.answers(code)
    inside = found.pop("inside")
    assert inside is None
    if not FILES_HELD:
        assert found["new"] is None
        return
    truncate, link = found.pop("truncate"), found.pop("link in")
    assert set(found.values()) == {EACCES}
    assert truncate == held(probe().landlock >= 3, EACCES)
    assert link in (EACCES, 18)  # EXDEV where the kernel cannot compare the two folders
    assert (fenced.home / "token").read_text() == "secret"


@pytest.fixture
def loopback() -> Iterator[int]:
    """A server as the lab's own: its port on 127.0.0.1."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(DEADLINE_S)
        thread = threading.Thread(target=_accept_once, args=(server,))
        thread.start()
        port = server.getsockname()[1]
        yield port
        with socket.create_connection(("127.0.0.1", port)):
            thread.join()


def _accept_once(server: socket.socket) -> None:
    server.accept()[0].close()


NETWORK = """
import socket
def tcp():
    with socket.create_connection(("127.0.0.1", PORT), 5): pass
def udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s: s.sendto(b"x", ("127.0.0.1", PORT))
def unix(path):
    with socket.socket(socket.AF_UNIX) as s: s.connect(path)
attempt("tcp", tcp)
attempt("udp", udp)
attempt("path", lambda: unix(PATH))
attempt("abstract", lambda: unix("\\0" + NAME))
for family in (16, 17): attempt(f"family {family}", lambda: socket.socket(family, socket.SOCK_RAW).close())
def datagram(pair):
    pair[0].sendto(b"x", PATH)
attempt("datagram pair", lambda: datagram(socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)))
attempt("raw pair", lambda: datagram(socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)))
attempt("pair", lambda: [s.close() for s in socket.socketpair()])
attempt("io_uring", lambda: call(425, 8, bytes(128)))
"""


@pytest.fixture
def local_sockets(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A socket with a path and one with an abstract name; as short as their addresses must be."""
    name = f"rl-lab-test-{os.getpid()}"
    path = f"/tmp/{name}.sock"
    with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as other:
        one.bind(path)
        one.listen()
        other.bind("\0" + name)
        other.listen()
        yield path, name
    Path(path).unlink()


def test_without_network_no_socket_reaches_anybody(
    fenced: Fenced, loopback: int, local_sockets: tuple[str, str]
) -> None:
    code = f"PORT, PATH, NAME = {loopback}, {local_sockets[0]!r}, {local_sockets[1]!r}\n" + NETWORK
    found = fenced.answers(code)
    assert found.pop("pair") is None
    uring = found.pop("io_uring")
    if CALLS_HELD:
        assert set(found.values()) == {EACCES}
        assert uring == 38  # as if the kernel had none
    else:
        assert found["tcp"] == held(probe().landlock >= 4, EACCES)
        assert found["udp"] is None


def test_network_can_be_allowed_and_files_stay_closed(fenced: Fenced, loopback: int) -> None:
    code = f"""
import socket
def tcp():
    with socket.create_connection(("127.0.0.1", {loopback}), 5): pass
attempt("tcp", tcp)
attempt("names", lambda: socket.getaddrinfo("localhost", 80))
attempt("token", lambda: open({str(fenced.home / "token")!r}))
"""
    assert fenced.answers(code, network=True) == {
        "tcp": None,
        "names": None,
        "token": held(FILES_HELD, EACCES),
    }


def test_other_processes_are_out_of_reach(fenced: Fenced) -> None:
    server = os.getpid()
    code = f"""
attempt("signal", lambda: os.kill({server}, 0))
attempt("guardian", lambda: os.kill(os.getppid(), 0))
attempt("environ", lambda: open("/proc/{server}/environ", "rb").read())
attempt("memory", lambda: open("/proc/{server}/mem", "rb"))
attempt("root", lambda: os.listdir("/proc/{server}/root"))
attempt("ptrace", lambda: call({"101" if os.uname().machine == "x86_64" else "117"}, 16, {server}, 0, 0))
attempt("limits", lambda: __import__("resource").prlimit({server}, 7, (8, 8)))
attempt("own child", lambda: __import__("subprocess").Popen(["sleep", "60"]).kill())
"""
    found = fenced.answers(code)
    assert found.pop("own child") is None
    signals = {found.pop("signal"), found.pop("guardian")}
    assert signals == {held(SIGNALS_HELD, EPERM)}
    if CALLS_HELD:
        assert found.pop("limits") is not None
        assert found.pop("ptrace") == EPERM
    if FILES_HELD:
        assert None not in {found[name] for name in ("environ", "memory", "root")}


def test_new_namespaces_and_kernel_services_are_refused(fenced: Fenced) -> None:
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def libc_call(name, *arguments):
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)
attempt("user namespace", lambda: libc_call("unshare", 0x10000000))
attempt("network namespace", lambda: libc_call("unshare", 0x40000000))
attempt("mount", lambda: libc_call("mount", b"none", b"/tmp", b"tmpfs", 0, None))
attempt("chroot", lambda: os.chroot("."))
attempt("keyctl", lambda: libc_call("keyctl", 0, -3, 0) if hasattr(libc, "keyctl") else call(250, 0, -3, 0))
attempt("files apart", lambda: libc_call("unshare", 0x400))
"""
    found = fenced.answers(code)
    assert found.pop("files apart") is None  # no namespace, and libraries do it
    if CALLS_HELD:
        assert set(found.values()) == {EPERM}


def test_a_planted_link_leads_nobody_astray(fenced: Fenced) -> None:
    """Neither the server that serves the file, nor the next attempt, which gets no rule for where it leads."""
    code = f"os.symlink({str(fenced.home / 'token')!r}, 'model.zip')\n"
    code += f"os.symlink({str(fenced.home / 'runs' / 'other')!r}, 'deep')\n"
    fenced.answers(code)
    folder = RunFolder(fenced.home, "mine")
    with pytest.raises(Forbidden):
        folder.open_beneath("files/model.zip")
    with guarded(fenced.run_dir, 2) as second:
        again = Fenced(fenced.home, second)
        (second.folder / "job.json").write_text("{}")
        found = again.answers(
            "attempt('other run', lambda: open('deep/config.json').read())\n",
            writes=[str(fenced.files), str(fenced.files / "deep"), str(fenced.scratch)],
        )
    assert found == {"other run": held(FILES_HELD, EACCES)}


def test_a_path_that_holds_the_lab_itself_is_refused(fenced: Fenced) -> None:
    (fenced.files / "link").symlink_to(fenced.home / "lab.db")
    for field, path in (
        ("reads", fenced.home.parent),
        ("reads", fenced.home),
        ("reads", fenced.home / "token"),
        ("reads", fenced.home / "lab.db"),
        ("reads", fenced.files / "link"),
        ("writes", fenced.home.parent),
    ):
        with pytest.raises(InvalidInput, match="the lab's own files"):
            confinement_of(fenced.command(["true"], **{field: [str(path)]}), fenced.settings)


def test_a_file_beyond_the_limit_is_refused_and_the_program_is_told(fenced: Fenced) -> None:
    code = "attempt('big', lambda: open('big', 'wb').write(bytes(3 << 20)))\n"
    found = fenced.answers(code, settings=Settings(home=fenced.home, script_file_bytes=1 << 20))
    assert found == {"big": EFBIG}
    assert (fenced.files / "big").stat().st_size == 1 << 20


def test_memory_can_be_limited(fenced: Fenced) -> None:
    code = "x = bytearray(2 << 30)\n"
    record = fenced.run(code, settings=Settings(home=fenced.home, script_memory_bytes=1 << 30))
    assert record["exit_code"] == 1
    assert "MemoryError" in fenced.attempt.log()


def test_a_fork_bomb_is_ended_with_words(fenced: Fenced) -> None:
    code = """
import time
for _ in range(60):
    if os.fork() == 0:
        time.sleep(600)
        os._exit(0)
time.sleep(600)
"""
    record = fenced.run(code, order={"processes": 25})
    assert record["killed_by"] == "limit"
    assert "more than 25 processes" in record["error"]


def test_what_cannot_be_put_in_place_is_not_run(fenced: Fenced) -> None:
    record = fenced.run(
        "print('never')", order={"writes": [str(fenced.files), "/no/such/folder"], "landlock": 1}
    )
    assert record["exit_code"] is None
    assert (
        record["error"]
        == "The program was not started: /no/such/folder, which it may write to, does not exist."
    )
    assert fenced.attempt.journal() == b""


def test_a_mechanism_that_is_not_promised_is_left_out(fenced: Fenced, loopback: int) -> None:
    """As on a kernel without: the program runs, and what was promised still holds."""
    code = f"""
import socket
attempt("token", lambda: open({str(fenced.home / "token")!r}))
attempt("socket", lambda: socket.socket().close())
"""
    found = fenced.answers(code, order={"landlock": 0})
    assert found == {"token": None, "socket": held(CALLS_HELD, EACCES)}


ORDINARY = """
import multiprocessing as mp, subprocess, tempfile
from multiprocessing import shared_memory

def square(x): return x * x

def pool():
    with mp.get_context(METHOD).Pool(2) as p: assert p.map(square, range(5)) == [0, 1, 4, 9, 16]

def shared():
    block = shared_memory.SharedMemory(create=True, size=1024)
    block.buf[0] = 7
    block.close(); block.unlink()

def queue():
    q = mp.get_context("fork").Queue()
    lock = mp.get_context("fork").Lock()
    with lock: q.put(1)
    assert q.get(timeout=60) == 1

def temporary():
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/x", "w") as f: f.write("x")
        os.rename(folder + "/x", os.path.join(os.getcwd(), "moved"))

def learn():
    import numpy, torch
    torch.save({"x": torch.zeros(3)}, "model.pt")
    assert torch.load("model.pt", weights_only=True)["x"].sum() == 0

def loader():
    import torch
    sys.path.append(PACKAGE)
    from rl_lab.capture.taps.descriptors import tap_sharer
    tap_sharer(mp.resource_sharer)
    data = torch.utils.data.TensorDataset(torch.arange(8))
    loaded = torch.utils.data.DataLoader(data, batch_size=2, num_workers=1, multiprocessing_context="fork")
    assert sum(len(batch[0]) for batch in loaded) == 8

def vector():
    import gymnasium
    envs = gymnasium.make_vec("CartPole-v1", num_envs=2, vectorization_mode="async")
    envs.reset(seed=1)
    envs.step(envs.action_space.sample())
    envs.close()

def main():
    for name in ("pool", "shared", "queue", "temporary", "learn", "loader", "vector"): attempt(name, globals()[name])
    attempt("python", lambda: subprocess.run([sys.executable, "-c", "import ssl, ctypes, sqlite3"], check=True))
    shell = "echo hello > shell.txt && ls -l | grep shell >&2"
    attempt("shell", lambda: subprocess.run(shell, shell=True, check=True))
    attempt("stdout again", lambda: open("/dev/stdout", "w").close())
"""


def test_ordinary_work_goes_on_inside(fenced: Fenced) -> None:
    script = fenced.files / "work.py"
    script.write_text(
        PRELUDE
        + f"METHOD, PACKAGE = 'spawn', {PACKAGE!r}\n"
        + ORDINARY
        + "\nif __name__ == '__main__': main()\n"
    )
    found = fenced.answers(
        f"import subprocess; sys.exit(subprocess.run([sys.executable, '-u', {str(script)!r}]).returncode)"
    )
    names = [
        "pool",
        "shared",
        "queue",
        "temporary",
        "learn",
        "loader",
        "vector",
        "python",
        "shell",
        "stdout again",
    ]
    assert found == dict.fromkeys(names), fenced.attempt.log()
    assert (fenced.files / "moved").read_text() == "x"


def test_commands_still_reach_the_program_and_its_words_the_journal(fenced: Fenced) -> None:
    command = fenced.command([sys.executable, "-u", "-c", "print('ready'); print(input())"])
    fenced.attempt.start(
        command.argv, cwd=command.cwd, confine=as_json(confinement_of(command, fenced.settings))
    )
    fenced.attempt.wait_for_text(b"ready")
    fenced.attempt.command("stop")
    record = fenced.attempt.exit()
    assert (record["exit_code"], record["stopped"]) == (0, True)
    assert fenced.attempt.journal() == b'ready\n{"cmd": "stop"}\n'
