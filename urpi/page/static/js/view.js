/** Shows the stored theme, and loads the dialog for how this browser shows the page when its button is pressed. */

import { the } from "./elements.js";
import { flipButton, showOwnView } from "./own_view.js";
import { showTheme, storedTheme } from "./themes.js";

/** Choices of this browser that are switched on and off: how each is shown at the start, and its button. */
const SWITCHES = [{ show: showOwnView, button: flipButton }];

export function offerView() {
  showTheme(storedTheme());
  for (const { show } of SWITCHES) show();
  the("view-button").addEventListener("click", async () => {
    const { ViewDialog } = await import("./view_dialog.js");
    new ViewDialog(SWITCHES.map(({ button }) => button())).open();
  });
}
