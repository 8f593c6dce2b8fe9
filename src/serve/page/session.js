// @ts-check
// One game on one board, the server that is asked about it, and the computer that may play it.
//
// Every change ends in `changed`, which draws everything anew. Values are only ever those of the last answer: while
// the server is asked there are none, and when it does not answer there are none either.

import { NoAnswer, Refusal, askMany, askPosition, askVariants } from "./api.js";
import { Game, learn } from "./game.js";
import { Layout } from "./layout.js";
import { Opponent } from "./opponent.js";
import { opponentOf } from "./turns.js";

/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {import("./api.js").Side} Side */
/** @typedef {import("./api.js").Turn} Turn */
/** @typedef {import("./api.js").Variant} Variant */
/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {import("./gallery.js").Win} Win */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {{kind: "no-answer" | "unknown" | "fault", text: string}} Trouble its text names a sector or a reason */

/**
 * @typedef {object} Ahead what was asked before it was needed
 * @property {string} variant
 * @property {string} position
 * @property {Promise<Answer>} answering
 * @property {Answer | null} answer once it has come
 * @property {number} until when it is forgotten
 */

/** Milliseconds the computer seems to think, between the turns of a game played back, and between two tries; and
 * how long what was asked ahead is good. */
const PAUSES = { thinking: 400, replay: 900, retry: 3000, ahead: 2000 };

export class Session {
  /**
   * @param {Settings} settings
   * @param {(isNews: boolean) => void} changed draws; news are told to who cannot see them
   */
  constructor(settings, changed) {
    this.settings = settings;
    this.changed = changed;
    /** @type {Variant[]} */
    this.variants = [];
    /** @type {Variant | null} */
    this.variant = null;
    this.game = new Game("start");
    /** @type {Answer | null} */
    this.answer = null;
    /** @type {Trouble | null} */
    this.trouble = null;
    /** The points clicked of a turn that is not complete. @type {string[]} */
    this.clicks = [];
    /** @type {Editor | null} */
    this.editor = null;
    /** @type {Opponent | null} */
    this.opponent = null;
    /** @type {Win[] | null} */
    this.wins = null;
    this.galleryProblem = "";
    /** Whose man is being dragged from a hand. @type {Side} */
    this.handSide = "white";
    this.isReplaying = false;
    this.timer = 0;
    this.asked = {};
    /** @type {Ahead | null} */
    this.ahead = null;
  }

  // Which game

  /**
   * Asks which games there are and opens one.
   * @param {string | null} variant
   * @param {string | null} position
   */
  async start(variant, position) {
    this.resume = () => this.start(variant, position);
    try {
      this.variants = await askVariants();
    } catch (error) {
      return this.fail(error);
    }
    const wanted = this.variants.find(({ id }) => id === variant);
    // The position of a game that is not there is none of another game.
    if (this.variants.length) await this.open(wanted ?? this.variants[0], wanted || !variant ? position : null);
  }

  /**
   * @param {Variant} variant
   * @param {string | null} [position] the start if there is none
   */
  open(variant, position) {
    this.variant = variant;
    this.wins = null;
    this.editor = null;
    this.setLayout();
    return this.begin(new Game(position ?? variant.start));
  }

  setLayout() {
    if (this.variant) this.layout = new Layout(this.variant.board, this.settings);
  }

  /**
   * Begins with another game on the same board.
   * @param {Game} game
   */
  begin(game) {
    this.game = game;
    this.editor = null;
    this.#newMoments();
    return this.moved();
  }

  newGame() {
    return this.begin(new Game(this.variant?.start ?? "start"));
  }

  /**
   * Who plays: the reader this side, or both sides.
   * @param {Side | null} side
   */
  playAs(side) {
    this.opponent = side && new Opponent(opponentOf(side), this.settings.secondBest);
    this.stop();
    this.changed(false);
    this.#goOn();
  }

