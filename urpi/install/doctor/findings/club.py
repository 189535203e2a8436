"""The club: name and address of the broker, certificate, permissions, clock."""

from collections.abc import Iterator
from typing import Final

from urpi.hardware.finding import Finding, broken, poor, right
from urpi.install.doctor.facts import BrokerFacts, Facts

FIRST_YEAR: Final = 2026
"""The program is not older; a Pi's clock without a network begins in 1970."""
# Certificates of 90 days are renewed 30 days before their end, so that by then this has failed.
SOON_DAYS: Final = 14


def club(facts: Facts) -> Iterator[Finding]:
    """Yield whether games reach the club, if one is configured."""
    if facts.broker is not None:
        yield from broker_findings(facts.broker)


def broker_findings(found: BrokerFacts) -> Iterator[Finding]:
    """Yield the findings about a connection to a broker; a good one if it works."""
    if found.year is not None and found.year < FIRST_YEAR:
        yield broken(
            "club",
            f"the clock shows the year {found.year}, so no certificate is valid",
            "Connect the machine to a network with a time server; `timedatectl` shows the state.",
        )
    yield _connection(found)
    if found.lacking:
        yield poor(
            "club",
            f"the broker {found.place} forbids {found.user} what a game on two boards needs: "
            f"{', '.join(found.lacking)}",
            "The club must run `urpi club broker-files` again with all tables, and reload the "
            "broker.",
        )
    if found.certificate_days is not None and found.certificate_days < SOON_DAYS:
        days = "1 day" if found.certificate_days == 1 else f"{found.certificate_days} days"
        yield poor(
            "club",
            f"the broker's certificate expires in {days}",
            "Remind the club to renew it.",
        )


def _connection(found: BrokerFacts) -> Finding:
    place, user = found.place, found.user
    if found.settings:
        return broken(
            "club", found.settings.rstrip("."), "Correct [club], or run `urpi club join`."
        )
    if found.unresolved:
        return broken(
            "club",
            f"the broker's name is unknown: {place} ({found.unresolved})",
            "Check `broker` in [club], and the network.",
        )
    if found.unreachable:
        return broken(
            "club",
            f"no connection to {place}: {found.unreachable}",
            "Check that the broker runs, its port and the firewall; and that `tls` in [club] "
            "(`--tls` or `--no-tls` of `urpi club join`) is what that port expects.",
        )
    if found.untrusted:
        return broken(
            "club",
            f"the certificate of {place} is not trusted: {found.untrusted}",
            "Set `ca_file` in [club] to the certificate of the club's authority, use the name that "
            "the certificate has, and check this machine's clock.",
        )
    if found.refused:
        return broken(
            "club",
            f"the broker {place} refuses {user}: {found.refused}",
            _refusal_cure(found),
        )
    if found.forbidden:
        return broken(
            "club",
            f"the broker {place} forbids {user} the topic {found.forbidden}",
            "The club must add the table to the broker's files: `urpi club broker-files`.",
        )
    encryption = "encrypted" if found.tls else "not encrypted"
    if not found.answered:
        # The club's own program is optional.
        return right(
            "club",
            f"the broker {place} accepts {user} ({encryption}). `urpi club serve` does not answer: "
            "games are kept, and sent to it when it does; games on two boards and Home Assistant "
            "do not need it",
        )
    return right("club", f"the broker {place} accepts {user} ({encryption}), and the club answers")


def _refusal_cure(found: BrokerFacts) -> str:
    if not found.password_file:
        return "Check the table's id and the password, which is not stored."
    return (
        f"Check `table` in [club] and the password in {found.password_file}; `urpi club join` asks "
        "for it if you delete that file."
    )
