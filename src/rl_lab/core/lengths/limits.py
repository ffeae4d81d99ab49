"""When a training ends besides its number of steps: after a time, after a number of episodes. The first limit ends it.

The time is that of all attempts of the run together, without pauses: what the run's duration shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rl_lab.core.words.amounts import plural
from rl_lab.core.words.durations import duration_words

if TYPE_CHECKING:
    # Commands show progress with this module, and pydantic takes longer to load than most of them run.
    from rl_lab.core.jobs.kinds import JobConfig
    from rl_lab.core.runs import EndReason

TIME_LIMIT, EPISODE_LIMIT = "time-limit", "episode-limit"


class RunLimits(NamedTuple):
    """0: no such limit."""

    seconds: int = 0
    episodes: int = 0

    def is_reached(self, seconds: float, episodes: int) -> bool:
        return 0 < self.seconds <= seconds or 0 < self.episodes <= episodes

    def reason(self, seconds: float, episodes: int, timestep: int, unit: str = "step") -> EndReason:
        """ "Ended after 30 minutes, at step 812,000."; for a limit that is reached."""
        from rl_lab.core.runs import EndReason

        is_time = 0 < self.seconds <= seconds
        after = duration_words(self.seconds) if is_time else plural(max(episodes, self.episodes), "episode")
        message = f"Ended after {after}, at {unit} {timestep:,}."
        return EndReason(cause=TIME_LIMIT if is_time else EPISODE_LIMIT, message=message)


NO_LIMITS = RunLimits()


def limits_of(config: JobConfig) -> RunLimits:
    from rl_lab.core.jobs.training import TrainConfig

    if not isinstance(config, TrainConfig):
        return NO_LIMITS
    return RunLimits(config.max_seconds or 0, config.max_episodes or 0)


def progress_fraction(
    limits: RunLimits, *, timestep: int, total: int, seconds: float, episodes: int
) -> float:
    """How much of the limit that will be reached first is done; 0 when there is none."""
    done = [timestep / total] if total else []
    done += [seconds / limits.seconds] if limits.seconds else []
    done += [episodes / limits.episodes] if limits.episodes else []
    return min(1.0, max(done, default=0.0))


def seconds_left(limits: RunLimits, *, steps_s: float | None, seconds: float, episodes: int) -> float | None:
    """Until the first limit is reached; `steps_s`: until the steps are, None when that is not known."""
    left = [steps_s] if steps_s is not None else []
    left += [limits.seconds - seconds] if limits.seconds else []
    if limits.episodes and episodes and seconds > 0:
        left.append((limits.episodes - episodes) * seconds / episodes)
    return max(0.0, min(left)) if left else None


def counted_unit(config: Mapping[str, Any]) -> str:
    """What the steps of a training are, of its config: updates where it learns from a dataset alone."""
    return "update" if config.get("dataset") and not config.get("prefill") else "step"


def ends_text(config: Mapping[str, Any]) -> str:
    """What ends a training, of its config: "after 300,000 steps or 30 minutes, or when solved"."""
    ends = [plural(config["total_timesteps"], counted_unit(config))] if config.get("total_timesteps") else []
    ends += [duration_words(config["max_seconds"])] if config.get("max_seconds") else []
    ends += [plural(config["max_episodes"], "episode")] if config.get("max_episodes") else []
    text = f"after {' or '.join(ends)}" if ends else ""
    if config.get("until") == "solved":
        text = f"{text}, or when solved" if text else "when solved"
    return text or "when the script ends"
