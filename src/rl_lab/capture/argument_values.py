"""The settings of a script with the values it uses: what parsers returned is read again when it begins to train.

Many scripts compute settings after parsing (`args.batch_size = args.num_envs * args.num_steps`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rl_lab.capture.to_json import plain_arguments

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

TOTALS = (
    "total_timesteps",
    "total_env_steps",
    "total_steps",
    "total_frames",
    "num_timesteps",
    "n_timesteps",
    "max_timesteps",
    "num_env_steps",
    "max_env_steps",
    "max_training_timesteps",
    "max_train_steps",
    "num_train_steps",
    "total_training_steps",
    "total_num_steps",
    "timesteps",
    "num_frames",
    "max_frames",
    "max_steps",
)
"""Names that scripts use for the length of a training, those with one meaning first."""
MAX_SOURCES = 20


class Arguments:
    def __init__(self, session: CaptureSession) -> None:
        self._session = session
        self._sources: list[Any] = []
        self._values: dict[str, Any] = {}

    def add(self, arguments: Any) -> None:
        """Settings of the script, as they are now; the object is read again later."""
        values = plain_arguments(arguments)
        if not values:
            return
        if len(self._sources) < MAX_SOURCES and not isinstance(arguments, dict):
            self._sources.append(arguments)
        self._report(values)

    def add_model(self, algorithm: str, settings: Mapping[str, Any]) -> None:
        """Settings of a model that the script made; its own arguments of the same name keep theirs."""
        values: dict[str, Any] = {"algorithm": algorithm, **settings}
        for name in list(values):
            if self._values.get(name, values[name]) != values[name]:
                values[f"{algorithm}.{name}"] = values.pop(name)
        self._report(values)

    def read_again(self) -> None:
        """When the script begins to train, and at its end if it never did."""
        sources, self._sources = self._sources, []
        values: dict[str, Any] = {}
        for source in sources:
            values |= plain_arguments(source)
        if values:
            self._report(values)

    def _report(self, values: dict[str, Any]) -> None:
        self._values |= values
        session = self._session
        session.set_total(find_total(self._values), is_guess=True)
        seed = self._values.get("seed")
        is_seed = type(seed) is int and 0 <= seed < 2**31
        session.report_config(args=dict(self._values), seed=seed if is_seed else None)


def find_total(values: Mapping[str, Any]) -> int | None:
    """The length of the training, by its usual names; also inside nested settings (Hydra)."""
    found: dict[str, int] = {}
    for name, value in _leaves(values):
        is_whole = type(value) is int or (type(value) is float and value.is_integer())
        if name in TOTALS and is_whole and value > 0:
            found.setdefault(name, int(value))
    return next((found[name] for name in TOTALS if name in found), None)


def _leaves(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Outer entries before inner ones."""
    inner = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            inner.append(value)
        else:
            yield str(name).rpartition(".")[2].lower().replace("-", "_"), value
    for one in inner:
        yield from _leaves(one)
