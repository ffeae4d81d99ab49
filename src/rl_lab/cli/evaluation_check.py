"""Evaluation code is tried on recorded episodes before it measures new ones; what is wrong with it is printed first."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rl_lab.cli.arguments.code_argument import address_of, compiler_lines, get_version
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

GOES_ON = "The evaluation runs all the same, without the numbers of this code where it fails."


def show_evaluation_check(
    client: LabClient, run_id: str, choice: dict[str, Any] | None, protocol: str | None
) -> None:
    """`choice`: the code that was named; otherwise that of the protocol, if it has one.

    It does not refuse: code may fail on the episodes there are, and measure those of a better policy.
    """
    from rl_lab.core.errors import LabError, NotReady, WorkerFailed
    from rl_lab.core.workbench.code_kinds import CodeKind
    from rl_lab.core.workbench.codes import CodeCheck, CodeChoice

    choice = choice or _code_of(client, protocol)
    if choice is None:
        return
    written = str(CodeChoice.model_validate(choice))
    source = get_version(client, CodeKind.evaluation, written)["source"]
    try:
        address = f"{address_of(CodeKind.evaluation)}/check"
        found = CodeCheck.model_validate(client.post(address, {"source": source, "run_ids": [run_id]}))
    except LabError as error:
        if error.status not in (NotReady.status, WorkerFailed.status):
            raise
        print(f"{written} was not tried before. {error.detail}", file=sys.stderr)
        return
    lines = compiler_lines([one for one in found.remarks if one.level != "info"], written, source)
    if lines:
        print("\n".join([*lines, *([] if found.is_usable else [GOES_ON])]), file=sys.stderr)


def _code_of(client: LabClient, protocol: str | None) -> dict[str, Any] | None:
    from rl_lab.core.workbench.protocols import read_protocol_choice

    if protocol is None:
        return None
    name, version = read_protocol_choice(protocol)
    saved = client.get(f"/api/protocols/{quote(name, safe='')}")["versions"]
    chosen = next((one for one in saved if version in (None, one["version"])), None)
    return chosen["code"] if chosen is not None else None
