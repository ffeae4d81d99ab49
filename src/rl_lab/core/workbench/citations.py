"""What the score of an evaluation cites: its named protocol, or its own options as one that has no name."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.words.amounts import plural
from rl_lab.core.workbench.protocols import CitedProtocol, ProtocolVersion, cite


def cited_protocol(config: EvaluateConfig) -> CitedProtocol:
    """Computed for an evaluation without a named protocol: the same options are the same protocol."""
    if config.cited is not None:
        return config.cited
    plain = json.dumps(_options(config), sort_keys=True)
    return CitedProtocol(sha256=hashlib.sha256(plain.encode()).hexdigest(), text=_describe(config))


def cite_recorded(protocol: ProtocolVersion, config: EvaluateConfig) -> CitedProtocol:
    """A protocol whose code and threshold are applied to the episodes of a play.

    It has no name: the seeds are those that were played, so its scores cannot be compared with the protocol's own.
    """
    plain = json.dumps([protocol.sha256, config.seeds])
    changes = {
        "name": None,
        "version": None,
        "sha256": hashlib.sha256(plain.encode()).hexdigest(),
        "text": f"protocol {protocol} on {_recorded(config)}",
    }
    return cite(protocol).model_copy(update=changes)


def _options(config: EvaluateConfig) -> dict[str, Any]:
    """Drawn seeds are as good as others; given ones are not."""
    is_given = config.seeds is not None and not config.drawn_seeds
    return {
        "episodes": config.episodes,
        "seeds": config.seeds if is_given else "drawn" if config.drawn_seeds else "derived",
        "deterministic": config.deterministic,
        "code": (config.code.sha256 or str(config.code)) if config.code else None,
        **({} if config.recorded is None else {"recorded": True}),
    }


def _describe(config: EvaluateConfig) -> str:
    code = [f"code {config.code}"] if config.code else []
    if config.recorded is not None:
        return ", ".join([_recorded(config), *code])
    seeds = "seeds derived"
    if config.seeds is not None:
        seeds = "seeds drawn anew" if config.drawn_seeds else "seeds given"
    actions = "best actions" if config.deterministic else "sampled actions"
    return ", ".join([plural(config.episodes, "episode"), seeds, actions, *code])


def _recorded(config: EvaluateConfig) -> str:
    return f"{plural(config.episodes, 'recorded episode')} of a play"
