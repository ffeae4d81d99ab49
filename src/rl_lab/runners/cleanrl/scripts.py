"""A Script of a checkout: arguments, kind of actions and description, parsed with `ast` and never imported."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rl_lab.core.runners import ActionKind
from rl_lab.runners.script_text import argparse_text, dataclass_text
from rl_lab.runners.script_text.arguments import Argument
from rl_lab.runners.script_text.expressions import constants_of, dotted
from rl_lab.runners.script_text.files import NotAScript, read_by_state, read_source

DESCRIPTION_LENGTH = 300
_ACRONYMS = frozenset(
    {"ppo", "dqn", "c51", "sac", "td3", "ddpg", "rpo", "ppg", "pqn", "rnd", "lstm", "jax", "xla", "a2c"}
)
_SPACES: dict[str, ActionKind] = {"Discrete": "discrete", "Box": "continuous"}
_DISCRETE_WORDS = frozenset({"dqn", "c51", "rainbow", "pqn", "atari", "procgen", "discrete"})
_CONTINUOUS_WORDS = frozenset({"continuous", "ddpg", "td3", "sac"})
_CHECKED_SPACES = re.compile(r"isinstance\(\s*[\w.]*action_space\s*,([^\n]*?)\)")


@dataclass(frozen=True, eq=False)
class Script:
    """Compared by identity: an unchanged file gives the same Script object."""

    path: Path
    name: str
    description: str
    arguments: tuple[Argument, ...]
    """Without the arguments that the script computes itself."""
    action_kinds: tuple[ActionKind, ...]

    @property
    def id(self) -> str:
        return self.path.stem.lower()

    def find(self, name: str) -> Argument | None:
        return next((one for one in self.arguments if one.name == name), None)


def read_script(path: Path) -> Script:
    """Parses a file; raises NotAScript with the reason if it is not a script. Cached until the file changes."""
    return read_by_state(path, _read)


@lru_cache(maxsize=1024)
def _read(path: Path, _mtime_ns: int, _size: int) -> Script | str:
    """The script, or the reason why the file is not one; both are cached."""
    try:
        return parse_script(path, *read_source(path))
    except NotAScript as reason:
        return str(reason)


def parse_script(path: Path, text: str, module: ast.Module) -> Script | str:
    names = constants_of(module, path.name)
    arguments = dataclass_text.find_arguments(text, module, names)
    if arguments is None:
        arguments = argparse_text.find_arguments(module, names)
    if not arguments:
        return "it has no arguments: no dataclass “Args” and no argparse"
    computed = _computed(module)
    return Script(
        path=path,
        name=_name(path.stem),
        description=_description(path, text, module),
        arguments=tuple(
            one for one in arguments if one.name not in computed and not _is_described_as_computed(one)
        ),
        action_kinds=_kinds_from_text(text) or _kinds_from_name(path.stem),
    )


def _is_described_as_computed(argument: Argument) -> bool:
    return re.search(r"\b(computed|filled) (in|at|during) run ?time\b", argument.description) is not None


def _computed(module: ast.Module) -> set[str]:
    """Arguments that the script always overwrites: `args.batch_size = …`, unconditionally and not from itself."""
    found: set[str] = set()
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.If(test=test) if not _is_main_check(test):
                continue
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="args"), attr=name)], value=value):
                if f"args.{name}" not in {
                    dotted(part) for part in ast.walk(value) if isinstance(part, ast.expr)
                }:
                    found.add(name)
            case _:
                waiting.extend(getattr(node, "body", ()))
    return found


def _is_main_check(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=ast.Name(id="__name__")):
            return True
    return False


def _name(stem: str) -> str:
    words = [word.upper() if word in _ACRONYMS else word for word in stem.lower().split("_") if word]
    first, rest = words[0] if words else stem, words[1:]
    return " ".join([first if first.isupper() else first.capitalize(), *rest])


def _description(path: Path, text: str, module: ast.Module) -> str:
    words = (ast.get_docstring(module) or "").split("\n\n")[0] or _head(text)
    words = " ".join(words.split())
    if not words:
        return f"The script {path.parent.name}/{path.name} of the checkout."
    return words[:1].upper() + words[1:DESCRIPTION_LENGTH]


def _head(text: str) -> str:
    """The comment at the top of a file, unless it is a licence or names the interpreter."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        if not line.startswith(("#!", "# -*-")):
            lines.append(line.lstrip("# ").rstrip())
    words = " ".join(lines)
    return "" if re.search(r"copyright|licen[sc]e", words, re.IGNORECASE) else words


def _kinds_from_text(text: str) -> tuple[ActionKind, ...]:
    """The spaces in `isinstance(….action_space, ….Discrete)`. A regex, because walking the tree takes twice as long."""
    checked = " ".join(match[1] for match in _CHECKED_SPACES.finditer(text))
    return tuple(kind for space, kind in _SPACES.items() if re.search(rf"\b{space}\b", checked))


def _kinds_from_name(stem: str) -> tuple[ActionKind, ...]:
    words = set(stem.lower().split("_"))
    if words & _CONTINUOUS_WORDS and "atari" not in words:
        return ("continuous",)
    return ("discrete",) if words & _DISCRETE_WORDS else ("discrete", "continuous")
