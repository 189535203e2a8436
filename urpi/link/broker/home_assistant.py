"""Home Assistant's MQTT discovery: the table as a device with its entities.

One retained message announces all entities, which read the table's `state` topic
(https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload).
"""

import json
from typing import Any, Final

from urpi.link.protocol.topics import Topic

_DICE: Final = 8
"""Number of dice with an entity for the battery: two sets of four."""


def discovery_topic(table: str) -> str:
    """The topic that Home Assistant subscribes to by default."""
    return f"homeassistant/device/urpi-{table}/config"


def discovery_message(table: str, program: str) -> bytes:
    """The message.

    Args:
        table: The table's id.
        program: The version of urpi.
    """
    state, online = str(Topic(table, "state")), str(Topic(table, "online"))
    document = {
        "device": {
            "identifiers": [f"urpi-{table}"],
            "name": f"Royal Game of Ur, {table}",
            "manufacturer": "urpi",
            "sw_version": program,
        },
        "origin": {"name": "urpi", "sw_version": program},
        "availability": [
            {
                "topic": online,
                "value_template": "{{ 'online' if value_json.online else 'offline' }}",
            }
        ],
        "state_topic": state,
        "qos": 1,
        "components": {
            name: {"unique_id": f"urpi-{table}-{name}", **component}
            for name, component in _components().items()
        },
    }
    return json.dumps(document, separators=(",", ":")).encode()


def _components() -> dict[str, dict[str, Any]]:
    return {
        "turn": _sensor("Turn", "mdi:account-switch", "{{ value_json.turn or 'none' }}"),
        "throw": _sensor(
            "Throw",
            "mdi:dice-d4",
            "{{ value_json.throw.value if value_json.throw else 'none' }}",
        ),
        "score_light": _sensor("Score of light", "mdi:scoreboard", _score("light")),
        "score_dark": _sensor("Score of dark", "mdi:scoreboard", _score("dark")),
        "faults": {
            "platform": "binary_sensor",
            "name": "Faults",
            "device_class": "problem",
            "entity_category": "diagnostic",
            "value_template": (
                "{{ 'ON' if value_json.faults or value_json.unavailable else 'OFF' }}"
            ),
        },
        **{f"battery_{die}": _battery(die) for die in range(1, _DICE + 1)},
        **{f"battery_low_{die}": _battery_low(die) for die in range(1, _DICE + 1)},
    }


def _sensor(name: str, icon: str, template: str) -> dict[str, Any]:
    return {"platform": "sensor", "name": name, "icon": icon, "value_template": template}


def _score(side: str) -> str:
    return f"{{{{ value_json.score.{side} if value_json.score else 0 }}}}"


def _battery(die: int) -> dict[str, Any]:
    return {
        "platform": "sensor",
        "name": f"Battery of die {die}",
        "device_class": "voltage",
        "unit_of_measurement": "mV",
        "entity_category": "diagnostic",
        "value_template": f"{{{{ {_of_die(die, 'battery_mv')} }}}}",
    }


def _battery_low(die: int) -> dict[str, Any]:
    return {
        "platform": "binary_sensor",
        "name": f"Battery of die {die} low",
        "device_class": "battery",
        "entity_category": "diagnostic",
        "value_template": f"{{{{ 'ON' if {_of_die(die, 'low')} else 'OFF' }}}}",
    }


def _of_die(die: int, key: str) -> str:
    """The expression of a die's value, none for a die that has not reported."""
    dice = f"value_json.dice | selectattr('die', 'eq', {die})"
    return f"({dice} | map(attribute='{key}') | first | default(none))"
