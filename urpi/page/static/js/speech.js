/** Texts read aloud by the browser, where it has a voice of the page's language. */

import { language } from "./translation.js";

const desk = window.speechSynthesis ?? null;

/** A voice of the page's language. */
function voice() {
  return desk?.getVoices().find((one) => one.lang.replace("_", "-").split("-")[0] === language()) ?? null;
}

/** Whether texts can be read aloud. */
export const maySpeak = () => voice() !== null;

/**
 * Calls a function when the browser has loaded its voices, which may be later than the page.
 *
 * @param {() => void} act
 */
export function onVoices(act) {
  desk?.addEventListener("voiceschanged", act);
}

/**
 * Reads a text, and nothing else any more.
 *
 * @param {string} text
 */
export function speak(text) {
  const found = voice();
  desk?.cancel();
  if (!desk || !found) return;
  const spoken = new SpeechSynthesisUtterance(text);
  [spoken.voice, spoken.lang] = [found, found.lang];
  desk.speak(spoken);
}

export const stopSpeaking = () => desk?.cancel();
