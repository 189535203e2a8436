/** A page that is not there: said in the table's language. */

import { speak } from "./say.js";
import { ask } from "./send.js";

const languages = await ask("/api/languages");
if (languages.ok) await speak(languages.data.now);
