"""The state of an environment's random generator as 37 bytes, and back: how an episode without a seed started.

PCG64's state and increment (16 bytes each), has_uint32 (1), uinteger (4), little-endian. Other generators are not
supported. Standard library only: captured scripts import it too.
"""

from __future__ import annotations

from typing import Any

from rl_lab.core.bounds import GENERATOR_BYTES


def generator_state(env: Any) -> bytes | None:
    """The state now; None when the environment has no generator of Gymnasium's kind."""
    try:
        state = env.unwrapped.np_random.bit_generator.state
        if state["bit_generator"] != "PCG64":
            return None
        numbers = state["state"]
        return (
            int(numbers["state"]).to_bytes(16, "little")
            + int(numbers["inc"]).to_bytes(16, "little")
            + int(state["has_uint32"]).to_bytes(1, "little")
            + int(state["uinteger"]).to_bytes(4, "little")
        )
    except (AttributeError, KeyError, TypeError, OverflowError):
        return None


def restore_generator(env: Any, data: bytes) -> None:
    """Set the generator to that state; the next reset must be without a seed."""
    if len(data) != GENERATOR_BYTES:
        raise ValueError(f"The state of a generator has {GENERATOR_BYTES} bytes, this has {len(data)}")
    env.unwrapped.np_random.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": int.from_bytes(data[:16], "little"), "inc": int.from_bytes(data[16:32], "little")},
        "has_uint32": data[32],
        "uinteger": int.from_bytes(data[33:], "little"),
    }


def begin(env: Any, seed: int | None, generator: bytes) -> Any:
    """Reset as a recorded episode was reset: with its seed, or from its generator's state."""
    if generator:
        restore_generator(env, generator)
        return env.reset()
    return env.reset(seed=seed)
