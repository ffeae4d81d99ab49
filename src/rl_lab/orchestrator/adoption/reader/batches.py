"""Pieces of a source's files become one batch of telemetry, under the lab's names, and its standing moves on. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from rl_lab.analysis.adoption.pieces import Curve, EpisodeFact, Facts, Floats, Piece, curve
from rl_lab.core.protocol.metric_names import LENGTH_NAMES, RETURN_NAMES
from rl_lab.core.protocol.metrics import MetricOrigin
from rl_lab.core.words.amounts import plural
from rl_lab.orchestrator.adoption.reader.bookmarks import Memory
from rl_lab.orchestrator.adoption.reader.claims import claim, order_of
from rl_lab.orchestrator.adoption.reader.tags import Meaning, beside_episodes, meaning_of
from rl_lab.store.telemetry import Batch, NewEpisode, Position

TICKS = 60
"""Newest moments of a pass that are published as ticks; the curves have all of them."""
PENDING = 64
JUMP_S = 3600.0
"""A longer gap between two points is a run that was resumed, not work."""
MAX_T = 4e10


class Gathering:
    """All that one pass over a source found, until it is stored."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.facts = Facts()
        self.problems: list[str] = []
        self._curves: dict[str, list[Curve]] = {}
        self._episodes: list[EpisodeFact] = []
        self.points = 0
        self.not_finite: dict[str, tuple[int, int]] = {}
        """Name of a metric → how many of its new values are NaN or infinite, and the step of the first."""

    def take(self, role: str, piece: Piece, env: int = 0, *, file: str = "", is_ray: bool = False) -> None:
        """What a file of this role holds; `file` is its path, `is_ray` whether Ray Tune wrote the folder."""
        self.facts.take(piece.facts)
        tags = piece.curves.keys()
        meanings = {tag: meaning_of(tag, tags, is_ray=is_ray) for tag in tags}
        has_episodes = bool(piece.episodes) or self.memory.has_episodes or not RETURN_NAMES.isdisjoint(tags)
        known = [
            (beside_episodes(meaning) if has_episodes else meaning, tag)
            for tag, meaning in meanings.items()
            if meaning is not None
        ]
        for meaning, tag in sorted(known, key=lambda pair: order_of(pair[0])):
            name = claim(self.memory, role, file, tag, meaning)
            if name == "reward":
                self.memory.reward_tag = meaning.tag
            if name is not None:
                sign = meaning.sign if name == meaning.name else 1.0
                self._curves.setdefault(name, []).append(_signed(piece.curves[tag], sign))
        if piece.episodes:
            self.memory.origins["reward"], self.memory.origins["length"] = (file, "r"), (file, "l")
        self._episodes += [episode._replace(env=env) for episode in piece.episodes]
        self.points += sum(map(len, piece.curves.values())) + len(piece.episodes)

    def batch(self, mtime: float) -> Batch | None:
        """What was gathered, ready to be stored with the bookmarks at that point; None when there is nothing.

        `mtime` replaces times that no file has.
        """
        memory = self.memory
        curves = {name: self._whole(name, parts) for name, parts in self._curves.items()}
        episodes = self._all_episodes(curves)
        memory.has_episodes = memory.has_episodes or bool(episodes)
        if memory.has_episodes:
            self._keep_apart(curves)
        curves = {name: _timed(found, curves, memory, mtime) for name, found in curves.items() if len(found)}
        rows, moments = self._play(episodes, mtime)
        if not memory.has_episodes:
            moments = self._mean(curves)
        self._curves, self._episodes, self.points = {}, [], 0
        if not curves and not rows:
            return None
        if rows:
            curves |= {
                name: found
                for name, found in _episode_curves(rows, [e.reward for e in episodes]).items()
                if len(found)
            }
        self._note_not_finite(curves)
        self._pass_time(curves)
        count = sum(map(len, curves.values()))
        memory.points += count
        memory.passes += 1
        ticks = [self._tick(moment, curves) for moment in moments]
        return Batch(
            position=Position(0, 0, memory.passes),
            points=curves,  # type: ignore[arg-type]  # arrays are columns, too
            episodes=rows,
            ticks=ticks,
            counters={"sent": count, "stored": count},
            origins={name: MetricOrigin(file=file, tag=tag) for name, file, tag in self._origins(curves)},
        )

    def _origins(self, curves: Mapping[str, Curve]) -> list[tuple[str, str, str]]:
        return [(name, *self.memory.origins[name]) for name in curves if name in self.memory.origins]

    def _keep_apart(self, curves: dict[str, Curve]) -> None:
        """The reward of an episode is the one its own log holds; another reward keeps the name it was logged by."""
        found = curves.pop("reward", None)
        if found is not None:
            curves[beside_episodes(Meaning(self.memory.reward_tag, "reward")).name] = found

    def _note_not_finite(self, curves: Mapping[str, Curve]) -> None:
        """Such values are kept: that a run diverged is seen by them."""
        for name, found in curves.items():
            bad = ~np.isfinite(found.values)
            if bad.any():
                count, first = self.not_finite.get(name, (0, int(found.steps[bad.argmax()])))
                self.not_finite[name] = (count + int(bad.sum()), first)

    def _whole(self, name: str, parts: list[Curve]) -> Curve:
        whole = Curve(
            np.concatenate([p.steps for p in parts]),
            np.concatenate([p.times for p in parts]),
            np.concatenate([p.values for p in parts]),
        )
        fits = whole.steps >= 0
        if fits.all():
            return whole
        left_out = plural(int((~fits).sum()), "point")
        self.problems.append(f"{name}: {left_out} with a negative step or none left out.")
        return whole.only(fits)

    def _all_episodes(self, curves: dict[str, Curve]) -> list[EpisodeFact]:
        """Of monitors, in the order they ended; and returns and lengths that were logged one by one, paired."""
        found = self._episodes
        if all(math.isfinite(e.at) for e in found):
            found = sorted(found, key=lambda e: e.at)
        returns = self._logged(curves, RETURN_NAMES, "" if found else "reward")
        lengths = self._logged(curves, LENGTH_NAMES, "" if found else "length")
        if found or not (returns or self.memory.pending):
            return found
        return self._paired(returns[0] if returns else curve([], [], []), lengths[0] if lengths else None)

    def _logged(self, curves: dict[str, Curve], names: Collection[str], becomes: str) -> list[Curve]:
        """Takes the series of these names out; the metric they become comes from the first."""
        found = [name for name in curves if name in names]
        if found and becomes:
            self.memory.origins[becomes] = self.memory.origins.get(found[0], ("", found[0]))
        return [curves.pop(name) for name in found]

    def _paired(self, returns: Curve, lengths: Curve | None) -> list[EpisodeFact]:
        """A length belongs to the return of the same step; one that is not written yet is waited for."""
        memory = self.memory
        memory.tells_lengths = memory.tells_lengths or lengths is not None
        waiting = [*memory.pending, *_rows(returns)]
        known = [] if lengths is None else [(step, value) for step, _, value in _rows(lengths)]
        memory.pending = []
        episodes, at = [], 0
        for place, (step, t, value) in enumerate(waiting):
            while at < len(known) and known[at][0] < step:
                at += 1
            length = 0
            if at < len(known) and known[at][0] == step:
                length = int(known[at][1]) if 0 <= known[at][1] < 2**53 else 0
                at += 1
            elif memory.tells_lengths and at >= len(known) and len(waiting) - place <= PENDING:
                memory.pending = waiting[place:]
                break
            episodes.append(EpisodeFact(t, value, length, step))
        return episodes

    def _play(
        self, episodes: list[EpisodeFact], mtime: float
    ) -> tuple[list[NewEpisode], list[dict[str, Any]]]:
        """Each episode updates the run's state as if it had just ended; the newest become ticks."""
        standing, rows, moments = self.memory.standing, [], []
        first_tick = len(episodes) - TICKS
        for place, episode in enumerate(episodes):
            at = episode.at if 0 < episode.at < MAX_T else (standing.last_t or mtime)
            step = episode.timestep
            if step is None:
                step = standing.timestep + episode.length
            index = standing.episodes
            standing.episodes += 1
            standing.reach(step, at if place >= first_tick else None)
            reward = episode.reward if math.isfinite(episode.reward) else None
            standing.end_episode(reward, episode.length)
            standing.extend_sparkline()
            rows.append(NewEpisode(index, at, episode.env, None, reward, episode.length, timestep=step))
            if place >= first_tick:
                moments.append(self._moment(at))
        return rows, moments

    def _mean(self, curves: dict[str, Curve]) -> list[dict[str, Any]]:
        """For a source that logs only means: they replace the rewards of episodes that were not logged."""
        found = curves.get("reward", curves.get("mean_reward"))
        if found is None:
            return self._along(max(curves.values(), key=len, default=None))
        if "reward" not in curves and "mean_reward" in self.memory.origins:
            self.memory.origins["reward"] = self.memory.origins["mean_reward"]
        curves["reward"] = found
        for value in found.values[np.isfinite(found.values)].tolist():
            self.memory.means.add(value)
        return self._along(found)

    def _along(self, found: Curve | None) -> list[dict[str, Any]]:
        standing, moments = self.memory.standing, []
        for step, t, value in _rows(found)[-TICKS:] if found is not None else ():
            standing.reach(step, t)
            moments.append({**self._moment(t), "mean_reward": value if math.isfinite(value) else None})
        return moments

    def _moment(self, t: float) -> dict[str, Any]:
        standing, fps = self.memory.standing, self.memory.standing.fps
        return {
            "episode": standing.episodes - 1 if standing.episodes else None,
            "episode_count": standing.episodes,
            "timestep": standing.timestep,
            "reward": standing.last_reward,
            "mean_reward": standing.mean_reward,
            "episode_length": standing.last_length,
            "fps": round(fps, 1) if fps else None,
            "timestamp": t,
        }

    def _tick(self, moment: dict[str, Any], curves: Mapping[str, Curve]) -> dict[str, Any]:
        loss = curves.get("loss")
        if loss is not None and len(loss):
            at = int(np.searchsorted(loss.times, moment["timestamp"], side="right")) - 1
            value = float(loss.values[max(0, at)])
            return {**moment, "loss": value if math.isfinite(value) else None}
        return {**moment, "loss": self.memory.standing.loss}

    def _pass_time(self, curves: Mapping[str, Curve]) -> None:
        standing, memory = self.memory.standing, self.memory
        times = np.unique(np.concatenate([c.times for c in curves.values()]))
        if standing.last_t is not None:
            times = np.concatenate([[standing.last_t], times[times > standing.last_t]])
        gaps = np.diff(times)
        standing.elapsed_s += float(gaps[(gaps > 0) & (gaps < JUMP_S)].sum())
        if memory.first_t is None:
            memory.first_t = float(times[0])
        standing.last_t = float(times[-1])
        standing.timestep = max(standing.timestep, *(int(c.steps.max()) for c in curves.values()))
        loss = curves.get("loss")
        if loss is not None:
            last = float(loss.values[-1])
            standing.loss = last if math.isfinite(last) else None


