"""Every type of line that the lab writes into the event log of a run.

A worker or a script may also log lines of its own: then the type is the code that it sent, or `log`.
"""

from __future__ import annotations

from typing import NamedTuple

from rl_lab.core.jobs.kinds import KINDS, RunKind
from rl_lab.core.run_events import EventType, Level
from rl_lab.core.runs import RunStatus
from rl_lab.core.words.job_examples import JOB_EXAMPLES


class JobEvents(NamedTuple):
    """The lines that a job leaves in the event log of its training."""

    started: EventType
    complete: EventType
    ended: EventType


EVENT_TYPES: dict[str, EventType] = {}
"""Every type of line that the lab writes, by name."""


def _declare(name: str, level: Level, meaning: str, example: str) -> EventType:
    EVENT_TYPES[name] = found = EventType(name, level, meaning, example)
    return found


ADOPTED = _declare(
    "adopted", "info", "The run was read from the folder of another tool.", "Adopted from /home/me/runs/ppo."
)
IMPORTED = _declare(
    "imported",
    "info",
    "The run was imported with a pack, or from a model file.",
    "Imported from study.zip (SHA-256 9f2c1ab34d5e…).",
)
JOINED = _declare(
    "joined",
    "info",
    "Several folders of one training make one adopted run, or were split again.",
    "Joined: tb/PPO_1 + monitor (its mean rewards are those of the episodes at 12 steps).",
)
VALUES_NOT_FINITE = _declare(
    "values_not_finite",
    "warning",
    "A folder that was adopted holds values that are NaN or infinite. They are kept.",
    "NaN or infinite values were read and kept: reward (1 value, the first at step 20,000).",
)
RUN_QUEUED = _declare(
    "run_queued",
    "info",
    "The run waits for a slot; the message has its place.",
    "Waits for one of 2 training slots; 1 run is ahead.",
)
CONTINUED = _declare(
    "continued",
    "info",
    "A run that had ended was given a later end, and goes on from its newest checkpoint.",
    "Continued at step 100,352: 100,000 more steps, so it ends after 200,000 steps. A schedule, such as a falling "
    "learning rate, stays laid out over the first 100,000 steps; after them it stays at its end, and at 5 % of its "
    "start if it ends lower.",
)
WARM_STARTED = _declare(
    "warm_started",
    "info",
    "The run begins with the weights of a checkpoint; `data` names it.",
    "Starts with the weights of “PPO on CartPole-v1 · seed 3” at step 20,480.",
)
REWARD_WARNING = _declare(
    "reward_warning",
    "warning",
    "What trying the user's reward has shown before the training was created.",
    "This costs about 40% of this training's speed, as earlier ones had it without this reward.",
)
MACHINE_TOO_SMALL = _declare(
    "machine_too_small",
    "warning",
    "The run needs more than is free, and starts because nothing else runs.",
    "Needs 24.0 GB of memory; 12.5 GB are free. Nothing else runs, so it starts anyway; it may be slow or run out of "
    "memory.",
)
RUN_STARTING = _declare(
    "run_starting", "info", "The worker process is being started.", "The worker is being started."
)
TRAINING_STARTED = _declare(
    "training_started",
    "info",
    "The worker of a training has sent its first event.",
    "Training started: PPO on CartPole-v1, 300,000 steps, seed 3.",
)
RUN_RUNNING = _declare(
    "run_running", "info", "The worker of another job has sent its first event.", "The worker is running."
)
RUN_FOLLOWED = _declare(
    "run_followed",
    "info",
    "The folder of an adopted run is being written again, and the lab reads along.",
    "Its folder is being written again; it is followed.",
)
RUN_PAUSED = _declare("run_paused", "info", "The run has paused.", "Paused.")
RUN_RESUMED = _declare("run_resumed", "info", "The run continues after a pause.", "Continuing.")
RESUME_EXACT = _declare(
    "resume_exact",
    "info",
    "The run was resumed, and everything was restored.",
    "Resumed from step 8,192; exact: it continues as if it had not been stopped.",
)
RESUME_NOT_EXACT = _declare(
    "resume_not_exact",
    "warning",
    "The run was resumed, but not everything could be restored.",
    "Resumed from step 8,192; not exact: the environment did not repeat its unfinished episodes, so new ones begin.",
)
ONLINE_PHASE = _declare(
    "online_phase",
    "info",
    "A run that learned from a dataset goes on in the environment.",
    "From step 80,000 on, it learns in the environment too.",
)
RUN_STOPPING = _declare("run_stopping", "info", "The run was asked to stop.", "Stopping.")
RUN_KILLED = _declare(
    "run_killed",
    "warning",
    "The run was asked to end at once, without a checkpoint.",
    "Ending it at once, without a checkpoint.",
)
VARIANT_PRUNED = _declare(
    "variant_pruned",
    "info",
    "The run is stopped early, because the curve of its variant is below the median of the others in its study.",
    "Stopped at step 20,000: its mean reward 31 is below the median 84 of 6 other variants at that step.",
)
RUN_SUCCEEDED = _declare("run_succeeded", "info", "The run has finished.", "Done.")
RUN_STOPPED = _declare("run_stopped", "info", "The run has stopped, as asked.", "Stopped as asked.")
RUN_FAILED = _declare(
    "run_failed", "error", "The run has failed; `data.reason` has the cause.", "Learning diverged."
)
RUN_LOST = _declare(
    "run_lost",
    "error",
    "The worker disappeared without a final event.",
    "The machine was restarted or lost power while the run was live.",
)
PAUSE_WITHDRAWN = _declare(
    "pause_withdrawn",
    "warning",
    "The worker could not pause in time and continues.",
    "The worker could not pause within 30 s; it continues.",
)
STALLED = _declare(
    "stalled",
    "warning",
    "The worker has sent nothing for minutes; in an environment of your own, for a minute.",
    "No event for 5 minutes; the worker is alive and keeps running.",
)
STORING_DELAYED = _declare(
    "storing_delayed",
    "warning",
    "Events wait because the database cannot be written.",
    "Events of this run could not be stored for a while (is the disk full?); nothing was lost.",
)

