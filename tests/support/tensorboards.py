"""Asking a lab for a TensorBoard, and the TensorBoard for what it shows."""

from __future__ import annotations

from typing import Any

import httpx2

from support.server import Server
from support.waiting import DEADLINE_S, wait_until


def open_board(server: Server, *run_ids: str) -> dict[str, Any]:
    answer = server.client.post("/api/tensorboards", json={"run_ids": list(run_ids)})
    assert answer.status_code == 202, answer.text
    board: dict[str, Any] = answer.json()
    return board


def wait_for_state(server: Server, board_id: str, *states: str) -> dict[str, Any]:
    board: dict[str, Any] = {}

    def look() -> dict[str, Any] | None:
        board.update(server.client.get(f"/api/tensorboards/{board_id}").json())
        assert board["state"] in ("starting", "ready", *states), board
        return board if board["state"] in states else None

    return wait_until(look, lambda: f"{' or '.join(states)}; it is {board}")


def shown_tags(url: str, runs: int = 1) -> dict[str, Any]:
    """Run → tags, once TensorBoard has read the files of that many runs."""

    def look() -> dict[str, Any] | None:
        found: dict[str, Any] = _get(f"{url}data/plugin/scalars/tags")
        return found if len(found) >= runs else None

    return wait_until(look, f"the tags of {runs} runs")


def shown_points(url: str, run: str, tag: str) -> list[list[float]]:
    """Wall time, step, value of each point TensorBoard has of a tag."""
    query = {"run": run, "tag": tag}
    found: list[list[float]] = _get(f"{url}data/plugin/scalars/scalars", query)
    return found


def _get(url: str, query: dict[str, str] | None = None) -> Any:
    return httpx2.get(url, params=query, trust_env=False, timeout=DEADLINE_S).json()
