// @ts-check
// A game: the positions that were reached, the turns between them, and where one is looking.

import { menAfter, opponentOf } from "./turns.js";

/** @typedef {import("./api.js").Side} Side */
/** @typedef {import("./api.js").Worth} Worth */
/** @typedef {import("./api.js").Men} Men */
/** @typedef {import("./api.js").Deed} Deed */
/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {import("./api.js").End} End */
/**
 * @typedef {object} Node a position of a game; what the server has not told yet is null
 * @property {string} position
 * @property {Deed | null} turn the turn that led here
 * @property {Men | null} men
 * @property {Side | null} side whose turn it is
 * @property {Worth | null} worth to that side
 * @property {End | null} over
 * @property {boolean} isSecondBest whether the computer chose a second-best turn on purpose
 */

/**
 * @param {string} position
 * @param {Partial<Node>} [known]
 * @returns {Node}
 */
function node(position, known = {}) {
  return { position, turn: null, men: null, side: null, worth: null, over: null, isSecondBest: false, ...known };
}

export class Game {
  /**
   * @param {string} position
   * @param {Partial<Node>} [known]
   */
  constructor(position, known = {}) {
    this.nodes = [node(position, known)];
    this.index = 0;
  }

  /**
   * A game that was played already.
   * @param {string[]} positions one more than there are turns
   * @param {Deed[]} turns
   */
  static of(positions, turns) {
    const game = new Game(positions[0]);
    game.nodes.push(...turns.map((turn, i) => node(positions[i + 1], { turn })));
    return game;
  }

  get now() {
    return this.nodes[this.index];
  }

  get isAtEnd() {
    return this.index === this.nodes.length - 1;
  }

  /**
   * Plays a turn. Turns that were taken back are forgotten, unless it is the one that came next.
   * @param {Deed & {position: string}} turn
   * @param {boolean} [isSecondBest]
   */
  play(turn, isSecondBest = false) {
    const { men, side } = this.now;
    const next = this.nodes[this.index + 1];
    if (next?.position !== turn.position || next.turn?.move !== turn.move) {
      const then = men && side ? { men: menAfter(men, side, turn), side: opponentOf(side) } : {};
      this.nodes.length = this.index + 1;
      this.nodes.push(node(turn.position, { turn, isSecondBest, ...then }));
    }
    this.index += 1;
  }

  /**
   * Looks at another position.
   * @param {number} index
   */
  goTo(index) {
    this.index = Math.max(0, Math.min(index, this.nodes.length - 1));
  }

  /** The positions of which the server has not told the value. */
  get untold() {
    return this.nodes.filter((each) => each.worth === null);
  }

  /** Forgets all values: nobody can vouch for them. */
  forgetValues() {
    for (const each of this.nodes) each.worth = null;
  }

  /**
   * The index from which a side looks back at its last turn.
   * @param {Side} side
   */
  lastTurnOf(side) {
    for (let i = this.index - 1; i >= 0; i--) if (this.nodes[i].side === side) return i;
    return -1;
  }
}

/**
 * Takes what the server tells of a position.
 * @param {Node} node
 * @param {Answer} answer
 */
export function learn(node, answer) {
  node.position = answer.position;
  node.men = answer.board;
  node.side = answer.side;
  node.worth = { value: answer.value, plies: answer.plies, missing: answer.missing };
  node.over = answer.over ?? null;
}

const RANK = { loss: 0, draw: 1, win: 2 };

/** @typedef {{mark: "?!" | "?" | "??", before: Worth, after: Worth}} Mistake both worths are those for who made it */

/**
 * Whether the turn that led to a position was a mistake: `??` lost a won game, `?` gave away half as much,
 * `?!` made the win slower or the loss quicker.
 * @param {Game} game
 * @param {number} index
 * @returns {Mistake | null} nothing too where a value is not known
 */
export function mistake(game, index) {
  const [from, to] = [game.nodes[index - 1], game.nodes[index]];
  const before = from?.worth;
  if (!before || !to.worth) return null;
  const after = seenBy(from.side, to);
  if (before.value === "unknown" || after.value === "unknown") return null;
  const lost = RANK[before.value] - RANK[after.value];
  if (lost > 0) return { mark: lost === 2 ? "??" : "?", before, after };
  if (before.plies === null || after.plies === null || lost < 0) return null;
  // A turn has brought the end nearer by one ply, if it was a best one.
  const later = after.plies - before.plies;
  const isWorse = after.value === "win" ? later > 0 : after.value === "loss" && later < 0;
  return isWorse ? { mark: "?!", before, after } : null;
}

/**
 * The worth of a position to a side, its plies counted from the turn that leads there.
 * @param {Side | null} side
 * @param {Node} node
 * @returns {Worth}
 */
function seenBy(side, { side: mover, worth }) {
  if (!worth) return { value: "unknown", plies: null };
  const plies = worth.plies === null ? null : worth.plies + 1;
  return { value: mover === side ? worth.value : reversed(worth.value), plies };
}

/**
 * The worth of a position to White, as a height from -1 (lost now) to 1 (won now); quick ends lie farther out.
 * @param {Node} node
 * @returns {number | null}
 */
export function height({ side, worth }) {
  if (!worth || worth.value === "unknown") return null;
  if (worth.value === "draw") return 0;
  const forWhite = side === "white" ? worth.value : reversed(worth.value);
  const far = worth.plies === null ? 0.7 : 0.3 + 0.7 / (1 + worth.plies / 25);
  return forWhite === "win" ? far : -far;
}

/** @param {Worth["value"]} value */
function reversed(value) {
  const others = { win: "loss", loss: "win", draw: "draw", unknown: "unknown" };
  return /** @type {Worth["value"]} */ (others[value]);
}
