/** The page that the service worker shows while the table cannot be reached. */

const RETRY_MS = 2000;
const UPDATE_MS = 5000;

/** Shows the texts in the first of the browser's languages that there is. */
function showLanguage() {
  const known = [...document.querySelectorAll("main [lang]")].map((one) => one.getAttribute("lang"));
  const preferred = navigator.languages.map((one) => one.slice(0, 2)).find((one) => known.includes(one));
  const language = preferred ?? "en";
  document.documentElement.lang = language;
  for (const part of document.querySelectorAll("main [lang]")) {
    part.toggleAttribute("hidden", part.getAttribute("lang") !== language);
  }
}

/**
 * Replaces the service worker if the program at the table has a newer one. Chromium never finishes
 * a navigation that begins while the worker is being replaced, so this comes before the reload.
 */
async function updateWorker() {
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.update();
  const next = registration?.installing ?? registration?.waiting;
  if (!next) return;
  await new Promise((resolve) => {
    next.addEventListener("statechange", () => next.state === "activated" && resolve(null));
    setTimeout(resolve, UPDATE_MS);
  });
}

async function retry() {
  try {
    const answer = await fetch("/api/languages", { cache: "no-store" });
    if (answer.ok) {
      await updateWorker();
      return location.reload();
    }
  } catch {
    // It is still unavailable.
  }
  setTimeout(() => void retry(), RETRY_MS);
}

showLanguage();
setTimeout(() => void retry(), RETRY_MS);

export {};
