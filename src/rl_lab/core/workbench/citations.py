"""What the score of an evaluation cites: its named protocol, or its own options as one that has no name."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.words.amounts import plural
from rl_lab.core.workbench.protocols import CitedProtocol


def cited_protocol(config: EvaluateConfig) -> CitedProtocol:
    """Computed for an evaluation without a named protocol: the same options are the same protocol."""
    if config.cited is not None:
        return config.cited
    plain = json.dumps(_options(config), sort_keys=True)
    return CitedProtocol(sha256=hashlib.sha256(plain.encode()).hexdigest(), text=_describe(config))


def _options(config: EvaluateConfig) -> dict[str, Any]:
    """Drawn seeds are as good as others; given ones are not."""
    is_given = config.seeds is not None and not config.drawn_seeds
    return {
        "episodes": config.episodes,
        "seeds": config.seeds if is_given else "drawn" if config.drawn_seeds else "derived",
        "deterministic": config.deterministic,
        "code": (config.code.sha256 or str(config.code)) if config.code else None,
    }


def _describe(config: EvaluateConfig) -> str:
    seeds = "seeds derived"
    if config.seeds is not None:
        seeds = "seeds drawn anew" if config.drawn_seeds else "seeds given"
    actions = "best actions" if config.deterministic else "sampled actions"
    code = [f"code {config.code}"] if config.code else []
    return ", ".join([plural(config.episodes, "episode"), seeds, actions, *code])
