"""A runner without any library, for tests: learns a toy task in milliseconds and can simulate failures.

The return of an episode rises towards 100 with the trained steps, plus noise from the seed. Two runs with the same
seed are identical to the last digit, even across a pause, a stop and a resume.
"""

from __future__ import annotations

import json
import math
import os
import random
import signal
import time
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol.events import EpisodeEvent, MetricEvent, StepEvent
from rl_lab.core.runners import AlgorithmSpec, Capabilities, Params, Preset, RunnerSpec, param
from rl_lab.worker.resume_reports import report_resume
from rl_lab.worker.runner import Decision, Policy
from rl_lab.worker.session import Session

UPDATE_EPISODES = 4
PACKING = {"kind": "discrete", "dtype": "u1", "start": 0, "n": 2}


class ToyParams(Params):
    learning_rate: float = param(0.001, "How quickly the reward rises.", gt=0, le=1, scale="log")
    steps_per_second: float = param(0, "Speed limit in steps per second; 0 = no limit.", ge=0, group="Pace")
    episode_length: int = param(20, "Number of steps in an episode.", ge=1, le=100_000, group="Pace")
    crash_at: int = param(0, "Raise an exception at this step; 0 = never.", ge=0, group="Misbehaviour")
    hang_at: int = param(0, "Hang from this step on.", ge=0, group="Misbehaviour")
    exit_at: int = param(0, "Exit without a final event at this step.", ge=0, group="Misbehaviour")
    exit_code: int = param(3, "Exit code for exit_at.", ge=0, le=255, group="Misbehaviour")
    kill_at: int = param(0, "Kill itself with SIGKILL at this step.", ge=0, group="Misbehaviour")
    oom_at: int = param(0, "Run out of memory at this step.", ge=0, group="Misbehaviour")
    nan_at: int = param(0, "Report a NaN loss from this step on.", ge=0, group="Misbehaviour")
    missing_at: int = param(0, "Import a missing module at this step.", ge=0, group="Misbehaviour")
    big_line_at: int = param(0, "Write one very long line at this step.", ge=0, group="Misbehaviour")
    big_line_bytes: int = param(
        2_000_000, "Length of that line in bytes.", ge=1, le=1 << 26, group="Misbehaviour"
    )
    garbage: float = param(0.0, "Number of malformed lines per update.", ge=0, le=1000, group="Misbehaviour")
    unrepeatable_at: int = param(
        0, "Draw rewards from the system's entropy from this step on.", ge=0, group="Misbehaviour"
    )
    forget: bool = param(False, "Leave the state of the noise out of checkpoints.", group="Misbehaviour")
    lie: bool = param(False, "Report success, then exit with code 3.", group="Misbehaviour")
    ignore_stop: bool = param(False, "Ignore stop messages and SIGTERM.", group="Misbehaviour")
    fork_children: int = param(
        0,
        "Number of child processes that detach from the session and ignore SIGTERM.",
        ge=0,
        le=64,
        group="Misbehaviour",
    )
    flood_events_per_s: float = param(0, "Events per second sent before training.", ge=0, group="Flood")
    flood_seconds: float = param(1, "Duration of the flood in seconds.", ge=0, le=3600, group="Flood")
    flood_kind: Literal["step", "metric", "episode"] = param(
        "step", "Type of the events in the flood.", group="Flood"
    )


class FakeRunner:
    spec: ClassVar[RunnerSpec] = RunnerSpec(
        id="fake",
        name="Fake",
        description="Learns a toy task without any library; for testing the lab itself.",
        memory_mb=40,
        capabilities=Capabilities(
            pause=True,
            checkpoint=True,
            resume=True,
            exact_resume=True,
            evaluate=True,
            record=True,
            thoughts=True,
            early_stop=True,
        ),
        algorithms=(
            AlgorithmSpec(
                id="toy",
                name="Toy",
                description="A simulated reward that rises over time.",
                action_kinds=("discrete", "continuous"),
                params=ToyParams,
                presets=(
                    Preset(id="fast", title="Fast", total_timesteps=2000, params={"learning_rate": 0.01}),
                    Preset(id="stable", title="Stable", total_timesteps=20_000),
                ),
            ),
        ),
        checkpoint_suffix=".json",
    )

    def train(self, session: Session) -> None:
        config = session.train_config
        params = ToyParams.model_validate(config.params)
        toy = Toy(params, config.start_seed)
        save = partial(toy.save, session)
        with session.resume_file() as checkpoint:
            if checkpoint is not None:
                session.restore(toy.load(checkpoint))
                report_resume(session)
        session.announce(packing=PACKING, env_version="rl-lab fake")
        _misbehave_at_start(params, session)
        _flood(params, session)
        started, first = time.monotonic(), toy.timestep
        while toy.timestep < session.step_limit:
            for _ in range(UPDATE_EPISODES):
                toy.play(session, session.step_limit)
                misbehave(params, session, toy.timestep)
            toy.report(session)
            _keep_pace(params, started, toy.timestep - first)
            if session.boundary(toy.timestep, save) and not params.ignore_stop:
                break
            if session.solved():
                break
        session.finish(save, toy.timestep)
        if params.lie:
            session.report_end()
            os._exit(3)

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        toy = Toy(ToyParams.model_validate(config.params), config.start_seed)
        toy.load(checkpoint)
        return ToyPolicy(toy.skill)


