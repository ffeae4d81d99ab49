"""Recorded stretches of episodes, from the text of a protocol line to the bytes that are stored. Pure."""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64

from rl_lab.core.bounds import GENERATOR_BYTES
from rl_lab.core.protocol.events import Episode, Steps, Trace
from rl_lab.orchestrator.ingest.plausibility import Nonsense, check_numbers
from rl_lab.store.telemetry.batch import LivePart, NewRecording


def live_part(event: Steps) -> LivePart | None:
    """The stretch of a running episode that a `steps` event carries."""
    trace = event.trace
    if trace is None:
        return None
    actions, rewards, values, chosen = _columns(trace)
    return LivePart(
        event.env, event.episode, event.seed, trace.start, trace.count, actions, rewards, values, chosen,
        event.returned, event.timestep, _generator(event),
    )  # fmt: skip


def recording(event: Episode, number: int) -> NewRecording | None:
    """The recording (or its last stretch) of an episode that has ended."""
    trace = event.trace
    if trace is None:
        return None
    actions, rewards, values, chosen = _columns(trace)
    return NewRecording(
        number,
        event.env,
        event.seed,
        trace.count,
        actions,
        rewards,
        values,
        chosen,
        trace.start,
        _extra(trace),
        _generator(event),
    )


def _generator(event: Steps | Episode) -> bytes:
    """The state an unseeded episode began from."""
    if not event.generator or event.seed is not None:
        return b""
    try:
        state = a2b_base64(event.generator)
    except (Base64Error, ValueError) as error:
        raise Nonsense(f"a generator's state that is not base64: {error}") from None
    if len(state) != GENERATOR_BYTES:
        raise Nonsense(f"a generator's state of {len(state)} bytes, not {GENERATOR_BYTES}")
    return state


def _extra(trace: Trace) -> dict[str, bytes] | None:
    try:
        return {name[:64]: a2b_base64(column) for name, column in trace.extra.items()} or None
    except (Base64Error, ValueError) as error:
        raise Nonsense(f"a trace that is not base64: {error}") from None


def _columns(trace: Trace) -> tuple[bytes, bytes, bytes, bytes]:
    check_numbers(trace.start, trace.count)
    try:
        return (
            a2b_base64(trace.actions), a2b_base64(trace.rewards), a2b_base64(trace.values),
            a2b_base64(trace.chosen),
        )  # fmt: skip
    except (Base64Error, ValueError) as error:
        raise Nonsense(f"a trace that is not base64: {error}") from None
