"""Device files that are there but may not be used, and how the person who runs this may."""

from typing import Final

from urpi.doctor.facts import Facts, Node, Person
from urpi.doctor.finding import Finding, broken, right

DEVICE_GROUPS: Final = ("gpio", "i2c", "dialout")


def user(facts: Facts) -> Finding:
    """Who runs this, and in which of the devices' groups. That it matters, the devices say."""
    who = facts.person
    if who.root:
        return right("user", f"{who.name}, who may use everything")
    groups = [group for group in DEVICE_GROUPS if group in who.groups]
    return right("user", f"{who.name}, in {', '.join(groups) or 'none'} of the devices' groups")


def may_not_use(area: str, node: Node, what: str, usual_group: str, person: Person) -> Finding:
    """What is there and forbidden; `usual_group` is who may, where the file does not say."""
    group = usual_group if node.group in {"", "root"} else node.group
    return broken(
        area, f"{node.path}, {what}, may not be opened by {person.name}", _cure(group, node, person)
    )


def _cure(group: str, node: Node, person: Person) -> str:
    if group in person.groups:
        return f"Its mode forbids it: `ls -l {node.path}`, then put a udev rule right."
    if group in person.listed:
        return f"{person.name} is in the group {group} since lately: log out and in again."
    if group in person.known:
        return f"Run `sudo usermod -aG {group} {person.name}`, then log out and in again."
    return f"Allow it with a udev rule, or run as root; there is no group {group} here."
