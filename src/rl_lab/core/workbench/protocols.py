"""Evaluation protocols: how a policy is measured, under a name, versioned by contents. Every score cites one."""

from __future__ import annotations

import hashlib
import json
import math
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.choices import Seed
from rl_lab.core.workbench.codes import WRITTEN, CodeChoice, CodeName

RETURN = "return"
"""What a protocol judges by, unless it names a number of its code."""
MAX_EPISODES = 100
MAX_ARGUMENT_BYTES = 10_000
ABOUT = {"description"}
"""What a protocol says about itself; no part of its contents."""

Passes = Literal["at_least", "at_most"]


class ProtocolContents(BaseModel):
    """What decides about a score. Equal contents are one version."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    env_id: str = Field(default="", max_length=200, description="The environment it is for; any when empty.")
    episodes: int = Field(
        default=20, ge=1, le=MAX_EPISODES, description="Number of episodes; one per seed, if seeds are given."
    )
    seeds: list[Seed] | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_EPISODES,
        description="One seed per episode; drawn from `base_seed` when absent.",
    )
    base_seed: Seed = Field(
        default=0, description="From which the episodes' seeds are drawn: the same for every run."
    )
    deterministic: bool = Field(default=True, description="Take the best action instead of sampling one.")
    env_kwargs: dict[str, Any] = Field(
        default={}, description="Arguments of the environment, in place of those of the run."
    )
    code: CodeChoice | None = Field(
        default=None, description="Evaluation code that computes further numbers of each episode."
    )
    threshold: float | None = Field(default=None, description="The mean from which on a policy passes.")
    judged_by: str = Field(
        default=RETURN,
        min_length=1,
        max_length=64,
        description="`return`, or the name of a number of the code.",
    )
    passes: Passes = Field(default="at_least", description="On which side of the threshold a policy passes.")
    description: str = Field(default="", max_length=2000, description="What it is for.")

    @model_validator(mode="before")
    @classmethod
    def _count_seeds(cls, data: Any) -> Any:
        """Without a number of episodes there is one per seed."""
        if isinstance(data, dict) and isinstance(data.get("seeds"), list):
            return {"episodes": len(data["seeds"]), **data}
        return data

    @model_validator(mode="after")
    def _check(self) -> ProtocolContents:
        if self.seeds is not None and len(self.seeds) != self.episodes:
            raise PydanticCustomError(
                "seeds",
                "{seeds} seeds are given for {episodes} episodes; each episode takes one",
                {"seeds": len(self.seeds), "episodes": self.episodes},
            )
        if self.judged_by != RETURN and self.code is None:
            raise PydanticCustomError(
                "judged_by",
                "“{name}” is a number of evaluation code; choose the code, too",
                {"name": self.judged_by},
            )
        _require_plain(self.env_kwargs)
        return self


def _require_plain(arguments: dict[str, Any]) -> None:
    try:
        size = len(json.dumps(arguments, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise PydanticCustomError(
            "env_kwargs", "the arguments of the environment must be plain JSON"
        ) from None
    if size > MAX_ARGUMENT_BYTES:
        raise PydanticCustomError(
            "env_kwargs",
            "the arguments of the environment have more than {most} characters",
            {"most": MAX_ARGUMENT_BYTES},
        )


def contents_hash(contents: ProtocolContents) -> str:
    """What it says about itself does not matter, nor the name of code whose contents are known."""
    unused = {"base_seed"} if contents.seeds else set()
    plain = contents.model_dump(mode="json", include=set(ProtocolContents.model_fields) - ABOUT - unused)
    if contents.code is not None and contents.code.sha256 is not None:
        plain["code"] = contents.code.sha256
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


class NewProtocol(ProtocolContents):
    """The body of a request that saves a protocol. The contents of an older version make no new one."""

    name: CodeName

    @model_validator(mode="after")
    def _check_that_seeds_differ(self) -> NewProtocol:
        """Sampled actions may differ from one episode to the other."""
        seeds = self.seeds or []
        again = next((seed for seed in seeds if seeds.count(seed) > 1), None)
        if again is not None and self.deterministic:
            raise PydanticCustomError(
                "seeds",
                "seed {seed} is given more than once; with the best actions its episode is the same each time",
                {"seed": again},
            )
        return self


class ProtocolVersion(ProtocolContents):
    """A protocol with fixed contents."""

    name: str
    version: int
    sha256: str = Field(description="Of its contents.")
    is_built_in: bool = Field(default=False, description="Part of the lab: it cannot be changed or deleted.")
    created_at: datetime | None = None

    def __str__(self) -> str:
        return self.name if self.is_built_in else f"{self.name}@v{self.version}"


class SavedProtocol(BaseModel):
    """One name with all its versions, newest first."""

    name: str
    versions: list[ProtocolVersion]
    is_built_in: bool = False


class CitedProtocol(BaseModel):
    """The protocol of one score. An evaluation keeps it, so that a score never changes its meaning."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    name: str | None = Field(
        default=None, description="None: the options of the evaluation, computed and unnamed."
    )
    version: int | None = None
    sha256: str = Field(description="Of its contents: scores with the same one can be compared.")
    text: str = Field(
        description="As a score cites it: protocol nightly@v2; 5 episodes, seeds of the run, best actions."
    )
    threshold: float | None = None
    judged_by: str = RETURN
    passes: Passes = "at_least"

    @property
    def short(self) -> str:
        """nightly@v2, or the options."""
        return self.text.removeprefix("protocol ")


