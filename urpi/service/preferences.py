"""What the players prefer at a board: what is configured, or what they chose there instead.

And what follows of their last game for the next one.
"""

from dataclasses import replace
from typing import Final

from urpi.config import Config
from urpi.devices.speech import can_speak
from urpi.errors import UrpiError
from urpi.journal import GameSummary, Journal, Preferences, preferences_of
from urpi.orders import SOUNDS
from urpi.rules import RuleSet, Side, parse_rules, rule_set
from urpi.words import languages

_SOUND_OF: Final = dict(
    zip(((False, False), (True, False), (False, True), (True, True)), SOUNDS, strict=True)
)
"""By whether a buzzer plays and whether something speaks."""
_SIDES: Final = frozenset(side.value for side in Side)
_PARTS_OF: Final = {sound: parts for parts, sound in _SOUND_OF.items()}


def configured_preferences(config: Config) -> Preferences:
    """What holds at a table as long as nobody chooses something else there.

    Raises:
        UrpiError: when the rule set or one of its options is none.
    """
    table = config.table
    rules = rule_set(table.rules, dict(table.options)).text
    sound = _SOUND_OF[config.sound.buzzer, config.sound.speech]
    return Preferences(table.language, sound, rules, table.light, table.dark)


def sounds_of(config: Config) -> tuple[str, ...]:
    """Those of `SOUNDS` that a table has, the silence first.

    A pin is never made a buzzer's that nobody has said is one.
    """
    has_buzzer = config.sound.buzzer or config.sound.buzzer_pin is not None
    has_speech = config.sound.speech or can_speak()
    return tuple(
        sound
        for sound, (buzzer, speech) in _PARTS_OF.items()
        if (has_buzzer or not buzzer) and (has_speech or not speech)
    )


def stored_preferences(journal: Journal, table: str, config: Config) -> Preferences:
    """What holds at a table, as far as this program and this table still have it.

    Raises:
        DiskError: when the journal cannot be read.
    """
    configured = configured_preferences(config)
    stored = preferences_of(journal, table, configured)
    if stored.language not in languages():
        stored = replace(stored, language=configured.language)
    if stored.sound not in sounds_of(config):
        stored = replace(stored, sound=configured.sound)
    if not _is_known(stored.rules):
        stored = replace(stored, rules=configured.rules)
    return stored


def _is_known(rules: str) -> bool:
    """Whether this program has the rule set with those options; an older one had others."""
    try:
        parse_rules(rules)
    except UrpiError:
        return False
    return True


def chooser_of(last: GameSummary | None, rules: RuleSet, names: tuple[str, str]) -> Side | None:
    """Who says who begins, by how the same two ended the last game, of the same rules.

    None where the rules do not leave it to one of them, or nothing is known.
    """
    if last is None or last.result not in _SIDES or parse_rules(last.rules).id != rules.id:
        return None
    winner = Side(last.result)
    if names == (last.light, last.dark):
        return rules.next_chooser(winner)
    if names == (last.dark, last.light):
        return rules.next_chooser(winner.other)
    return None


def preferred(config: Config, chosen: Preferences) -> Config:
    """The configuration with the language and the sound that were chosen."""
    buzzer, speech = _PARTS_OF[chosen.sound]
    table = replace(config.table, language=chosen.language)
    return replace(config, table=table, sound=replace(config.sound, buzzer=buzzer, speech=speech))
