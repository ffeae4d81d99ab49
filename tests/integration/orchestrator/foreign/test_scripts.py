"""Foreign scripts and programs through a real lab: shown, agreed to, run, steered, and what they tell of themselves."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, wait_for, wait_for_event, wait_for_step

from rl_lab.core.errors import ConsentNeeded, InvalidInput, MoveRefused, NotFound, NotReady
from rl_lab.core.jobs.policy_jobs import EvaluateConfig, FilmConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.store.run_pages import RunFilter

EPISODES = """
import argparse, gymnasium
parser = argparse.ArgumentParser()
parser.add_argument("--total-timesteps", type=int, default=300)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
env = gymnasium.make("CartPole-v1")
env.reset(seed=args.seed)
env.action_space.seed(args.seed)
for _ in range(args.total_timesteps):
    _, _, terminated, truncated, _ = env.step(env.action_space.sample())
    if terminated or truncated:
        env.reset()
"""
FOR_EVER = """
import time, gymnasium, torch
network = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(network.parameters())
env = gymnasium.make("CartPole-v1")
env.reset(seed=1)
while True:
    _, _, terminated, truncated, _ = env.step(env.action_space.sample())
    time.sleep(0.001)
    if terminated or truncated:
        env.reset()
"""
FLIPS = """#!/bin/sh
echo '{"type":"config","env_id":"Coin-v0","seed":7,"args":{"flips":3}}'
echo '{"type":"status","total":3,"timestep":3}'
echo '{"type":"episode","steps":1,"return":1,"t":1.5}'
echo "in $PWD" >&2
"""


@pytest.fixture(autouse=True)
def _furnished(home: Path) -> None:
    furnish(home)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder of the user's, beside the lab's home."""
    folder = tmp_path / "mine"
    folder.mkdir()
    return folder


def script(folder: Path, text: str, *args: str, name: str = "train.py", **params: Any) -> NewRun:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return of_command([sys.executable, str(path), *args], **params)


def of_command(words: list[str], **params: Any) -> NewRun:
    return NewRun(runner="script", algorithm="python", params={"command": words, **params}, start=True)


def program(folder: Path, text: str, *args: str) -> NewRun:
    path = folder / "trainer"
    path.write_text(text)
    path.chmod(0o755)
    return NewRun(runner="program", algorithm="protocol", params={"command": [str(path), *args]}, start=True)


async def start(lab: Lab, new: NewRun) -> Run:
    """Looked at and agreed to, like a person does."""
    preview = await lab.runs.preview_command(new)
    return await lab.runs.create(new.model_copy(update={"consent": preview.sha256}))


async def run_to_end(lab: Lab, new: NewRun) -> Run:
    return await wait_for(lab, (await start(lab, new)).id)


def config_of(run: Run) -> TrainConfig:
    assert isinstance(run.config, TrainConfig)
    return run.config


