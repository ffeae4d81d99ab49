"""Checks whether a program follows the worker protocol: each line is read as the lab would read it.

Pure. `fault`: the lab loses or misreads something; `advice`: it works, but could be better.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from rl_lab.core.bounds import MAX_LINE_BYTES
from rl_lab.core.errors import nearest
from rl_lab.core.protocol import events as e
from rl_lab.core.protocol.lines import Broken, Unknown, is_named_by_event, parse_line
from rl_lab.orchestrator.ingest.fold import Fold
from rl_lab.orchestrator.ingest.run_state import RunState

SHOWN = 120


class Remark(NamedTuple):
    line: int | None
    """From 1; None: about the whole output."""
    level: Literal["fault", "advice"]
    what: str
    instead: str


class Conformance:
    def __init__(self, folders: Sequence[str] = ()) -> None:
        """`folders`: the run folder the program is checked in, as an absolute path."""
        self.remarks: list[Remark] = []
        self.lines = 0
        self.counts: dict[str, int] = {}
        self.finished: e.FinishedEvent | None = None
        self._fold = Fold(RunState(), steps_per_second=1 << 30, folders=folders)
        self._last_seq: int | None = None
        self._with_seq = self._with_t = self._events = 0

    def feed(self, line: bytes) -> None:
        """One line of stdout, without its newline."""
        self.lines += 1
        if not line.strip():
            return
        if len(line) > MAX_LINE_BYTES:
            self._fault(
                f"The line has {len(line):,} bytes; the lab cuts out lines of more than {MAX_LINE_BYTES:,}.",
                "Split it: several `metric` or `steps` lines.",
            )
            return
        parsed = parse_line(line)
        if isinstance(parsed, Broken):
            self._broken(line, parsed)
        elif isinstance(parsed, Unknown):
            self._unknown(parsed)
        else:
            self._event(line, parsed)

    def end(self, exit_code: int, *, was_ended: bool = False) -> None:
        """After the last line; `was_ended`: the check ended the program, so no `finished` event is expected."""
        self._whole()
        if was_ended:
            return
        outcome = self.finished.outcome if self.finished else None
        if outcome is None:
            self._unfinished(exit_code)
        elif outcome in ("succeeded", "stopped") and exit_code != 0:
            self._remark(
                None,
                "fault",
                f"It reported {outcome}, but exited with code {exit_code}; the exit code decides.",
                "Exit with code 0 after success.",
            )
        elif outcome == "failed" and exit_code == 0:
            self._remark(
                None,
                "advice",
                "It reported failed, but exited with code 0.",
                "Exit with another code, so that shells see the failure, too.",
            )

    def _unfinished(self, exit_code: int) -> None:
        if exit_code == 0:
            self._remark(
                None,
                "advice",
                "It sent no `finished` event; its exit code 0 counts as success.",
                'Print {"type":"finished"} as the last line to add a message, or to report that a user stopped it.',
            )
        else:
            self._remark(
                None,
                "fault",
                f"It exited with code {exit_code} without a `finished` event, so its run would count as failed.",
                'Print {"type":"finished","outcome":"failed","message":…} to report what went wrong.',
            )

    @property
    def is_conformant(self) -> bool:
        return not any(remark.level == "fault" for remark in self.remarks)

    def _broken(self, line: bytes, broken: Broken) -> None:
        text = broken.text[:SHOWN]
        if broken.reason == "not JSON":
            self._fault(
                f"Not JSON: {text}",
                "Only events go to stdout, one JSON object per line; print the rest on stderr.",
            )
        elif broken.reason.startswith("not an object"):
            self._fault(
                f"Not an object with a `type`: {text}", 'Each line is an object: {"type":"metric",…}.'
            )
        else:
            self._wrong_field(line, broken.reason)

    def _wrong_field(self, line: bytes, reason: str) -> None:
        """msgspec's message (Expected `int`, got `str` - at `$.steps`), with the field first."""
        what, _, place = reason.partition(" - at ")
        field = place.strip("`").removeprefix("$.")
        if "missing required field" in what:
            self._fault(f"{what}.", "docs/reference/events.md lists the fields that must be there.")
            return
        wanted = what.partition("`")[2].partition("`")[0]
        self._fault(
            f"`{field}` is wrong: {what.lower()}.", f"Write `{field}` as {wanted or 'the events page says'}."
        )

    def _unknown(self, unknown: Unknown) -> None:
        # Stricter than elsewhere: a type of the author's own may resemble one of ours.
        close = difflib.get_close_matches(unknown.type, e.EVENT_TYPES, n=1, cutoff=0.75)
        if close:
            self._fault(f"There is no type “{unknown.type}”.", f"Did you mean “{close[0]}”?")
        else:
            types = ", ".join(sorted(e.EVENT_TYPES))
            hint = f"The line is stored as it is, but not shown anywhere. The types are {types}."
            self._remark(self.lines, "advice", f"There is no type “{unknown.type}”.", hint)

    def _event(self, line: bytes, event: e.Event) -> None:
        name = str(type(event).__struct_config__.tag)
        self.counts[name] = self.counts.get(name, 0) + 1
        self._events += 1
        if self._events == 1 and not (isinstance(event, e.StatusEvent) and event.state == "hello"):
            self._remark(
                self.lines,
                "advice",
                "The first event is not a hello; the run counts as starting until its first event.",
                'Print {"type":"status","state":"hello"} before anything that takes long.',
            )
        if self.finished is not None:
            self._fault(f"A line of type {name} comes after `finished`.", "`finished` is the last line.")
        if isinstance(event, e.FinishedEvent):
            self.finished = event
        self._order(event)
        self._fields(line, name)
        self._sense(event)

    def _order(self, event: e.Event) -> None:
        self._with_t += event.t is not None
        if event.seq is None:
            return
        self._with_seq += 1
        if self._last_seq is not None and event.seq != self._last_seq + 1:
            self._fault(
                f"`seq` goes from {self._last_seq} to {event.seq}; the lab counts the lines in between as lost.",
                f"Count every line by one: {self._last_seq + 1} here. Or leave `seq` out everywhere.",
            )
        self._last_seq = event.seq

    def _fields(self, line: bytes, name: str) -> None:
        try:
            given: dict[str, Any] = msgspec.json.decode(line)
        except msgspec.DecodeError:
            given = json.loads(line, parse_constant=lambda word: word)
            self._remark(
                self.lines,
                "advice",
                "A bare NaN or Infinity is not valid JSON, though the lab reads it.",
                'Write "nan", "inf" or "-inf", with the quotes.',
            )
        if is_named_by_event(given):
            given.pop("event")
        known = {"type", *(field.encode_name for field in msgspec.structs.fields(e.EVENT_TYPES[name]))}
        for field in given.keys() - known:
            close = nearest(field, known, 1)
            hint = (
                f"Did you mean `{close[0]}`?"
                if close
                else "Values without a field of their own go in `args`, `extra` or `values`."
            )
            self._remark(self.lines, "advice", f"`{field}` is not a field of {name} and is ignored.", hint)

    def _sense(self, event: e.Event) -> None:
        """What the lab itself would skip: impossible numbers, files outside the run's folder."""
        self._fold.add([event])
        out = self._fold.take()
        for text in out.broken:
            reason = text.decode("utf-8", "replace").split("\t")[1]
            self._fault(
                f"The lab would skip this line: {reason}.",
                "Counts and steps are whole numbers from 0 on.",
            )
        if any(log.type == "path_refused" for log in out.logs):
            self._fault("The path is outside the run's folder.", "Use a path relative to it: files/model.pt.")

    def _whole(self) -> None:
        if self._events == 0:
            self._remark(
                None,
                "fault",
                "It printed no event.",
                'E.g. {"type":"metric","name":"loss","value":0.3,"step":1}',
            )
            return
        if 0 < self._with_seq < self._events:
            self._remark(
                None,
                "fault",
                f"Only {self._with_seq} of {self._events} lines have a `seq`.",
                "Number all lines, or none.",
            )
        if self._with_t == 0:
            self._remark(
                None,
                "advice",
                "No line has a `t`, so the lab cannot show times or speed.",
                "`t` is Unix time in seconds, with its fraction.",
            )
        if not self.counts.get("config"):
            self._remark(
                None,
                "advice",
                "No `config` line: the run cannot be found by its environment.",
                '{"type":"config","env_id":"CartPole-v1","seed":1,"args":{…}}',
            )
        if not self.counts.get("episode") and not self.counts.get("metric"):
            self._remark(
                None,
                "advice",
                "Neither `episode` nor `metric` lines: there is nothing to show in charts.",
                '{"type":"episode","return":12.5,"steps":80}',
            )

    def _fault(self, what: str, instead: str) -> None:
        self._remark(self.lines, "fault", what, instead)

    def _remark(self, line: int | None, level: Literal["fault", "advice"], what: str, instead: str) -> None:
        self.remarks.append(Remark(line, level, what, instead))
