"""What an evaluation takes from its protocol, and the code that looks at its episodes: exact contents, not names."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeChoice
from rl_lab.core.workbench.protocols import ProtocolVersion, cite
from rl_lab.guardian.files import as_json
from rl_lab.orchestrator.code_rights import code_rights
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.portable.evaluation_seeds import derived_seeds
from rl_lab.store.workbench import codes, protocols

DECIDED = ("episodes", "seeds", "fresh_seeds", "deterministic", "code")
"""Options that a protocol decides about."""


async def with_protocol(sources: Sources, config: EvaluateConfig) -> EvaluateConfig:
    """The configuration with what its protocol decides. Once it is filled in, the saved protocol is not asked again."""
    written = config.protocol
    if written is None or config.cited is not None:
        return config
    require_no_other(config, written)
    found = await sources.read(lambda conn: protocols.get_version(conn, written))
    seeds = found.seeds or derived_seeds(found.base_seed, found.episodes)
    decided = {
        "protocol": str(found),
        "cited": cite(found),
        "episodes": found.episodes,
        "seeds": seeds,
        "deterministic": found.deterministic,
        "code": found.code,
        "env_kwargs": found.env_kwargs,
    }
    await _require_environment(sources, config, found)
    return config.model_copy(update=decided)


async def with_code(sources: Sources, config: EvaluateConfig) -> tuple[EvaluateConfig, dict[str, Any]]:
    """The configuration with the exact code, and the input of the worker; empty without code."""
    choice = config.code
    if choice is None:
        return config, {}
    found = await sources.read(lambda conn: codes.get_version(conn, CodeKind.evaluation, choice))
    exact = CodeChoice(name=found.name, version=found.version, sha256=found.sha256)
    await sources.rewards.consents.require(found.sha256, f"the evaluation code {exact}")
    rights = await asyncio.to_thread(code_rights, sources.settings)
    given = {"source": found.source, "name": str(exact), "confine": as_json(rights)}
    return config.model_copy(update={"code": exact}), {"evaluation_code": given}


def require_no_other(config: EvaluateConfig, written: str, decided: Sequence[str] = DECIDED) -> None:
    """InvalidInput for an option that is given together with the protocol that decides about it."""
    given = [name for name in decided if name in config.model_fields_set]
    if given:
        raise InvalidInput.of_field(
            given[0],
            f"{' and '.join(given)} and the protocol “{written}” are both given, and the protocol decides about that; "
            "leave one of the two out",
        )


async def _require_environment(sources: Sources, config: EvaluateConfig, found: ProtocolVersion) -> None:
    if not found.env_id:
        return
    training = await sources.get_training(config.run_id)
    if training.config.env_id != found.env_id:
        raise InvalidInput.of_field(
            "protocol",
            f"The protocol {found} is for {found.env_id}, and “{training.name}” was trained on "
            f"{training.config.env_id}.",
        )
