"""Digests of observations: equal only if every number of both is."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np


def observation_digest(observation: Any) -> str:
    digest = hashlib.sha256()
    _add(digest, observation)
    return digest.hexdigest()


def _add(digest: Any, observation: Any) -> None:
    if isinstance(observation, dict):
        for name in sorted(observation):
            digest.update(str(name).encode())
            _add(digest, observation[name])
    elif isinstance(observation, tuple | list):
        for part in observation:
            _add(digest, part)
    else:
        array = np.asarray(observation)
        # Objects (text, graphs) have no bytes of their own that stay the same in another process.
        digest.update(repr(observation).encode() if array.dtype.hasobject else array.tobytes())
