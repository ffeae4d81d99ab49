"""YAML written by other tools, read as plain values: no tag ever builds an object or runs code.

Only true/false, null and decimal numbers become values; `yes`, dates and `1:30` stay text.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

MAX_CHARACTERS = 200_000
MAX_NODES = 100_000
"""Counted with every alias expanded, so that a few lines of nested aliases cannot fill the memory."""
MAX_DIGITS = 1000
"""A longer integer stays text: converting it takes time that grows with the square of its length."""
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER = re.compile(r"[-+]?[0-9][0-9_]*")
_FLOAT = re.compile(r"[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
ORDERED_DICT = "tag:yaml.org,2002:python/object/apply:collections.OrderedDict"


def read_yaml(text: str) -> Any:
    """The first document as a mapping, list or value; None when it is not valid YAML or too large."""
    if len(text) > MAX_CHARACTERS:
        return None
    try:
        return _read(text)
    except (yaml.YAMLError, TypeError, RecursionError):  # TypeError: a key that is a list
        return None


def _read(text: str) -> Any:
    loader = _PlainLoader(text)
    try:
        node = loader.get_node() if loader.check_node() else None
        if node is None or _expanded_size(node, {}) > MAX_NODES:
            return None
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _expanded_size(node: yaml.Node, known: dict[int, float]) -> float:
    """Nodes from this one down, each alias counted as a copy; infinite when a node contains itself."""
    if not isinstance(node, yaml.CollectionNode):
        return 1
    if id(node) not in known:
        known[id(node)] = float("inf")
        known[id(node)] = 1 + sum(_expanded_size(child, known) for child in _children(node))
    return known[id(node)]


def _children(node: yaml.CollectionNode) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value)


class _PlainLoader(yaml.SafeLoader):  # type: ignore[misc]
    """PyYAML's safe loader with fewer types; the contents of any other tag are read as if it were not there.

    Not the faster one in C: a file of 100,000 brackets ends that with a segmentation fault.
    """

    # Own tables: those of the parent class are shared with every other user of PyYAML in this process.
    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012
    yaml_constructors: dict[str, Any] = {}  # noqa: RUF012
    yaml_multi_constructors: dict[str, Any] = {}  # noqa: RUF012


def _contents(loader: _PlainLoader, _tag: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        loader.flatten_mapping(node)
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return _scalar(node)


def _scalar(node: yaml.ScalarNode) -> Any:
    text = node.value
    if node.style is not None:  # quoted, or a block of text
        return text
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INTEGER.fullmatch(text):
        return int(text.replace("_", "")) if len(text) <= MAX_DIGITS else text
    return float(text.replace("_", "")) if _FLOAT.fullmatch(text) else text


def _ordered_dict(loader: _PlainLoader, node: yaml.Node) -> Any:
    """RL Zoo writes `OrderedDict([("a", 1)])` as a list that holds one list of pairs."""
    found = _contents(loader, "", node)
    try:
        [pairs] = found
        return dict(pairs)
    except (TypeError, ValueError):
        return found


_PlainLoader.add_multi_constructor("", _contents)
_PlainLoader.add_constructor(ORDERED_DICT, _ordered_dict)
_PlainLoader.add_implicit_resolver("tag:yaml.org,2002:merge", re.compile("^<<$"), ["<"])
