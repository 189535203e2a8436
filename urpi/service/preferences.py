"""Preferences of the players at a table: language, sound, rule set and names.

A preference is what the players last chose there, or else what is configured.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.hardware.speech import can_speak
from urpi.journal import Journal, Keeper, Preferences, load_preferences, store_preferences
from urpi.journal.consents import parse_consents
from urpi.referee.clock import TimeControl, parse_time_control
from urpi.referee.orders import SOUNDS, NewGame
from urpi.referee.seats import COACHES, ENGINE_THROWS, SEATS, Coaches, EngineThrows, Seats
from urpi.rules import Side, parse_rules
from urpi.show.words import display_languages, words_for

_SOUND_OF: Final = dict(
    zip(((False, False), (True, False), (False, True), (True, True)), SOUNDS, strict=True)
)
"""The sound by whether the buzzer plays and whether sentences are spoken."""
_PARTS_OF: Final = {sound: parts for parts, sound in _SOUND_OF.items()}


class TablePreferences:
    """The current preferences of a table, and their storage in the journal.

    During an outage of the disk the configured preferences apply, and changes are stored when it
    ends.
    """

    def __init__(
        self, config: Config, keeper: Keeper, table: str, now: Callable[[], datetime]
    ) -> None:
        """Load the preferences.

        Raises:
            UrpiError: If the configured rule set or language is not available.
        """
        self._config, self._keeper, self._table, self._now = config, keeper, table, now
        self._configured = configured_preferences(config)
        stored = keeper.read(lambda journal: stored_preferences(journal, table, config), now())
        self.current = self._configured if stored is None else stored
        """The preferences in use. May be read from any thread."""
        self.words = words_for(self.current.language)
        """The texts in the players' language. May be read from any thread."""

    @property
    def config(self) -> Config:
        """The configuration with the preferred language and sound."""
        buzzer, speech = _PARTS_OF[self.current.sound]
        table = replace(self._config.table, language=self.current.language)
        sound = replace(self._config.sound, buzzer=buzzer, speech=speech)
        return replace(self._config, table=table, sound=sound)

    @property
    def sounds(self) -> tuple[str, ...]:
        """Those of `SOUNDS` that the table can play."""
        return available_sounds(self._config)

    @property
    def has_club(self) -> bool:
        """Whether a club is configured. Thread-safe."""
        return self._config.club.broker is not None

    def name_of(self, side: Side) -> str:
        """Return the preferred name of a side's player, empty for the engine."""
        is_person = preferred_seats(self.current)[side.number] == "person"
        return (self.current.light, self.current.dark)[side.number] if is_person else ""

    @property
    def published(self) -> tuple[str, ...]:
        """Names of the players who agree that the club shows them. May be read from any thread."""
        return tuple(parse_consents(self.current.consents))

    @property
    def next_game(self) -> NewGame:
        """The game that begins next if the players choose nothing else. Thread-safe."""
        chosen = self.current
        return NewGame(
            parse_rules(chosen.rules),
            chosen.light,
            chosen.dark,
            seats=preferred_seats(chosen),
            coach=preferred_coach(chosen),
            engine_throws=preferred_engine_throws(chosen),
            clock=parse_time_control(chosen.clock) if chosen.clock else None,
        )

    def refresh(self) -> None:
        """Read the stored consents again: `urpi games anonymise` removes a name from them."""
        if self._keeper.outage is not None:
            return
        stored = self._keeper.read(
            lambda journal: stored_preferences(journal, self._table, self._config), self._now()
        )
        if stored is not None:
            self.current = replace(
                self.current,
                consents=stored.consents,
                shown=stored.shown,
                light=stored.light,
                dark=stored.dark,
            )

    def change(self, preferences: Preferences) -> None:
        """Use and store other preferences.

        Raises:
            UrpiError: If there are no texts in the language; nothing is changed then.
        """
        # First, because it raises: nothing is changed then.
        self.words = words_for(preferences.language)
        self.current = preferences
        self._keeper.write(
            "preferences",
            lambda journal: store_preferences(journal, self._table, self._configured, preferences),
            self._now(),
        )


