"""After its start a lab prepares what its first requests would wait for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi.dependencies.utils import get_dependant

from rl_lab.api import warm_up
from rl_lab.api.app import create_routes


def test_the_first_request_builds_no_routes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "probe", lambda: None)
    app, built = create_routes("127.0.0.1"), []
    build = get_dependant

    def noted(**given: Any) -> Any:
        built.append(given["path"])
        return build(**given)

    monkeypatch.setattr("fastapi.routing.get_dependant", noted)
    asyncio.run(warm_up.warm_up(app))
    assert "/api/runs/{run_id}" in built
    built.clear()
    for route in app.router.routes:
        route.matches({"type": "http", "method": "PUT", "path": "/api/unknown", "headers": []})
    assert built == []
