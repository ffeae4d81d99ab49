"""An object that accepts every use and does nothing: parts of wandb that the lab does not capture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.session import Session


class Nothing:
    """Takes every use and does nothing."""

    def __init__(self, name: str, session: Session) -> None:
        self._name = name
        self._session = session

    def __call__(self, *args: Any, **kwargs: Any) -> Nothing:
        self._session.say_once(
            "not_captured", f"{self._name} is accepted and does nothing here.", level="info"
        )
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing(f"{self._name}.{name}", self._session)

    def __enter__(self) -> Nothing:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __getitem__(self, key: Any) -> Nothing:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        return None
