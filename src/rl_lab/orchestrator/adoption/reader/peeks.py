"""Looks into the first part of a folder's files, for the clues that show which folders are one training."""

from __future__ import annotations

import io
import os
from typing import BinaryIO

from rl_lab.analysis.adoption.clues import Clue
from rl_lab.analysis.adoption.event_files import read_events
from rl_lab.analysis.adoption.joins import may_join
from rl_lab.analysis.adoption.names import facts_of_name
from rl_lab.analysis.adoption.pieces import Facts, Piece
from rl_lab.orchestrator.adoption.reader.fact_files import read_fact_file
from rl_lab.orchestrator.adoption.reader.keeper import READERS, REWRITTEN, begin_memo
from rl_lab.orchestrator.adoption.reader.sources import (
    ROLES,
    SourceFolder,
    newest_mtime,
    open_file,
    open_source,
)
from rl_lab.orchestrator.adoption.reader.tags import meaning_of

PEEK_BYTES = 256 << 10
FACT_BYTES = 64 << 10
MAX_FILES = 64
"""Files of one role that are looked into."""


def outline(source: SourceFolder) -> Clue:
    """What the names say, before any file is opened."""
    return Clue(source.path, frozenset(source.data), facts_of_name(source.path))


def with_partners(outlines: list[Clue]) -> list[bool]:
    """For each folder, whether another could belong to the same training; most need not be opened."""
    kinds: dict[tuple[object, ...], list[int]] = {}
    for place, clue in enumerate(outlines):
        facts = clue.facts
        kinds.setdefault((clue.roles, facts.env_id, facts.algorithm, facts.seed), []).append(place)
    found = [False] * len(outlines)
    for places in kinds.values():
        mine = outlines[places[0]]
        for others in kinds.values():
            theirs = outlines[others[0]]
            if others is not places and may_join(_at_root(mine), _at_root(theirs)):
                for place in places:
                    found[place] = True
    return found


def _at_root(clue: Clue) -> Clue:
    return Clue("/", clue.roles, clue.facts)


def peek(source: SourceFolder) -> Clue:
    """The clue with the first points and episodes; files that cannot be read are left out."""
    clue = outline(source)
    clue.written_at = newest_mtime(source)
    facts = Facts()
    with open_source(source.folder) as folder:
        for name in source.facts:
            facts.take(_fact(folder, name))
        for role in ROLES:
            for name in source.data.get(role, ())[:MAX_FILES]:
                facts.take(_look(source, role, name, folder, clue))
    facts.take(clue.facts)
    clue.facts = facts
    return clue


def _fact(folder: int, name: str) -> Facts:
    try:
        with open_file(folder, name) as file:
            return read_fact_file(name, file.read(FACT_BYTES))
    except OSError:
        return Facts()


def _look(source: SourceFolder, role: str, name: str, opened: int, clue: Clue) -> Facts:
    try:
        with open_file(opened, name) as file:
            piece = _first_piece(source, role, name, file)
            is_whole = role in REWRITTEN or os.fstat(file.fileno()).st_size <= PEEK_BYTES
    except OSError:
        return Facts()
    if role == "monitor":
        clue.episodes.append(piece.episodes)
        clue.is_whole = clue.is_whole and is_whole
    tags = piece.curves.keys()
    for tag in tags:
        meaning = meaning_of(tag, tags, is_ray="results" in clue.roles)
        if meaning is not None and meaning.sign > 0:
            clue.curves.setdefault(meaning.name, piece.curves[tag])
    return piece.facts


def _first_piece(source: SourceFolder, role: str, name: str, file: BinaryIO) -> Piece:
    if role == "events":
        return read_events(file, 0, {}, limit=PEEK_BYTES)
    memo = begin_memo(source, role, name)
    return READERS[role](file if role in REWRITTEN else io.BytesIO(file.read(PEEK_BYTES)), 0, memo)
