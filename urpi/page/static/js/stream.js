/**
 * The stream of server-sent events. It is read with fetch instead of EventSource, to detect a dead
 * connection by its silence: the server sends a heartbeat every 15 s. After reconnecting, the
 * server repeats everything since the last event id.
 */

// Two heartbeats and a half: one may be lost or late.
const SILENCE_MS = 40_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/**
 * @typedef {{
 *   onEvent: (event: string, data: any) => void,
 *   onConnection: (connected: boolean) => void,
 * }} Listener
 */

export class Stream {
  /**
   * @param {string} address
   * @param {Listener} listener
   */
  constructor(address, listener) {
    this.address = address;
    this.listener = listener;
    // The id of the last event, which the server continues after.
    this.last = "";
    /** The version of the page's files. */
    this.version = "";
    this.delay = FIRST_DELAY_MS;
    this.abort = new AbortController();
    this.immediately = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.silence = undefined;
    /** @type {(() => void) | undefined} */
    this.wake = undefined;
    addEventListener("online", () => this.reconnect());
    // The browser would notice only after a timeout of the network.
    addEventListener("offline", () => this.abort.abort());
    addEventListener("pageshow", (event) => event.persisted && this.reconnect());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake?.());
  }

  /** Reads until the page is closed, reconnecting whenever the connection ends. */
  async run() {
    for (;;) {
      try {
        await this.read();
      } catch {
        // A broken connection is handled like one that ended.
      }
      // A deliberate reconnect: the page does not report a lost connection.
      if (this.immediately) continue;
      this.listener.onConnection(false);
      await this.pause();
    }
  }

  /**
   * Receives all events after a number again.
   *
   * @param {number} last
   */
  restartAfter(last) {
    this.last = String(last);
    this.reconnect();
  }

  /** Drops the connection and opens a new one without delay, for instance after sleep. */
  reconnect() {
    this.delay = FIRST_DELAY_MS;
    this.immediately = true;
    this.abort.abort();
    this.wake?.();
  }

  async read() {
    this.immediately = false;
    this.abort = new AbortController();
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream" };
    if (this.last) headers["Last-Event-ID"] = this.last;
    const options = { headers, signal: this.abort.signal, cache: /** @type {const} */ ("no-store") };
    const answer = await fetch(this.address, options);
    if (!answer.ok || !answer.body) throw new Error(`The stream could not be opened: status ${answer.status}.`);
    this.delay = FIRST_DELAY_MS;
    this.checkVersion(answer.headers.get("Urpi-Page") ?? "");
    this.listener.onConnection(true);
    try {
      await this.listen(answer.body.getReader());
    } finally {
      clearTimeout(this.silence);
    }
  }

  /**
   * Loads the page again if the program was upgraded while it was open.
   *
   * @param {string} version
   */
  checkVersion(version) {
    if (this.version && version !== this.version) location.reload();
    this.version = version;
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  async listen(reader) {
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      clearTimeout(this.silence);
      this.silence = setTimeout(() => this.abort.abort(), SILENCE_MS);
      const { done, value } = await reader.read();
      if (done) return;
      // A character may be split between two chunks.
      text += decoder.decode(value, { stream: true });
      const events = text.split("\n\n");
      // The last part is incomplete until its empty line arrives.
      text = events.pop() ?? "";
      events.forEach((event) => this.dispatch(event));
    }
  }

  /** @param {string} block */
  dispatch(block) {
    const { id, event, data } = fields(block);
    if (id !== undefined) this.last = id;
    if (data) this.listener.onEvent(event ?? "message", JSON.parse(data));
  }

  async pause() {
    // Spread, so that not all pages reconnect at the same moment after a restart.
    const delay = this.delay * (0.75 + Math.random() / 2);
    this.delay = Math.min(2 * this.delay, MAX_DELAY_MS);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, delay);
      this.wake = () => (clearTimeout(timer), resolve(undefined));
    });
    this.wake = undefined;
  }
}

/**
 * Parses the fields of an event; a line that begins with a colon is a comment.
 *
 * @param {string} block
 * @returns {Record<string, string>}
 */
function fields(block) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    found[name] = name === "data" && found.data ? `${found.data}\n${value}` : value;
  }
  return found;
}

/** Draws states one after the other; of several that wait, only the newest. */
export class NewestDrawer {
  /** @param {(state: import("./state.js").State) => Promise<void>} show */
  constructor(show) {
    this.show = show;
    /** @type {import("./state.js").State | null} */
    this.waiting = null;
    this.busy = false;
  }

  /** @param {import("./state.js").State} state */
  async draw(state) {
    this.waiting = state;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.waiting) {
        const next = this.waiting;
        this.waiting = null;
        // A state that cannot be drawn must not stop the following ones.
        await this.show(next).catch(reportError);
      }
    } finally {
      this.busy = false;
    }
  }
}