class Toy:
    """The whole learning state is one number, the step; all noise is derived from the seed and the step."""

    def __init__(self, params: ToyParams, seed: int) -> None:
        self.params = params
        self.seed = seed
        self.source = str(seed)
        """Of the noise."""
        self.timestep = 0

    @property
    def skill(self) -> float:
        """Rises from 0 towards 1."""
        return 1 - math.exp(-self.timestep * self.params.learning_rate)

    def save(self, session: Session, path: Path) -> None:
        state = {"timestep": self.timestep, "seed": self.seed, "session": session.state()}
        path.write_text(json.dumps(state), "utf-8")

    def load(self, path: Path) -> dict[str, Any]:
        """Returns the state of the session."""
        state = json.loads(path.read_text("utf-8"))
        self.timestep = int(state["timestep"])
        if self.params.forget:
            self.source = f"{self.seed} after a resume"
        return dict(state.get("session", {}))

    def play(self, session: Session, total: int) -> None:
        """Plays one episode, cut off where the training ends."""
        dice = random.Random(f"{self.source} {self.timestep}")
        steps = min(self.params.episode_length, total - self.timestep)
        if steps <= 0:
            return
        skill = self.skill
        is_unrepeatable = 0 < self.params.unrepeatable_at <= self.timestep
        reward = 100 * skill + (random.SystemRandom() if is_unrepeatable else dice).gauss(0, 5)
        actions = bytes(dice.random() < 0.5 + skill / 2 for _ in range(steps))
        self.timestep += steps
        session.recorder.finished_episodes(
            env=[0],
            seed=[dice.getrandbits(31)],
            steps=[steps],
            returns=[reward],
            terminated=[True],
            truncated=[False],
            timestep=[self.timestep],
            actions=[actions],
            values=[[100 * skill] * steps],
            chosen=[[0.5 + skill / 2] * steps],
        )

    def report(self, session: Session) -> None:
        dice = random.Random(f"loss {self.seed} {self.timestep}")
        is_nan = 0 < self.params.nan_at <= self.timestep
        loss = math.nan if is_nan else (1 - self.skill) * dice.uniform(0.9, 1.1)
        values = {
            "loss": loss,
            "entropy": 0.69 * (1 - self.skill),
            "learning_rate": self.params.learning_rate,
        }
        mean = session.recorder.mean_reward
        if mean is not None:
            values["mean_reward"] = mean
        session.metrics(values, self.timestep)


class ToyPolicy:
    """Takes action 1 more often the higher its skill is."""

    def __init__(self, skill: float) -> None:
        self._skill = skill
        self._dice = random.Random(0)

    def act(self, observation: Any, deterministic: bool) -> Decision:
        chance = 0.5 + self._skill / 2
        action = 1 if deterministic else int(self._dice.random() < chance)
        return Decision(action, value=100 * self._skill, probabilities=[1 - chance, chance])


def misbehave(params: ToyParams, session: Session, timestep: int) -> None:
    """Simulates the failures that the parameters ask for, once their step is reached."""
    if 0 < params.crash_at <= timestep:
        raise RuntimeError("The toy crashed because of crash_at.")
    if 0 < params.missing_at <= timestep:
        raise ModuleNotFoundError("No module named 'ale_py'", name="ale_py")
    if 0 < params.oom_at <= timestep:
        raise MemoryError
    if 0 < params.exit_at <= timestep:
        session.telemetry.flush()
        os._exit(params.exit_code)
    if 0 < params.kill_at <= timestep:
        session.telemetry.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    while 0 < params.hang_at <= timestep:
        time.sleep(3600)
    if params.big_line_at and timestep >= params.big_line_at > timestep - params.episode_length:
        session.telemetry.write_raw(b"x" * params.big_line_bytes + b"\n")
    _scatter_garbage(params, session, timestep)


def _scatter_garbage(params: ToyParams, session: Session, timestep: int) -> None:
    dice = random.Random(timestep)
    for _ in range(int(params.garbage + dice.random())):
        junk = dice.choice(
            [b"{", b"hello", b"\xff\xfe\x00", b'{"type":"metric","value":', b"[1,2]", b'{"type":"alien"}']
        )
        session.telemetry.write_raw(junk + b"\n")


def _misbehave_at_start(params: ToyParams, session: Session) -> None:
    if params.ignore_stop:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for _ in range(params.fork_children):
        _fork_away(session)


def _fork_away(session: Session) -> None:
    """Starts an orphaned grandchild in its own session that ignores SIGTERM and keeps our pipes open."""
    session.telemetry.flush()
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork():
        os._exit(0)
    while True:
        time.sleep(3600)


def _flood(params: ToyParams, session: Session) -> None:
    """Sends the requested number of events evenly over the time; the count is the same on every machine."""
    total = int(params.flood_events_per_s * params.flood_seconds)
    sent, started = 0, time.monotonic()
    while sent < total and not session.control.stop_requested:
        due = min(total, int((time.monotonic() - started) * params.flood_events_per_s) + 1)
        batch = min(due - sent, 1000)
        if batch <= 0:
            time.sleep(0.001)
            continue
        session.telemetry.emit_many(_flood_event(params.flood_kind, sent + i) for i in range(batch))
        sent += batch


def _flood_event(kind: str, index: int) -> StepEvent | MetricEvent | EpisodeEvent:
    if kind == "metric":
        return MetricEvent(values={"loss": 1 / (index + 1)}, step=index)
    if kind == "episode":
        return EpisodeEvent(
            steps=1, return_=float(index % 100), terminated=True, truncated=False, timestep=index
        )
    return StepEvent(episode_id=index // 100, step=index % 100, action=index % 2, reward=1.0)


def _keep_pace(params: ToyParams, started: float, steps: int) -> None:
    if params.steps_per_second:
        wait = started + steps / params.steps_per_second - time.monotonic()
        if wait > 0:
            time.sleep(min(wait, 1.0))
