/** Registers the service worker, which browsers permit over HTTPS and on this machine only. */

/** The page itself loads first, also over a slow network. */
const DELAY_MS = 3000;

export function registerWorker() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const register = () => serviceWorker.register("/service-worker.js").catch(() => undefined);
  setTimeout(() => void register(), DELAY_MS);
}
