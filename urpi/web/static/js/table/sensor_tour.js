/** The tour of the sensors and mishaps: what the referee feels, and what it does about mistakes. */

import { gettext } from "../translation.js";

/** @type {import("./tour.js").Plan} */
export const SENSOR_TOUR = {
  steps: [
    {
      text: () => gettext("This is a real board's referee without the board. Under every square is a switch, in every die a radio; a small computer feels the pieces and hears the dice. You are the hands."),
      at: "#board",
    },
    {
      text: () => gettext("Throw the dice: press Throw, or drag a die away and let it go. Throw whenever it is light's turn, until there is a move to make."),
      at: ".felt",
      done: (tour) => tour.mayMove,
    },
    {
      text: () => gettext("The table's display tells both players what was thrown, whose turn it is, and what is wrong. This is its very picture."),
      at: ".oled",
    },
    {
      text: () => gettext("Now lift a light piece, and put it on purpose where it does not belong: on B8, for instance. Then wait a few seconds."),
      at: "#board",
      done: (tour) => Boolean(tour.state?.warning),
    },
    {
      text: () => gettext("The referee has felt it, and says what is wrong and how to put it right. Do so: take that piece back, or make a right move with it."),
      at: "#warning",
      done: (tour) => tour.warned && !tour.state?.warning,
    },
    {
      text: () => gettext("Cut the power in the middle of it all. Move a piece meanwhile, if you like. Then switch the power on again."),
      at: "#board",
      done: (tour) => tour.wasDark && Boolean(tour.table.physical?.power),
      does: {
        text: (tour) => tour.table.mishaps.powerLabel(),
        act: (tour) => tour.table.mishaps.switchPower(),
      },
    },
    {
      text: () => gettext("It goes on in the same turn, and says what to put right. Everything was on the disk before anybody saw it: here is the record, and under Games is every game, with all that the switches felt."),
      at: "#record-frame",
    },
    {
      text: () => gettext("That is all. Dark is played by a simulated player; under Mishaps waits the rest of what goes wrong at real tables."),
      at: ".mishaps summary",
    },
  ],
};
