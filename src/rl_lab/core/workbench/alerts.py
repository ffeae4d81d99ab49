"""Alerts: “tell me when” a metric of a run does something, or the run ends. Each fires at most once per run."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from rl_lab.core.errors import WrongExpression
from rl_lab.core.runs import FINAL, RunStatus
from rl_lab.core.workbench.derived_metrics import ExpressionText
from rl_lab.core.workbench.expression_terms import MetricTerm
from rl_lab.core.workbench.expressions import parse_expression
from rl_lab.core.workbench.webhook_addresses import require_webhook

MAX_ALERTS = 200
MAX_ARGUMENTS = 64
ENDS = tuple(sorted(FINAL))

AlertComparison = Literal[
    "above", "at_least", "below", "at_most", "rises_by", "stalls_for", "not_a_number", "ended"
]
WITHOUT_VALUE = frozenset({"not_a_number", "ended"})
WORDS: dict[str, str] = {
    "above": "is above {value:,.6g}",
    "at_least": "is at least {value:,.6g}",
    "below": "is below {value:,.6g}",
    "at_most": "is at most {value:,.6g}",
    "rises_by": "has risen by {value:,.6g}",
    "stalls_for": "has had no new maximum for {value:,.0f} steps",
    "not_a_number": "is not a number",
}


class AlertScope(BaseModel):
    """Which runs it watches; empty: every training."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run_id: str | None = Field(default=None, pattern=r"^[0-9a-z]{12}$", description="Only this run.")
    env_id: str | None = Field(
        default=None, min_length=1, max_length=200, description="Trainings in this environment."
    )
    tag: str | None = Field(
        default=None, min_length=1, max_length=100, description="Trainings with this tag."
    )
    study_id: str | None = Field(
        default=None, pattern=r"^[0-9a-z]{12}$", description="Trainings of this study."
    )

    @model_validator(mode="after")
    def _one(self) -> AlertScope:
        if sum(value is not None for value in (self.run_id, self.env_id, self.tag, self.study_id)) > 1:
            raise PydanticCustomError("scope", "Choose one of run_id, env_id, tag and study_id")
        return self


def _require_command(words: list[str]) -> list[str]:
    if any("\0" in word for word in words) or not words[0].strip():
        raise PydanticCustomError(
            "command", "Write the program first, then its arguments, each as its own text"
        )
    return words


CommandWords = Annotated[
    list[Annotated[str, StringConstraints(max_length=4096)]],
    Field(min_length=1, max_length=MAX_ARGUMENTS),
    AfterValidator(_require_command),
]
WebhookAddress = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(require_webhook)]


class AlertRule(BaseModel):
    """When an alert fires, for which runs, and what happens then besides the message in the page."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    expression: ExpressionText = Field(
        default="", description="A metric, or an expression over metrics; empty for `ended`."
    )
    comparison: AlertComparison
    value: float | None = Field(
        default=None,
        allow_inf_nan=False,
        description="What it is compared with: a value, how much it rises, or a number of training steps.",
    )
    points: int = Field(
        default=1, ge=1, le=10_000, description="How many points in a row must meet the condition."
    )
    statuses: list[RunStatus] = Field(default=[], description="Ends that count, for `ended`; empty: all.")
    scope: AlertScope = AlertScope()
    command: CommandWords | None = Field(
        default=None, description="A program to execute, with its arguments. It is not run by a shell."
    )
    webhook: WebhookAddress | None = Field(
        default=None, description="An address that gets a POST request with the details as JSON."
    )

    @model_validator(mode="after")
    def _is_whole(self) -> AlertRule:
        problem = _problem_of(self)
        if problem:
            raise PydanticCustomError("rule", "{problem}", {"problem": problem})
        return self

    @property
    def words(self) -> str:
        """The condition as a person reads it: “return / length is above 1”."""
        if self.comparison == "ended":
            ends = " or ".join(self.statuses)
            return f"the run has ended{f' as {ends}' if ends else ''}"
        text = f"{self.expression} {WORDS[self.comparison].format(value=self.value)}"
        return f"{text}, {self.points} points in a row" if self.points > 1 else text


def _problem_of(rule: AlertRule) -> str:
    if rule.comparison == "ended":
        if rule.expression or rule.value is not None:
            return "An alert on the end of a run has no metric and no value"
        return "Only ends count: " + ", ".join(ENDS) if set(rule.statuses) - FINAL else ""
    if not rule.expression:
        return "Name a metric or write an expression"
    if rule.statuses:
        return "statuses are for alerts on the end of a run"
    if (rule.value is not None) != (rule.comparison not in WITHOUT_VALUE):
        return "This comparison needs a value" if rule.value is None else "This comparison has no value"
    if rule.comparison == "not_a_number" and not _is_name(rule.expression):
        return "“is not a number” watches one metric: an expression has gaps where it is undefined"
    if rule.comparison in ("rises_by", "stalls_for") and rule.value is not None and rule.value <= 0:
        return "The value must be above 0"
    return ""


def _is_name(expression: str) -> bool:
    try:
        return isinstance(parse_expression(expression), MetricTerm)
    except WrongExpression:
        return True  # reported with its column when the alert is saved


class NewAlert(BaseModel):
    """The body of a request that saves an alert."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(
        default="", max_length=100, description="What messages call it; the condition when empty."
    )
    rule: AlertRule
    is_active: bool = True
    command_approved: bool = Field(
        default=False, description="The user has seen the command and agrees that the lab executes it."
    )


class AlertPatch(BaseModel):
    """A new rule arms the alert again: runs for which it has fired are forgotten."""

    model_config = ConfigDict(extra="forbid")

    name: str | None = Field(default=None, max_length=100)
    rule: AlertRule | None = None
    is_active: bool | None = None
    command_approved: bool = False


class Alert(BaseModel):
    id: str
    name: str
    rule: AlertRule
    condition: str = ""
    """The condition as a sentence."""
    is_active: bool
    firings: int = 0
    """Runs for which it has fired."""
    created_at: datetime
    updated_at: datetime


AlertAction = Literal["command", "webhook"]
DeliveryState = Literal["waiting", "sending", "done", "failed"]


class AlertDelivery(BaseModel):
    """What became of the command or the webhook of a firing."""

    state: DeliveryState = "waiting"
    tries: int = 0
    message: str = ""
    """Status of the answer, exit code, or why it failed."""
    output: str = ""
    """What the command has printed, at most its last 4,000 characters."""


class AlertFiring(BaseModel):
    alert_id: str
    alert_name: str
    run_id: str
    run_name: str
    at: datetime
    value: float | None = None
    step: int | None = None
    message: str
    deliveries: dict[AlertAction, AlertDelivery] = {}


class AlertTest(BaseModel):
    """What trying the actions of an alert has shown; nothing is stored."""

    deliveries: dict[AlertAction, AlertDelivery] = {}
