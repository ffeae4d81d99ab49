"""Code that a user wrote in the lab, versioned by its contents: rewards, evaluation code, environments."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput
from rl_lab.core.models.names import ModelName
from rl_lab.core.workbench.code_kinds import FORMS, CodeKind

MAX_CODE_BYTES = 256 << 10
ADDRESS_WORDS = frozenset({"new", "check", "bench", "examples", "templates"})
"""What addresses of the API and of the page have where a name would be."""
MOST_SHOWN = 80
"""Characters of a wrong input that its message repeats."""


def _require_no_address(name: str) -> str:
    if name.lower() in ADDRESS_WORDS:
        message = "“{word}” already means something else in addresses; choose another word"
        raise PydanticCustomError("reserved_name", message, {"word": name})
    return name


CodeName = Annotated[ModelName, AfterValidator(_require_no_address)]


class CodeRemark(BaseModel):
    """Something to say about one line of the code."""

    line: int | None = None
    """From 1; None when it is about the whole file."""
    level: Literal["error", "warning", "info"] = "error"
    message: str

    @property
    def sentence(self) -> str:
        return self.message if self.line is None else f"Line {self.line}: {self.message}"


class CodeCheck(BaseModel):
    """What trying the code in a confined process has shown."""

    is_usable: bool
    remarks: list[CodeRemark] = []
    calls: int = 0
    calls_per_second: float | None = None
    slowdown: float | None = None
    """Share of a training's speed that it costs, measured against the environment's own steps: 0.4 = 40 %."""
    terms: list[str] = []
    """Names of the terms, if a reward returns several."""
    takes: list[str] = []
    """Arguments it asked for."""
    environment: Environment | None = None
    """Of an environment: its entry in the catalogue."""
    isolation: str = "confined"
    """As in `core.commands.Isolation`: how well this machine confines it."""


class CodeVersion(BaseModel):
    """Fixed contents."""

    kind: CodeKind
    name: str
    version: int
    sha256: str
    source: str
    note: str = ""
    check: CodeCheck | None = None
    """None: it was not tried yet."""
    used_by: int = 0
    """Trainings and evaluations that name these contents."""
    created_at: datetime


class Code(BaseModel):
    """One name with all its versions, newest first."""

    kind: CodeKind
    name: str
    env_id: str = ""
    """The environment it was written for; empty: any."""
    note: str = ""
    versions: list[CodeVersion]
    created_at: datetime
    updated_at: datetime


class NewCode(BaseModel):
    """The body of a request that saves code. The contents of an older version make no new one."""

    model_config = ConfigDict(extra="forbid")

    name: CodeName
    source: str = Field(description="The Python code.")
    env_id: str = Field(default="", max_length=200, description="The environment it is written for.")
    note: str = Field(default="", max_length=2000, description="What this version is about.")


class CodePatch(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: CodeName | None = None
    env_id: str | None = Field(default=None, max_length=200)
    note: str | None = Field(default=None, max_length=2000)


class CodeChoice(BaseModel):
    """The code that a run uses. Part of its configuration, so it names exact contents."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(max_length=64, description="Its name.")
    version: int | None = Field(default=None, ge=1, description="Its version; the newest one when absent.")
    sha256: str | None = Field(
        default=None, max_length=64, description="Hash of its contents; the lab fills it in."
    )

    def __str__(self) -> str:
        return self.name if self.version is None else f"{self.name}@v{self.version}"


class CodeQuestion(BaseModel):
    """Code to try, and the steps to try it on: recorded ones of runs, else random play in an environment."""

    model_config = ConfigDict(extra="forbid")

    source: str
    env_id: str = Field(default="", max_length=200, description="Environment for random play.")
    run_ids: list[str] = Field(
        default=[], max_length=8, description="Runs whose recorded steps it is tried on."
    )
    consent: str | None = Field(
        default=None,
        pattern="^[0-9a-f]{64}$",
        description="SHA-256 of the code: approval to run it on a machine that cannot confine it.",
    )


class CodeExample(BaseModel):
    """Working code to start from."""

    name: str
    title: str
    env_id: str
    """The environment it is written for; empty: any."""
    about: str
    source: str


class RunReward(BaseModel):
    """The reward that a training learns from: its own copy, which stays when the saved one is changed or deleted."""

    choice: CodeChoice
    source: str


WRITTEN = re.compile(r"(?P<name>[^@]{1,64})(@[vV]?(?P<version>[1-9][0-9]{0,8}))?")


def read_code_choice(written: str, kind: CodeKind, field: str | None = None) -> CodeChoice:
    """Saved code as it is written on the command line: NAME or NAME@v2; InvalidInput of `field`."""
    found = WRITTEN.fullmatch(written.strip())
    if found is None:
        shown = written if len(written) <= MOST_SHOWN else f"{written[:MOST_SHOWN]}…"
        raise InvalidInput.of_field(
            field or str(kind),
            f"“{shown}” is not a saved {FORMS[kind].noun}; write NAME or NAME@v2, with at most 64 characters in the "
            "name and versions from 1.",
        )
    version = found["version"]
    return CodeChoice(name=found["name"].strip(), version=int(version) if version else None)


def code_hash(source: str) -> str:
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
