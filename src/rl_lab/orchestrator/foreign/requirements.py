"""Which packages a runner needs and does not have, in the Python that would run the work."""

from __future__ import annotations

from rl_lab.core.runners import OwnInterpreter, Requirement, RunnerSpec
from rl_lab.orchestrator.foreign.own_pythons import has_module, is_whole, missing_modules


def missing_requirements(spec: RunnerSpec) -> list[Requirement]:
    """Looked for without importing anything, in the Python that would run the work."""
    told = [r for r in spec.requirements if r.is_met is False]
    asked = [r for r in spec.requirements if r.is_met is None]
    if spec.interpreter is None:
        return told + [r for r in asked if not has_module(r.module)]
    return told + _missing_in(spec.interpreter, spec.id, asked)


def _missing_in(interpreter: OwnInterpreter, runner_id: str, asked: list[Requirement]) -> list[Requirement]:
    python = interpreter.path
    if not is_whole(interpreter):
        remedy = (
            f"`rl-lab runners --prepare {runner_id}` makes it (about 1 GB), where it is the lab's to make."
        )
        return [Requirement(module=f"its own Python at {python}", remedy=remedy, is_met=False)]
    absent = missing_modules(python, [r.module.partition(".")[0] for r in asked])
    return [
        Requirement(module=r.module, remedy=f"Install it with: {python} -m pip install {r.module}")
        for r in asked
        if r.module.partition(".")[0] in absent
    ]
