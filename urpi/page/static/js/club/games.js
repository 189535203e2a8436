/** The list of a club's games, newest first, with filters. */

import { get } from "../api.js";
import { GameFilters } from "../game_filters.js";
import { GameList } from "../game_list.js";
import { offerLarger } from "../view.js";
import { chooseLanguage, gettext } from "../translation.js";
import { gameItem } from "./game_item.js";
import { VERDICTS, verdictName } from "./verdicts.js";

const FIELDS = ["table", "player", "rules", "verdict", "since", "until"];

async function begin() {
  offerLarger();
  await chooseLanguage();
  document.title = `${gettext("Games")} – urpi`;
  const filters = new GameFilters(() => void list.fetch(), FIELDS);
  const list = new GameList(filters, gameItem);
  filters.fillAll("verdict", VERDICTS.map((id) => ({ id, name: verdictName(id) })));
  const tables = await get("/api/tables");
  if (tables.ok) filters.fill("table", tables.data.map((/** @type {string} */ id) => ({ id, name: id })));
  await filters.fillRules();
  await list.fetch();
}

void begin();
