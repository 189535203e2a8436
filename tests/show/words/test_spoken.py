"""espeak-ng has a voice for every available language."""

import shutil
import subprocess
import wave

import pytest

from tests.slow import mostly_slow
from urpi.hardware.speech import PROGRAM, espeak
from urpi.show.views.sounds import spoken as spoken_text
from urpi.show.words import languages, words_for
from urpi.show.words.sentences import TABLES

pytestmark = pytest.mark.skipif(
    shutil.which(PROGRAM) is None, reason=f"{PROGRAM} is not installed: sudo apt install {PROGRAM}"
)
SECONDS = 240


def spoken(language, text, path):
    """Write the speech to a file instead of the loudspeaker."""
    command = (*espeak(language, 70, 150), "-w", str(path))
    speech = text.encode()
    return subprocess.run(command, input=speech, capture_output=True, timeout=SECONDS, check=False)


@pytest.mark.parametrize("language", languages())
def test_sentence_is_spoken_for_more_than_a_second(language, tmp_path):
    sentence = words_for(language).sentence(
        "wrong-distance", {"threw": 2, "went": 3, "origin": "A4"}
    )
    path = tmp_path / "speech.wav"
    done = spoken(language, sentence, path)
    assert (done.returncode, done.stderr) == (0, b"")
    with wave.open(str(path)) as speech:
        assert speech.getnframes() > speech.getframerate()


def test_language_without_a_voice_fails(tmp_path):
    assert spoken("tlh-x", "nuqneH", tmp_path / "speech.wav").returncode != 0


def phonemes(language, text):
    """Return what espeak-ng would say, in its own notation; (en) begins English sounds."""
    command = (PROGRAM, "-v", language, "-x", "-q", "--stdin")
    done = subprocess.run(
        command, input=text.encode(), capture_output=True, timeout=SECONDS, check=True
    )
    return done.stdout.decode()


@pytest.mark.parametrize("language", mostly_slow(languages(), 2))
def test_a_sentence_has_no_sound_of_another_language(language):
    """Squares have Latin letters; every sentence of the table has some, or numbers."""
    words = words_for(language)
    details = {
        "side": "light",
        "threw": 2,
        "went": 3,
        "origin": "A4",
        "target": "C8",
        "dice": "2, 3",
        "device": "B4",
        "since": "18:05",
        "one": "A4",
        "other": "B1",
        "fill": "A1, B2",
        "clear": "C3",
        "move": "A4",
        "won": 3,
        "lost": 1,
    }
    texts = {words.sentence(code, details) for table in TABLES for code in table}
    said = phonemes(language, "\n\n".join(spoken_text(text, words) for text in sorted(texts)))
    assert len(said) > 1000
    # Bluetooth is an English name everywhere.
    assert "(en)" not in said.replace("(en)bl'u:tu:T", "")
