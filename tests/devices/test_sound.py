"""Motifs on a buzzer, and a program that speaks."""

import os
import sys
import time
from pathlib import Path
from queue import Queue

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.tones import Tone

from urpi.config import Config, Gpio, Sound, Table
from urpi.devices.pins import default_pins
from urpi.devices.sound import MOTIFS, Note, SoundPlayer, open_buzzer, open_sound
from urpi.devices.speech import Speech, espeak
from urpi.errors import UrpiError
from urpi.views import sounds

DEADLINE_S = 20
PIN = 18
LONG = 60_000


class Tones:
    """A buzzer that notes what it is told."""

    def __init__(self, fails=False):
        self.told, self.fails = Queue(), fails

    def play(self, tone):
        if self.fails:
            raise RuntimeError("no PWM")
        self.told.put(tone.note)

    def stop(self):
        self.told.put("-")

    def close(self):
        self.told.put("closed")

    def next(self):
        while (told := self.told.get(timeout=DEADLINE_S)) == "-":
            pass
        return told


def script(tmp_path, code):
    """A program that stands for espeak-ng, and notes what it does in a file."""
    path, notes = tmp_path / "speaker.py", tmp_path / "notes"
    notes.touch()
    path.write_text(
        "import os, signal, sys, time\n"
        f"notes = open({str(notes)!r}, 'a', buffering=1)\n"
        "text = sys.stdin.read()\n"
        f"{code}\n"
    )
    return Speech((sys.executable, str(path))), notes


def lines(notes: Path, count):
    deadline = time.monotonic() + DEADLINE_S
    while len(found := notes.read_text().splitlines()) < count:
        assert time.monotonic() < deadline, found
        time.sleep(0.01)
    return found


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_every_motif_of_the_view_can_be_played_on_a_buzzer():
    assert set(MOTIFS) == {sounds.THROW, sounds.TURN, sounds.WARNING, sounds.WINNER}
    buzzer = open_buzzer(MockFactory(pin_class=MockPWMPin), PIN)
    for note in (note for motif in MOTIFS.values() for note in motif if note.tone):
        buzzer.play(Tone(note.tone))
        assert buzzer.tone.note == note.tone
    buzzer.close()


def test_no_two_motifs_sound_the_same_and_none_holds_up_the_game():
    assert len(set(MOTIFS.values())) == len(MOTIFS)
    assert max(sum(note.ms for note in motif) for motif in MOTIFS.values()) < 1000


def test_a_motif_is_played_note_by_note_and_ends_in_silence():
    tones = Tones()
    motif = (Note("A4", 1), Note(None, 1), Note("E5", 1))
    player = SoundPlayer(tones, None, print, {"turn": motif})
    player.play("turn", "")
    assert [tones.next(), tones.next()] == ["A4", "E5"]
    assert tones.told.get(timeout=DEADLINE_S) == "-"
    player.close()
    assert tones.next() == "closed"


def test_the_newest_cuts_short_what_is_being_heard():
    tones = Tones()
    player = SoundPlayer(
        tones, None, print, {"long": (Note("A4", LONG),), "short": (Note("E5", 1),)}
    )
    player.play("long", "")
    assert tones.next() == "A4"
    player.play("short", "")
    assert tones.next() == "E5"
    player.close()


def test_closing_cuts_short_too():
    tones = Tones()
    player = SoundPlayer(tones, None, print, {"long": (Note("A4", LONG),)})
    player.play("long", "")
    assert tones.next() == "A4"
    player.close()
    assert tones.next() == "closed"


def test_a_buzzer_that_fails_is_told_once_and_speech_goes_on(tmp_path):
    speech, notes = script(tmp_path, "print(text, file=notes)")
    faults = []
    player = SoundPlayer(Tones(fails=True), speech, faults.append, {"turn": (Note("A4", 1),)})
    player.play("turn", "Light to throw")
    assert lines(notes, 1) == ["Light to throw"]
    player.play("turn", "Dark to throw")
    assert lines(notes, 2) == ["Light to throw", "Dark to throw"]
    player.close()
    assert [str(fault) for fault in faults] == [
        "The buzzer fails: no PWM; sound goes on without it."
    ]


def test_what_is_said_is_read_by_the_program_as_it_is(tmp_path):
    speech, notes = script(tmp_path, "print(text, file=notes)")
    speech.say("-v: árvíztűrő 2, 3")
    assert lines(notes, 1) == ["-v: árvíztűrő 2, 3"]
    speech.hush()


@pytest.mark.parametrize("stubborn", ["", "signal.signal(signal.SIGTERM, signal.SIG_IGN)"])
def test_only_our_own_program_is_ended_by_what_is_newer(tmp_path, stubborn):
    speech, notes = script(tmp_path, f"{stubborn}\nprint(os.getpid(), file=notes)\ntime.sleep(60)")
    speech.say("one")
    (one,) = map(int, lines(notes, 1))
    speech.say("two")
    assert not is_running(one)
    two = int(lines(notes, 2)[1])
    assert is_running(two)
    speech.hush()
    assert not is_running(two)


def test_saying_does_not_wait_for_the_end(tmp_path):
    speech, _ = script(tmp_path, "time.sleep(60)")
    began = time.monotonic()
    speech.say("a long tale")
    assert time.monotonic() - began < DEADLINE_S
    speech.hush()


def test_a_program_that_ends_at_once_is_no_error():
    speech = Speech((sys.executable, "-c", ""))
    for _ in range(3):
        speech.say("anybody?")
    speech.hush()


def test_a_program_that_is_missing_is_told_once(tmp_path):
    faults = Queue()
    player = SoundPlayer(None, Speech((f"{tmp_path}/nobody",)), faults.put)
    player.play("turn", "Light to throw")
    assert "nobody cannot be started: No such file" in str(faults.get(timeout=DEADLINE_S))
    player.play("turn", "Dark to throw")
    player.close()
    assert faults.empty()


def test_espeak_is_called_in_the_table_s_language(tmp_path, monkeypatch):
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


def test_nothing_is_heard_unless_it_is_asked_for():
    assert opened(Config()) == (None, [])


def test_what_is_missing_is_told_and_the_rest_plays(monkeypatch):
    monkeypatch.setenv("PATH", "")
    config = Config(
        gpio=Gpio(wiring="expander"), sound=Sound(buzzer=True, speech=True), table=Table()
    )
    player, faults = opened(config)
    assert player is not None
    assert [fault.split(" ")[0] for fault in faults] == ["espeak-ng"]


def test_a_buzzer_without_a_pin_is_told():
    player, faults = opened(Config(sound=Sound(buzzer=True)))
    assert player is None
    assert faults[0].startswith("sound.buzzer_pin: the buzzer has no pin")


def test_a_buzzer_s_pin_that_is_taken_is_told():
    factory = MockFactory(pin_class=MockPWMPin)
    first = open_buzzer(factory, PIN)
    with pytest.raises(UrpiError, match="The buzzer on GPIO 18 cannot be used"):
        open_buzzer(factory, PIN)
    first.close()
