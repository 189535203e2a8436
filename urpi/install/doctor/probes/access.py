"""The user who runs the doctor, and the device files that this user may open."""

import os
from collections.abc import Callable, Collection

from urpi.install.doctor.facts import Node, Person
from urpi.install.doctor.tree import Tree

Usable = Callable[[str], bool]
"""Returns whether this process may read and write a path."""


def usable(path: str) -> bool:
    """Return whether this process may read and write a path on this machine."""
    return os.access(path, os.R_OK | os.W_OK)


def person(tree: Tree, name: str, user: int, groups: Collection[int]) -> Person:
    """Return the user with the groups that /etc/group lists.

    Args:
        tree: the machine's files.
        name: login name.
        user: user ID; 0 is root.
        groups: group IDs of this process.
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
    """Return the state of a device file."""
    place = tree.at(path)
    try:
        group = place.group()
    except (OSError, KeyError):
        # Missing, or its group ID has no name: the finding then names the usual group.
        group = ""
    return Node(path, tree.exists(path), may_use(str(place)), group)
