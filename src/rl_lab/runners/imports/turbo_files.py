"""A turbo checkpoint of another machine: safetensors with JSON, checked and written anew."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.imports.found_models import FoundModel
from rl_lab.runners.imports.refusals import refused

MAX_HEADER_BYTES = 64 << 20
KEY = "rl_lab"


def is_safetensors(head: bytes) -> bool:
    """A length of eight bytes, then JSON."""
    return len(head) > 8 and head[8:9] == b"{"


def read_turbo(path: Path, name: str) -> FoundModel:
    """What the header says; the tensors are read when the environment is known."""
    with path.open("rb") as file:
        length = struct.unpack("<Q", file.read(8))[0]
        if length > min(MAX_HEADER_BYTES, path.stat().st_size - 8):
            raise refused(f"“{name}” is damaged: its header would have {length:,} bytes.")
        try:
            header = json.loads(file.read(length))
            about = json.loads(header["__metadata__"][KEY])
            env = about["env"]
            return FoundModel(
                "turbo",
                str(about["algorithm"]),
                observation=(int(env["observation_size"]),),
                action_size=int(env["action_size"]),
                is_discrete=bool(env["is_discrete"]),
                env_id=str(env["env_id"])[:200],
                timesteps=max(0, int(about["state"].get("timesteps") or 0)),
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise refused(
                f"“{name}” holds tensors, but is no turbo checkpoint of RL Lab.",
                "Import a checkpoint of a turbo run, or export the policy as ONNX.",
            ) from None


def convert_turbo(
    path: Path, name: str, env_id: str, env_kwargs: dict[str, Any], target: Path
) -> dict[str, Any]:
    """Writes it anew for the environment of this machine; returns the parameters of its run."""
    import numpy as np

    from rl_lab.runners.turbo.checkpoints import Header, read_checkpoint, write_checkpoint
    from rl_lab.runners.turbo.envs import describe
    from rl_lab.runners.turbo.playing import TurboPolicy, network_of
    from rl_lab.runners.turbo.runner import TurboRunner

    try:
        header, state = read_checkpoint(path)
        params = TurboRunner.spec.algorithm(header.algorithm).params.model_validate(header.params)
        env = describe(env_id, env_kwargs)
        _require_same(header.env, env)
        weights = np.asarray(state["parameters"])
        if not np.isfinite(weights).all():
            raise refused(f"The weights of “{name}” hold NaN or infinity; such a policy cannot act.")
        checked = Header(header.algorithm, params.model_dump(mode="json"), env, header.version)
        if network_of(checked, state).shape.size != weights.size:
            raise refused(f"“{name}” holds {weights.size:,} weights, which is not what its own settings say.")
        TurboPolicy(checked, state)
        write_checkpoint(target, checked, state)
    except InvalidInput:
        raise
    except MemoryError:
        raise refused(f"“{name}” asks for more memory than a model has.") from None
    except Exception as error:  # a header that lies fails in any way
        raise refused(
            f"“{name}” is damaged: {str(error).splitlines()[0][:200] or type(error).__name__}"
        ) from None
    return params.model_dump(mode="json")


def _require_same(theirs: Any, ours: Any) -> None:
    for field in ("observation_size", "action_size", "is_discrete", "n_states"):
        if getattr(theirs, field) != getattr(ours, field):
            raise refused(
                f"The model does not fit {ours.env_id}: it takes {theirs.observation_size} numbers and gives "
                f"{theirs.action_size} {'discrete actions' if theirs.is_discrete else 'numbers'}; {ours.env_id} has "
                f"{ours.observation_size} and {ours.action_size} {'discrete' if ours.is_discrete else 'continuous'}.",
                "Name the environment that it was trained in: `--env ID`.",
            )