def test_an_unmodified_script_becomes_a_run_that_knows_what_it_learned(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_to_end(lab, script(mine, EPISODES, "--seed", "5"))
            assert (run.status, run.name) == (RunStatus.succeeded, "train.py · seed 5"), run.reason
            assert run.isolation is not None and run.progress.episodes > 3
            config = config_of(run)
            assert (config.env_id, config.seed, config.total_timesteps) == ("CartPole-v1", 5, 300)
            assert config.args["total_timesteps"] == 300
            assert json.loads((home / "runs" / run.id / "config.json").read_text())["env_id"] == "CartPole-v1"
            for wanted in (
                RunFilter(env_id="CartPole-v1"),
                RunFilter(q="cartpole"),
                RunFilter(runner="script"),
            ):
                assert [r.id for r in (await lab.queries.list_runs(wanted)).items] == [run.id]

    asyncio.run(story())


def test_nothing_runs_before_somebody_agreed_to_this_very_file(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            new = script(mine, EPISODES)
            file = mine / "train.py"
            with pytest.raises(ConsentNeeded, match="has not been approved"):
                await lab.runs.create(new)
            with pytest.raises(ConsentNeeded, match="changed since it was shown"):
                await lab.runs.create(new.model_copy(update={"consent": "0" * 64}))
            preview = await lab.runs.preview_command(new)
            assert (
                preview.sha256 == hashlib.sha256(file.read_bytes()).hexdigest() and not preview.is_consented
            )
            await run_to_end(lab, new)
            assert (await lab.runs.preview_command(new)).is_consented
            await wait_for(lab, (await lab.runs.create(new)).id)
            file.write_text(EPISODES + "\n# changed\n")
            with pytest.raises(ConsentNeeded):
                await lab.runs.create(new)

    asyncio.run(story())


def test_a_consent_is_listed_and_can_be_taken_back(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            new = script(mine, "print(1)")
            await run_to_end(lab, new)
            (known,) = await lab.foreign.consents.list()
            assert known.path == str(mine / "train.py")
            await lab.foreign.consents.withdraw(known.sha256)
            with pytest.raises(ConsentNeeded):
                await lab.runs.create(new)
            with pytest.raises(NotFound):
                await lab.foreign.consents.withdraw(known.sha256)

    asyncio.run(story())


def test_a_file_that_changed_while_its_run_waited_does_not_start(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            new = script(mine, EPISODES).model_copy(update={"start": False})
            run = await start(lab, new)
            (mine / "train.py").write_text("import os")
            with pytest.raises(ConsentNeeded):
                await lab.runs.move(run.id, "start")
            assert (await lab.queries.get_run(run.id)).status is RunStatus.created

    asyncio.run(story())


def test_the_preview_tells_what_would_run_and_runs_nothing(home: Path, mine: Path) -> None:
    trap = mine / "was-run"
    text = f"import sibling, nosuchpackage, wandb\nopen({str(trap)!r}, 'w')\n"
    (mine / "sibling.py").write_text(f"open({str(trap)!r}, 'w')")

    async def story() -> None:
        async with open_lab(home) as lab:
            preview = await lab.runs.preview_command(script(mine, text, "--lr", "1", env={"MODE": "fast"}))
            command, python = preview.command, preview.interpreter
            assert command.shown == [sys.executable, str(mine / "train.py"), "--lr", "1"]
            assert command.argv[0] == sys.executable and command.argv[-3:] == command.shown[1:]
            assert command.cwd.endswith("/files") and command.cwd in command.writes
            assert str(mine) in command.reads and not command.network
            assert python is not None and python.version == ".".join(map(str, sys.version_info[:3]))
            assert python.missing == ["nosuchpackage"]  # a stand-in answers for wandb, installed or not
            (problem,) = preview.problems
            assert f"Not installed in {sys.executable}" in problem and "nosuchpackage" in problem
            assert "pip install" not in problem, "nobody checked that name"
            assert {"HOME", "PATH", "MODE", "RL_LAB_ATTEMPT"} <= set(preview.variables)
            assert not trap.exists()

    asyncio.run(story())


def test_the_labs_own_files_can_be_allowed_to_no_script_but_those_of_runs_can(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            link = mine / "harmless.txt"
            link.symlink_to(home / "token")
            for path in (home / "token", home / "lab.context.db", home, home.parent, link):
                path.parent.mkdir(exist_ok=True)
                if not path.exists():
                    path.write_text("secret")
                with pytest.raises(InvalidInput, match="the lab's own files"):
                    await lab.runs.preview_command(script(mine, EPISODES, reads=[str(path)]))
            earlier = home / "runs" / "earlier"
            earlier.mkdir(parents=True)
            preview = await lab.runs.preview_command(script(mine, EPISODES, reads=[str(earlier)]))
            assert str(earlier) in preview.command.reads

    asyncio.run(story())


def test_a_syntax_error_is_told_before_it_runs_with_its_line(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            preview = await lab.runs.preview_command(script(mine, "x = 1\nif x\n    pass\n"))
            assert "train.py, line 2" in preview.problems[0]

    asyncio.run(story())


def test_a_module_is_agreed_to_by_its_file_and_its_packages_are_not_imported(home: Path, mine: Path) -> None:
    trap = mine / "was-imported"
    (mine / "trainers").mkdir()
    (mine / "trainers" / "__init__.py").write_text(f"open({str(trap)!r}, 'w')")
    (mine / "trainers" / "ppo.py").write_text(EPISODES)

    async def story() -> None:
        async with open_lab(home) as lab:
            new = of_command([sys.executable, "-m", "trainers.ppo"], folder=str(mine), writes=[str(mine)])
            preview = await lab.runs.preview_command(new)
            assert preview.command.script == str(mine / "trainers" / "ppo.py")
            assert not trap.exists()
            run = await run_to_end(lab, new)
            assert (run.status, run.name) == (RunStatus.succeeded, "trainers.ppo"), run.reason
            with pytest.raises(InvalidInput, match="finds no module “trainers"):
                await lab.runs.preview_command(
                    of_command([sys.executable, "-m", "trainers.dqn"], folder=str(mine))
                )

    asyncio.run(story())


def test_what_is_no_python_script_is_refused_in_words(home: Path, mine: Path) -> None:
    (mine / "binary.py").write_bytes(b"\x7fELF\0\0\0")
    (mine / "shell").write_text("#!/bin/bash\necho 1\n")
    (mine / "fine.py").write_text("print(1)")
    fake = mine / "python3.12"
    fake.write_text("#!/bin/sh\necho hello\n")
    fake.chmod(0o755)
    cases = {
        (sys.executable, str(mine)): "is a folder",
        (sys.executable, str(mine / "none.py")): "does not exist; check the path",
        (sys.executable, str(mine / "binary.py")): "binary file",
        (sys.executable, str(mine / "shell")): "#!/bin/bash",
        (str(mine / "shell"),): "#!/bin/bash",
        (str(fake), str(mine / "fine.py")): "starts another program",
        ("/nowhere/python", str(mine / "fine.py")): "interpreter “/nowhere/python” was not found",
        (sys.executable, "fine.py"): "absolute path",
    }

    async def story() -> None:
        async with open_lab(home) as lab:
            for words, expected in cases.items():
                with pytest.raises(InvalidInput) as refused:
                    await lab.runs.create(of_command(list(words)))
                assert expected in refused.value.detail
            assert (await lab.queries.list_runs()).total == 0

    asyncio.run(story())


def test_the_labs_own_files_can_be_given_to_nobody(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            for params in ({"workdir": str(home)}, {"writes": ["/"]}, {"writes": [str(home / "runs")]}):
                with pytest.raises(InvalidInput, match="lab's own files"):
                    await lab.runs.preview_command(script(mine, "print(1)", **params))
            with pytest.raises(InvalidInput, match="does not exist; create it"):
                await lab.runs.preview_command(script(mine, "print(1)", workdir=str(mine / "none")))
            with pytest.raises(InvalidInput, match="allow the network"):
                await lab.runs.preview_command(script(mine, "print(1)", wandb="online"))

    asyncio.run(story())


def test_a_script_gets_its_share_of_the_cores_and_the_preview_shows_it(
    home: Path, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    for name in names:
        monkeypatch.delenv(name, raising=False)
    text = f"import os\nopen('seen.txt', 'w').write(' '.join(os.environ[name] for name in {names}))\n"

    async def story() -> None:
        async with open_lab(home, max_running=256) as lab:
            preview = await lab.runs.preview_command(script(mine, text))
            assert set(names) <= set(preview.variables) and preview.threads == "1"
            run = await run_to_end(lab, script(mine, text))
            assert (home / "runs" / run.id / "files" / "seen.txt").read_text() == "1 1 1"
            chosen = await lab.runs.preview_command(script(mine, text, env={"OMP_NUM_THREADS": "3"}))
            assert chosen.threads == "3"

    asyncio.run(story())


def test_the_preview_says_what_will_not_be_captured(home: Path, mine: Path) -> None:
    text = """
import gymnasium as gym
def train():
    import envpool
    from pettingzoo.mpe import simple_tag_v3
    return gym.vector.AsyncVectorEnv([])
"""

    async def story() -> None:
        async with open_lab(home) as lab:
            preview = await lab.runs.preview_command(script(mine, text))
            said = " ".join(preview.not_captured)
            assert len(preview.not_captured) == 3
            assert "AsyncVectorEnv" in said and "EnvPool" in said and "PettingZoo" in said
            assert (await lab.runs.preview_command(script(mine, EPISODES))).not_captured == []

    asyncio.run(story())


def test_a_script_works_in_its_own_folder_with_a_home_of_its_own(home: Path, mine: Path) -> None:
    text = "import os, json\nopen('made.txt', 'w').write(json.dumps(dict(os.environ)))\n"

    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_to_end(lab, script(mine, text, env={"MODE": "fast"}))
            assert run.status is RunStatus.succeeded, run.reason
            folder = home / "runs" / run.id
            seen = json.loads((folder / "files" / "made.txt").read_text())
            assert seen["HOME"].startswith(str(folder / "scratch")) and seen["MODE"] == "fast"
            assert "RL_LAB_HOME" not in seen
            run = await run_to_end(lab, script(mine, text, workdir=str(mine)))
            assert run.status is RunStatus.succeeded and (mine / "made.txt").exists()
        assert not (folder / "scratch").exists() and (folder / "files").exists()  # what was scratch is gone

    asyncio.run(story())


def test_a_script_is_paused_saved_and_stopped_from_outside(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home, stop_grace_s=40.0) as lab:
            run = await start(lab, script(mine, FOR_EVER))
            await wait_for_step(lab, run.id, 100)
            await lab.runs.move(run.id, "pause")
            paused = await wait_for(lab, run.id, RunStatus.paused)
            await lab.runs.move(run.id, "resume")
            await wait_for_step(lab, run.id, paused.progress.timestep + 50)
            lab.execution.supervisor.control(run.id, "checkpoint")
            await wait_for_event(lab, run.id, "checkpoint_saved")
            await lab.runs.move(run.id, "stop")
            stopped = await wait_for(lab, run.id)
            assert (stopped.status, stopped.reason and stopped.reason.cause) == (RunStatus.stopped, "stopped")
            saved = [a for a in await lab.queries.artifacts(run.id) if a.kind == "checkpoint"]
            assert any(a.role == "stop" and a.path.endswith(".pt") for a in saved)
            with pytest.raises(NotReady, match="cannot resume from a checkpoint"):
                await lab.runs.move(run.id, "resume")

    asyncio.run(story())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import nosuchpackage", "nosuchpackage"),
        ("raise RuntimeError('no data')", "no data"),
        ("import sys; sys.exit(3)", "3"),
        ("import os; os._exit(4)", "4"),
        ("input('Name? ')", "input"),
    ],
)
def test_a_script_that_fails_says_why(home: Path, mine: Path, text: str, words: str) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_to_end(lab, script(mine, text))
            assert run.status is RunStatus.failed and run.reason is not None
            assert words in run.reason.message and run.reason.next_step
            assert "worker" not in run.reason.message

    asyncio.run(story())


def test_a_program_in_any_language_is_a_run(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_to_end(lab, program(mine, FLIPS + 'echo \'{"type":"finished"}\'\n'))
            assert (run.status, run.name) == (RunStatus.succeeded, "trainer"), run.reason
            config = config_of(run)
            assert (config.env_id, config.seed, config.total_timesteps) == ("Coin-v0", 7, 3)
            assert config.args == {"flips": 3} and run.started_at is not None
            assert await lab.queries.log_tail(run.id, 5) == [f"in {home / 'runs' / run.id / 'files'}"]

    asyncio.run(story())


FOUR_LINE_TYPES = """#!/bin/sh
mkdir -p videos/run runs/run_name
printf film >videos/run/episode0.mp4
printf events >runs/run_name/events.out.tfevents.1
echo '{"type":"config","run_id":"x","algo":"ppo","env_id":"LunarLander-v3","seed":123,"args":{}}'
echo '{"type":"step","episode_id":"a","step":42,"action":1,"reward":1.0,"truncated":false,"obs":{},"t":1700.512}'
echo '{"type":"episode","episode_id":"a","steps":512,"return":241.7,"t_end":1712.004}'
echo '{"type":"metric","name":"policy_loss","value":0.0042,"t":1712.100}'
printf '{"event":"artifacts","run_id":"x","video":"%s/videos/run/episode0.mp4",' "$PWD"
printf '"tensorboard":"%s/runs/run_name/","wandb_url":"https://wandb.ai/a/b/runs/c"}\\n' "$PWD"
"""


def test_a_program_that_prints_four_types_and_its_artifacts_succeeds(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_to_end(lab, program(mine, FOUR_LINE_TYPES))
            assert run.status is RunStatus.succeeded, run.reason
            found = await lab.housekeeping.manifests.read(run.id)
            assert [file.path for file in found.videos] == ["files/videos/run/episode0.mp4"]
            assert [file.path for file in found.tensorboard] == ["files/runs/run_name"]
            assert found.wandb_url == "https://wandb.ai/a/b/runs/c"

    asyncio.run(story())


def test_a_program_without_any_event_has_not_succeeded(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_to_end(lab, program(mine, "#!/bin/sh\ntrue\n"))
            assert run.status is RunStatus.failed and run.reason is not None
            assert run.reason.message == "The program exited without a final `finished` event."
            assert "check-worker" in run.reason.next_step

    asyncio.run(story())


def test_a_tool_is_agreed_to_by_the_file_it_is_given_or_by_its_words(home: Path, mine: Path) -> None:
    (mine / "flips.sh").write_text(FLIPS)

    def tool(*words: str) -> NewRun:
        params = {"command": list(words), "folder": str(mine)}
        return NewRun(runner="program", algorithm="protocol", params=params)

    async def story() -> None:
        async with open_lab(home) as lab:
            preview = await lab.runs.preview_command(tool("sh", "flips.sh"))
            assert preview.command.script == str(mine / "flips.sh")
            assert preview.command.argv[1] == str(mine / "flips.sh")  # it runs in another folder
            words = [
                (await lab.runs.preview_command(tool("sh", "-c", what))).sha256 for what in ("true", "false")
            ]
            assert words[0] != words[1]
            with pytest.raises(InvalidInput, match="program “nosuchtool” was not found"):
                await lab.runs.preview_command(tool("nosuchtool"))
            with pytest.raises(InvalidInput, match="not executable"):
                await lab.runs.preview_command(tool("./flips.sh"))

    asyncio.run(story())


def test_a_consent_covers_no_other_words_for_the_tool_and_no_other_interpreter(
    home: Path, mine: Path
) -> None:
    (mine / "flips.sh").write_text(FLIPS)
    for name, extra in (("python", b""), ("more/python", b"\0")):
        copy = mine / "venv" / "bin" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(Path(sys.executable).resolve().read_bytes() + extra)
        copy.chmod(0o755)
    for name in ("a.py", "b.py"):
        (mine / name).write_text(f"print('{name}')")

    def tool(*words: str) -> NewRun:
        params = {"command": list(words), "folder": str(mine), "env": {"PYTHONHOME": sys.base_prefix}}
        return NewRun(runner="program", algorithm="protocol", params=params)

    async def story() -> None:
        async with open_lab(home) as lab:

            async def sha256(*words: str) -> str:
                return (await lab.runs.preview_command(tool(*words))).sha256

            plain = await sha256("bash", "flips.sh")
            assert plain == hashlib.sha256((mine / "flips.sh").read_bytes()).hexdigest()
            assert plain == await sha256("bash", "flips.sh", "--more")
            others = [
                await sha256("bash", "-c", "true", "flips.sh"),
                await sha256("bash", "-c", "false", "flips.sh"),
                await sha256("bash", "-x", "flips.sh"),
            ]
            assert len({plain, *others}) == 4
            of_venv = await lab.runs.preview_command(tool("venv/bin/python", "a.py"))
            assert of_venv.command.script == str(mine / "a.py")
            others = [
                await sha256("venv/bin/python", "b.py"),
                await sha256("venv/bin/more/python", "a.py"),
            ]
            assert len({of_venv.sha256, *others}) == 3

    asyncio.run(story())


@pytest.mark.skipif(not probe().landlock, reason="this kernel has no Landlock")
def test_the_preview_lets_an_interpreter_nobody_agreed_to_change_nothing(home: Path, mine: Path) -> None:
    (mine / "startup").mkdir()
    (mine / "startup" / "sitecustomize.py").write_text(f"open({str(mine / 'written')!r}, 'w')\n")
    false_python = mine / "bin" / "python"
    false_python.parent.mkdir()
    false_python.write_text(f'#!/bin/sh\ntouch {mine}/touched\nexec {sys.executable} "$@"\n')
    false_python.chmod(0o755)

    async def story() -> None:
        async with open_lab(home) as lab:
            new = script(mine, "print(1)", env={"PYTHONPATH": str(mine / "startup")})
            assert (await lab.runs.preview_command(new)).interpreter is not None
            with pytest.raises(InvalidInput, match="starts another program"):
                await lab.runs.preview_command(of_command([str(false_python), str(mine / "train.py")]))
            assert not (mine / "written").exists()
            assert not (mine / "touched").exists()

    asyncio.run(story())


def test_what_variables_make_importable_is_asked_again(home: Path, mine: Path, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "odd_module.py").write_text("")

    async def story() -> None:
        async with open_lab(home) as lab:
            without = await lab.runs.preview_command(script(mine, "print(1)"))
            given = await lab.runs.preview_command(
                script(mine, "print(1)", env={"PYTHONPATH": str(tmp_path / "lib")})
            )
            assert without.interpreter is not None
            assert given.interpreter is not None
            assert str(tmp_path / "lib") not in without.interpreter.prefixes
            assert str(tmp_path / "lib") in given.interpreter.prefixes

    asyncio.run(story())


def test_a_program_cannot_have_the_labs_records_pruned(home: Path, mine: Path) -> None:
    lines = [{"type": "artifact", "kind": "video", "path": "telemetry.db", "t": 1.0}]
    lines += [
        {"type": "artifact", "kind": "video", "path": f"files/{i}.mp4", "t": 2.0 + i} for i in range(60)
    ]
    text = f"#!/bin/sh\ncat <<'END'\n{chr(10).join(map(json.dumps, lines))}\nEND\n"

    async def story() -> None:
        async with open_lab(home) as lab:
            new = program(mine, text)
            preview = await lab.runs.preview_command(new)
            run = await lab.runs.create(new.model_copy(update={"consent": preview.sha256}))
            await wait_for(lab, run.id)
            await wait_for_event(lab, run.id, "pruned")
            await lab.housekeeping.janitor.sweep()
            assert (home / "runs" / run.id / "telemetry.db").exists()

    asyncio.run(story())


def test_a_key_of_the_labs_own_reaches_the_script_and_no_file_or_page(
    home: Path, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WANDB_API_KEY", "s3cr3t")
    text = "import os; print('it has', len(os.environ['WANDB_API_KEY']))\n"

    async def story() -> None:
        async with open_lab(home) as lab:
            new = script(mine, text, wandb="online", network=True)
            preview = await lab.runs.preview_command(new)
            assert "WANDB_API_KEY" in preview.variables
            assert "s3cr3t" not in preview.model_dump_json()
            run = await run_to_end(lab, new)
            attempt = home / "runs" / run.id / "attempts" / "1"
            assert "it has 6" in (attempt / "log.txt").read_text()
            assert not [p.name for p in attempt.rglob("*.json") if "s3cr3t" in p.read_text()]
            run = await run_to_end(lab, script(mine, text))
            assert run.status is RunStatus.failed

    asyncio.run(story())


FORK_SERVER = """
import multiprocessing, gymnasium
from stable_baselines3.common.vec_env import SubprocVecEnv
def square(x): return x * x
if __name__ == "__main__":
    with multiprocessing.get_context("forkserver").Pool(2) as pool:
        assert pool.map(square, [1, 2, 3]) == [1, 4, 9]
    env = SubprocVecEnv([lambda: gymnasium.make("CartPole-v1")] * 2)
    env.reset()
    env.step([0, 1])
    env.close()
    print("both worked")
"""


def test_processes_of_a_fork_server_work_without_the_network(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_to_end(lab, script(mine, FORK_SERVER))
            assert run.status is RunStatus.succeeded, run.reason
            assert "both worked" in (home / "runs" / run.id / "attempts" / "1" / "log.txt").read_text()

    asyncio.run(story())


def test_pages_of_a_run_without_an_environment_are_there(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_to_end(lab, script(mine, "print('nothing to see')"))
            assert config_of(run).env_id == ""
            assert await lab.queries.insights(run.id) is not None
            for format in ("json", "text", "html"):
                assert await lab.queries.report(run.id, format)
            assert (await lab.runs.episodes.list_page(run.id)).total == 0
            with pytest.raises(MoveRefused):
                await lab.runs.move(run.id, "pause")

    asyncio.run(story())


def test_what_a_script_recorded_is_filmed_and_what_only_it_can_do_is_refused(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            run = await run_to_end(lab, script(mine, EPISODES))
            with pytest.raises(NotReady, match="no checkpoint to play with"):
                await lab.jobs.start(EvaluateConfig(run_id=run.id))
            film = await lab.jobs.start(FilmConfig(run_id=run.id, scenes=1, seconds_per_scene=1))
            assert (await wait_for(lab, film.id)).status is RunStatus.succeeded

    asyncio.run(story())


def test_a_program_that_is_silent_for_long_is_running_all_the_same(home: Path, mine: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            lab.execution.supervisor.start_deadline_s = 0.2
            run = await start(lab, program(mine, "#!/bin/sh\nread command\nexit 0\n"))
            await wait_for(lab, run.id, RunStatus.running)
            await lab.runs.move(run.id, "stop")
            assert (await wait_for(lab, run.id)).status is RunStatus.stopped

    asyncio.run(story())
