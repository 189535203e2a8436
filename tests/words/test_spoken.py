"""Every language there are words for is spoken: espeak-ng has its voice."""

import shutil
import subprocess
import wave

import pytest

from urpi.devices.speech import PROGRAM, espeak
from urpi.words import languages, words_for

pytestmark = pytest.mark.skipif(
    shutil.which(PROGRAM) is None, reason=f"{PROGRAM} is not installed: sudo apt install {PROGRAM}"
)
SECONDS = 20


def spoken(language, text, path):
    """Speak into a file in place of the loudspeaker."""
    command = (*espeak(language, 70, 150), "-w", str(path))
    said = text.encode()
    return subprocess.run(command, input=said, capture_output=True, timeout=SECONDS, check=False)


@pytest.mark.parametrize("language", languages())
def test_a_language_s_sentence_is_spoken_for_more_than_a_second(language, tmp_path):
    sentence = words_for(language).say("wrong-distance", {"threw": 2, "went": 3, "origin": "A4"})
    path = tmp_path / "said.wav"
    done = spoken(language, sentence, path)
    assert (done.returncode, done.stderr) == (0, b"")
    with wave.open(str(path)) as said:
        assert said.getnframes() > said.getframerate()


def test_a_language_without_a_voice_would_be_noticed(tmp_path):
    assert spoken("tlh-x", "nuqneH", tmp_path / "said.wav").returncode != 0
