"""Power budgets: the Pi's 3.3 V from wiring/power.toml, a die's cell from firmware/charge.py."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from firmware import charge
from wiring.pages.markdown import table

BOARD_CELL_MAH: Final = 100.0
"""Of the cell that fits the body of 57 mm, 501220."""
PAGE: Final = Path(__file__).parents[1] / "power.toml"


def budget() -> dict[str, Any]:
    """Return the content of wiring/power.toml."""
    return tomllib.loads(PAGE.read_text("utf-8"))


def sum_ma(wiring: str) -> float:
    """Return the sum of all loads in mA, for the wiring `header` or `expander`."""
    loads = [load for load in budget()["load"] if wiring in load["on"]]
    return float(sum(load["count"] * load["each_ma"] for load in loads))


def parts() -> dict[str, str]:
    """Return the tables by the names of their markers."""
    return {"pi": _pi(), "die": _die(), "die-board": _die_board()}


def _pi() -> str:
    page = budget()
    rows = [
        (
            load["what"],
            f"{load['count']} x {load['each_ma']:g}"
            if load["count"] > 1
            else f"{load['each_ma']:g}",
            *(_ma(load) if wiring in load["on"] else "" for wiring in ("header", "expander")),
            load["source"],
        )
        for load in page["load"]
    ]
    sums = [f"**{sum_ma(wiring):.1f}**" for wiring in ("header", "expander")]
    rows.append(("**Total**", "", *sums, ""))
    rows.append(("**Limit**", "", *[f"**{page['limit_ma']}**"] * 2, page["limit_source"]))
    return table(["load", "mA", "on the header", "on expanders", "source"], rows)


def _ma(load: dict[str, Any]) -> str:
    return f"{load['count'] * load['each_ma']:.1f}"


def _die() -> str:
    draw = charge.calculated()
    rest = {
        "ATmega328P asleep, watchdog on": charge.CPU_DOWN,
        "LIS3DH, 10 Hz": charge.ACCEL_REST,
        "nRF24L01+ off": charge.RADIO_DOWN,
        "MCP1700": charge.REGULATOR,
        "divider, 1.22 MOhm": charge.DIVIDER,
        "a wake-up every 8 s": charge.WAKE_MS * charge.CPU_ACTIVE / 1000 / charge.WAKE_S,
        "a heartbeat every 32 s": charge.spoken_uc() / charge.HEARTBEAT_S,
    }
    rows = [(what, f"{ua:.1f} uA") for what, ua in rest.items()]
    rows += [
        ("**At rest**", f"**{draw.rest_ua:.1f} uA**"),
        ("... with the hub switched off", f"{draw.alone_ua:.1f} uA"),
        ("A throw", f"{draw.throw_uc / 1000:.2f} mC"),
        (f"A game of {charge.THROWS_A_GAME} throws", f"{draw.game_mah:.3f} mAh"),
        (f"Games on {charge.CELL_MAH:.0f} mAh, one a day", f"{draw.games(a_day=1):.0f}"),
        ("... four a day", f"{draw.games(a_day=4):.0f}"),
    ]
    return table(["item", "value"], rows)


def _die_board() -> str:
    """Return what the circuit board's charger and protection add, at most."""
    loads = budget()["die-board"]
    more = sum(load["ua"] for load in loads)
    hand_wired = charge.calculated()
    draw = replace(
        hand_wired, rest_ua=hand_wired.rest_ua + more, alone_ua=hand_wired.alone_ua + more
    )
    rows = [(load["what"], f"{load['ua']:.1f} uA", load["source"]) for load in loads]
    rows += [
        ("**At rest**, with the parts above", f"**{draw.rest_ua:.1f} uA**", ""),
        (f"Games on {BOARD_CELL_MAH:.0f} mAh, one a day", f"{_games(draw, 1):.0f}", ""),
        ("... four a day", f"{_games(draw, 4):.0f}", ""),
    ]
    return table(["item", "at most", "source"], rows)


def _games(draw: charge.Draw, a_day: float) -> float:
    return draw.games(a_day) * BOARD_CELL_MAH / charge.CELL_MAH
