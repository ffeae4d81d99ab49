"""Rewards as an attacker writes them, each in a real confined process: the worker survives, and nothing leaks.

This process is the worker. Where code tries to reach something, its reward is 1 for a success and 0 for a refusal.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from support.user_code import WAIT_S, rights_of, score, step_rows
from support.waiting import wait_until

import rl_lab
from rl_lab.core.errors import CodeFailed
from rl_lab.guardian.confinement.confined_tree import START
from rl_lab.guardian.files import Confinement, Launch, as_json, write_record
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.looking import looking_rights
from rl_lab.settings import Settings
from rl_lab.worker.user_code import code_process
from rl_lab.worker.user_code.scorer import EpisodeEvaluator, RewardScorer

pytestmark = pytest.mark.skipif(probe().level != "confined", reason="needs complete confinement")
SECRET = "the-token-of-this-lab"
IDENTITY = "def reward_function(reward):\n    return reward\n"
FORGE = """
import os, struct

def send(data):
    for fd in range(3, 1024):
        try:
            os.write(fd, data)
        except OSError:
            pass
"""
"""Writes to every descriptor that it has: one of them is its connection to the worker."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    for name in ("token", "lab.db"):
        (folder / name).write_text(SECRET)
    return folder


@pytest.fixture(scope="module")
def rights(home: Path) -> Confinement:
    return rights_of(home)


@pytest.fixture(autouse=True, scope="module")
def worker_survives(rights: Confinement) -> Iterator[None]:
    """After all attacks the next code works as if nothing had happened."""
    yield
    assert score(IDENTITY, rights) == [0.0, 1.0, 2.0]


def reached(statements: list[str], rights: Confinement) -> list[str]:
    """Those of the statements that worked, tried by a reward in one process; the others were refused."""
    source = f"""
import os

STATEMENTS = {statements!r}

def reward_function(obs):
    try:
        exec(STATEMENTS[int(obs[0])], {{"os": os}})
    except Exception:
        return 0
    return 1
"""
    rows = step_rows(len(statements), obs=np.arange(float(len(statements))).reshape(-1, 1))
    found = score(source, rights, rows)
    return [one for one, worked in zip(statements, found, strict=True) if worked]


def failure(source: str, rights: Confinement, **limits: float) -> CodeFailed:
    with pytest.raises(CodeFailed) as caught:
        score(source, rights, None, **limits)
    return caught.value


# It does not come back.


def test_an_endless_loop_ends_with_its_line(rights: Confinement) -> None:
    source = "def reward_function():\n    n = 0\n    while True:\n        n += 1\n"
    error = failure(source, rights, cpu_s=0.2)
    assert error.kind == "slow"
    assert error.line in (3, 4)


def test_a_loop_that_swallows_every_exception_is_killed(rights: Confinement) -> None:
    source = """
def reward_function():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""
    error = failure(source, rights, cpu_s=0.1, wait_s=1.5)
    assert error.kind == "slow"
    assert "did not return" in error.detail


def test_code_that_sleeps_forever_is_ended(rights: Confinement) -> None:
    source = "import time\n\ndef reward_function():\n    time.sleep(10_000)\n"
    assert failure(source, rights, wait_s=1.0).kind == "slow"


def test_code_that_stops_itself_and_reads_nothing_is_ended(rights: Confinement) -> None:
    source = "import os, signal\n\ndef reward_function(obs):\n    os.kill(os.getpid(), signal.SIGSTOP)\n"
    rows = step_rows(200_000)  # more than the connection holds
    with closing(RewardScorer(source, "attack", rights)) as scorer:
        for _ in range(2):
            with pytest.raises(CodeFailed):
                scorer.score(rows, wait_s=1.0)


def test_an_import_that_never_ends_is_named(rights: Confinement, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_process, "OPEN_CPU_S", 0.5)
    error = failure("while True:\n    n = 1\n\ndef reward_function():\n    return 1\n", rights)
    assert error.kind == "slow"
    assert error.line in (1, 2)


# It ends itself, or tries to end others.


@pytest.mark.parametrize("ending", ["os._exit(0)", "os._exit(7)", "os.abort()", "os.kill(os.getpid(), 9)"])
def test_code_that_ends_its_process_is_named(rights: Confinement, ending: str) -> None:
    error = failure(f"import os\n\ndef reward_function():\n    {ending}\n", rights)
    assert error.kind == "ended"
    assert "ended its own process" in error.detail


def test_sys_exit_is_an_error_at_its_line(rights: Confinement) -> None:
    error = failure("import sys\n\ndef reward_function():\n    sys.exit(0)\n", rights)
    assert (error.kind, error.line, error.row) == ("raised", 4, 0)


def test_it_cannot_kill_its_parent_or_its_worker(rights: Confinement) -> None:
    targets = ("os.getppid()", str(os.getpid()), str(os.getppid()), "1")
    assert reached([f"os.kill({target}, 9)" for target in targets], rights) == []
    # The kernel calls this a success whoever was spared.
    score("import os\n\ndef reward_function():\n    os.kill(-1, 9)\n    return 1\n", rights)


def test_a_fork_bomb_is_killed_with_all_its_processes(rights: Confinement) -> None:
    source = """
