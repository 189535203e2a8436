/** The coach: a better move than the last one, until the next dice are thrown. */

import { put, the } from "./elements.js";
import { gettext } from "./translation.js";

/** @param {import("./state.js").State} state */
export function showCoach({ coached, takeback, seems }) {
  the("coach").hidden = !coached;
  if (!coached) return;
  put(the("coach-text"), `${coached.text} (+${coached.loss} %)`);
  put(the("coach-what"), takeback || seems ? gettext("Put the piece back to play it, or throw on.") : gettext("Throw on."));
}
