// @ts-check
// The computer as a player. It plays perfectly, but for exactly so many turns a game as it is told to play
// second-best, at random moments.
//
// How long a game will last nobody knows, so the moments are drawn from the first turns that it is sure to have: those
// that place its men. A moment without a second-best turn is made up for as soon as there is one, and before the
// computer ends the game by a win it makes up for what it still owes.

import { ranks } from "./turns.js";

/** @typedef {import("./api.js").Side} Side */
/** @typedef {import("./api.js").Turn} Turn */
/** @typedef {import("./game.js").Game} Game */

/** Turns that a game is taken to have when the computer has no men to place. */
const LEAST_TURNS = 6;

/**
 * Some of the numbers below `all`, each as likely as any other.
 * @param {number} count
 * @param {number} all
 * @param {() => number} random as `Math.random`
 */
function drawn(count, all, random) {
  const numbers = [...Array(all).keys()];
  const chosen = new Set();
  while (chosen.size < count) chosen.add(numbers.splice(Math.floor(random() * numbers.length), 1)[0]);
  return chosen;
}

export class Opponent {
  /**
   * @param {Side} side the computer's
   * @param {number} secondBest how many second-best turns it makes
   * @param {() => number} [random]
   */
  constructor(side, secondBest, random = Math.random) {
    this.side = side;
    this.secondBest = secondBest;
    this.random = random;
    /** The numbers of the turns that are to be second-best, once it has begun. @type {Set<number> | null} */
    this.moments = null;
    /** Where in the game it begins: what came before it did not play. */
    this.since = 0;
  }

  /**
   * Chooses a turn.
   * @param {Game} game up to now
   * @param {Turn[]} turns best first, at least one
   */
  choose(game, turns) {
    const moments = (this.moments ??= this.#begin(game));
    const known = turns.filter((turn) => turn.value !== "unknown");
    const [best, second] = known.length ? ranks(known) : [turns];
    const isSecondBest = second !== undefined && this.#owes(game, moments, best[0]);
    const among = isSecondBest ? second : best;
    return { turn: among[Math.floor(this.random() * among.length)], isSecondBest };
  }

  /**
   * Draws the moments.
   * @param {Game} game
   */
  #begin(game) {
    this.since = game.index;
    const inHand = game.now.men?.hand[this.side] ?? 0;
    return drawn(this.secondBest, Math.max(inHand || LEAST_TURNS, this.secondBest), this.random);
  }

  /**
   * Whether a second-best turn is due.
   * @param {Game} game
   * @param {Set<number>} moments
   * @param {Turn} best
   */
  #owes({ nodes, index }, moments, best) {
    const mine = nodes.slice(this.since + 1, index + 1).filter((_, i) => nodes[this.since + i].side === this.side);
    const made = mine.filter((node) => node.isSecondBest).length;
    const due = [...moments].filter((moment) => moment <= mine.length).length;
    const endsTheGame = best.value === "win" && best.plies === 1;
    return made < (endsTheGame ? this.secondBest : due);
  }
}