import os, time

def reward_function():
    while True:
        if os.fork() == 0:
            time.sleep(1000)
"""
    error = failure(source, rights, wait_s=WAIT_S)
    assert error.kind == "ended"
    assert "was ended: it started too many processes" in error.detail


def test_a_process_that_it_left_behind_ends_with_it(rights: Confinement) -> None:
    source = """
import os, time

def reward_function(reward):
    if reward:
        return 0
    pid = os.fork()
    if pid == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(10_000)
        time.sleep(10_000)
    return pid
"""
    pid = int(score(source, rights)[0])
    wait_until(lambda: not Path(f"/proc/{pid}").exists() or None, "the process ends")


def test_a_memory_bomb_is_an_error_at_its_line(rights: Confinement) -> None:
    error = failure("def reward_function():\n    return len(bytearray(16 << 30))\n", rights)
    assert (error.kind, error.line) == ("raised", 2)
    assert "MemoryError" in error.detail
    grows = "held = []\n\ndef reward_function():\n    while True:\n        held.append(bytearray(64 << 20))\n"
    assert "MemoryError" in failure(grows, rights, wait_s=WAIT_S).detail


# It tampers.


def test_patched_libraries_are_patched_in_its_own_process_only(rights: Confinement) -> None:
    source = """
import json, marshal, os
import numpy
import rl_lab.worker.user_code.results as results

numpy.isfinite = lambda *_: True
json.dumps = lambda *_: '"patched"'
os.getpid = lambda: 1
results._number = lambda *_: 1e300
results.LARGEST = float("inf")

def reward_function():
    return float("inf")
