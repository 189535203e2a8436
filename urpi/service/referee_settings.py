"""The referee's settings from the configuration."""

from dataclasses import asdict, fields

from urpi.config import Config
from urpi.referee import Settings, Timing
from urpi.show.words import words_for


def referee_settings(config: Config, language: str | None = None) -> Settings:
    """Return the referee's settings for a configuration.

    Args:
        config: The configuration.
        language: The code of a language in place of the configured one.

    Raises:
        UrpiError: If the language is not available.
    """
    known = {field.name for field in fields(Timing)}
    timing = {name: ms for name, ms in asdict(config.timing).items() if name in known}
    return Settings(words_for(language or config.table.language).sentence, Timing(**timing))