CONFINED = _declare(
    "confined", "info", "The script runs confined to its folders.", "Confined to the folders it was given."
)
OWN_ENVIRONMENT = _declare(
    "own_environment",
    "info",
    "The environment is the user's own code, which runs in the learner's process.",
    "The environment is your own code and runs in the learner's process: its returns are what that code reports.",
)
NOT_ISOLATED = _declare(
    "not_isolated",
    "warning",
    "The script runs with little or no isolation.",
    "Not isolated: it was started as an ordinary process.",
)
DISK_ALMOST_FULL = _declare(
    "disk-almost-full",
    "error",
    "The lab stopped the run: the disk is almost full.",
    "Stopped by the lab: only 512 MiB of the disk were left.",
)
LIMIT_REACHED = _declare(
    "limit-reached",
    "info",
    "A script or program was asked to end: the time or episodes that the user chose are over.",
    "Ended after 10 minutes, at step 81,920.",
)
FOLDER_TOO_LARGE = _declare(
    "folder-too-large",
    "error",
    "The lab stopped the run: its folder is too large.",
    "Stopped by the lab: its folder grew beyond 20 GiB.",
)
ENVIRONMENT_RENAMED = _declare(
    "environment_renamed",
    "info",
    "The environment was found under its new name.",
    "LunarLander-v2 is now LunarLander-v3.",
)

