"""Device files that exist but may not be opened, and how to obtain access."""

from typing import Final

from urpi.install.doctor.facts import Facts, Node, Person
from urpi.install.doctor.finding import Finding, broken, right

DEVICE_GROUPS: Final = ("gpio", "i2c", "dialout")


def user(facts: Facts) -> Finding:
    """Return the user and the user's device groups.

    A missing group is no fault by itself: the device that needs it has its own finding.
    """
    person = facts.person
    if person.root:
        return right("user", f"{person.name}, who may open every device")
    groups = [group for group in DEVICE_GROUPS if group in person.groups]
    return right("user", f"{person.name}, in {', '.join(groups) or 'none'} of the device groups")


def no_access(area: str, node: Node, what: str, usual_group: str, person: Person) -> Finding:
    """Return the finding for a device file that this user may not open.

    Args:
        area: area of the finding.
        node: the device file.
        what: the device, such as `the I2C bus`.
        usual_group: group that normally has access; used when the file belongs to root's.
        person: the user.
    """
    group = usual_group if node.group in {"", "root"} else node.group
    return broken(
        area, f"{node.path}, {what}, may not be opened by {person.name}", _cure(group, node, person)
    )


def _cure(group: str, node: Node, person: Person) -> str:
    if group in person.groups:
        return f"Its mode forbids it: check `ls -l {node.path}` and correct the udev rule."
    if group in person.listed:
        return f"{person.name} was added to the group {group} recently: log out and in again."
    if group in person.known:
        return f"Run `sudo usermod -aG {group} {person.name}`, then log out and in again."
    return f"There is no group {group} here: allow access with a udev rule, or run as root."
