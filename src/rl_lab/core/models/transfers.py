"""A Transfer moves a model between the lab and the Hugging Face Hub: a push or a pull, with its progress."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from rl_lab.core.models.imports import MAX_MODEL_BYTES
from rl_lab.core.models.packages import LicenceId

MAX_REPO = 96
REPO = r"^[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9][A-Za-z0-9_.-]*$"
ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/([\w.-]{1,96}/[\w.-]{1,96})/?")
"""A page of the Hub; the name of its repository is in it."""


def find_repo(text: str) -> str | None:
    """user/name, also from the address of its page; None if it is neither."""
    address = ADDRESS.fullmatch(text.strip())
    name = address[1] if address else text.strip()
    return name if len(name) <= MAX_REPO and re.match(REPO, name) else None


def _require_repo(text: str) -> str:
    name = find_repo(text)
    if name is None:
        words = "“{name}” is not the name of a repository: write {example}, with letters, digits, dots and dashes."
        address = ADDRESS.match(text.strip())
        shown = {"name": text.strip()[:MAX_REPO], "example": address[1] if address else "user/name"}
        raise PydanticCustomError("repo_name", words, shown)
    return name


RepoName = Annotated[
    str,
    AfterValidator(_require_repo),
    WithJsonSchema({"type": "string", "pattern": REPO, "maxLength": MAX_REPO}),
]
"""user/name, as the Hub's addresses have it."""

TransferKind = Literal["push", "pull"]
TransferState = Literal[
    "waiting", "evaluating", "packaging", "transferring", "done", "failed", "cancelled", "interrupted"
]
ENDED: frozenset[TransferState] = frozenset({"done", "failed", "cancelled", "interrupted"})

MAX_PULL_BYTES = MAX_MODEL_BYTES
MAX_PULL_FILES = 50
MODEL_SUFFIXES = frozenset({".zip", ".safetensors", ".onnx", ".pt", ".cleanrl_model"})
PULLED_SUFFIXES = MODEL_SUFFIXES | {".json", ".md", ".pkl"}
"""Files of a repository that an import can use; nothing else is downloaded."""


class NewPush(BaseModel):
    """Which model goes where."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    checkpoint: str = Field(max_length=64, description="Artifact id of the checkpoint.")
    repo: RepoName = Field(description="Repository on the Hub: user/name. Created if it does not exist.")
    private: bool = Field(default=False, description="Of a new repository: visible to its owner only.")
    message: str = Field(default="", max_length=200, description="Message of the commit.")
    video: bool = Field(
        default=True,
        description="With the newest video of an evaluation; if there is none, an evaluation makes one.",
    )
    licence: LicenceId | None = Field(default=None, description="As in the settings if absent.")
    author: str | None = Field(default=None, max_length=200, description="As in the settings if absent.")


class NewPull(BaseModel):
    """Which repository comes from the Hub."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    repo: RepoName = Field(description="Repository on the Hub: user/name.")
    revision: str | None = Field(
        default=None,
        max_length=100,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_./-]*$",
        description="Branch, tag or commit; the newest commit of the main branch if absent.",
    )
    file: str | None = Field(
        default=None, max_length=300, description="Which model file, where the repository holds several."
    )


class Transfer(BaseModel, frozen=True):
    """A push or a pull; the lab remembers the newest ones until it is closed, and interrupted ones beyond that."""

    id: str
    kind: TransferKind
    repo: str
    state: TransferState = "waiting"
    message: str = Field(default="", description="What it is doing, or why it ended.")
    next_step: str | None = None
    done_bytes: int = 0
    total_bytes: int = 0
    notes: list[str] = Field(default=[], description="What is not as asked for, and why.")
    url: str | None = Field(default=None, description="Address of the repository, once known.")
    commit: str | None = None
    checkpoint: str | None = Field(default=None, description="Of a push: artifact id.")
    upload: str | None = Field(default=None, description="Of a pull that is done: id of the files to import.")
    created_at: datetime
    ended_at: datetime | None = None


class TransferList(BaseModel, frozen=True):
    items: list[Transfer] = Field(description="Newest first.")
