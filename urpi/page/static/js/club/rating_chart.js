/** A chart of a player's rating after each week with games. */

import { svg } from "../elements.js";
import { day, gettext } from "../translation.js";

/** @typedef {{monday: string, value: number, deviation: number}} Week */

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 48;
const BOTTOM = 26;
const TOP = 8;
const RIGHT = 12;
const STEPS = [10, 20, 50, 100, 200, 500, 1000];

/**
 * Formats the Monday of a week. A date alone would be midnight in UTC, in some places the day before.
 *
 * @param {Week} week
 */
const dayOf = (week) => day(`${week.monday}T12:00`);

/** @param {Week} week */
const timeOf = (week) => Date.parse(week.monday);

/**
 * Returns the chart of two weeks or more.
 *
 * @param {[Week, ...Week[]]} weeks
 */
export function ratingChart(weeks) {
  const first = weeks[0];
  const last = weeks.at(-1) ?? first;
  const low = Math.min(...weeks.map((week) => week.value - week.deviation));
  const high = Math.max(...weeks.map((week) => week.value + week.deviation));
  /** @param {Week} week */
  const x = (week) => LEFT + ((timeOf(week) - timeOf(first)) / (timeOf(last) - timeOf(first))) * (WIDTH - LEFT - RIGHT);
  /** @param {number} value */
  const y = (value) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const label = gettext("Rating between {first} and {last}: {low} to {high}", {
    first: dayOf(first),
    last: dayOf(last),
    low: Math.min(...weeks.map((week) => week.value)),
    high: Math.max(...weeks.map((week) => week.value)),
  });
  const chart = svg("svg", { class: "rating-chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  const step = STEPS.find((size) => (high - low) / size <= 5) ?? 2000;
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
    chart.append(svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }));
    chart.append(svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)));
  }
  /** @param {number} sign */
  const edge = (sign) => weeks.map((week) => `${x(week)},${y(week.value + sign * week.deviation)}`);
  chart.append(svg("polygon", { class: "band", points: [...edge(1), ...edge(-1).reverse()].join(" ") }));
  chart.append(svg("polyline", { class: "line", points: edge(0).join(" ") }));
  for (const week of weeks) {
    const rating = `${week.value} ± ${week.deviation}`;
    const text = gettext("{label}: {text}", { label: dayOf(week), text: rating });
    chart.append(svg("circle", { class: "point", cx: x(week), cy: y(week.value), r: 3 }, svg("title", {}, text)));
  }
  chart.append(svg("text", { x: LEFT, y: HEIGHT - 6 }, dayOf(first)));
  chart.append(svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, dayOf(last)));
  return chart;
}
