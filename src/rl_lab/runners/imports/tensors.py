"""State dicts in files of torch, read as tensors only; anything else in them is refused."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any, BinaryIO

from rl_lab.runners.imports.files import open_zip
from rl_lab.runners.imports.refusals import refused

MAX_PARAMETERS = 500_000_000
ZIP = b"PK\x03\x04"
LEGACY = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
"""How a file of torch before 1.6 begins."""
GLOBAL = re.compile(r"GLOBAL ([\w.]+)")


def read_torch(file: Path | BinaryIO, name: str) -> Any:
    """What torch saved, if it consists of tensors, numbers, texts and containers."""
    import torch

    data = file.read_bytes() if isinstance(file, Path) else file.read()
    if data.startswith(ZIP):
        with open_zip(io.BytesIO(data), name):
            pass
    elif not data.startswith(LEGACY):
        raise refused(f"“{name}” was not written by torch.")
    try:
        return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except MemoryError:
        raise refused(f"“{name}” asks for more memory than a model has.") from None
    except Exception as error:  # torch raises many kinds for a damaged file
        raise refused(*_why(error, name)) from None


def _why(error: Exception, name: str) -> tuple[str, str]:
    named = GLOBAL.search(str(error))
    if named is None and "Unsupported" not in str(error) and "WeightsUnpickler" not in str(error):
        return (
            f"“{name}” is damaged: {str(error).splitlines()[0].split('. ')[0][:200]}.",
            "Get the file again.",
        )
    what = f" ({named.group(1)})" if named else ""
    return (
        f"“{name}” holds other objects than tensors{what}, which would run code when loaded. Nothing was loaded.",
        "Save the tensors only: torch.save(model.state_dict(), FILE).",
    )


def only_state_dict(found: Any, name: str) -> Any:
    """The one state dict that a dict holds next to steps and the state of an optimiser; else what is given."""
    import torch

    inner = found if isinstance(found, dict) else {}
    held = {
        str(key): value
        for key, value in inner.items()
        if isinstance(value, dict) and value and all(isinstance(one, torch.Tensor) for one in value.values())
    }
    if len(held) > 1:
        raise refused(
            f"“{name}” holds the weights of several networks: {', '.join(list(held)[:5])}.",
            "Save the one that acts: torch.save(actor.state_dict(), FILE).",
        )
    return next(iter(held.values()), found)


def require_state_dict(found: Any, name: str) -> dict[str, Any]:
    """Tensors by name: finite, and not absurdly large."""
    import torch

    if not isinstance(found, dict) or not found:
        raise refused(f"“{name}” holds no tensors by name.", "Save a state dict: model.state_dict().")
    total = 0
    for key, tensor in found.items():
        if not isinstance(key, str) or not isinstance(tensor, torch.Tensor):
            raise refused(
                f"“{name}” holds more than tensors: “{key}”.", "Save a state dict: model.state_dict()."
            )
        total += tensor.numel()
        if total > MAX_PARAMETERS or tensor.is_sparse or tensor.is_quantized or tensor.is_meta:
            raise refused(f"The tensor “{key}” of “{name}” is too large or of an unusual kind.")
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
            raise refused(
                f"The weights “{key}” of “{name}” hold NaN or infinity; such a policy cannot act.",
                "Use an earlier checkpoint of that training.",
            )
    return {key: tensor.detach().to(torch.float32, copy=True) for key, tensor in found.items()}