"""
    error = failure(source, rights)
    assert "not valid" in error.detail
    assert json.dumps([1]) == "[1]"
    assert not np.isfinite(np.inf)


@pytest.mark.parametrize(
    "forged",
    [
        "struct.pack('<I', 1) + b'+'",
        "struct.pack('<I', 9) + b'+nonsense'",
        "struct.pack('<I', 29) + b'+' + struct.pack('<I', 0) + struct.pack('<3d', 1e9, 1e9, 1e9)",
        "struct.pack('<I', 30) + b'+' + struct.pack('<I', 2) + b'[]' + struct.pack('<3d', *[float('nan')] * 3)"
        "[:23]",
        "struct.pack('<I', 4_000_000_000)",
        "struct.pack('<I', 1_000)",
        "b'\\\\x02'",
        "struct.pack('<I', 2_001) + b'-' + b'[' * 2_000",
        "b'+' * 5_000_000",
    ],
)
def test_a_forged_answer_is_refused(rights: Confinement, forged: str) -> None:
    source = f"{FORGE}\ndef reward_function():\n    send({forged})\n    while True: pass\n"
    error = failure(source.replace("\\\\", "\\"), rights, cpu_s=100, wait_s=1.5)
    assert error.kind in ("slow", "ended")


def test_a_forged_answer_about_the_arguments_is_refused(rights: Confinement) -> None:
    answer = b'+{"takes": ["__class__", "lanes"], "has_reset": {}}'
    message = len(answer).to_bytes(4, "little") + answer
    source = f"{FORGE}\nsend({message!r})\n{IDENTITY}"
    assert "not valid" in failure(source, rights).detail


def test_an_answer_that_nobody_asked_for_is_noticed(rights: Confinement) -> None:
    good = b"+" + (2).to_bytes(4, "little") + b"[]" + np.zeros(3).tobytes()
    message = len(good).to_bytes(4, "little") + good
    source = f"{FORGE}\ndef reward_function():\n    send({message!r})\n    return 5\n"
    assert "not valid" in failure(source, rights).detail


def test_forged_numbers_of_an_evaluation_are_refused(rights: Confinement) -> None:
    for forged in (b'+{"a": NaN}', b"+[1]", b'+{"a": {}}', b'+{"a": 1e400}', b"+" + b"[" * 5000):
        message = len(forged).to_bytes(4, "little") + forged
        source = f"{FORGE}\ndef evaluate(episode):\n    send({message!r})\n    return {{}}\n"
        with closing(EpisodeEvaluator(source, "attack", rights)) as evaluator, pytest.raises(CodeFailed):
            evaluator.evaluate({"length": 1})


def test_it_cannot_change_what_it_was_given(rights: Confinement) -> None:
    rows = step_rows(info=[{"left": 1}, {"left": 2}, {"left": 3}])
    for change in ("obs[0] = 9", "next_obs += 1", "obs.flags.writeable = True", "obs.setflags(write=True)"):
        source = f"def reward_function(obs, next_obs):\n    {change}\n"
        with pytest.raises(CodeFailed, match="ValueError"):
            score(source, rights, rows)
    edits = "def reward_function(info, reward):\n    info['left'] = 99\n    reward = 99\n    return reward\n"
    assert score(edits, rights, rows) == [99.0] * 3
    assert rows.info == [{"left": 1}, {"left": 2}, {"left": 3}]
    assert rows.reward.tolist() == [0.0, 1.0, 2.0]


# It looks around.


def test_it_cannot_read_the_lab_nor_secrets_of_the_machine(rights: Confinement, home: Path) -> None:
    files = [
        home / "token",
        home / "lab.db",
        "/etc/shadow",
        "/root/.ssh/id_rsa",
        Path.home() / ".bash_history",
    ]
    folders = [home, "/root", "/home", "/var/log", "/run"]
    statements = [f"open({str(path)!r}).read()" for path in files]
    statements += [f"assert os.listdir({str(path)!r})" for path in folders]
    assert reached(statements, rights) == []


def test_variables_of_the_worker_stay_there(rights: Confinement, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RL_LAB_TOKEN", "AWS_SECRET_ACCESS_KEY", "HF_TOKEN"):
        monkeypatch.setenv(name, SECRET)
    statements = [f"assert {SECRET!r} in str(dict(os.environ))"]
    statements += [f"open('/proc/{pid}/environ').read(1)" for pid in (os.getpid(), os.getppid(), 1)]
    assert reached([*statements, "open(f'/proc/{os.getppid()}/environ').read(1)"], rights) == []


def test_it_cannot_read_or_write_the_memory_of_its_worker(rights: Confinement) -> None:
    trace = "import ctypes\nassert ctypes.CDLL(None, use_errno=True).ptrace(16, {}, 0, 0) == 0"
    statements = [trace.format(pid) for pid in (os.getpid(), "os.getppid()")]
    for name in ("mem", "maps", "fd/0"):
        statements.append(f"open('/proc/{os.getpid()}/{name}', 'rb').read(1)")
        statements.append(f"open(f'/proc/{{os.getppid()}}/{name}', 'rb').read(1)")
    statements.append(f"open('/proc/{os.getpid()}/mem', 'r+b')")
    assert reached(statements, rights) == []


def test_it_cannot_write_outside_its_temporary_folder(
    rights: Confinement, home: Path, tmp_path: Path
) -> None:
    folders = (home, tmp_path, Path.cwd(), Path("/tmp"), Path(rl_lab.__file__).parent)
    statements = [f"open({str(folder / 'left')!r}, 'w')" for folder in folders]
    token = str(home / "token")
    statements += [f"os.remove({token!r})", f"os.chmod({token!r}, 0o777)", f"os.rename({token!r}, '/tmp/t')"]
    assert reached(statements, rights) == []
    assert not any((folder / "left").exists() for folder in folders)


def test_what_it_writes_inside_is_limited_and_removed(rights: Confinement) -> None:
    source = """
import os, tempfile

folder = tempfile.gettempdir()

def reward_function(reward):
    path = os.path.join(folder, "left")
    with open(path, "w") as file:
        file.write("x")
    return int(folder[-16:], 16) % 2**32
