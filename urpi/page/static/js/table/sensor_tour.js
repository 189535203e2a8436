/** The tour of the sensors and mishaps: what the referee feels, and what it does about mistakes. */

import { gettext } from "../translation.js";

/** @type {import("./tour.js").Plan} */
export const SENSOR_TOUR = {
  steps: [
    {
      text: () => gettext("This is the referee of a real board, without the board. Under every square is a switch and in every die a radio, so that a small computer can follow the pieces and the dice. You are the hands."),
      at: "#board",
    },
    {
      text: () => gettext("Throw the dice: press Throw, or drag a die away and let it go. Throw whenever it is Light's turn, until you can move."),
      at: ".felt",
      done: (tour) => tour.mayMove,
    },
    {
      text: () => gettext("The table's display shows both players what was thrown, whose turn it is, and what is wrong. This is an exact picture of it."),
      at: ".oled",
    },
    {
      text: () => gettext("Now lift a light piece and put it where it does not belong, for instance on B8. Then wait a few seconds."),
      at: "#board",
      done: (tour) => Boolean(tour.state?.warning),
    },
    {
      text: () => gettext("The referee has noticed it, and shows what is wrong and how to correct it. Do so: put that piece back, or make a legal move with it."),
      at: "#warning",
      done: (tour) => tour.warned && !tour.state?.warning,
    },
    {
      text: () => gettext("Now cut the power in the middle of the game. Move a piece meanwhile, if you like. Then switch the power on again."),
      at: "#board",
      done: (tour) => tour.wasDark && Boolean(tour.table.physical?.power),
      does: {
        text: (tour) => tour.table.console?.mishaps.powerLabel() ?? "",
        act: (tour) => tour.table.console?.mishaps.switchPower(),
      },
    },
    {
      text: () => gettext("The game continues in the same turn, and the page shows what must be corrected. Everything was stored before it was shown: here is the record, and under Games you find every game with all that the switches detected."),
      at: "#record-frame",
    },
    {
      text: () => gettext("That is all. Dark is played by a simulated player. Under Mishaps you find other things that go wrong at real tables."),
      at: ".mishaps summary",
    },
  ],
};
