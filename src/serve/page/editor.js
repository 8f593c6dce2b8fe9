// @ts-check
// The set-up editor. It knows no rules: whatever is set up goes to the server, which says whether it is a position of
// the game, or why not.

import { NoAnswer, askSetup } from "./api.js";
import { byId, control } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./api.js").Men} Men */
/** @typedef {import("./api.js").Side} Side */

const SIDES = /** @type {Side[]} */ (["white", "black"]);

export class Editor {
  /**
   * @param {string} variant
   * @param {Men} men to begin with
   * @param {Side} side
   * @param {() => void} changed
   */
  constructor(variant, men, side, changed) {
    this.variant = variant;
    this.men = { ...men, white: [...men.white], black: [...men.black], hand: { ...men.hand } };
    this.side = side;
    this.changed = changed;
    /** The text of the position, once the server has taken it. */
    this.position = /** @type {string | null} */ (null);
    this.#writeFields();
    this.refresh();
  }

  #writeFields() {
    for (const side of SIDES) control(`hand-${side}`).value = String(this.men.hand[side]);
    control(`side-${this.side}`).checked = true;
    control("due").value = String(this.men.removals_due);
  }

  /** Takes over what the fields say. */
  readFields() {
    // Every man of a hand is drawn, so that one digit too many could draw without end.
    const number = (/** @type {string} */ id) => {
      const { valueAsNumber, max } = control(id);
      return Math.min(Math.max(0, Math.round(valueAsNumber || 0)), Number(max));
    };
    for (const side of SIDES) this.men.hand[side] = number(`hand-${side}`);
    this.side = control("side-white").checked ? "white" : "black";
    this.men.removals_due = number("due");
    this.refresh();
  }

  /**
   * Puts on a point what is chosen; the same man a second time is removed.
   * @param {string} point
   */
  click(point) {
    const brush = control("brush-white").checked ? "white" : control("brush-black").checked ? "black" : null;
    const there = this.#manOn(point);
    this.#toHand(point);
    if (brush && brush !== there) this.#fromHand(brush, point);
    this.#writeFields();
    this.refresh();
  }

  /** @param {string} point */
  #manOn(point) {
    return SIDES.find((side) => this.men[side].includes(point));
  }

  /**
   * Puts a man on a point: one of its hand, as long as there are any.
   * @param {Side} side
   * @param {string} point
   */
  #fromHand(side, point) {
    this.men.hand[side] = Math.max(0, this.men.hand[side] - 1);
    this.men[side].push(point);
  }

  /**
   * Removes the man of a point. It goes back to a hand that has others; otherwise it counts as lost.
   * @param {string} point
   */
  #toHand(point) {
    const side = this.#manOn(point);
    if (side && this.men.hand[side] > 0) this.men.hand[side] += 1;
    this.#clear(point);
  }

  /**
   * A man was dragged; off the board if to nowhere, from a hand if from nowhere.
   * @param {string | null} from
   * @param {string | null} to
   * @param {Side} [colour] that of a man from a hand
   */
  drop(from, to, colour) {
    const man = from === null ? colour : this.#manOn(from);
    if (!man || from === to) return;
    if (to !== null) this.#toHand(to);
    if (from === null && to !== null) this.#fromHand(man, to);
    else if (from !== null && to !== null) {
      this.#clear(from);
      this.men[man].push(to);
    } else if (from !== null) this.#toHand(from);
    this.#writeFields();
    this.refresh();
  }

  /** Takes all men off the board. */
  clear() {
    for (const side of SIDES) for (const point of this.men[side]) this.#toHand(point);
    this.#writeFields();
    this.refresh();
  }

  /** @param {string} point */
  #clear(point) {
    for (const side of SIDES) this.men[side] = this.men[side].filter((p) => p !== point);
  }

  /** Asks the server about what is set up now. */
  async refresh() {
    this.position = null;
    this.changed();
    const asked = (this.asked = {});
    const verdict = byId("setup-verdict");
    try {
      const { position } = await askSetup(this.variant, { ...this.men, side: this.side });
      if (asked !== this.asked) return;
      this.position = position;
      verdict.textContent = say("setup.fine");
    } catch (error) {
      if (asked !== this.asked) return;
      verdict.textContent = error instanceof NoAnswer ? say("no_answer") : String(/** @type {Error} */ (error).message);
    }
    verdict.classList.toggle("bad", this.position === null);
    this.changed();
  }
}
