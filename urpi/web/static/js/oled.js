/** The display's very picture: every one of its 128 x 64 dots as a whole number of the screen's. */

const WIDTH = 128;
const HEIGHT = 64;

/**
 * Fits the picture into its frame.
 *
 * @param {HTMLImageElement} picture
 */
export function keepWhole(picture) {
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
