"""What a board says: its words in the players' language, and what is heard of them."""

from urpi.config import Config
from urpi.devices import SoundPlayer, open_sound
from urpi.journal import Preferences
from urpi.service.plugs import Plugs
from urpi.service.preferences import preferred
from urpi.words import Words, words_for


class Voice:
    """Words and sound, as the players prefer them; sound from `open` until `close`.

    Raises:
        UrpiError: when there are no words in that language.
    """

    def __init__(self, config: Config, plugs: Plugs, chosen: Preferences) -> None:
        self._config, self._plugs, self._chosen = config, plugs, chosen
        self.words: Words = words_for(chosen.language)
        """What everything is shown and said in now; from any thread."""
        self._player: SoundPlayer | None = None

    def open(self) -> None:
        """Be heard from now on, where something is to be heard."""
        config = preferred(self._config, self._chosen)
        self._player = open_sound(config, self._plugs.pins, self._plugs.factory)

    def close(self) -> None:
        """Be silent, and give the buzzer's pin back."""
        if self._player is not None:
            self._player.close()
            self._player = None

    def change(self, chosen: Preferences) -> None:
        """Speak and sound otherwise from now on.

        Raises:
            UrpiError: as for a new one; nothing has changed then.
        """
        self.words = words_for(chosen.language)
        self._chosen = chosen
        self.close()
        self.open()

    def play(self, motif: str, text: str) -> None:
        """Let that be heard in place of what is, where something is to be heard."""
        if self._player is not None:
            self._player.play(motif, text)
