"""What a reward costs of a training's speed: the learner waits while steps are scored, so that time is added. Pure."""

from __future__ import annotations

from rl_lab.core.lengths.speeds import Speed
from rl_lab.core.workbench.codes import CodeCheck, CodeRemark

NOTICED = 0.3
"""Share of the speed from which a warning is worth reading."""


def with_cost(check: CodeCheck, speed: Speed | None = None) -> CodeCheck:
    """The check with `slowdown` and, where that is much, a warning.

    `speed`: of the training without this reward. Without it only the environment's own steps are known, so that the
    learner's time does not count.
    """
    found = check.slowdown if speed is None else _slowdown(check, speed)
    remarks = list(check.remarks)
    if found is not None and found >= NOTICED:
        remarks.append(CodeRemark(level="warning", message=_warning(found, speed)))
    return check.model_copy(update={"slowdown": found, "remarks": remarks})


def cost_sentence(check: CodeCheck) -> str | None:
    """For a training: what is not worth a warning; None where nothing was measured."""
    if check.slowdown is None or check.slowdown >= NOTICED:
        return None
    share = "less than 1%" if check.slowdown < 0.01 else f"about {check.slowdown:.0%}"
    return f"This costs {share} of this training's speed."


def _slowdown(check: CodeCheck, speed: Speed) -> float | None:
    """With s steps and c calls in a second, a step with its call takes 1/s + 1/c, of which 1/c is lost."""
    calls = check.calls_per_second
    return None if not calls else speed.steps_per_second / (speed.steps_per_second + calls)


def _warning(share: float, speed: Speed | None) -> str:
    if speed is None:
        return (
            f"Compared with the environment's own steps this costs {share:.0%} of the speed. Learning takes time as "
            "well: how much slower a training becomes is shown before it starts."
        )
    if not speed.is_measured:
        return (
            f"This costs roughly {share:.0%} of this training's speed. None like it has ended here yet, so this is "
            "from the usual speed of its algorithm."
        )
    return (
        f"This costs about {share:.0%} of this training's speed, as earlier ones had it without this reward."
    )
