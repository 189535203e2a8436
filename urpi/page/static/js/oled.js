/** The display's picture, whose 128 x 64 pixels are each a whole number of screen pixels. */

const WIDTH = 128;
const HEIGHT = 64;

/**
 * Keeps the picture as large as its frame allows.
 *
 * @param {HTMLImageElement} picture
 */
export function fitToPixels(picture) {
  const sizes = new ResizeObserver(([frame]) => fit(picture, frame?.contentRect.width ?? WIDTH));
  sizes.observe(/** @type {Element} */ (picture.parentElement));
}

/**
 * @param {HTMLImageElement} picture
 * @param {number} room
 */
function fit(picture, room) {
  const ratio = devicePixelRatio || 1;
  const scale = Math.max(1, Math.floor((room * ratio) / WIDTH)) / ratio;
  picture.style.width = `${WIDTH * scale}px`;
  picture.style.height = `${HEIGHT * scale}px`;
}

/**
 * @param {HTMLImageElement} picture
 * @param {string} address
 */
export function showOled(picture, address) {
  if (picture.getAttribute("src") !== address) picture.src = address;
}
