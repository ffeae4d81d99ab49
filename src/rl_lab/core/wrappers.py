"""Wrappers of an environment: which there are, in which order they apply, and whether a list of them is valid.

They are the argument `wrappers` among the arguments of an environment, so they belong to every recording and replay:
`{"wrappers": [{"id": "time_limit", "steps": 200}, {"id": "frame_stack", "frames": 4}]}`. The first one is next to the
environment. None keeps anything from one episode to the next: an episode is still its seed and its actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rl_lab.core.errors import FieldError, InvalidInput, nearest
from rl_lab.core.own_environments import WRAPPERS
from rl_lab.core.words.validation_messages import plain_message

MAX_WRAPPERS = 16
CODE_NAME = r"^[A-Za-z0-9][\w .-]{0,63}(@v\d{1,6})?$"


class WrapperChoice(BaseModel):
    """One wrapper; the docstring of each class is what a form shows."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    id: str


class EpisodeLimit(WrapperChoice):
    """Truncates an episode after this many steps. As the first one it replaces the environment's own limit."""

    id: Literal["time_limit"]
    steps: int = Field(default=500, ge=1, le=10_000_000, description="Steps of the longest episode.")


class RepeatedActions(WrapperChoice):
    """Plays each action several times and sums the rewards."""

    id: Literal["action_repeat"]
    times: int = Field(default=4, ge=2, le=100, description="How often each action is played.")


class StickyActions(WrapperChoice):
    """Plays the previous action again with this probability, drawn from the environment's own generator."""

    id: Literal["sticky_actions"]
    probability: float = Field(
        default=0.25, gt=0, lt=1, description="How often the previous action is repeated."
    )


class StackedFrames(WrapperChoice):
    """Observes the last observations together; vectors are joined to one longer vector."""

    id: Literal["frame_stack"]
    frames: int = Field(default=4, ge=2, le=32, description="How many observations are seen at once.")


class NormalisedObservations(WrapperChoice):
    """Scales observations to −1 … 1 by the bounds of their space, or by a mean and a deviation given here.

    Means that change while learning are a parameter of the learner (normalize_observations), not a wrapper: with them
    an episode would no longer be its seed and its actions.
    """

    id: Literal["normalise_observations"]
    mean: list[float] | None = Field(
        default=None, max_length=4096, description="Subtracted from each number."
    )
    deviation: list[Annotated[float, Field(gt=0)]] | None = Field(
        default=None, max_length=4096, description="Each number is divided by it."
    )


class ClippedObservations(WrapperChoice):
    """Clips each number of an observation."""

    id: Literal["clip_observations"]
    low: float = Field(default=-10.0, description="Smallest value.")
    high: float = Field(default=10.0, description="Largest value.")


class ClippedReward(WrapperChoice):
    """Clips each reward. The environment's return is then the sum of clipped rewards."""

    id: Literal["clip_reward"]
    low: float = Field(default=-1.0, description="Smallest reward.")
    high: float = Field(default=1.0, description="Largest reward.")


class ScaledReward(WrapperChoice):
    """Multiplies each reward."""

    id: Literal["scale_reward"]
    factor: float = Field(default=0.1, description="What each reward is multiplied by.")


class ClippedActions(WrapperChoice):
    """Clips continuous actions to the bounds of their space."""

    id: Literal["clip_actions"]


class RescaledActions(WrapperChoice):
    """The policy acts between −1 and 1; its actions are scaled to the bounds of the space."""

    id: Literal["rescale_actions"]


class GreyPictures(WrapperChoice):
    """Turns pictures to grey."""

    id: Literal["grayscale"]


class SmallerPictures(WrapperChoice):
    """Makes pictures smaller."""

    id: Literal["resize"]
    width: int = Field(default=84, ge=8, le=1024, description="Pixels.")
    height: int = Field(default=84, ge=8, le=1024, description="Pixels.")


class FlatObservations(WrapperChoice):
    """Turns nested or multi-dimensional observations into one vector."""

    id: Literal["flatten"]


class CustomWrapper(WrapperChoice):
    """A wrapper class of your own, from code saved as an environment: it runs confined, as that environment does."""

    id: Literal["custom"]
    code: str = Field(pattern=CODE_NAME, description="Name of the saved code, NAME or NAME@v2.")
    wrapper: str = Field(default="", max_length=100, description="The class, where the code has several.")


KINDS: tuple[type[WrapperChoice], ...] = (
    EpisodeLimit,
    RepeatedActions,
    StickyActions,
    StackedFrames,
    NormalisedObservations,
    ClippedObservations,
    ClippedReward,
    ScaledReward,
    ClippedActions,
    RescaledActions,
    GreyPictures,
    SmallerPictures,
    FlatObservations,
    CustomWrapper,
)
BY_ID: dict[str, type[WrapperChoice]] = {
    kind.model_fields["id"].annotation.__args__[0]: kind  # type: ignore[union-attr]
    for kind in KINDS
}


class WrapperInfo(BaseModel):
    """A wrapper as a form offers it."""

    id: str
    title: str
    description: str
    params_schema: dict[str, Any]


def list_wrappers() -> list[WrapperInfo]:
    return [_info(name, kind) for name, kind in BY_ID.items()]


def _info(name: str, kind: type[WrapperChoice]) -> WrapperInfo:
    schema = kind.model_json_schema()
    schema["properties"] = {key: field for key, field in schema["properties"].items() if key != "id"}
    schema["required"] = [key for key in schema.get("required", []) if key != "id"]
    text = " ".join((kind.__doc__ or "").split())
    title = name.replace("_", " ").capitalize()
    return WrapperInfo(id=name, title=title, description=text, params_schema=schema)


def read_wrappers(env_kwargs: Mapping[str, Any]) -> list[WrapperChoice]:
    """Those among the arguments of an environment, checked; InvalidInput names each wrong one by its place."""
    given = env_kwargs.get(WRAPPERS, [])
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise InvalidInput.of_field("env_kwargs.wrappers", "It must be a list.")
    if len(given) > MAX_WRAPPERS:
        raise InvalidInput.of_field("env_kwargs.wrappers", f"At most {MAX_WRAPPERS} wrappers are applied.")
    errors: list[FieldError] = []
    found = [_read(errors, f"env_kwargs.wrappers.{place}", one) for place, one in enumerate(given)]
    if errors:
        raise InvalidInput.of_fields(errors)
    return [one for one in found if one is not None]


def without_wrappers(env_kwargs: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in env_kwargs.items() if name != WRAPPERS}


def _read(errors: list[FieldError], field: str, given: Any) -> WrapperChoice | None:
    name = given.get("id") if isinstance(given, Mapping) else None
    kind = BY_ID.get(name) if isinstance(name, str) else None
    if kind is None:
        close = nearest(str(name), BY_ID, 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        errors.append(
            FieldError(field=field, message=f"There is no wrapper “{name}”.{hint}", allowed=list(BY_ID))
        )
        return None
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        errors.extend(
            FieldError(field=".".join([field, *map(str, one["loc"])]), message=plain_message(one))
            for one in error.errors()
        )
        return None


def describe_wrapper(given: Mapping[str, Any]) -> str:
    """`frame_stack(frames=4)`, for lists and logs."""
    values = ", ".join(
        f"{name}={value}" for name, value in given.items() if name != "id" and value is not None
    )
    return f"{given.get('id')}({values})" if values else str(given.get("id"))
