"""A CorlScript of a checkout: its arguments and what they mean to the lab, parsed with `ast` and never imported."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rl_lab.runners.script_text import dataclass_text
from rl_lab.runners.script_text.arguments import Argument
from rl_lab.runners.script_text.expressions import constants_of
from rl_lab.runners.script_text.files import NotAScript, read_by_state, read_source

TITLES = {
    "any_percent_bc": "BC",
    "awac": "AWAC",
    "cql": "CQL",
    "dt": "Decision Transformer",
    "edac": "EDAC",
    "iql": "IQL",
    "sac_n": "SAC-N",
    "td3_bc": "TD3+BC",
}
MEANINGS = {
    "any_percent_bc": "Imitates the best part of the episodes.",
    "awac": "Imitates actions, weighted by their advantage.",
    "cql": "SAC that keeps the values of actions low that are not in the data.",
    "dt": "A transformer that predicts actions for a wanted return.",
    "edac": "SAC-N with fewer critics, which are kept apart.",
    "iql": "Learns values of actions in the data only, then imitates the better ones.",
    "sac_n": "SAC with the lowest of many critics.",
    "td3_bc": "TD3 that stays close to the actions in the data.",
}
ENV = ("env", "env_name")
SEED = ("seed", "train_seed")
UPDATES = ("max_timesteps", "num_train_ops", "update_steps")
EPOCHS, EPOCH_UPDATES = "num_epochs", "num_updates_on_epoch"
NOT_OFFERED = {"lb_sac": "its batches of 10,000 need a GPU; it has not been tried"}
"""By the name of the script, with the reason."""


@dataclass(frozen=True, eq=False)
class CorlScript:
    """Compared by identity: an unchanged file gives the same object."""

    path: Path
    arguments: tuple[Argument, ...]

    @property
    def id(self) -> str:
        return self.path.stem.lower()

    @property
    def name(self) -> str:
        return TITLES.get(self.id, self.path.stem)

    @property
    def description(self) -> str:
        return MEANINGS.get(self.id, f"The script {self.path.name} of the checkout.")

    @property
    def total(self) -> int | None:
        """Updates that it makes by default."""
        counts = [self.find(name) for name in UPDATES]
        plain = next((one.default for one in counts if one is not None), None)
        if plain is not None:
            return int(plain)
        epochs, each = self.find(EPOCHS), self.find(EPOCH_UPDATES)
        return int(epochs.default * each.default) if epochs and each else None

    def find(self, name: str) -> Argument | None:
        return next((one for one in self.arguments if one.name == name), None)

    def first_of(self, names: Sequence[str]) -> Argument | None:
        """The argument with the first of these names that it has."""
        return next((one for name in names if (one := self.find(name)) is not None), None)


def read_script(path: Path) -> CorlScript:
    """Parses a file; raises NotAScript with the reason if it is not offered. Cached until the file changes."""
    return read_by_state(path, _read)


@lru_cache(maxsize=256)
def _read(path: Path, _mtime_ns: int, _size: int) -> CorlScript | str:
    """The script, or the reason why the file is not one; both are cached."""
    if path.stem in NOT_OFFERED:
        return NOT_OFFERED[path.stem]
    try:
        return parse_script(path, *read_source(path))
    except NotAScript as reason:
        return str(reason)


def parse_script(path: Path, text: str, module: ast.Module) -> CorlScript | str:
    imported = set(_imports(module))
    if "jax" in imported:
        return "it uses JAX, whose networks the lab does not see"
    if "d4rl" not in imported:
        return "it does not learn from a dataset of d4rl"
    arguments = dataclass_text.find_arguments(text, module, constants_of(module, path.name))
    if not arguments:
        return "it has no dataclass that `pyrallis.wrap` fills"
    script = CorlScript(path, tuple(arguments))
    if script.first_of(ENV) is None:
        return "it has no argument for the dataset (env, env_name)"
    if script.total is None:
        return f"it has no argument for its length ({', '.join(UPDATES)}, {EPOCHS})"
    return script


def _imports(module: ast.Module) -> list[str]:
    found = []
    for node in module.body:
        if isinstance(node, ast.Import):
            found += [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module.partition(".")[0])
    return found