class ProtocolVerdict(BaseModel):
    """Whether a policy passes the protocol that measured it."""

    judged_by: str
    threshold: float
    value: float | None = Field(description="The mean that was measured; null: it is missing.")
    passed: bool | None
    sentence: str


STANDARD = ProtocolVersion(
    name="standard-100",
    version=1,
    sha256=contents_hash(ProtocolContents(episodes=100)),
    episodes=100,
    description="100 episodes on seeds that are the same for every run, with the best action in each state.",
    is_built_in=True,
)
BUILT_IN: dict[str, ProtocolVersion] = {STANDARD.name: STANDARD}


def read_protocol_choice(written: str) -> tuple[str, int | None]:
    """Name and version as they are written: NAME or NAME@v2."""
    found = WRITTEN.fullmatch(written.strip())
    if found is None:
        raise InvalidInput.of_field("protocol", f"“{written}” is not a protocol; write NAME or NAME@v2.")
    version = found["version"]
    return found["name"].strip(), int(version) if version else None


def cite(protocol: ProtocolVersion) -> CitedProtocol:
    return CitedProtocol(
        name=protocol.name,
        version=None if protocol.is_built_in else protocol.version,
        sha256=protocol.sha256,
        text=f"protocol {protocol}",
        threshold=protocol.threshold,
        judged_by=protocol.judged_by,
        passes=protocol.passes,
    )


def judge_protocol(cited: CitedProtocol | None, means: dict[str, float]) -> ProtocolVerdict | None:
    """`means`: the mean return and those of the numbers, by name. None for a protocol without a threshold."""
    if cited is None or cited.threshold is None:
        return None
    value = means.get(cited.judged_by)
    value = value if value is not None and math.isfinite(value) else None
    is_least = cited.passes == "at_least"
    passed = None if value is None else value >= cited.threshold if is_least else value <= cited.threshold
    return ProtocolVerdict(
        judged_by=cited.judged_by,
        threshold=cited.threshold,
        value=value,
        passed=passed,
        sentence=_verdict(cited, value, passed),
    )


def _verdict(cited: CitedProtocol, value: float | None, passed: bool | None) -> str:
    wanted = f"{'at least' if cited.passes == 'at_least' else 'at most'} {cited.threshold:g}"
    if value is None:
        return f"Not judged: {cited.text} requires a mean {cited.judged_by} of {wanted}, and there is none."
    outcome = "Passed" if passed else "Not passed"
    return f"{outcome}: mean {cited.judged_by} {value:.4g}, {cited.text} requires {wanted}."
