"""An object that accepts every use and does nothing, for the parts of wandb that the lab does not capture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession


class IgnoredCall:
    """Accepts every use and does nothing; a call is logged once."""

    def __init__(self, name: str, session: CaptureSession) -> None:
        self._name = name
        self._session = session

    def __call__(self, *args: Any, **kwargs: Any) -> IgnoredCall:
        self._session.log_once(
            "not_captured", f"{self._name} is ignored: the lab does not capture it.", level="info"
        )
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return IgnoredCall(f"{self._name}.{name}", self._session)

    def __enter__(self) -> IgnoredCall:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __getitem__(self, key: Any) -> IgnoredCall:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        return None
