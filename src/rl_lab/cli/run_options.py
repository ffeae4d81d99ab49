"""Options of a command that are made from the fields of the request `NewRun`.

They are made when the command is used: the model needs pydantic, which takes longer to load than most commands run.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection
from contextvars import ContextVar
from typing import Annotated, Any, Literal, TypeVar

import typer
from typer.core import TyperCommand
from typer.main import get_command_from_info
from typer.models import CommandInfo

from rl_lab.core.words.durations import parse_duration

F = TypeVar("F", bound=Callable[..., Any])
MAX_SHOWN = 1_000_000
"""Higher bounds would only fill the help; the server checks them."""
TYPES: dict[str, Any] = {"integer": int, "number": float, "string": str, "boolean": bool}


_typed: ContextVar[frozenset[str]] = ContextVar("typed", default=frozenset())
"""Parameters of the current command that the user gave a value."""


def typed_options(chosen: dict[str, Any]) -> dict[str, Any]:
    """Without the options that have their default because the user left them out."""
    return {name: value for name, value in chosen.items() if name in _typed.get()}


def takes_run_options(*, only_scripts: bool = False, without: Collection[str] = ()) -> Callable[[F], F]:
    """For a command with `**chosen`: it gets the values of the options by the names of the request's fields.

    `without`: options, as they are typed, that the command does not have. In the help they come before the command's
    keyword-only parameters.
    """

    def mark(command: F) -> F:
        command.__only_scripts__ = only_scripts  # type: ignore[attr-defined]
        command.__without__ = without  # type: ignore[attr-defined]
        command.__signature__ = _without_chosen(command)  # type: ignore[attr-defined]
        return command

    return mark


class RunOptionsCommand(TyperCommand):
    """A command marked with `takes_run_options`."""

    @functools.cached_property
    def _complete(self) -> Any:
        command = inspect.unwrap(self.callback)  # type: ignore[arg-type]
        info = CommandInfo(self.name, callback=_with_options(command))
        return get_command_from_info(info, pretty_exceptions_short=False, rich_markup_mode="rich")

    def get_params(self, ctx: Any) -> list[Any]:
        help_option = self.get_help_option(ctx)
        return [*self._complete.params, *([help_option] if help_option is not None else [])]

    def invoke(self, ctx: Any) -> Any:
        sources = {name: getattr(ctx.get_parameter_source(name), "name", "") for name in ctx.params}
        _typed.set(frozenset(name for name, source in sources.items() if source == "COMMANDLINE"))
        return ctx.invoke(self._complete.callback, **ctx.params)


def _with_options(command: Callable[..., Any]) -> Callable[..., Any]:
    known = make_options(only_scripts=command.__only_scripts__)  # type: ignore[attr-defined]
    left_out = set(command.__without__)  # type: ignore[attr-defined]
    options = {name: option for name, option in known.items() if left_out.isdisjoint(_spellings(option))}
    own = list(inspect.signature(command).parameters.values())
    first = next((n for n, p in enumerate(own) if p.kind is p.KEYWORD_ONLY), len(own))

    @functools.wraps(command)
    def call(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in options}
        return command(**given, **{name: value for name, value in chosen.items() if value is not None})

    parameters = [*own[:first], *options.values(), *own[first:]]
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    )
    return call


def _spellings(option: inspect.Parameter) -> set[str]:
    """As they are typed, each of `--record/--no-record` too."""
    info: typer.models.OptionInfo = option.annotation.__metadata__[0]
    # In an annotation the first spelling is in the place of the default.
    written = [str(word) for word in (info.default, *(info.param_decls or ()))]
    return {part for word in written for part in word.split("/")}


def _without_chosen(command: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(command, eval_str=True)
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    return signature.replace(parameters=own)


def make_options(*, only_scripts: bool = False) -> dict[str, inspect.Parameter]:
    """One parameter per option of the request, those of the request itself before the general ones."""
    from rl_lab.core.jobs.training import RunOptions
    from rl_lab.orchestrator.runs.requests import NewRun

    fields = NewRun.model_json_schema()["properties"]
    return {
        name: make_option(name, fields[name])
        for name in sorted(fields, key=lambda name: name in RunOptions.model_fields)
        if fields[name].get("x-option") and (fields[name].get("x-scripts") or not only_scripts)
    }


def make_option(name: str, field: dict[str, Any]) -> inspect.Parameter:
    """The command-line option for one field of a JSON schema."""
    shape = next(branch for branch in (*field.get("anyOf", ()), field) if branch.get("type") != "null")
    kind = Literal[tuple(shape["enum"])] if "enum" in shape else TYPES[shape["type"]]
    info = typer.Option(
        *field.get("x-cli", [_spell(name, is_flag=kind is bool)]),
        **_checks(field, shape),
        help=field["description"],
        show_default=field.get("default") is not None,
    )
    annotation = Annotated[kind | None, info]  # type: ignore[valid-type]
    default = field.get("default")
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _checks(field: dict[str, Any], shape: dict[str, Any]) -> dict[str, Any]:
    """How a value is read: within its bounds, or as a time such as 2h30m."""
    if field.get("x-unit") == "duration":
        return {"parser": read_duration, "metavar": "TIME"}
    highest = shape.get("maximum")
    return {
        "min": shape.get("minimum"),
        "max": highest if highest is not None and highest <= MAX_SHOWN else None,
    }


def read_duration(text: str) -> int:
    """Seconds; the error names what can be typed."""
    try:
        return parse_duration(str(text))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _spell(name: str, *, is_flag: bool) -> str:
    word = name.replace("_", "-")
    return f"--{word}/--no-{word}" if is_flag else f"--{word}"