def _signed(found: Curve, sign: float) -> Curve:
    return found if sign > 0 else Curve(found.steps, found.times, -found.values)


def _rows(found: Curve) -> list[tuple[int, float, float]]:
    return list(zip(found.steps.tolist(), found.times.tolist(), found.values.tolist(), strict=True))


def _episode_curves(rows: list[NewEpisode], rewards: list[float]) -> dict[str, Curve]:
    steps, times = [row.timestep for row in rows], [row.at for row in rows]
    lengths = curve(steps, times, [row.length for row in rows])
    # A length of 0 means that the source does not log it.
    return {"reward": curve(steps, times, rewards), "length": lengths.only(lengths.values > 0)}


def _timed(found: Curve, curves: Mapping[str, Curve], memory: Memory, mtime: float) -> Curve:
    """Times that a file does not have, taken from the other curves at the same steps, else from its own age."""
    good = np.isfinite(found.times) & (found.times > 0) & (found.times < MAX_T)
    if good.all():
        return found
    others = [c for c in curves.values() if len(c) and np.isfinite(c.times).all()]
    reference = max(others, key=len, default=None)
    filled: Floats
    if reference is not None:
        order = np.argsort(reference.steps, kind="stable")
        filled = np.interp(found.steps, reference.steps[order], reference.times[order])
    else:
        filled = np.full(len(found), mtime)
    return Curve(found.steps, np.where(good, found.times, filled), found.values)
