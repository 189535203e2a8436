"""Who runs this, and which device files it may use."""

import os
from collections.abc import Callable, Collection

from urpi.doctor.facts import Node, Person
from urpi.doctor.tree import Tree

Usable = Callable[[str], bool]
"""Whether this process may read and write a path."""


def usable(path: str) -> bool:
    """Whether this process may read and write a path of this machine."""
    return os.access(path, os.R_OK | os.W_OK)


def person(tree: Tree, name: str, user: int, groups: Collection[int]) -> Person:
    """Who it is, by the machine's own list of groups.

    Args:
        tree: the machine's files.
        name: the user's.
        user: its number, 0 is root.
        groups: the numbers of the groups that are in force for this process.
    """
    known, listed, now = set(), set(), set()
    for line in tree.text("/etc/group").splitlines():
        group, _, number, members = (*line.split(":"), "", "", "")[:4]
        known.add(group)
        if name in members.split(","):
            listed.add(group)
        if number.isdecimal() and int(number) in groups:
            now.add(group)
    return Person(name, user == 0, frozenset(now), frozenset(listed), frozenset(known))


def node(tree: Tree, path: str, may_use: Usable) -> Node:
    """A device's file."""
    place = tree.at(path)
    try:
        group = place.group()
    except (OSError, KeyError):
        group = ""
    return Node(path, tree.exists(path), may_use(str(place)), group)
