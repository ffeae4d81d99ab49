"""Every way a captured script can end is told in words: cause, message, next step; nothing it said before is lost."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.captured import Captured, captured


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Captured]:
    with captured(tmp_path) as running:
        yield running


def test_a_script_that_does_nothing_succeeds_and_is_told_that_nothing_was_captured(script: Captured) -> None:
    finished = script.run("print('so be it')")
    assert (script.record["exit_code"], finished["outcome"]) == (0, "succeeded")
    assert finished["cause"] == "nothing-captured"
    assert "nothing was captured" in finished["message"]
    assert "arguments" in finished["next_step"]
    assert "so be it" in script.attempt.log()


def test_a_crash_names_the_error_and_the_line_and_keeps_the_lab_out_of_the_traceback(
    script: Captured,
) -> None:
    finished = script.run("def f():\n    raise KeyError('reward')\nf()\n")
    assert (script.record["exit_code"], finished["outcome"], finished["cause"]) == (1, "failed", "crashed")
    assert finished["message"] == "The script crashed with KeyError: 'reward' (script.py, line 2)"
    assert "KeyError: 'reward'" in script.attempt.log()
    assert "capture" not in script.attempt.log()


def test_a_missing_package_is_named_with_the_way_into_that_very_interpreter(script: Captured) -> None:
    finished = script.run("import quantum_gym\n")
    assert finished["cause"] == "missing-package"
    assert "“quantum_gym”" in finished["message"]
    assert f"Not installed in {sys.executable}" in finished["next_step"]
    assert "pip install" not in finished["next_step"], (
        "nobody checked that a package of this name is the right one"
    )


def test_a_module_of_the_scripts_repository_is_found(script: Captured) -> None:
    (script.mine / ".git").mkdir()
    script.write("", "cleanrl_utils/__init__.py")
    sub = script.write("import cleanrl_utils\n", "cleanrl/dqn.py")
    script.start(str(sub))
    finished = script.finish()
    assert finished["cause"] == "missing-package"
    assert (
        f"cleanrl_utils is in {script.mine}: set the variable with `--env PYTHONPATH="
        in finished["next_step"]
    )
    assert "pip" not in finished["next_step"]


def test_a_package_whose_module_has_another_name_is_installed_by_its_own(script: Captured) -> None:
    finished = script.run("raise ModuleNotFoundError('No module named sklearn', name='sklearn')\n")
    assert finished["next_step"].endswith("pip install scikit-learn`.")


def test_a_module_left_in_the_folder_the_user_stood_in_is_found_again(script: Captured) -> None:
    script.write("", "agents.py")
    sub = script.write("import agents\n", "scripts/train.py")
    script.start(str(sub))
    finished = script.finish()
    assert finished["cause"] == "missing-package"
    assert f"PYTHONPATH={script.mine}" in finished["next_step"]


def test_a_syntax_error_is_placed(script: Captured) -> None:
    finished = script.run("x = 1\nif x\n    pass\n")
    assert finished["cause"] == "syntax-error"
    assert finished["message"].endswith("script.py, line 2.")


def test_a_file_that_is_not_python_is_refused(script: Captured) -> None:
    path = script.mine / "script.py"
    path.write_bytes(b"\x7fELF\0\0\0")
    script.start(str(path))
    finished = script.finish()
    assert finished["cause"] == "script-missing"
    assert "not a Python script" in finished["message"]


def test_a_script_that_went_away_is_named(script: Captured) -> None:
    script.start(str(script.mine / "gone.py"))
    finished = script.finish()
    assert finished["cause"] == "script-missing"
    assert "gone.py" in finished["message"]


def test_a_script_that_asks_for_input_is_not_left_waiting(script: Captured) -> None:
    finished = script.run("name = input('Name of the run? ')\n")
    assert finished["cause"] == "asked-for-input"
    assert "argument" in finished["next_step"]


def test_absent_cuda_is_said_plainly(script: Captured) -> None:
    finished = script.run("raise AssertionError('Torch not compiled with CUDA enabled')\n")
    assert finished["cause"] == "no-cuda"
    assert "CPU" in finished["next_step"]


def test_a_relative_path_of_the_users_folder_leads_to_workdir(script: Captured) -> None:
    script.write("gamma: 0.9\n", "config.yaml")
    finished = script.run("open('config.yaml')\n")
    assert finished["cause"] == "file-not-found"
    assert f"--workdir {script.mine}" in finished["next_step"]


def test_a_path_the_confinement_closed_is_named_with_its_permission(script: Captured) -> None:
    # The mode bits allow it and the open is refused: what Landlock looks like from inside.
    finished = script.run(f"raise PermissionError(13, 'Permission denied', '{script.mine}/out.csv')\n")
    assert finished["cause"] == "not-allowed"
    assert f"{script.mine}/out.csv" in finished["message"]
    assert f"--write {script.mine}" in finished["next_step"]


def test_nobody_is_told_to_open_the_labs_own_files(script: Captured) -> None:
    home = script.run_dir.parents[1]
    (home / "token").write_text("secret")
    finished = script.run(f"raise PermissionError(13, 'Permission denied', '{home}/token')\n")
    assert finished["cause"] == "not-allowed"
    assert "it belongs to the lab" in finished["message"]
    assert "--read" not in finished["next_step"]


def test_a_file_the_confinement_closed_for_reading_is_named_too(script: Captured) -> None:
    data = script.write("1,2", "data.csv")
    finished = script.run(f"raise PermissionError(13, 'Permission denied', '{data}')\n")
    assert f"--read {data}" in finished["next_step"]


@pytest.mark.parametrize(
    "failing",
    [
        "raise PermissionError(13, 'Permission denied')",
        "import socket; raise socket.gaierror(-3, 'Temporary failure in name resolution')",
        "import urllib.error; raise urllib.error.URLError(PermissionError(1, 'Operation not permitted'))",
    ],
)
def test_a_refused_network_is_said_with_the_way_to_allow_it(script: Captured, failing: str) -> None:
    finished = script.run(failing)
    assert finished["cause"] == "no-network"
    assert "--network" in finished["next_step"]


def test_a_file_beyond_the_limit_is_explained(script: Captured) -> None:
    finished = script.run(
        """
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        with open("huge.bin", "wb") as file:
            for _ in range(8):
                file.write(bytes(1 << 20))
                file.flush()
        """
    )
    assert finished["cause"] == "file-too-large"


def test_want_of_memory_is_explained(script: Captured) -> None:
    finished = script.run(
        """
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        buffer = bytearray(1 << 33)
        """
    )
    assert finished["cause"] == "out-of-memory"


def test_an_exit_code_is_the_scripts_verdict(script: Captured) -> None:
    finished = script.run("import sys; sys.exit(3)")
    assert (script.record["exit_code"], finished["cause"]) == (3, "exit-code")
    assert "exit code 3" in finished["message"]


def test_words_given_to_exit_are_the_message(script: Captured) -> None:
    finished = script.run("raise SystemExit('no dataset at ./data')")
    assert script.record["exit_code"] == 1
    assert finished["message"] == "The script exited: no dataset at ./data"
    assert "no dataset" in script.attempt.log()


@pytest.mark.parametrize(("code", "outcome"), [(0, "succeeded"), (7, "failed")])
def test_os_exit_gets_a_last_word(script: Captured, code: int, outcome: str) -> None:
    finished = script.run(f"import os; print('leaving'); os._exit({code})")
    assert (script.record["exit_code"], finished["outcome"]) == (code, outcome)
    assert "leaving" in script.attempt.log()


def test_megabytes_on_stdout_go_to_the_log_and_harm_no_line(script: Captured) -> None:
    finished = script.run(
        """
        import sys
        for _ in range(200):
            print("x" * 20_000)
        sys.stdout.write('{"type":"finished","outcome":"failed"}' + chr(10))
        """
    )
    assert finished["outcome"] == "succeeded"
    assert script.attempt.log().count("x" * 20_000) == 200


def test_a_native_crash_leaves_its_traceback_in_the_log(script: Captured) -> None:
    script.start(str(script.write("import ctypes\nctypes.string_at(0)\n")))
    record = script.attempt.exit()
    assert record["signal"] == 11
    assert "Segmentation fault" in script.attempt.log()
    assert script.attempt.events("finished") == []
