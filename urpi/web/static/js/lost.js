/** A page that is not there: no table speaks on it, and so it is said in the reader's language. */

import { speak } from "./say.js";
import { ask } from "./send.js";

const languages = await ask("/api/languages");
if (languages.ok) await speak(languages.data.wanted ?? languages.data.now);