def preferred_seats(preferences: Preferences) -> Seats:
    """Return who decides the moves of light and of dark in the next game."""
    light, dark = (
        next(seat for seat in SEATS if seat == word)
        for word in (preferences.light_seat, preferences.dark_seat)
    )
    return light, dark


def preferred_coach(preferences: Preferences) -> Coaches:
    """Return light's and dark's coach in the next game."""
    light, dark = (
        next(coach for coach in COACHES if coach == word)
        for word in (preferences.light_coach, preferences.dark_coach)
    )
    return light, dark


def preferred_engine_throws(preferences: Preferences) -> EngineThrows:
    """Return what throws for the engine in the next game."""
    return next(each for each in ENGINE_THROWS if each == preferences.engine_throws)


def clock_word(control: TimeControl | None) -> str:
    """Return the time of each side as preferences have it."""
    return "" if control is None else str(control)


def configured_preferences(config: Config) -> Preferences:
    """Return the preferences of a table where the players have not chosen others.

    Raises:
        UrpiError: If the rule set or one of its options is unknown.
    """
    table = config.table
    rules = parse_rules(table.rules, table.options).text
    sound = _SOUND_OF[config.sound.buzzer, config.sound.speech]
    return Preferences(
        language=table.language,
        sound=sound,
        rules=rules,
        light=table.light,
        dark=table.dark,
        light_seat=table.light_seat,
        dark_seat=table.dark_seat,
        engine_throws=table.engine_throws,
        light_coach=table.light_coach,
        dark_coach=table.dark_coach,
        clock=table.clock,
    )


def available_sounds(config: Config) -> tuple[str, ...]:
    """Return those of `SOUNDS` that a table can play, beginning with silence.

    A pin is used for a buzzer only if it is configured for one.
    """
    has_buzzer = config.sound.buzzer or config.sound.buzzer_pin is not None
    has_speech = config.sound.speech or can_speak()
    return tuple(
        sound
        for sound, (buzzer, speech) in _PARTS_OF.items()
        if (has_buzzer or not buzzer) and (has_speech or not speech)
    )


def stored_preferences(journal: Journal, table: str, config: Config) -> Preferences:
    """Return the stored preferences of a table.

    The configured ones replace those that this program or this table no longer supports.

    Raises:
        DiskError: If the journal cannot be read.
    """
    configured = configured_preferences(config)
    stored = load_preferences(journal, table, configured)
    if stored.language not in display_languages():
        stored = replace(stored, language=configured.language)
    if stored.sound not in available_sounds(config):
        stored = replace(stored, sound=configured.sound)
    if {stored.light_seat, stored.dark_seat} - set(SEATS):
        seats = configured.light_seat, configured.dark_seat
        stored = replace(stored, light_seat=seats[0], dark_seat=seats[1])
    if {stored.light_coach, stored.dark_coach} - set(COACHES):
        coach = configured.light_coach, configured.dark_coach
        stored = replace(stored, light_coach=coach[0], dark_coach=coach[1])
    if stored.engine_throws not in ENGINE_THROWS:
        stored = replace(stored, engine_throws=configured.engine_throws)
    if not _is_clock(stored.clock):
        stored = replace(stored, clock=configured.clock)
    if not _is_known(stored.rules):
        stored = replace(stored, rules=configured.rules)
    return stored


def _is_clock(word: str) -> bool:
    try:
        return not word or clock_word(parse_time_control(word)) == word
    except UrpiError:
        return False


def _is_known(rules: str) -> bool:
    """Return whether this program has the rule set with its options; older versions had others."""
    try:
        parse_rules(rules)
    except UrpiError:
        return False
    return True
