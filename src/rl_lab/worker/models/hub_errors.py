"""Failures of the Hugging Face Hub and of the way there, as messages with a next step; none contains a token."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from rl_lab.core.errors import (
    Forbidden,
    InvalidInput,
    LabError,
    NotFound,
    NotReady,
    StorageFull,
    Unauthorised,
)

SIGN_IN = (
    "Sign in with `hf auth login`, or start the lab with the variable HF_TOKEN. "
    "Tokens are made at https://huggingface.co/settings/tokens."
)
AGAIN = "Try again: files that have arrived are not sent twice."
_TOKEN = re.compile(r"hf_[A-Za-z0-9]{4,}|Bearer\s+\S+")
TOO_LARGE_FILE = 27
"""errno EFBIG: the limit of the process, set to the size that the repository declared."""


def no_token() -> LabError:
    return Unauthorised("There is no token for the Hugging Face Hub.", next_step=SIGN_IN)


def explain_hub(error: BaseException, repo: str, endpoint: str) -> LabError | None:
    """The first failure in the chain of causes that has an explanation; None for an error of our own."""
    for one in _causes(error):
        if isinstance(one, LabError):
            return one
        found = _by_status(one, repo) or _by_kind(one, repo, endpoint)
        if found is not None:
            return found
    return None


def without_tokens(text: str) -> str:
    return _TOKEN.sub("…", text)


def _causes(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _by_status(error: BaseException, repo: str) -> LabError | None:
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is None:
        return None
    names = {kind.__name__ for kind in type(error).__mro__}
    if "GatedRepoError" in names:
        return Forbidden(
            f"{repo} is gated: its owner must grant access.", next_step=f"Ask at huggingface.co/{repo}."
        )
    if "RevisionNotFoundError" in names:
        return NotFound(
            f"{repo} has no such revision.",
            next_step="Leave --revision out, or name a branch, tag or commit.",
        )
    if "RepositoryNotFoundError" in names and status in (401, 404):
        return NotFound(
            f"There is no repository {repo} on the Hub, or it is private and you may not read it.",
            next_step=f"Check the name. {SIGN_IN}",
        )
    return _plain_status(int(status), repo, without_tokens(str(getattr(error, "server_message", "") or "")))


def _plain_status(status: int, repo: str, said: str) -> LabError:
    why = f" It said: {said[:200]}." if said else ""
    if status == 401:
        return Unauthorised("The Hugging Face Hub did not accept the token.", next_step=SIGN_IN)
    if status == 403:
        return Forbidden(
            f"The token may not write to {repo}.{why}",
            next_step="Use a token with write permission, and a repository of your own account or organisation.",
        )
    if status == 404:
        return NotFound(f"The Hub has no {repo}.{why}", next_step="Check the name of the repository.")
    if status == 409:
        return NotReady(f"{repo} was changed at the same time.{why}", next_step="Push again.")
    if status == 429:
        return NotReady("The Hub takes no more requests for now.", next_step="Try again in some minutes.")
    if status >= 500:
        return NotReady(f"The Hub has a problem (status {status}).{why}", next_step=AGAIN)
    return NotReady(
        f"The Hub refused the request (status {status}).{why}", next_step="Check the name of the repository."
    )


def _by_kind(error: BaseException, repo: str, endpoint: str) -> LabError | None:
    names = {kind.__name__ for kind in type(error).__mro__}
    host = urlsplit(endpoint).hostname or endpoint
    if "OfflineModeIsEnabled" in names:
        return NotReady(
            "HF_HUB_OFFLINE is set, so the Hub is not asked.", cause="no-connection", next_step="Unset it."
        )
    if "HFValidationError" in names:
        return InvalidInput.of_field("repo", f"“{repo}” is not the name of a repository; write user/name.")
    if "TimeoutException" in names and "ConnectTimeout" not in names:
        return NotReady(f"{host} did not answer in time.", cause="no-connection", next_step=AGAIN)
    if names & {"ConnectError", "ConnectTimeout"}:
        return NotReady(
            f"{host} cannot be reached.",
            cause="no-connection",
            next_step="Check the network, the proxy, and HF_ENDPOINT if it is set.",
        )
    if "TransportError" in names:
        return NotReady(f"The connection to {host} was cut.", cause="no-connection", next_step=AGAIN)
    if isinstance(error, OSError) and error.errno == TOO_LARGE_FILE:
        return NotReady(f"A file of {repo} is larger than the repository declares, so it was not kept.")
    if isinstance(error, OSError) and error.errno == 28:
        return StorageFull(
            "The disk is full, so the download was not finished.", next_step="Free some space."
        )
    return None
