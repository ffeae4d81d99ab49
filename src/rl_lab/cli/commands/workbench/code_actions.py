"""What the commands about saved code do, the same for every kind."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rl_lab.cli.arguments.code_argument import (
    address_of,
    find_code,
    get_version,
    is_file,
    read_code,
    save_code,
    saved_sentence,
)
from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.cli.code_consent import approve_code, is_refusal
from rl_lab.cli.commands.workbench.code_output import print_check, print_list, print_version
from rl_lab.cli.output import print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

Kinds = Literal["reward", "evaluation", "environment"]
NOUNS: dict[Kinds, tuple[str, str]] = {
    "reward": ("rewards", "reward"),
    "evaluation": ("evaluation-codes", "evaluation code"),
    "environment": ("own-environments", "environment"),
}
"""The word on the command line, and what a person calls it."""


def list_codes(kind: Kinds, env: str | None, *, as_json: bool) -> None:
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind

    with open_lab() as client:
        found = client.get(address_of(CodeKind(kind)), env_id=env)
    if as_json:
        print_json(found)
    elif found:
        print_list(found)
    else:
        word, noun = NOUNS[kind]
        print(f"No {noun} is saved. Start from an example: rl-lab {word} examples")


def show_code(kind: Kinds, written: str, *, as_json: bool) -> None:
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind
    from rl_lab.core.workbench.codes import read_code_choice

    chosen = read_code_choice(written, CodeKind(kind))
    with open_lab() as client:
        version = get_version(client, CodeKind(kind), written)
        found = client.get(address_of(CodeKind(kind), version["name"]))
    if as_json:
        print_json(version if chosen.version is not None else found)
    else:
        print_version(found, version)


def save_file(kind: Kinds, file: Path, new: dict[str, Any], *, as_json: bool) -> None:
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind

    source = read_code(file, CodeKind(kind))
    with open_lab() as client:
        known = find_code(client, CodeKind(kind), new["name"])
        saved = save_code(client, CodeKind(kind), {**new, "source": source})
    if as_json:
        print_json(saved)
    else:
        print(saved_sentence(str(file), saved, known))


def check_code(
    kind: Kinds, written: str, env: str | None, runs: list[str], *, yes: bool, as_json: bool
) -> int:
    """1 when the code cannot be used."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind

    with open_lab() as client:
        if is_file(written):
            source, env_id = read_code(Path(written), CodeKind(kind)), env
        else:
            version = get_version(client, CodeKind(kind), written)
            source = version["source"]
            env_id = env or client.get(address_of(CodeKind(kind), version["name"]))["env_id"]
        question = {
            "source": source,
            "env_id": env_id or "",
            "run_ids": [find_run_id(client, one) for one in runs],
        }
        found = _try(client, f"{address_of(CodeKind(kind))}/check", question, yes=yes)
    if found is None:
        print("Not run.", file=sys.stderr)
        return 1
    if as_json:
        print_json(found)
    else:
        print_check(found, written, source)
    return 0 if found["is_usable"] else 1


def _try(client: LabClient, address: str, question: dict[str, Any], *, yes: bool) -> dict[str, Any] | None:
    """None when the user does not want code to run that cannot be isolated here."""
    from rl_lab.core.errors import LabError
    from rl_lab.core.workbench.codes import code_hash

    try:
        found: dict[str, Any] = client.post(address, question)
    except LabError as error:
        if not is_refusal(error):
            raise
        if not approve_code(error, yes=yes):
            return None
        found = client.post(address, {**question, "consent": code_hash(question["source"])})
    return found


def rename_code(kind: Kinds, written: str, new_name: str, *, as_json: bool) -> None:
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind
    from rl_lab.core.workbench.codes import read_code_choice

    choice = read_code_choice(written, CodeKind(kind))
    if choice.version is not None:
        word, noun = NOUNS[kind]
        next_step = f"rl-lab {word} rename {choice.name} {new_name}"
        raise InvalidInput(f"“{written}” is one version; this renames a whole {noun}.", next_step=next_step)
    with open_lab() as client:
        changed = client.patch(address_of(CodeKind(kind), choice.name), {"name": new_name})
    if as_json:
        print_json(changed)
    else:
        print(f"{choice.name} is now called {changed['name']}.")


def delete_code(kind: Kinds, written: str, *, all_versions: bool, as_json: bool) -> None:
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind
    from rl_lab.core.workbench.codes import read_code_choice

    choice = read_code_choice(written, CodeKind(kind))
    with open_lab() as client:
        found = client.get(address_of(CodeKind(kind), choice.name))
        if choice.version is None and not all_versions and len(found["versions"]) > 1:
            raise InvalidInput.of_field(
                kind,
                f"“{found['name']}” has {len(found['versions'])} versions; name one, or delete all with --all.",
                [f"{found['name']}@v{one['version']}" for one in found["versions"]],
            )
        address = address_of(CodeKind(kind), found["name"])
        gone = client.delete(address + (f"/versions/{choice.version}" if choice.version else ""))
    if as_json:
        print_json(gone)
        return
    named = gone["name"] if "versions" in gone else f"{gone['name']}@v{gone['version']}"
    print(f"Deleted {named}.{_what_is_kept(kind, gone)}")


def _what_is_kept(kind: Kinds, gone: dict[str, Any]) -> str:
    if kind == "environment":
        return " Runs in it can still be watched and resumed."
    used = sum(one["used_by"] for one in gone.get("versions", [gone]))
    return f" {plural(used, 'run')} {'keeps' if used == 1 else 'keep'} a copy." if used else ""


def print_examples(address: str, wanted: str | None, *, as_json: bool) -> None:
    """The list, or the code of the one with this name."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.errors import NotFound

    with open_lab() as client:
        found = client.get(f"{address}/examples")
    if as_json:
        print_json(found)
        return
    if wanted is None:
        rows = [(one["name"], one["env_id"] or "any", one["title"]) for one in found]
        print_table(("EXAMPLE", "FOR", "WHAT IT IS"), rows)
        return
    # The first characters are enough, as for runs.
    chosen = next((one for one in found if one["name"].startswith(wanted.lower())), None)
    if chosen is None:
        known = ", ".join(one["name"] for one in found)
        raise NotFound(f"There is no example “{wanted}”.", next_step=f"There are: {known}.")
    print(chosen["source"], end="")
