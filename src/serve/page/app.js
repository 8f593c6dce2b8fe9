// @ts-check
// What the reader does: clicks and drags, setting up, pasting, looking at the longest wins.

import { Refusal, askGame, askLine, askPosition } from "./api.js";
import { Editor } from "./editor.js";
import { Game } from "./game.js";
import { longestWins } from "./gallery.js";
import { Session } from "./session.js";
import { completed, isTaking, nextClicks, route } from "./turns.js";

export class App extends Session {
  /** A step back; of a turn that is not complete, its clicks. */
  undo() {
    if (this.clicks.length) this.cancel();
    else super.undo();
  }

  // Clicks

  /** The points a click does something on now. */
  get openPoints() {
    if (this.editor) return new Set(this.layout?.at.keys());
    if (!this.isUsable) return new Set();
    const points = new Set(nextClicks(this.turns, this.clicks).keys());
    // Another man may be chosen instead.
    if (this.clicks.length === 1 && !this.isTaking) {
      for (const turn of this.turns) if (turn.from !== null) points.add(turn.from);
    }
    return points;
  }

  get isTaking() {
    return isTaking(this.turns, this.clicks);
  }

  /**
   * The turn that a click on a point completes, if it does.
   * @param {string} point
   */
  #completedBy(point) {
    const clicks = [...this.clicks, point];
    if (this.clicks.at(-1) === point) return completed(this.turns, this.clicks);
    return nextClicks(this.turns, clicks).size === 0 ? completed(this.turns, clicks) : undefined;
  }

  /**
   * A point may be clicked next.
   * @param {string} point
   */
  expectClick(point) {
    const turn = this.isUsable && this.#completedBy(point);
    if (turn) this.expect(turn);
  }

  /** @param {string} point */
  click(point) {
    if (this.editor) return this.editor.click(point);
    if (!this.isUsable) return;
    if (nextClicks(this.turns, this.clicks).has(point)) return this.#follow([...this.clicks, point]);
    const whole = completed(this.turns, this.clicks);
    if (this.clicks.at(-1) === point) return whole && this.clicks.length ? this.play(whole) : this.cancel();
    // While men are to be taken a slip does not give up the turn.
    if (this.isTaking) return;
    this.clicks = [];
    if (nextClicks(this.turns, []).has(point)) this.#follow([point]);
    else this.changed(false);
  }

  /** @param {string[]} clicks */
  #follow(clicks) {
    this.clicks = clicks;
    const turn = completed(this.turns, clicks);
    if (turn && nextClicks(this.turns, clicks).size === 0) this.play(turn);
    else this.changed(true);
  }

  cancel() {
    if (this.clicks.length === 0) return;
    this.clicks = [];
    this.changed(true);
  }

  /** The turn that does nothing, if there is one. */
  get pass() {
    return this.turns.find((turn) => route(turn).length + turn.takes.length === 0);
  }

  /** @param {string} point */
  lift(point) {
    if (this.editor) return true;
    if (!this.isUsable) return false;
    if (this.isTaking) return nextClicks(this.turns, this.clicks).has(point);
    if (!this.turns.some((turn) => turn.from === point)) return false;
    if (this.clicks[0] !== point) this.click(point);
    return true;
  }

  /**
   * @param {string | null} from a point, or a hand
   * @param {string | null} to
   */
  drop(from, to) {
    if (this.editor) return this.editor.drop(from, to, this.handSide);
    const next = nextClicks(this.turns, this.clicks);
    if (from === to) return;
    if (from !== null && this.isTaking) return this.click(from);
    if (to !== null && next.has(to) && (from !== null || next.get(to)?.from === null)) return this.click(to);
    this.cancel();
  }

  // Set-up, texts, gallery

  edit() {
    if (!this.variant) return;
    const { men, side } = this.game.now;
    // Of a position that is not known nothing is taken over.
    const none = { white: [], black: [], hand: this.variant.men, removals_due: 0 };
    this.isReplaying = false;
    this.stop();
    this.clicks = [];
    this.editor = new Editor(this.variant.id, men ?? none, side ?? "white", () => this.changed(false));
  }

  /** @param {boolean} taken whether the position that was set up is taken over */
  endEdit(taken) {
    const position = this.editor?.position;
    if (taken && !position) return;
    this.editor = null;
    return taken && position ? this.begin(new Game(position)) : this.moved();
  }

  /**
   * Loads a position text. What is wrong with it is thrown.
   * @param {string} text
   */
  async load(text) {
    if (!this.variant) return;
    const { position } = await askPosition(this.variant.id, text);
    await this.begin(new Game(position));
  }

  /**
   * Plays a text of turns and looks at the end. What is wrong with it is thrown.
   * @param {string} text
   * @param {boolean} fromHere from the position on the board instead of the start
   */
  async loadMoves(text, fromHere) {
    if (!this.variant) return;
    const from = fromHere ? this.game.now.position : this.variant.start;
    const { positions, moves } = await askGame(this.variant.id, from, text);
    const game = Game.of(positions, moves);
    game.goTo(game.nodes.length - 1);
    await this.begin(game);
  }

  /** Fetches the longest wins. */
  async fetchWins() {
    if (!this.variant || this.wins) return;
    const { id } = this.variant;
    await this.#gallery(async () => {
      const wins = await longestWins(id);
      if (this.variant?.id === id) this.wins = wins;
    });
    this.changed(false);
  }

  /** @param {{position: string}} win is played back to its end */
  async playBack({ position }) {
    if (!this.variant) return;
    const { id } = this.variant;
    await this.#gallery(async () => {
      const { line } = await askLine(id, position);
      this.opponent = null;
      this.isReplaying = true;
      await this.begin(Game.of([position, ...line.map((turn) => turn.position)], line));
    });
  }

  /**
   * Asks something for the gallery. A refusal is told there, and is none about the position on the board.
   * @param {() => Promise<void>} ask
   */
  async #gallery(ask) {
    this.galleryProblem = "";
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof Refusal)) return this.fail(error);
      this.galleryProblem = error.message;
      this.changed(false);
    }
  }
}
