/**
 * The stream of what happens at the table. It is read by fetch and not by EventSource, because
 * only so is a connection noticed that has died without a word: the server says something every
 * 15 s. What was missed meanwhile comes again, told from the last number on.
 */

const SILENT_MS = 40_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/**
 * @typedef {{
 *   hear: (event: string, data: any) => void,
 *   connected: (yes: boolean) => void,
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
    this.last = "";
    this.wait = FIRST_WAIT_MS;
    this.abort = new AbortController();
    this.atOnce = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.silence = undefined;
    /** @type {(() => void) | undefined} */
    this.wake = undefined;
    addEventListener("online", () => this.again());
    addEventListener("offline", () => this.abort.abort());
    addEventListener("pageshow", (event) => event.persisted && this.again());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake?.());
  }

  /** Reads for as long as the page is open. */
  async run() {
    for (;;) {
      try {
        await this.read();
      } catch {
        // A connection that broke is the same as one that ended: it is made again.
      }
      if (this.atOnce) continue;
      this.listener.connected(false);
      await this.pause();
    }
  }

  /**
   * Lets all be told again that came after that.
   *
   * @param {number} last
   */
  retell(last) {
    this.last = String(last);
    this.again();
  }

  /** Lets go of what there is and connects at once, for instance after sleep. */
  again() {
    this.wait = FIRST_WAIT_MS;
    this.atOnce = true;
    this.abort.abort();
    this.wake?.();
  }

  async read() {
    this.atOnce = false;
    this.abort = new AbortController();
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream" };
    if (this.last) headers["Last-Event-ID"] = this.last;
    const options = { headers, signal: this.abort.signal, cache: /** @type {const} */ ("no-store") };
    const answer = await fetch(this.address, options);
    if (!answer.ok || !answer.body) throw new Error(`The stream answers ${answer.status}.`);
    this.wait = FIRST_WAIT_MS;
    this.listener.connected(true);
    try {
      await this.listen(answer.body.getReader());
    } finally {
      clearTimeout(this.silence);
    }
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  async listen(reader) {
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      clearTimeout(this.silence);
      this.silence = setTimeout(() => this.abort.abort(), SILENT_MS);
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      events.forEach((event) => this.take(event));
    }
  }

  /** @param {string} block */
  take(block) {
    const told = fields(block);
    if (told.id !== undefined) this.last = told.id;
    if (told.data) this.listener.hear(told.event ?? "message", JSON.parse(told.data));
  }

  async pause() {
    const wait = this.wait * (0.75 + Math.random() / 2);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.wake = () => (clearTimeout(timer), resolve(undefined));
    });
    this.wake = undefined;
  }
}

/**
 * An event's fields; a line that begins with a colon is a comment.
 *
 * @param {string} block
 * @returns {Record<string, string>}
 */
function fields(block) {
  /** @type {Record<string, string>} */
  const told = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    told[name] = name === "data" && told.data ? `${told.data}\n${value}` : value;
  }
  return told;
}
