// @ts-check
// Why a position is worth what it is, as a sentence: `White wins in 47: f2 is the only winning placement.`

import { kindOf, ranks } from "./turns.js";
import { endInWords, say, sideName } from "./words.js";

/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {import("./api.js").Turn} Turn */

/**
 * The sentence about a position and its turns.
 * @param {Answer} answer
 */
export function why(answer) {
  if (answer.over) return endInWords(answer.over);
  if (answer.value === "unknown") return unknown(answer.missing);
  const what = say(verdictKey(answer), { side: sideName(answer.side), n: answer.plies ?? 0 });
  const because = reason(answer, answer.moves ?? []);
  return because ? say("why.because", { what, because }) : say("why.plain", { what });
}

/** @param {string | undefined} sector the sector that is missing */
export function unknown(sector) {
  return sector ? say("why.unknown_sector", { sector }) : say("why.unknown");
}

/** @param {Answer} answer */
function verdictKey({ value, plies }) {
  return value === "draw" || plies === null ? `why.${value}` : `why.${value}_in`;
}

/**
 * What the turns have to do with it.
 * @param {Answer} answer
 * @param {Turn[]} turns best first
 */
function reason({ value }, turns) {
  if (turns.length === 0) return "";
  if (turns.length === 1) return say("why.single", { turn: turnName(turns[0]) });
  if (value === "loss") return lost(turns);
  const kind = kindOf(turns);
  const good = turns.filter((turn) => turn.value === value);
  if (good.length === turns.length) return say(`why.all_${value}`);
  if (good.length === 1) return say(`why.only_${value}.${kind}`, { turn: turnName(good[0]) });
  const some = say(`why.some_${value}.${kind}`, { n: good.length, all: turns.length });
  const [fastest] = ranks(good);
  const isAlone = fastest.length === 1 && fastest[0].plies !== null;
  return isAlone ? say("why.fastest", { some, turn: turnName(fastest[0]) }) : some;
}

/** @param {Turn[]} turns */
function lost(turns) {
  const [longest] = ranks(turns);
  if (longest.length === turns.length || longest[0].plies === null) return say("why.all_loss");
  if (longest.length > 1) return say("why.longest_some", { n: longest.length });
  return say("why.longest", { turn: turnName(longest[0]) });
}

/**
 * A turn as the reader is told of it.
 * @param {{move: string}} turn
 */
export function turnName(turn) {
  return turn.move === "pass" ? say("pass") : turn.move;
}
