/** Shows the stored theme, and loads the dialog for how this browser shows the page when its button is pressed. */

import { the } from "./elements.js";
import { showOwnView } from "./own_view.js";
import { showTheme, storedTheme } from "./themes.js";

export function offerView() {
  showTheme(storedTheme());
  showOwnView();
  the("view-button").addEventListener("click", async () => {
    const { ViewDialog } = await import("./view_dialog.js");
    new ViewDialog().open();
  });
}
