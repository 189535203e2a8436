"""Motifs on a buzzer, and speech by a command."""

import os
import sys
import time
from pathlib import Path
from queue import Queue

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.tones import Tone

from tests.waiting import wait_until
from urpi.config import Config, GpioSection, SoundSection, TableSection
from urpi.core.errors import UrpiError
from urpi.hardware.pins import default_pins
from urpi.hardware.sound import MOTIFS, Note, SoundPlayer, open_buzzer, open_sound
from urpi.hardware.speech import Speech, espeak
from urpi.show.views import sounds

DEADLINE_S = 240.0
PIN = 18
LONG = 60_000


class Tones:
    """A buzzer that records its calls."""

    def __init__(self, fails=False):
        self.calls, self.fails = Queue(), fails

    def play(self, tone):
        if self.fails:
            raise RuntimeError("no PWM")
        self.calls.put(tone.note)

    def stop(self):
        self.calls.put("-")

    def close(self):
        self.calls.put("closed")

    def next(self):
        while (call := self.calls.get(timeout=DEADLINE_S)) == "-":
            pass
        return call


def script(tmp_path, code):
    """Return a speech with a script in place of espeak-ng, and the file that it writes to."""
    path, notes = tmp_path / "speaker.py", tmp_path / "notes"
    notes.touch()
    path.write_text(
        "import os, signal, sys, time\n"
        f"notes = open({str(notes)!r}, 'a', buffering=1)\n"
        "text = sys.stdin.read()\n"
        f"{code}\n"
    )
    return Speech((sys.executable, str(path))), notes


def read_lines(notes: Path, count):
    wait_until(lambda: len(notes.read_text().splitlines()) >= count, f"{count} lines of notes")
    return notes.read_text().splitlines()


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_buzzer_plays_every_motif_of_the_view():
    assert set(MOTIFS) == {sounds.THROW, sounds.TURN, sounds.WARNING, sounds.WINNER}
    buzzer = open_buzzer(MockFactory(pin_class=MockPWMPin), PIN)
    for note in (note for motif in MOTIFS.values() for note in motif if note.tone):
        buzzer.play(Tone(note.tone))
        assert buzzer.tone.note == note.tone
    buzzer.close()


def test_motifs_are_different_and_shorter_than_a_second():
    assert len(set(MOTIFS.values())) == len(MOTIFS)
    assert max(sum(note.ms for note in motif) for motif in MOTIFS.values()) < 1000


def test_motif_is_played_note_by_note_and_ends_in_silence():
    tones = Tones()
    motif = (Note("A4", 1), Note(None, 1), Note("E5", 1))
    player = SoundPlayer(tones, None, print, {"turn": motif})
    player.play("turn", "")
    assert [tones.next(), tones.next()] == ["A4", "E5"]
    assert tones.calls.get(timeout=DEADLINE_S) == "-"
    player.close()
    assert tones.next() == "closed"


def test_newer_sound_interrupts_the_current_one():
    tones = Tones()
    player = SoundPlayer(
        tones, None, print, {"long": (Note("A4", LONG),), "short": (Note("E5", 1),)}
    )
    player.play("long", "")
    assert tones.next() == "A4"
    player.play("short", "")
    assert tones.next() == "E5"
    player.close()


def test_close_interrupts_the_current_sound():
    tones = Tones()
    player = SoundPlayer(tones, None, print, {"long": (Note("A4", LONG),)})
    player.play("long", "")
    assert tones.next() == "A4"
    player.close()
    assert tones.next() == "closed"


def test_buzzer_failure_is_reported_once_and_speech_continues(tmp_path):
    speech, notes = script(tmp_path, "print(text, file=notes)")
    faults = []
    player = SoundPlayer(Tones(fails=True), speech, faults.append, {"turn": (Note("A4", 1),)})
    player.play("turn", "Light to throw")
    assert read_lines(notes, 1) == ["Light to throw"]
    player.play("turn", "Dark to throw")
    assert read_lines(notes, 2) == ["Light to throw", "Dark to throw"]
    player.close()
    assert [str(fault) for fault in faults] == [
        "The buzzer has failed: no PWM; sound continues without it."
    ]


def test_text_is_passed_to_the_command_unchanged(tmp_path):
    speech, notes = script(tmp_path, "print(text, file=notes)")
    speech.speak("-v: árvíztűrő 2, 3")
    assert read_lines(notes, 1) == ["-v: árvíztűrő 2, 3"]
    speech.stop()


@pytest.mark.parametrize("ignores_sigterm", ["", "signal.signal(signal.SIGTERM, signal.SIG_IGN)"])
def test_newer_text_ends_the_previous_process(tmp_path, ignores_sigterm):
    speech, notes = script(
        tmp_path, f"{ignores_sigterm}\nprint(os.getpid(), file=notes)\ntime.sleep(60)"
    )
    speech.speak("one")
    (one,) = map(int, read_lines(notes, 1))
    speech.speak("two")
    assert not is_running(one)
    two = int(read_lines(notes, 2)[1])
    assert is_running(two)
    speech.stop()
    assert not is_running(two)


def test_speak_does_not_wait_for_the_end(tmp_path):
    speech, _ = script(tmp_path, "time.sleep(60)")
    began = time.monotonic()
    speech.speak("a long tale")
    assert time.monotonic() - began < DEADLINE_S
    speech.stop()


def test_command_that_exits_at_once_is_not_an_error():
    speech = Speech((sys.executable, "-c", ""))
    for _ in range(3):
        speech.speak("anybody?")
    speech.stop()


def test_missing_command_is_reported_once(tmp_path):
    faults = Queue()
    player = SoundPlayer(None, Speech((f"{tmp_path}/nobody",)), faults.put)
    player.play("turn", "Light to throw")
    assert "nobody cannot be started: No such file" in str(faults.get(timeout=DEADLINE_S))
    player.play("turn", "Dark to throw")
    player.close()
    assert faults.empty()


def test_espeak_command_has_language_volume_and_speed(tmp_path, monkeypatch):
    program = tmp_path / "espeak-ng"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert espeak("pt", 70, 150)[1:] == ("-v", "pt", "-a", "140", "-s", "150", "--stdin")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UrpiError, match="sudo apt install espeak-ng"):
        espeak("pt", 70, 150)


def opened(config):
    faults = []
    player = open_sound(config, default_pins(), MockFactory(pin_class=MockPWMPin), faults.append)
    if player is not None:
        player.close()
    return player, [str(fault) for fault in faults]


def test_sound_is_off_by_default():
    assert opened(Config()) == (None, [])


def test_missing_part_is_reported_and_the_other_one_plays(monkeypatch):
    monkeypatch.setenv("PATH", "")
    config = Config(
        gpio=GpioSection(wiring="expander"),
        sound=SoundSection(buzzer=True, speech=True),
        table=TableSection(),
    )
    player, faults = opened(config)
    assert player is not None
    assert [fault.split(" ")[0] for fault in faults] == ["espeak-ng"]


def test_buzzer_without_a_pin_is_reported():
    player, faults = opened(Config(sound=SoundSection(buzzer=True)))
    assert player is None
    assert faults[0].startswith("sound.buzzer_pin: the buzzer has no pin")


def test_buzzer_pin_in_use_is_rejected():
    factory = MockFactory(pin_class=MockPWMPin)
    first = open_buzzer(factory, PIN)
    with pytest.raises(UrpiError, match="The buzzer on GPIO 18 cannot be used"):
        open_buzzer(factory, PIN)
    first.close()