ENVIRONMENT_INITIALIZED = _declare(
    "environment_initialized",
    "info",
    "The worker has made its environment.",
    "Environment initialised: CartPole-v1 (gymnasium 1.4.0), 8 at once, seed 42.",
)
ENVIRONMENT_ROLE = _declare(
    "environment_role",
    "info",
    "What an environment of a captured script is used for, and what that was decided by.",
    "Environment 2, CartPole-v1 × 100, is evaluation: another environment was stepped first.",
)
NOT_CAPTURED = _declare(
    "not_captured",
    "warning",
    "Something that a captured script does is not captured; once per reason.",
    "PettingZoo environments, with several agents, are not captured: no episodes are counted.",
)
DATASET_COMPARED = _declare(
    "dataset_compared",
    "info",
    "The run starts when its dataset, a large one, was compared with its checksums. That is done once.",
    "Before the start, the 5.0 GB of hopper@v2 are compared with their checksums.",
)
DETERMINISTIC = _declare(
    "deterministic",
    "info",
    "What the option --deterministic has set.",
    "Deterministic: random generators seeded with 3, hash seed 0, one thread per library.",
)
NOT_DETERMINISTIC = _declare(
    "not_deterministic",
    "warning",
    "Something that the option --deterministic cannot make deterministic.",
    "Not deterministic: Walk-v0 gives other steps for the same seed and actions.",
)
CHECKPOINT_SAVED = _declare(
    "checkpoint_saved",
    "info",
    "The worker saved a checkpoint.",
    "Checkpoint at step 20,480 saved (interval).",
)
CHECKPOINT_EVALUATED = _declare(
    "checkpoint_evaluated",
    "info",
    "A checkpoint was evaluated alongside the training (--evaluate-every).",
    "Checkpoint at step 20,480 evaluated: return 213.4 over 5 episodes.",
)
ARTIFACT_SAVED = _declare("artifact_saved", "info", "The worker saved a file.", "Model saved.")
FILES_LEFT_OUT = _declare(
    "files_left_out",
    "warning",
    "Too many files were reported; the others are not listed.",
    "The run saved more than 5,000 files; the rest is in its folder, but not listed.",
)
PATH_REFUSED = _declare(
    "path_refused",
    "warning",
    "The worker reported a file outside its run folder.",
    "The worker reported a file outside its own files; the report was ignored.",
)
WORKER_CONFIG = _declare(
    "worker_config",
    "debug",
    "Versions, hardware and arguments of the worker.",
    "The configuration the worker reported.",
)
TOO_MANY_METRICS = _declare(
    "too_many_metrics",
    "warning",
    "The worker sent too many different metrics.",
    "The run reports more metrics than are kept; points of further metrics are counted and left out.",
)
LOGS_LEFT_OUT = _declare(
    "logs_left_out",
    "warning",
    "Log lines came too fast and were left out.",
    "1,200 log messages came too fast and are not listed here; the log file has all output.",
)
BROKEN_LINE = _declare(
    "broken_line",
    "warning",
    "A line of the worker is not an event of the protocol.",
    "A line of the worker is not a valid event (not JSON); such lines are counted and skipped.",
)
WARNING = _declare(
    "warning", "warning", "A warning that the worker logged without a code.", "The reward is not finite."
)
ERROR = _declare(
    "error", "error", "An error that the worker logged without a code.", "The simulator restarted."
)
LOG = _declare("log", "info", "A line that the worker logged without a code.", "Epoch 3 of 10.")

