"""The runs in the Parquet files of a folder that Neptune's exporter wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rl_lab.analysis.adoption import neptune_files as n
from rl_lab.portable.regular_files import open_regular

OnProblem = Callable[[str], None]


def runs_in_exports(path: str, names: Sequence[str], on_problem: OnProblem) -> Iterator[str | None]:
    """Each run as its file and its name there; None before those of each file, so that the caller can do other things.

    Parquet files of other tools are passed over; files of the export that cannot be read are reported.
    """
    for first, parts in n.group_parts(names).items():
        problems: list[str] = []
        exported = [name for name in parts if _is_exported(f"{path}/{name}", problems)]
        if exported and not n.is_installed():
            on_problem(f"{path}: {n.NOT_INSTALLED}")
            return
        if exported and first not in parts:
            problems.append(
                f"{path}/{first}: this first part of an export is missing; the others were left out."
            )
            exported = []
        runs = {run for name in exported for run in _find_runs(f"{path}/{name}", problems)}
        # Parts of a run that cannot be read are reported when the run is read.
        for problem in () if runs else problems:
            on_problem(problem)
        if len(runs) > n.MAX_RUNS:
            on_problem(f"{path}/{first}: it holds more than {n.MAX_RUNS:,} runs; the rest was left out.")
        yield None
        yield from [f"{path}/{first}#{run}" for run in sorted(runs)[: n.MAX_RUNS]]
        _report_gap(path, first, parts, on_problem)


def _report_gap(path: str, first: str, parts: Sequence[str], on_problem: OnProblem) -> None:
    missing = next(
        (name for name, _ in zip(n.part_names(first), parts, strict=False) if name not in parts), None
    )
    if missing is not None and missing != first:
        on_problem(f"{path}/{missing}: this part of an export is missing; those after it were left out.")


def _is_exported(path: str, problems: list[str]) -> bool:
    try:
        with open_regular(path) as file:
            if n.is_neptune(file):
                return True
            file.seek(0)
            if n.PART.fullmatch(Path(path).name) and n.find_footer(file) is None:
                problems.append(f"{path}: {n.DAMAGED}")
    except OSError as error:
        problems.append(f"{path}: {error.strerror or error}; it was left out.")
    return False


def _find_runs(path: str, problems: list[str]) -> list[str]:
    try:
        with open_regular(path) as file:
            return n.find_runs(file)
    except OSError as error:
        problems.append(f"{path}: {error.strerror or error}; it was left out.")
        return []
