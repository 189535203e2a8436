/** The page of a stored game. */

import { get } from "./api.js";
import { openReplay } from "./replay.js";
import { setLanguage } from "./translation.js";

void openReplay(async () => {
  const languages = await get("/api/languages");
  if (languages.ok) await setLanguage(languages.data.now);
});
