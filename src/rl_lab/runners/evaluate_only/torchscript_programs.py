"""A TorchScript program as a policy. Loading it runs its code, so it happens in a confined process only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.runners.evaluate_only.acting import CHOOSE, Interface
from rl_lab.worker.runner import Decision


def load_policy(checkpoint: Path, env_id: str, env_kwargs: dict[str, Any]) -> TorchScriptPolicy:
    require_confined()
    return TorchScriptPolicy(checkpoint, Interface(env_id, env_kwargs))


def require_confined() -> None:
    """NotReady in a process that could do more than the program may; a second lock behind the lab's own."""
    try:
        about = dict(
            line.split(":\t", 1)
            for line in Path("/proc/self/status").read_text().splitlines()
            if ":\t" in line
        )
    except OSError:
        about = {}
    if about.get("NoNewPrivs") != "1" or about.get("Seccomp") != "2":
        raise NotReady(
            "A TorchScript program is loaded in a confined process only, and this one is not.",
            cause="not-confined",
            next_step="Use Linux 5.13 or newer with Landlock, or import the model as ONNX.",
        )


class TorchScriptPolicy:
    def __init__(self, path: Path, interface: Interface) -> None:
        import torch

        torch.set_num_threads(1)
        self._interface = interface
        try:
            self._program = torch.jit.load(str(path), map_location="cpu").eval()
        except Exception as error:  # a damaged archive fails in any way
            raise InvalidInput(f"The program cannot be loaded: {_first(error)}") from None

    def act(self, observation: Any, deterministic: bool) -> Decision:
        """The program decides alone: `deterministic` makes no difference."""
        import torch

        batch = torch.from_numpy(self._interface.batch(observation))
        try:
            with torch.no_grad():
                found = self._program(batch)
        except Exception as error:
            raise InvalidInput(
                f"The program failed on an observation: {_first(error)}", next_step=CHOOSE
            ) from None
        while isinstance(found, tuple | list) and found:
            found = found[0]
        if not isinstance(found, torch.Tensor):
            raise InvalidInput("The program gives no tensor, so it is not a policy.", next_step=CHOOSE)
        return self._interface.decision(found.numpy())

    def try_out(self) -> None:
        """Raises when it does not fit the environment."""
        self.act(self._interface.sample(), deterministic=True)


def _first(error: Exception) -> str:
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    return lines[-1][:200] if lines else type(error).__name__
