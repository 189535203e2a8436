/**
 * The service worker of the page. It stores a single page, which is shown while the table cannot be
 * reached. Everything else always comes from the table, so no old program is ever run.
 *
 * The server replaces the version below, so that a new program replaces the worker and what it has
 * stored.
 */

const VERSION = "@version@";
const CACHE = `urpi-${VERSION}`;
const PAGE = "/unavailable";
const FILES = [PAGE, "/static/css/page.css", "/static/js/unavailable.js", "/static/icon.svg"];
/** What a proxy responds while the program behind it does not run. */
const GATEWAY_ERRORS = [502, 503, 504];

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(store());
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(dropOthers());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(navigate(request));
  else if (FILES.includes(new URL(request.url).pathname)) event.respondWith(load(request));
});

async function store() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await worker.skipWaiting();
}

async function dropOthers() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith("urpi-") && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function navigate(request) {
  try {
    const response = await fetch(request);
    if (!GATEWAY_ERRORS.includes(response.status)) return response;
  } catch {
    // The table cannot be reached.
  }
  return (await stored(PAGE)) ?? Response.error();
}

/** @param {Request} request */
async function load(request) {
  try {
    return await fetch(request);
  } catch {
    return (await stored(request)) ?? Response.error();
  }
}

/** @param {RequestInfo} request */
async function stored(request) {
  return (await caches.open(CACHE)).match(request);
}
