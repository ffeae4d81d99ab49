"""Which packages a runner needs and does not have, in the Python that would run the work."""

from __future__ import annotations

from rl_lab.core.runners import OwnInterpreter, Requirement, RunnerSpec
from rl_lab.orchestrator.foreign.lab_python import is_installed
from rl_lab.orchestrator.foreign.own_pythons import is_whole, missing_modules
from rl_lab.portable.failures import known_package


def missing_requirements(spec: RunnerSpec) -> list[Requirement]:
    """Looked for without importing anything, in the Python that would run the work."""
    unmet = [r for r in spec.requirements if r.is_met is False]
    modules = [r for r in spec.requirements if r.is_met is None]
    if spec.interpreter is None:
        return unmet + [r for r in modules if not is_installed(r.module)]
    return unmet + _missing_in(spec.interpreter, spec.id, modules)


def _missing_in(
    interpreter: OwnInterpreter, runner_id: str, requirements: list[Requirement]
) -> list[Requirement]:
    python = interpreter.path
    if not is_whole(interpreter):
        remedy = (
            f"`rl-lab runners --prepare {runner_id}` makes it (about 1 GB), unless it is your own Python."
        )
        return [Requirement(module=f"its own Python at {python}", remedy=remedy, is_met=False)]
    absent = missing_modules(python, [r.module.partition(".")[0] for r in requirements])
    return [_into(python, r) for r in requirements if r.module.partition(".")[0] in absent]


def _into(python: str, requirement: Requirement) -> Requirement:
    """The same with the way into that Python, where the package is known."""
    package = known_package(requirement.module.partition(".")[0])
    remedy = f"Install it with: {python} -m pip install {package}" if package else requirement.remedy
    return Requirement(module=requirement.module, remedy=remedy)
