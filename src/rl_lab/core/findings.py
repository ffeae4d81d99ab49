"""A Finding is the result of one check of the doctor, and what to do about it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class Finding(BaseModel, frozen=True):
    id: str
    """Short and stable: python, sqlite, gpu, disk, port, extra-atari, sandbox-landlock, …"""
    title: str
    level: Literal["ok", "warning", "problem"]
    message: str
    remedy: str = ""
    """What to do; empty when nothing needs to be done."""
