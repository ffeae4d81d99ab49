"""A captured script has the process it would have had without the lab: names, paths, children, threads, signals."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.captured import START, Captured, captured
from support.waiting import wait_until

FACTS = """
import inspect, json, sys
def here(): pass
print(json.dumps({
    "argv": sys.argv, "path": sys.path, "name": __name__, "file": __file__, "spec": __spec__ and __spec__.name,
    "package": __package__, "source": inspect.getsource(here), "main": sys.modules["__main__"].here is here,
    "stdin": sys.stdin.read(), "modules": sorted(m for m in ("msgspec", "pydantic", "numpy") if m in sys.modules),
}))
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Captured]:
    with captured(tmp_path) as running:
        yield running


def test_a_script_sees_what_python_itself_would_show_it(script: Captured) -> None:
    path = script.write(FACTS)
    script.start(str(path), "--lr", "1e-3")
    assert script.finish()["outcome"] == "succeeded"
    bare = subprocess.run(
        [sys.executable, str(path), "--lr", "1e-3"], capture_output=True, stdin=subprocess.DEVNULL, check=True
    )
    assert json.loads(script.attempt.log()) == json.loads(bare.stdout)


def test_a_module_sees_what_python_itself_would_show_it(script: Captured) -> None:
    script.write("", "trainers/__init__.py")
    script.write(FACTS, "trainers/ppo.py")
    script.start("-m", "trainers.ppo", "-v")
    assert script.finish()["outcome"] == "succeeded"
    bare = subprocess.run(
        [sys.executable, "-m", "trainers.ppo", "-v"],
        cwd=script.mine,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    assert json.loads(script.attempt.log()) == json.loads(bare.stdout)


def test_a_missing_module_is_a_missing_package(script: Captured) -> None:
    script.start("-m", "nowhere.train")
    finished = script.finish()
    assert finished["cause"] == "missing-package"
    assert "“nowhere”" in finished["message"]


def test_with_isolated_python_nothing_is_put_on_the_path(script: Captured) -> None:
    path = script.write("import sys; print(sys.path[0].endswith('.zip'))")
    job = script.attempt.folder / "job.json"
    script.start(str(path))
    script.finish()
    bare = subprocess.run(
        [sys.executable, "-I", str(START), str(job), "--", str(path)],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    assert bare.stderr.strip() == b"True"


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_children_work_and_stay_silent(script: Captured, method: str) -> None:
    finished = script.run(
        f"""
        import multiprocessing as mp, os, sys
        def child(n):
            print("child", n)
            sys.stdout.flush()
            return n * n
        if __name__ == "__main__":
            with mp.get_context("{method}").Pool(2) as pool:
                print(pool.map(child, range(4)))
            left = mp.get_context("{method}").Process(target=print, args=("left to itself",))
            left.start(); left.join()
        """
    )
    assert finished["outcome"] == "succeeded"
    assert "[0, 1, 4, 9]" in script.attempt.log()
    events = script.attempt.events()
    assert [event["seq"] for event in events] == list(range(len(events)))


def test_a_terminated_child_ends(script: Captured) -> None:
    finished = script.run(
        """
        import multiprocessing as mp, time
        if __name__ == "__main__":
            child = mp.get_context("fork").Process(target=time.sleep, args=(600,))
            child.start()
            child.terminate()
            child.join()
            print("ended with", child.exitcode)
        """
    )
    assert finished["outcome"] == "succeeded"
    assert "ended with -15" in script.attempt.log()


def test_a_forked_child_that_runs_to_the_end_or_crashes_says_nothing(script: Captured) -> None:
    finished = script.run(
        """
        import os, sys
        for fate in ("end", "exit", "crash"):
            pid = os.fork()
            if pid == 0:
                if fate == "exit": sys.exit(5)
                if fate == "crash": raise RuntimeError("of the child")
                break
            print(fate, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """
    )
    assert finished["outcome"] == "succeeded"
    log = script.attempt.log()
    assert "end 0" in log and "exit 5" in log and "crash 1" in log and "RuntimeError: of the child" in log


def test_programs_the_script_starts_print_into_the_log(script: Captured) -> None:
    finished = script.run(
        "import subprocess; subprocess.run(['echo', '{\"type\":\"finished\"}'], check=True)"
    )
    assert finished["outcome"] == "succeeded"
    assert '{"type":"finished"}' in script.attempt.log()


def test_what_threads_and_exit_functions_log_comes_before_the_last_word(script: Captured) -> None:
    script.write(WRITER, "tensorboardX/writer.py")
    script.write("from .writer import SummaryWriter", "tensorboardX/__init__.py")
    script.run(
        """
        import atexit, threading, time
        from tensorboardX import SummaryWriter
        writer = SummaryWriter("runs")
        go = threading.Event()
        def late():
            go.wait()
            writer.add_scalar("from/thread", 1.0, 7)
        threading.Thread(target=late).start()
        atexit.register(lambda: writer.add_scalar("from/exit", 2.0, 8))
        go.set()
        """
    )
    events = script.attempt.events()
    names = [name for event in events if event["type"] == "metric" for name in event["values"]]
    assert names == ["from/thread", "from/exit"]
    assert events[-1]["type"] == "finished"


def test_a_script_that_becomes_another_program_is_told(script: Captured) -> None:
    script.start(str(script.write("import os; os.execvp('true', ['true'])")))
    script.attempt.exit()
    assert "replaced itself with another program" in script.warnings()


def test_output_is_in_the_log_while_the_script_runs(script: Captured) -> None:
    script.start(str(script.write("import time\nprint('halfway')\ntime.sleep(600)")))
    log = script.attempt.folder / "log.txt"
    wait_until(lambda: log.exists() and "halfway" in log.read_text(), "the line in the log")
    script.attempt.wait_for_event("status", state="hello")
    script.attempt.command("stop")
    assert script.finish()["outcome"] == "stopped"
    assert script.record["exit_code"] == 0


WRITER = """
class SummaryWriter:
    def __init__(self, logdir=None): self.logdir = logdir
    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None): pass
    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None): pass
    def add_hparams(self, hparam_dict, metric_dict, name=None, global_step=None): pass
"""
