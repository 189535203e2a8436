/** Drawing of states that arrive faster than they can be drawn. */

/** @typedef {import("./state.js").State} State */

/** Draws states one after the other; of several that wait, only the newest. */
export class NewestDrawer {
  /** @param {(state: State) => Promise<void>} show */
  constructor(show) {
    this.show = show;
    /** @type {State | null} */
    this.waiting = null;
    this.busy = false;
  }

  /** @param {State} state */
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