"""
    with closing(RewardScorer(source, "attack", rights)) as scorer:
        number = int(scorer.score(step_rows()).totals[0])
    left = [path for path in Path("/tmp").glob("rl-lab-look-*") if int(path.name[-16:], 16) % 2**32 == number]
    assert left == []


def test_it_has_no_network(rights: Confinement, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(tmp_path / "socket"))
        local.listen()
        port = listening.getsockname()[1]
        statements = [
            f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 1)",
            f"import socket\nsocket.socket(socket.AF_UNIX).connect({str(tmp_path / 'socket')!r})",
            "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 53))",
            "import socket\nsocket.create_server(('127.0.0.1', 0))",
        ]
        assert reached(statements, rights) == []


# What it returns or prints is wrong.


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        ("None", "None"),
        ("float('nan')", "nan"),
        ("float('inf')", "inf"),
        ("1e300", "1e+300"),
        ("10**400", "far too large"),
        ("10**10_000", "far too large"),
        ("obs", "array"),
        ("'1'", "str"),
        ("[1]", "list"),
        ("1j", "complex"),
        ("__import__('numpy').complex128(1)", "complex"),
        ("{'a': None}", "None"),
        ("{'a': float('nan')}", "nan"),
        ("{str(n): 1 for n in range(40)}", "40"),
    ],
)
def test_what_is_not_a_finite_number_is_named(rights: Confinement, returned: str, words: str) -> None:
    error = failure(f"def reward_function(obs):\n    return {returned}\n", rights)
    assert (error.kind, error.line, error.row) == ("result", 1, 0)
    assert words in error.detail


def test_the_step_that_fails_is_named_with_its_line(rights: Confinement) -> None:
    source = "def reward_function(reward):\n    if reward == 2:\n        raise KeyError('größe 速度')\n    return 1\n"
    error = failure(source, rights)
    assert (error.kind, error.line, error.row) == ("raised", 3, 2)
    assert "größe 速度" in error.detail


def test_a_flood_of_output_does_not_reach_the_worker(
    rights: Confinement, capfd: pytest.CaptureFixture[str]
) -> None:
    source = "def reward_function():\n    print('x' * 50_000_000)\n    return 1\n"
    assert score(source, rights) == [1.0] * 3
    captured = capfd.readouterr()
    assert len(captured.out) + len(captured.err) < 1000


def test_forged_names_that_cannot_be_shown_are_refused(rights: Confinement) -> None:
    source = """
import rl_lab.worker.user_code.results as results

results._name = str

def reward_function():
    return {"a\\ud800": 1.0}
"""
    assert "not valid" in failure(source, rights).detail


def test_names_in_any_script_are_names_of_terms(rights: Confinement) -> None:
    source = "größe = 2.0\n\ndef reward_function():\n    return {'速度': größe, '🚀': 1}\n"
    with closing(RewardScorer(source, "unicode", rights)) as scorer:
        found = scorer.score(step_rows())
    assert found.names == ("速度", "🚀")
    assert found.totals.tolist() == [3.0] * 3


# In a worker that is confined itself.


def test_code_in_a_confined_worker_is_confined_again(rights: Confinement, home: Path, tmp_path: Path) -> None:
    """As for a training in an environment of the user's own: the code may not reach what its worker may."""
    (tmp_path / "run").write_text("of the worker")
    worker = tmp_path / "worker.py"
    worker.write_text(
        "import json, sys\nfrom contextlib import closing\n"
        f"sys.path.insert(0, {str(Path(__file__).parents[1])!r})\n"
        "from support.user_code import score\nfrom rl_lab.guardian.files import confinement_of\n"
        "print(score(sys.argv[1], confinement_of(json.loads(sys.argv[2]))))\n"
    )
    outer = looking_rights(Settings(home=home), [str(tmp_path), str(Path(__file__).parents[1])])
    source = f"""
def reward_function():
    try:
        open({str(tmp_path / "run")!r})
    except OSError:
        return 0
    return 1
"""
    argv = [sys.executable, "-P", str(worker), source, json.dumps(as_json(rights))]
    order = os.memfd_create("order")
    os.write(order, write_record(Launch(argv, env=dict(os.environ), confine=outer)))
    os.lseek(order, 0, os.SEEK_SET)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", START, str(Path(rl_lab.__file__).parents[1]), str(order)],
        pass_fds=(order,),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    os.close(order)
    assert done.stdout.strip() == "[0.0, 0.0, 0.0]", done.stderr
