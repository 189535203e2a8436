/** The page for an unknown address, in the browser's preferred language. */

import { setLanguage } from "./translation.js";
import { get } from "./api.js";

const languages = await get("/api/languages");
if (languages.ok) await setLanguage(languages.data.wanted ?? languages.data.now);
