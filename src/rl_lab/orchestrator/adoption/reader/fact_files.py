"""Small files next to the points that describe a run: rl-zoo's args.yml, Ray's params.json, W&B's config.yaml."""

from __future__ import annotations

from typing import Any

from rl_lab.analysis.adoption.configs import facts_of_config
from rl_lab.analysis.adoption.mlflow_files import META, PARAMS, RUN_NAME, read_fact
from rl_lab.analysis.adoption.pieces import Facts
from rl_lab.analysis.adoption.ray_files import read_params
from rl_lab.analysis.adoption.yaml_text import read_yaml


def read_fact_file(path: str, data: bytes) -> Facts:
    """The contents of the file of that name; empty when it cannot be read."""
    name = path.rpartition("/")[2]
    if path in (META, RUN_NAME) or path.startswith(PARAMS):
        return read_fact(path, data)
    if name == "params.json":
        return read_params(data) or Facts()
    if name == "error.txt":
        lines = data.decode("utf-8", "replace").strip().splitlines()
        return Facts(failure=lines[-1][:500], has_ended=True) if lines else Facts()
    if not name.endswith((".yml", ".yaml")):
        return Facts()
    config = _mapping(data)
    if path == "files/config.yaml":
        config = {key: value["value"] for key, value in config.items() if _is_wandb(key, value)}
    return facts_of_config(config) if config else Facts()


def _mapping(data: bytes) -> dict[str, Any]:
    found = read_yaml(data.decode("utf-8", "replace"))
    return found if isinstance(found, dict) else {}


def _is_wandb(key: str, value: Any) -> bool:
    return key != "_wandb" and isinstance(value, dict) and "value" in value
