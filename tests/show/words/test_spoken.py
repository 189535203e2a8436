"""espeak-ng has a voice for every available language."""

import shutil
import subprocess
import wave

import pytest

from urpi.hardware.speech import PROGRAM, espeak
from urpi.show.words import languages, words_for

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
