/** The page of a stored game. */

import { openReplay } from "./replay.js";

void openReplay();
