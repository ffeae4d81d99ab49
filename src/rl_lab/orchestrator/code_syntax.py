"""The syntax of user code: short code is parsed here, long code in a worker.

Python's parser lets no other thread run, and takes seconds for some texts that are within the accepted size.
"""

from __future__ import annotations

from rl_lab.core.errors import FieldError, InvalidInput, WorkerFailed
from rl_lab.core.workbench.code_files import check_code, split_files
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeRemark
from rl_lab.core.workbench.syntax import check_size
from rl_lab.orchestrator.worker_calls import call_worker

SHORT_BYTES = 16 << 10
"""Parsed in at most some hundredths of a second."""
LONGEST_S = 15.0


async def find_remarks(source: str, kind: CodeKind) -> list[CodeRemark]:
    """What is wrong with the code; empty when it can be tried. InvalidInput when it cannot be cut into files."""
    remarks = check_size(source)
    if remarks:
        return remarks
    if kind is CodeKind.environment:
        split_files(source)  # its errors are those of a request, not of a worker
    if len(source.encode()) <= SHORT_BYTES:
        return check_code(source, kind)
    return await _ask_worker(source, kind)


async def require_syntax(source: str, kind: CodeKind, field: str = "source") -> None:
    """InvalidInput with one error per remark, each with its line."""
    remarks = await find_remarks(source, kind)
    if remarks:
        raise InvalidInput.of_fields([FieldError(field=field, message=one.sentence) for one in remarks])


async def _ask_worker(source: str, kind: CodeKind) -> list[CodeRemark]:
    question = {"source": source, "kind": kind}
    try:
        found = await call_worker("check_syntax", question, timeout_s=LONGEST_S)
    except WorkerFailed as error:
        return [CodeRemark(message=f"{error.detail} Make it shorter, or less nested.")]
    return [CodeRemark.model_validate(one) for one in found]
