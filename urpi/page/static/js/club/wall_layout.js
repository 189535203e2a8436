/** The layout of the wall: as many columns as let the boards be as large as possible. */

/** The least width of a card at which its texts can be read; below it, the wall scrolls. */
const LEAST_PX = 250;
/** In a window this narrow, a card that is scrolled to is as wide as the window. */
const PHONE_PX = 560;

/**
 * Returns the number of columns and the width of a card.
 *
 * @param {number} count number of cards
 * @param {{width: number, height: number, gap: number}} room the room for all cards, in pixels
 * @param {number} aspect height of a card divided by its width
 * @returns {{columns: number, width: number}}
 */
export function layout(count, { width, height, gap }, aspect) {
  let best = { columns: 1, width: 0 };
  for (let columns = 1; columns <= Math.max(count, 1); columns++) {
    const rows = Math.ceil(count / columns);
    const across = (width - gap * (columns - 1)) / columns;
    const down = (height - gap * (rows - 1)) / rows / aspect;
    const fits = Math.floor(Math.min(across, down));
    if (fits > best.width) best = { columns, width: fits };
  }
  const least = Math.min(LEAST_PX, width);
  if (best.width >= least && width >= PHONE_PX) return best;
  const columns = width < PHONE_PX ? 1 : Math.max(Math.floor((width + gap) / (1.3 * LEAST_PX + gap)), 1);
  return { columns, width: Math.floor((width - gap * (columns - 1)) / columns) };
}
