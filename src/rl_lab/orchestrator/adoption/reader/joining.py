"""Folders of one training become one source: which of those that were found, and what is reported about it."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Sequence

from rl_lab.analysis.adoption.clues import Clue
from rl_lab.analysis.adoption.joins import TrainingFolders, find_groups
from rl_lab.core import event_log
from rl_lab.orchestrator.adoption.reader import messages as m
from rl_lab.orchestrator.adoption.reader.peeks import outline, peek, with_partners
from rl_lab.orchestrator.adoption.reader.sources import SourceFolder, join_folders, look_into

SPLIT = "Its folders are kept apart from now on; it was read anew without the others."


def look_at_all(folder: str, joined: Iterable[str]) -> SourceFolder | None:
    """A run's source with all its folders; None when its own is gone. Further folders that are gone are left out."""
    main = look_into(folder)
    if main is None:
        return None
    return join_folders(main, [part for path in joined if (part := _look(path)) is not None])


def group(
    new: Sequence[SourceFolder], known: Sequence[SourceFolder]
) -> Generator[None, None, list[TrainingFolders]]:
    """New sources in groups of one training each, in small steps; a known one leads its group.

    Only folders are opened that could have a partner, going by their names and kinds of files.
    """
    sources = [*known, *new]
    outlines = [_outline_all(source, is_known=place < len(known)) for place, source in enumerate(sources)]
    clues = []
    for source, clue, has_partner in zip(sources, outlines, with_partners(outlines), strict=True):
        if has_partner:
            clue = _peek_all(source, is_known=clue.is_known)
            yield
        clues.append(clue)
    return find_groups(clues)


def describe(folder: str, joined: dict[str, str]) -> str:
    """ "Joined: tb/PPO_1 + monitor (…)", with paths below the folder that holds them all."""
    above = os.path.commonpath([folder, *joined])
    shown = [os.path.relpath(path, above) for path in (folder, *joined)]
    return f"Joined: {' + '.join(shown)} ({'; '.join(dict.fromkeys(joined.values()))})."


def note(folder: str, joined: dict[str, str]) -> m.Note:
    if not joined:
        return m.Note(event_log.JOINED.name, SPLIT)
    return m.Note(event_log.JOINED.name, describe(folder, joined), {"folders": [folder, *joined]})


def _look(path: str) -> SourceFolder | None:
    try:
        return look_into(path)
    except OSError:
        return None


def _outline_all(source: SourceFolder, *, is_known: bool) -> Clue:
    clue = outline(source)
    clue.roles = frozenset(role for part in source.parts for role in part.data)
    clue.is_known = is_known
    return clue


def _peek_all(source: SourceFolder, *, is_known: bool) -> Clue:
    """The clue of all folders of a source together."""
    clue, *others = [peek(part) for part in source.parts]
    for other in others:
        clue.facts.take(other.facts)
        clue.curves = {**other.curves, **clue.curves}
        clue.episodes = clue.episodes or other.episodes
        clue.is_whole = clue.is_whole and other.is_whole
        clue.written_at = max(clue.written_at, other.written_at)
        clue.roles |= other.roles
    clue.is_known = is_known
    return clue
