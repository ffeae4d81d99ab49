"""How runs in the queue are to be resumed; noted with the move, and dropped when the attempt starts."""

from __future__ import annotations

from sqlalchemy import Connection

from rl_lab.core.resuming import ResumeChoice
from rl_lab.store.sql import meta

KEY = "resume:"


def put(conn: Connection, run_id: str, choice: ResumeChoice) -> None:
    meta.put(conn, f"{KEY}{run_id}", choice.model_dump(mode="json"))


def find(conn: Connection, run_id: str) -> ResumeChoice:
    return ResumeChoice(**(meta.find(conn, f"{KEY}{run_id}") or {}))


def drop(conn: Connection, run_id: str) -> None:
    meta.drop(conn, f"{KEY}{run_id}")
