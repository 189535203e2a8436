"""The virtual table's words on the page (`urpi.web`'s scripts under js/table)."""

from typing import Final

from urpi.words.sentences import N_

TABLE_WORDS: Final = (
    N_("Tour"),
    N_("Drag a piece, or Tab to it: Enter lifts and puts, the arrow keys move, Esc puts back."),
    N_("The power is off. Move the pieces about, if you like; then switch it on."),
    N_("Switch the power on"),
    N_("Beside the board"),
    N_("{side}'s row"),
    N_("{side}'s home"),
    N_("Aside"),
    N_("Nothing lies there."),
    N_("You hold {side}'s piece."),
    N_("Put down."),
    N_("Dice"),
    N_("leans on something"),
    N_("Players and buttons"),
    N_("Both buttons, long"),
    N_("Press a button long: hold it down, or Shift."),
    N_("by hands"),
    N_("by a simulated player"),
    N_("{side}'s button"),
    N_("stays closed"),
    N_("stays open"),
    N_("flickers"),
    N_("Mishaps"),
    N_("Bump the table"),
    N_("Brush with a sleeve"),
    N_("Put everything right"),
    N_("Die"),
    N_("Let it lean"),
    N_("Turn it by hand"),
    N_("Square"),
    N_("Fault"),
    N_("The switch under"),
    N_("Break it"),
    N_("Repair {square}, which {fault}"),
    N_("Cut the power"),
    N_("Plug the dice hub in"),
    N_("Unplug the dice hub"),
    N_(
        "This is a real board's referee without the board. Under every square is a switch, "
        "in every die a radio; a small computer feels the pieces and hears the dice. You are "
        "the hands."
    ),
    N_(
        "Throw the dice: press Throw, or drag a die away and let it go. Throw whenever it is "
        "light's turn, until there is a move to make."
    ),
    N_(
        "The table's display tells both players what was thrown, whose turn it is, and what "
        "is wrong. This is its very picture."
    ),
    N_(
        "Now lift a light piece, and put it on purpose where it does not belong: on B8, for "
        "instance. Then wait a few seconds."
    ),
    N_(
        "The referee has felt it, and says what is wrong and how to put it right. Do so: "
        "take that piece back, or make a right move with it."
    ),
    N_(
        "Cut the power in the middle of it all. Move a piece meanwhile, if you like. Then "
        "switch the power on again."
    ),
    N_(
        "It goes on in the same turn, and says what to put right. Everything was on the disk "
        "before anybody saw it: here is the record, and under Games is every game, with all "
        "that the switches felt."
    ),
    N_(
        "That is all. Dark is played by a simulated player; under Mishaps waits the rest of "
        "what goes wrong at real tables."
    ),
    N_("Next"),
    N_("Leave the tour"),
    N_("Step {number} of {count}"),
    N_("Done"),
)
