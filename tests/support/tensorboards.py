"""Asking a lab for a TensorBoard, and the TensorBoard for what it shows."""

from __future__ import annotations

import time
from typing import Any

import httpx2

from support.server import Server

WAIT_S = 90.0


def open_board(server: Server, *run_ids: str) -> dict[str, Any]:
    answer = server.client.post("/api/tensorboards", json={"run_ids": list(run_ids)})
    assert answer.status_code == 202, answer.text
    board: dict[str, Any] = answer.json()
    return board


def wait_for_state(server: Server, board_id: str, *states: str) -> dict[str, Any]:
    deadline = time.monotonic() + WAIT_S
    while True:
        board: dict[str, Any] = server.client.get(f"/api/tensorboards/{board_id}").json()
        if board["state"] in states:
            return board
        assert time.monotonic() < deadline, board
        assert board["state"] in ("starting", "ready"), board
        time.sleep(0.05)


def shown_tags(url: str, runs: int = 1) -> dict[str, Any]:
    """Run → tags, once TensorBoard has read the files of that many runs."""
    deadline = time.monotonic() + WAIT_S
    while True:
        found: dict[str, Any] = httpx2.get(f"{url}data/plugin/scalars/tags", trust_env=False).json()
        if len(found) >= runs:
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.1)


def shown_points(url: str, run: str, tag: str) -> list[list[float]]:
    """Wall time, step, value of each point TensorBoard has of a tag."""
    query = {"run": run, "tag": tag}
    found: list[list[float]] = httpx2.get(
        f"{url}data/plugin/scalars/scalars", params=query, trust_env=False
    ).json()
    return found
