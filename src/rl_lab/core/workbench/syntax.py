"""Reads user code without executing it: its syntax, the function it must define, and what that function takes."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable

from rl_lab.core.errors import nearest
from rl_lab.core.workbench.code_kinds import FORMS, CodeKind
from rl_lab.core.workbench.codes import MAX_CODE_BYTES, CodeRemark

MAX_KIB = MAX_CODE_BYTES >> 10
LINE_END = re.compile(r"\r\n|\r|\n")


def check_syntax(source: str, kind: CodeKind) -> list[CodeRemark]:
    """What is wrong with it; empty when it can be tried. For long code that takes seconds, and no other thread runs."""
    wrong = check_size(source)
    if wrong:
        return wrong
    try:
        tree = _parse(source)
    except SyntaxError as error:
        return [CodeRemark(line=error.lineno, message=f"Syntax error: {error.msg}.")]
    except (ValueError, RecursionError, MemoryError) as error:
        # MemoryError, for which a deeply nested text is too much, has no message.
        return [CodeRemark(message=f"The code cannot be read: {str(error) or 'it is nested too deeply'}.")]
    form = FORMS[kind]
    return _check_function(tree, form.function, form.arguments) if form.function else []


def check_size(source: str) -> list[CodeRemark]:
    """Whether it is text of an accepted length."""
    try:
        size = len(source.encode())
    except UnicodeEncodeError as error:
        wrong = f"The code contains {source[error.start]!a}, a character that is not valid text. Delete it."
        return [CodeRemark(line=_line_at(source, error.start), message=wrong)]
    if size > MAX_CODE_BYTES:
        return [CodeRemark(message=too_long(size))]
    nul = source.find("\0")
    if nul >= 0:
        wrong = "Here is a NUL character (U+0000), which Python does not accept. Delete it."
        return [CodeRemark(line=_line_at(source, nul), message=wrong)]
    return []


def too_long(size: int) -> str:
    """`size`: in bytes."""
    return f"The code has {-(-size >> 10):,} KiB; at most {MAX_KIB} KiB are accepted."


def code_lines(source: str) -> list[str]:
    """As Python and the editor count them: a form feed or U+2028 begins no line."""
    return LINE_END.split(source)


def _line_at(source: str, position: int) -> int:
    return len(code_lines(source[:position]))


def _parse(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as invalid escapes: shown when the code is tried
        return ast.parse(source)


def _check_function(tree: ast.Module, name: str, known: tuple[str, ...]) -> list[CodeRemark]:
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    found = next((node for node in reversed(functions) if node.name == name), None)
    if found is None:
        return [_missing(name, known, functions)]
    if isinstance(found, ast.AsyncFunctionDef):
        return [CodeRemark(line=found.lineno, message=f"{name} must be a plain function, without async.")]
    return list(_check_arguments(found, known))


def _missing(
    name: str, known: tuple[str, ...], functions: Iterable[ast.FunctionDef | ast.AsyncFunctionDef]
) -> CodeRemark:
    similar = nearest(name, [node.name for node in functions], count=1)
    line = next((node.lineno for node in functions if node.name in similar), None)
    hint = f" Did you mean {similar[0]}?" if similar else ""
    return CodeRemark(line=line, message=f"The code must define {name}({', '.join(known)}).{hint}")


def _check_arguments(found: ast.FunctionDef, known: tuple[str, ...]) -> Iterable[CodeRemark]:
    given = found.args
    positional = [*given.posonlyargs, *given.args]
    # Arguments with a default need not be known.
    needed = positional[: len(positional) - len(given.defaults)]
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        if default is None or argument.arg in known:
            message = f"Arguments after * are not supported; list “{argument.arg}” before it."
            yield CodeRemark(line=argument.lineno, message=message)
    if known == ("episode",):
        if len(needed) != 1:
            yield CodeRemark(line=found.lineno, message=f"{found.name} takes one argument: the episode.")
        return
    for argument in needed:
        if argument.arg not in known:
            similar = nearest(argument.arg, known, count=1)
            hint = f"; did you mean {similar[0]}?" if similar else f"; known are {', '.join(known)}."
            yield CodeRemark(line=argument.lineno, message=f"Unknown argument “{argument.arg}”{hint}")
