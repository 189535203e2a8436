from dataclasses import dataclass, field

from urpi.hardware.bluetooth_link import BluetoothHealth
from urpi.hardware.combined_dice import CombinedDice
from urpi.hardware.hub_link import HubHealth
from urpi.referee.facts import Die
from urpi.show.menu import DieStatus

HUB = HubHealth(connected=True, alive=True, dice=(1, 2), low=(2,))
BLUETOOTH = BluetoothHealth("", (2, 3), (3,))


@dataclass
class Source:
    """A source controlled by the test."""

    health: object
    known: tuple[DieStatus, ...] = ()
    closed: bool = False
    callbacks: list = field(default_factory=list)

    def start(self, on_fact, on_health):
        self.callbacks = [on_fact, on_health]

    def statuses(self):
        return self.known

    def close(self):
        self.closed = True


def test_the_health_is_that_of_both():
    health = CombinedDice((Source(HUB), Source(BLUETOOTH))).health
    assert (health.dice, health.low, health.twins) == ((1, 2, 3), (2, 3), (2,))
    assert (health.available, health.unavailable, health.error) == (True, (), "")


def test_one_source_is_sufficient():
    health = CombinedDice((Source(HubHealth(error="no port")), Source(BLUETOOTH))).health
    assert (health.available, health.unavailable, health.error) == (True, ("hub",), "no port")
    both = CombinedDice((Source(HubHealth(error="no port")), Source(BluetoothHealth("off")))).health
    assert (both.available, both.unavailable) == (False, ("hub", "bluetooth"))
    assert both.error == "no port; off"


def test_the_facts_of_both_arrive_and_their_times_do_not_decrease():
    hub, bluetooth = Source(HUB), Source(BLUETOOTH)
    facts, healths = [], []
    dice = CombinedDice((hub, bluetooth))
    dice.start(facts.append, healths.append)
    hub.callbacks[0](Die(20, 1, "rolling"))
    bluetooth.callbacks[0](Die(19, 3, "rolling"))
    bluetooth.callbacks[1](BLUETOOTH)
    assert facts == [Die(20, 1, "rolling"), Die(20, 3, "rolling")]
    assert healths == [dice.health]


def test_a_die_in_range_is_preferred_to_one_that_is_not():
    hub = Source(HUB, (DieStatus(1, True, "g"), DieStatus(2, False, "s")))
    bluetooth = Source(BLUETOOTH, (DieStatus(1, False, "-"), DieStatus(2, True, "-")))
    dice = CombinedDice((hub, bluetooth))
    assert dice.statuses() == (DieStatus(1, True, "g"), DieStatus(2, True, "-"))
    dice.close()
    assert hub.closed
    assert bluetooth.closed