  #newMoments() {
    if (this.opponent) this.opponent = new Opponent(this.opponent.side, this.settings.secondBest);
  }

  /** @param {number} count second-best turns of the computer in a game */
  setSecondBest(count) {
    this.settings.secondBest = count;
    this.#newMoments();
    this.changed(false);
  }

  // Asking

  /** Shows the position that was come to, and asks about it. */
  moved() {
    this.clicks = [];
    this.stop();
    return this.ask();
  }

  stop() {
    clearTimeout(this.timer);
  }

  /** Asks about the position on the board. */
  async ask() {
    if (!this.variant) return;
    const asked = (this.asked = {});
    const node = this.game.now;
    this.resume = () => this.ask();
    this.answer = null;
    if (this.trouble?.kind !== "no-answer") this.trouble = null;
    const ahead = this.#takeAhead(this.variant, node.position);
    if (ahead?.answer) {
      this.trouble = null;
      return this.#take(ahead.answer);
    }
    // The server is at work while the board is drawn.
    const answering = ahead?.answering ?? askPosition(this.variant.id, node.position);
    this.changed(false);
    try {
      const answer = await answering;
      if (asked !== this.asked) return;
      this.trouble = null;
      this.#take(answer);
    } catch (error) {
      if (asked === this.asked) this.fail(error);
    }
  }

  /**
   * Asks about where a turn leads that may be made next, so that the answer is there when it is made: a button is
   * down for some time before it clicks, and who uses the keyboard has to reach a point before entering it.
   * @param {Turn} turn
   */
  expect({ position }) {
    if (!this.variant) return;
    const { id } = this.variant;
    if (this.#isAsked(this.variant, position)) return;
    /** @type {Ahead} */
    const ahead = {
      variant: id, position, answering: askPosition(id, position), answer: null, until: performance.now() + PAUSES.ahead,
    };
    this.ahead = ahead;
    const forget = () => {
      if (this.ahead === ahead) this.ahead = null;
    };
    ahead.answering.then((answer) => (ahead.answer = answer), forget);
  }

  /**
   * @param {Variant} variant
   * @param {string} position
   */
  #isAsked({ id }, position) {
    const { ahead } = this;
    return ahead?.variant === id && ahead.position === position && performance.now() < ahead.until;
  }

  /**
   * @param {Variant} variant
   * @param {string} position
   */
  #takeAhead(variant, position) {
    const ahead = this.#isAsked(variant, position) ? this.ahead : null;
    this.ahead = null;
    return ahead;
  }

  /** @param {Answer} answer */
  #take(answer) {
    learn(this.game.now, answer);
    this.answer = answer;
    this.changed(true);
    this.#goOn();
    this.#fillIn();
  }

  /** @param {unknown} error */
  fail(error) {
    this.answer = null;
    if (error instanceof Refusal) return this.#refused(error);
    if (!(error instanceof NoAnswer)) throw error;
    this.trouble = { kind: "no-answer", text: "" };
    this.game.forgetValues();
    this.wins = null;
    this.isReplaying = false;
    this.changed(true);
    this.stop();
    this.timer = setTimeout(() => this.retry(), PAUSES.retry);
  }

  /** @param {Refusal} refusal */
  #refused({ fault, rest }) {
    const { board, side } = rest;
    if (fault.missing && board && side) {
      // The rules alone tell the rest, so that one can go on from here.
      const unknown = { ...rest, value: "unknown", plies: null, missing: fault.missing };
      this.trouble = null;
      return this.#take(/** @type {Answer} */ ({ position: this.game.now.position, over: null, moves: [], ...unknown }));
    }
    const unknown = fault.missing ? { kind: "unknown", text: fault.missing } : { kind: "fault", text: fault.message };
    this.trouble = /** @type {Trouble} */ (unknown);
    this.game.now.worth = { value: "unknown", plies: null };
    this.isReplaying = false;
    this.changed(true);
  }

  /** Asks again what had no answer. */
  retry() {
    this.stop();
    return this.resume?.();
  }

  /** Asks what all positions of the game were worth, where that is not known yet. */
  async #fillIn() {
    const { untold } = this.game;
    if (!this.variant || untold.length === 0) return;
    const asked = this.asked;
    try {
      const answers = await askMany(this.variant.id, untold.map(({ position }) => position));
      if (asked !== this.asked) return;
      untold.forEach((node, i) => {
        const answer = answers[i];
        if ("error" in answer) node.worth = { value: "unknown", plies: null };
        else learn(node, answer);
      });
      this.changed(false);
    } catch (error) {
      // Without them the graph has gaps, and that is all.
      if (asked === this.asked && error instanceof NoAnswer) this.fail(error);
    }
  }

  // Whose turn

  /** The turns of the position, best first. */
  get turns() {
    return this.answer?.moves ?? [];
  }

  get isComputersTurn() {
    return this.opponent !== null && this.answer?.side === this.opponent.side && this.game.isAtEnd && !this.answer.over;
  }

  /** Whether the reader may make a turn now. */
  get isUsable() {
    return this.answer !== null && !this.editor && !this.isComputersTurn;
  }

  /** What happens by itself: a game is played back, or the computer makes its turn. */
  #goOn() {
    this.stop();
    if (this.isReplaying && !this.game.isAtEnd) {
      this.timer = setTimeout(() => this.#step(), PAUSES.replay);
    } else if (this.isReplaying) {
      this.isReplaying = false;
      this.changed(false);
    } else if (this.isComputersTurn && !this.editor && this.turns.length) {
      this.timer = setTimeout(() => this.#reply(), PAUSES.thinking);
    }
  }

  #reply() {
    const chosen = this.opponent?.choose(this.game, this.turns);
    if (chosen) this.play(chosen.turn, chosen.isSecondBest);
  }

  #step() {
    this.game.goTo(this.game.index + 1);
    this.moved();
  }

  /**
   * Makes a turn.
   * @param {Turn} turn
   * @param {boolean} [isSecondBest]
   */
  play(turn, isSecondBest) {
    this.isReplaying = false;
    this.game.play(turn, isSecondBest);
    return this.moved();
  }

  // Back and forth

  /**
   * The index that a step back or forth leads to; against the computer, to the reader's own turns.
   * @param {-1 | 1} direction
   */
  #stepTo(direction) {
    const { game, opponent } = this;
    const at = game.index + direction;
    if (!opponent || at < 0 || at >= game.nodes.length) return at;
    if (direction < 0) return game.lastTurnOf(opponentOf(opponent.side));
    const own = game.nodes.findIndex((node, i) => i >= at && node.side !== opponent.side);
    return own < 0 ? game.nodes.length - 1 : own;
  }

  get canUndo() {
    return !this.editor && (this.clicks.length > 0 || this.#stepTo(-1) >= 0);
  }

  get canRedo() {
    return !this.editor && !this.game.isAtEnd;
  }

  undo() {
    if (this.canUndo) this.jump(this.#stepTo(-1));
  }

  redo() {
    if (this.canRedo) this.jump(this.#stepTo(1));
  }

  /** @param {number} index */
  jump(index) {
    if (this.editor) return;
    this.isReplaying = false;
    this.game.goTo(index);
    this.moved();
  }

  /** Plays the game back from here, or from its start; a second time stops it. */
  toggleReplay() {
    if (this.isReplaying) return this.jump(this.game.index);
    if (this.editor || this.game.nodes.length < 2) return;
    if (this.game.isAtEnd) this.game.goTo(0);
    this.isReplaying = true;
    this.moved();
  }
}