CLIP_SAVED = _declare(
    "clip_saved", "info", "The last seconds of the live feed were saved.", "Clip of episode 12 saved."
)
MODEL_EXPORTED = _declare(
    "model_exported",
    "info",
    "A checkpoint was written in the format of another library.",
    "Checkpoint at step 20,480 exported to SB3.",
)
TENSORBOARD_EXPORTED = _declare(
    "tensorboard_exported",
    "info",
    "The curves were written as event files.",
    "TensorBoard event files written.",
)
ARTIFACT_PINNED = _declare(
    "artifact_pinned",
    "info",
    "A file was marked to be kept, or no longer.",
    "Checkpoint at step 20,480 pinned.",
)
ARTIFACT_DELETED = _declare(
    "artifact_deleted",
    "info",
    "A user deleted a file of the run.",
    "eval/eval_20261115-175146-327.mp4 deleted.",
)
PRUNED = _declare(
    "pruned",
    "info",
    "Old files were deleted by the rules of retention.",
    "1 older video removed, 3 kept (limit 3).",
)
ARCHIVED = _declare(
    "archived", "info", "The folder of the archived run was packed.", "Packed: 841 kB became 520 kB."
)
ARCHIVED_BY_AGE = _declare(
    "archived_by_age",
    "info",
    "The run ended long ago and was archived.",
    "Archived: it ended more than 30 days ago.",
)
ARCHIVED_BY_LIMIT = _declare(
    "archived_by_limit",
    "info",
    "There are more runs of the algorithm than the limit, and this was the oldest.",
    "Archived: of PPO, only the newest 50 runs stay in the list.",
)
LOG_CUT = _declare(
    "log_cut",
    "info",
    "The run's logs were longer than the limit; their end is kept.",
    "Log cut to its last 20 MB.",
)
ARCHIVE_OPENED = _declare(
    "archive_opened", "debug", "The packed folder was unpacked to be read.", "Unpacked to be read."
)
ARCHIVE_FAILED = _declare(
    "archive_failed",
    "warning",
    "The folder could not be packed.",
    "The run could not be packed, so its folder stays: No space left on device.",
)
RESTORED = _declare(
    "restored", "info", "The run is no longer archived; its folder was unpacked.", "Unpacked for good."
)
ALERT_FIRED = _declare("alert_fired", "warning", "An alert has fired.", "lander: loss is above 10: 11.5.")
FOLLOW_UP_FAILED = _declare(
    "follow_up_failed",
    "warning",
    "What should follow the end of the run failed.",
    "The follow-up of this run failed: the checkpoint is gone.",
)

STATUS_EVENTS: dict[RunStatus, EventType] = {
    RunStatus.queued: RUN_QUEUED,
    RunStatus.starting: RUN_STARTING,
    RunStatus.running: RUN_RUNNING,
    RunStatus.paused: RUN_PAUSED,
    RunStatus.stopping: RUN_STOPPING,
    RunStatus.succeeded: RUN_SUCCEEDED,
    RunStatus.failed: RUN_FAILED,
    RunStatus.stopped: RUN_STOPPED,
    RunStatus.lost: RUN_LOST,
    RunStatus.followed: RUN_FOLLOWED,
}
"""What is written when a run enters a state, unless the caller names another type."""

_WORKER_MESSAGES = {
    "hello": ("at its start", "Hello from my trainer."),
    "progress": ("about its progress", "Half of the games are played."),
    "paused": ("at a pause", "Paused at step 4,096."),
    "resumed": ("after a pause", "Continuing at step 4,096."),
    "stopping": ("when it stops", "Saving before the stop."),
}
WORKER_EVENTS: dict[str, EventType] = {
    state: _declare(f"worker_{state}", "info", f"Message of the worker {when}.", example)
    for state, (when, example) in _WORKER_MESSAGES.items()
}
"""Messages that come with a status event of the protocol, by its state."""


def _declare_job(noun: str) -> JobEvents:
    started, complete = JOB_EXAMPLES[noun]
    ended = f"{noun.capitalize()} stopped."
    return JobEvents(
        _declare(f"{noun}_started", "info", f"A job was started: {noun}; `data.run_id` is its run.", started),
        _declare(
            f"{noun}_complete", "info", f"A job has finished: {noun}; its result in one sentence.", complete
        ),
        _declare(f"{noun}_ended", "warning", f"A job has ended without a result: {noun}.", ended),
    )


JOB_EVENTS: dict[RunKind, JobEvents] = {kind: _declare_job(found.noun) for kind, found in KINDS.items()}
"""Each kind of job has its own types of lines: evaluation_started, evaluation_complete, evaluation_ended."""
