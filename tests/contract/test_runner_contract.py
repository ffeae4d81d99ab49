"""What the lab relies on in every runner, asked of worker processes: the first of each is real, others are forked."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from contract.worker_process import WorkerProcess, worker
from support.offline_data import write_played

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol import events
from rl_lab.core.protocol.metrics import METRICS
from rl_lab.core.runners import Capabilities, complete_params
from rl_lab.runners.registry import PLAYING_ONLY, RUNNERS, load_runner

SCRIPTS = Path(__file__).parents[1] / "scripts"
PYTHON = sys.executable
SHORT = ("--seed", "7", "--total-timesteps", "1024")
ON_POLICY = {"parameter_change", "relative_parameter_change", "advantage_mean", "advantage_std"}
TINY: dict[str, Any] = {"net_arch": [8], "buffer_size": 2000, "batch_size": 16, "learning_starts": 50}


OFFLINE: dict[str, Any] = {"net_arch": [8], "batch_size": 16}


@dataclass(frozen=True)
class Case:
    runner: str
    algorithm: str
    env_id: str
    timesteps: int
    given: dict[str, Any] = field(default_factory=dict)

    def job(self, folder: Path) -> dict[str, Any]:
        """What its job has besides a configuration: a dataset, for those that learn from one."""
        if not self.can.dataset:
            return {}
        dataset = folder.parent / f"dataset-{self.env_id}"
        return {"dataset_dir": str(dataset if dataset.exists() else write_played(dataset, self.env_id))}

    @property
    def has_simulator(self) -> bool:
        return not self.env_id.startswith("fake/")

    @property
    def has_episodes(self) -> bool:
        return not self.can.dataset or "online_steps" in self.given

    @property
    def can(self) -> Capabilities:
        return load_runner(self.runner).spec.capabilities

    def config(self, **changes: Any) -> dict[str, Any]:
        spec = load_runner(self.runner).spec.algorithm(self.algorithm)
        return {
            "kind": "train",
            "runner": self.runner,
            "algorithm": self.algorithm,
            "env_id": self.env_id,
            "total_timesteps": self.timesteps,
            "seed": 7,
            "params": complete_params(spec, None, self.given),
            **changes,
        }


CASES = [
    Case("fake", "toy", "fake/Toy-v0", 600),
    Case("sb3", "ppo", "CartPole-v1", 600, {"n_steps": 64, "n_envs": 2, "batch_size": 32, "n_epochs": 2}),
    Case("sb3", "a2c", "FrozenLake-v1", 600, {"n_envs": 2}),
    Case("sb3", "dqn", "CartPole-v1", 600, TINY),
    Case("sb3", "sac", "Pendulum-v1", 450, {**TINY, "train_freq": 4}),
    Case("sb3", "td3", "Pendulum-v1", 450, {**TINY, "train_freq": 4, "action_noise": "normal"}),
    Case("turbo", "ppo", "CartPole-v1", 4000),
    Case("turbo", "dqn", "CartPole-v1", 4000),
    Case("offline", "bc", "CartPole-v1", 400, OFFLINE),
    Case("offline", "iql", "Pendulum-v1", 450, {**OFFLINE, "online_steps": 420}),
    Case("offline", "cql", "CartPole-v1", 200, OFFLINE),
    Case("offline", "td3_bc", "Pendulum-v1", 200, OFFLINE),
    Case(
        "script", "python", "CartPole-v1", 1024, {"command": [PYTHON, f"{SCRIPTS}/ppo_cartpole.py", *SHORT]}
    ),
    Case(
        "program",
        "protocol",
        "fake/Walk-v0",
        600,
        {"command": [PYTHON, f"{SCRIPTS}/protocol_walk.py", *SHORT]},
    ),
]


def name_of(case: Case) -> str:
    return f"{case.runner}-{case.algorithm}"


def only(wanted: Callable[[Case], bool]) -> pytest.MarkDecorator:
    """For what not every runner promises."""
    chosen = [case for case in CASES if wanted(case)]
    return pytest.mark.parametrize("run", chosen, indirect=True, ids=name_of)


with_episodes = only(lambda case: case.has_episodes)
in_a_real_environment = only(lambda case: case.has_simulator and case.has_episodes)
that_play = only(lambda case: case.has_simulator and case.can.evaluate)
that_resume = only(
    lambda case: case.can.resume and not case.can.dataset and name_of(case) not in ("sb3-a2c", "sb3-td3")
)
"""PPO and SAC stand for A2C and TD3: they are saved and loaded by the same code. Learners from a dataset are broken and
resumed in the tests of their runner."""


@dataclass
class Finished:
    case: Case
    run_dir: Path
    worker: WorkerProcess
    exit_code: int


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Case], Finished]:
    """Trains each case once. A parametrised fixture would train again for every test that chooses its cases."""
    finished: dict[str, Finished] = {}

    def trained(case: Case) -> Finished:
        if name_of(case) not in finished:
            run_dir = tmp_path_factory.mktemp(case.algorithm)
            with worker(run_dir, case.config(), **case.job(run_dir)) as process:
                finished[name_of(case)] = Finished(case, run_dir, process, process.wait_for_end())
        return finished[name_of(case)]

    return trained


@pytest.fixture(params=CASES, ids=name_of)
def run(request: pytest.FixtureRequest, train: Callable[[Case], Finished]) -> Finished:
    return train(request.param)


def model_of(run: Finished) -> Path:
    return run.run_dir / f"model{load_runner(run.case.runner).spec.checkpoint_suffix}"


def test_sends_hello_first_then_the_configuration(run: Finished) -> None:
    hello = run.worker.sent[0]
    assert isinstance(hello, events.StatusEvent) and hello.state == "hello"
    *before, config = run.worker.of(events.ConfigEvent)
    assert (config.env_id, config.seed) == (run.case.env_id, 7)
    if not run.case.can.foreign:  # a script is learned about bit by bit
        assert before == [] and config.run_id == "r1"


def test_every_line_is_an_event_and_none_is_missing(run: Finished) -> None:
    assert all(isinstance(event, events.Event) for event in run.worker.sent)
    assert [event.seq for event in run.worker.sent] == list(range(len(run.worker.sent)))


def test_the_final_event_reports_success(run: Finished) -> None:
    assert run.exit_code == 0, run.worker.log()
    last = run.worker.sent[-1]
    assert isinstance(last, events.FinishedEvent) and last.outcome == "succeeded"


def test_reports_progress_up_to_the_end(run: Finished) -> None:
    progress = [s.timestep for s in run.worker.of(events.StatusEvent) if s.state == "progress"]
    assert progress == sorted(progress) and progress[-1] >= run.case.timesteps


@with_episodes
def test_numbers_episodes_without_gaps(run: Finished) -> None:
    episodes = run.worker.of(events.EpisodeEvent)
    are_sorted_by_the_lab = all(e.env_group is not None for e in episodes)
    numbers = [None] * len(episodes) if are_sorted_by_the_lab else list(range(len(episodes)))
    assert episodes and [e.episode for e in episodes] == numbers
    assert all(e.steps > 0 and e.return_ is not None and e.timestep for e in episodes)


def test_metrics_have_the_labs_names(run: Finished) -> None:
    metrics = run.worker.of(events.MetricEvent)
    names = {name for metric in metrics for name in metric.values}
    assert names & METRICS.keys()
    assert names <= METRICS.keys() or run.case.can.foreign  # which keep their own names as well
    assert all(metric.step is not None for metric in metrics)


@only(lambda case: case.runner == "sb3")
def test_learning_is_described_by_more_than_losses(run: Finished) -> None:
    expected = ON_POLICY if run.case.algorithm in ("ppo", "a2c") else {"q_mean", "q_max"}
    found = [m.values for m in run.worker.of(events.MetricEvent) if expected <= set(m.values)]
    assert found
    last = {name: float(found[-1][name]) for name in expected}
    if expected is ON_POLICY:
        assert last["parameter_change"] > last["relative_parameter_change"] > 0 and last["advantage_std"] > 0
    else:
        assert last["q_max"] >= last["q_mean"]


def test_checkpoints_are_complete_files_with_their_hash(run: Finished) -> None:
    checkpoints = run.worker.of(events.CheckpointEvent)
    assert checkpoints[-1].role == "final"
    for path in {c.path for c in checkpoints}:
        reported = [c for c in checkpoints if c.path == path][-1]
        data = (run.run_dir / path).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (reported.size, reported.sha256)
    if run.case.can.evaluate:
        assert model_of(run).read_bytes() == (run.run_dir / checkpoints[-1].path).read_bytes()


@only(lambda case: case.runner in ("sb3", "turbo"))
def test_the_best_checkpoint_is_one_of_the_training_and_scores_only_rise(run: Finished) -> None:
    checkpoints = run.worker.of(events.CheckpointEvent)
    best = [c for c in checkpoints if c.role == "best"]
    assert best, "a training with episodes has a best checkpoint"
    scores = [c.score for c in best]
    assert None not in scores and scores == sorted(set(scores))
    same = [c for c in checkpoints if c.role != "best" and c.timestep == best[-1].timestep]
    assert {c.sha256 for c in same} == {best[-1].sha256}


@in_a_real_environment
def test_recorded_episodes_replay_exactly(run: Finished) -> None:
    from rl_lab.portable.actions import unpack
    from rl_lab.portable.generators import begin
    from rl_lab.worker.environments.make import make_environment

    config = run.worker.of(events.ConfigEvent)[-1]
    env = make_environment(run.case.env_id, config.env_kwargs)
    for episode in run.worker.of(events.EpisodeEvent)[-5:]:
        assert episode.trace is not None and episode.trace.start == 0 and episode.trace.count == episode.steps
        begin(env, episode.seed, episode.generator)
        returned, ended = 0.0, (False, False)
        for action in unpack(config.action, episode.trace.actions):
            _, reward, *ended_now, _ = env.step(action)
            returned, ended = returned + reward, tuple(ended_now)
        assert returned == episode.return_
        assert ended == (episode.terminated, episode.truncated)
    env.close()


@that_play
def test_a_saved_policy_acts_in_the_action_space(run: Finished) -> None:
    runner = load_runner(run.case.runner)
    from rl_lab.worker.environments.make import make_environment

    policy = runner.load_policy(model_of(run), TrainConfig(**run.case.config()))
    env = make_environment(run.case.env_id)
    observation, _ = env.reset(seed=1)
    for is_deterministic in (True, False):
        decision = policy.act(observation, is_deterministic)
        assert env.action_space.contains(decision.action)
        if decision.probabilities is not None:
            assert sum(decision.probabilities) == pytest.approx(1, abs=1e-4)
    assert policy.act(observation, True).action == pytest.approx(policy.act(observation, True).action)
    env.close()


@with_episodes
def test_same_seed_gives_the_same_returns_even_across_a_pause(run: Finished, tmp_path: Path) -> None:
    with worker(tmp_path, run.case.config(), is_forked=True, **run.case.job(tmp_path)) as process:
        process.control("pause")
        process.wait_for(events.StatusEvent, lambda status: status.state == "paused")
        process.control("resume")
        process.wait_for(events.StatusEvent, lambda status: status.state == "resumed")
        assert process.wait_for_end() == 0
    returns = [(e.seed, e.return_, e.steps) for e in process.of(events.EpisodeEvent)]
    assert returns == [(e.seed, e.return_, e.steps) for e in run.worker.of(events.EpisodeEvent)]


@that_resume
def test_resumes_from_a_checkpoint_and_stops_with_another(run: Finished, tmp_path: Path) -> None:
    last = run.worker.of(events.CheckpointEvent)[-1]
    done = len(run.worker.of(events.EpisodeEvent))
    resume = {"resume_from": last.path, "timestep0": last.timestep, "episode0": done}
    with worker(run.run_dir, run.case.config(total_timesteps=1_000_000), is_forked=True, **resume) as process:
        first = process.wait_for(events.EpisodeEvent)
        process.control("stop")
        assert process.wait_for_end() == 0, process.log()
    assert first.episode == done and first.timestep is not None and first.timestep > last.timestep
    assert first.seed not in {e.seed for e in run.worker.of(events.EpisodeEvent)}
    stopped = process.of(events.CheckpointEvent)[-1]
    assert stopped.role == "stop" and stopped.timestep >= first.timestep
    assert (run.run_dir / stopped.path).is_file()
    assert process.sent[-1].outcome == "stopped"


ENDS = {"fake-toy": 5, "sb3-ppo": 20, "sb3-dqn": 9, "turbo-ppo": 100, "turbo-dqn": 100}
"""Episodes of a run that ends by them; one on-policy and one off-policy learner of a library stand for the others."""


@pytest.mark.parametrize("case", [c for c in CASES if name_of(c) in ENDS], ids=name_of)
def test_a_run_ends_by_episodes_with_the_reason(case: Case, tmp_path: Path) -> None:
    limit = ENDS[name_of(case)]
    config = case.config(total_timesteps=0, expected_steps=50, max_episodes=limit)
    if case.runner == "sb3":
        config["params"] |= {"schedule": "linear"}
    with worker(tmp_path, config, is_forked=True) as process:
        assert process.wait_for_end() == 0, process.log()
    end, episodes = process.sent[-1], process.of(events.EpisodeEvent)
    assert (end.outcome, end.cause) == ("succeeded", "episode-limit")
    assert len(episodes) >= limit and process.of(events.CheckpointEvent)[-1].role == "final"
    # Past the expected steps it still learns, and its schedules have stopped falling.
    rates = [m.values["learning_rate"] for m in process.of(events.MetricEvent) if "learning_rate" in m.values]
    assert rates and all(rate > 0 for rate in rates)
    if case.runner == "sb3":
        assert rates[-1] == pytest.approx(0.05 * config["params"]["learning_rate"])


@pytest.mark.parametrize("case", [c for c in CASES if name_of(c) in ("fake-toy", "turbo-ppo")], ids=name_of)
def test_a_run_ends_by_time_over_all_its_attempts(case: Case, tmp_path: Path) -> None:
    """The time of earlier attempts is over the limit already, so the test does not depend on the clock."""
    config = case.config(total_timesteps=10**9, max_seconds=60)
    with worker(tmp_path, config, is_forked=True, seconds0=100.0) as process:
        assert process.wait_for_end() == 0, process.log()
    end = process.sent[-1]
    assert (end.outcome, end.cause) == ("succeeded", "time-limit")
    assert end.message.startswith("Ended after 1 minute, at step ")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.runner}-{case.algorithm}")
def test_unknown_parameters_are_refused_by_name(case: Case) -> None:
    spec = load_runner(case.runner).spec.algorithm(case.algorithm)
    with pytest.raises(InvalidInput, match="no_such_thing"):
        complete_params(spec, None, {"no_such_thing": 1})


def test_every_registered_algorithm_has_a_case_here() -> None:
    """The scripts of a checkout are the user's own; they are held to the same in the tests of their runner."""
    specs = [load_runner(runner_id).spec for runner_id in set(RUNNERS) - PLAYING_ONLY]
    offered = {(s.id, a.id) for s in specs if s.root_setting is None for a in s.algorithms}
    assert offered == {(case.runner, case.algorithm) for case in CASES}
