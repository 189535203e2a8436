"""The topics of the broker: FORMATS.md, Club."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from urpi.core.errors import UrpiError
from urpi.core.names import check_table

TopicKind: TypeAlias = Literal["state", "online", "free", "lines", "ack", "next"]

HELLO: Final = "urpi/club/hello"
"""Where the club announces a start."""
LINES_OF_ALL: Final = "$share/club/urpi/tables/+/lines"
"""The club's subscription. Each message reaches one of the club's processes."""
STATES_OF_ALL: Final = "urpi/tables/+/state"
ONLINE_OF_ALL: Final = "urpi/tables/+/online"
FREE_OF_ALL: Final = "urpi/tables/+/free"
NEXT_OF_ALL: Final = "urpi/tables/+/next"


def message_topic(to: str, sender: str) -> str:
    """The topic of messages from one table to another, which no other client may read."""
    return f"urpi/tables/{to}/from/{sender}"


def messages_to(table: str) -> str:
    """The subscription of a table for messages of other tables."""
    return message_topic(table, "+")


def sender_of(topic: str) -> str | None:
    """The table that has sent a message, None if the topic is not one of `message_topic`.

    The broker lets each table publish under its own id only.
    """
    match topic.split("/"):
        case ["urpi", "tables", _, "from", sender]:
            return check_table(sender)
    return None


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of a table.

    Attributes:
        table: The table's id.
        kind: What is published there.
    """

    table: str
    kind: TopicKind

    def __str__(self) -> str:
        return f"urpi/tables/{self.table}/{self.kind}"


def parse_topic(text: str) -> Topic:
    """Return the topic of a text; the reverse of `str`.

    Raises:
        UrpiError: If it is not a topic of a table.
    """
    match text.split("/"):
        case [
            "urpi",
            "tables",
            table,
            ("state" | "online" | "free" | "lines" | "ack" | "next") as kind,
        ]:
            return Topic(check_table(table), kind)
    message = (
        f"A topic must be urpi/tables/TABLE/KIND, with KIND one of "
        f"{', '.join(get_args(TopicKind))}; found {text[:100]!r}."
    )
    raise UrpiError(message)
