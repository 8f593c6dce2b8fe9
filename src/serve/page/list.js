// @ts-check
// The list of all turns beside the board: best first, in groups of what they are worth.

import { html } from "./dom.js";
import { nextClicks, rest, route, sameWorth } from "./turns.js";
import { say, worthInShort, worthInWords } from "./words.js";
import { turnName } from "./why.js";

/** @typedef {import("./api.js").Turn} Turn */
/** @typedef {import("./api.js").Side} Side */
/**
 * @typedef {object} ListHands
 * @property {(turn: Turn) => void} expect it is being pressed or has the focus, and may be played next
 * @property {(turn: Turn) => void} play
 * @property {(points: string[]) => void} pointOut
 */

/**
 * @param {Turn[]} turns best first
 * @param {{clicks: string[], hints: boolean, usable: boolean}} how only turns that go on from the clicks are listed
 * @param {ListHands} hands
 */
export function turnList(turns, { clicks, hints, usable }, hands) {
  const listed = turns.filter((turn) => rest(turn, clicks) !== null);
  // Where all are the same none is best.
  const differ = hints && turns.some((turn) => !sameWorth(turn, turns[0]));
  const button = (/** @type {Turn} */ turn) => {
    const isBest = differ && sameWorth(turn, turns[0]);
    return html("li", { class: isBest && "best" }, turnButton(turn, { hints, usable }, hands));
  };
  // Columns are as wide as the longest name needs.
  const width = Math.max(...listed.map((turn) => turnName(turn).length));
  const group = (/** @type {string} */ title, /** @type {string} */ value, /** @type {Turn[]} */ here) => {
    const items = html("ul", {}, ...here.map(button));
    items.style.setProperty("--name", `${width}ch`);
    return html("section", { class: "turns" }, html("h2", { class: value }, title), items);
  };
  if (!hints) {
    // By name, as any other order would be a hint.
    const byName = [...listed].sort((a, b) => a.move.localeCompare(b.move, "en", { numeric: true }));
    return [group(say("turns.all", { n: listed.length }), "", byName)];
  }
  return ["win", "draw", "loss", "unknown"].flatMap((value) => {
    const here = listed.filter((turn) => turn.value === value);
    return here.length ? [group(say(`turns.${value}`, { n: here.length }), value, here)] : [];
  });
}

/**
 * @param {Turn} turn
 * @param {{hints: boolean, usable: boolean}} how
 * @param {ListHands} hands
 */
function turnButton(turn, { hints, usable }, hands) {
  const name = turnName(turn);
  const points = [...route(turn), ...turn.takes];
  const chip = hints ? [
    html("span", { class: `chip ${turn.value}`, "aria-hidden": "true" }, worthInShort(turn)),
    html("span", { class: "unseen" }, worthInWords(turn)),
  ] : [];
  return html("button", {
    type: "button", class: "turn", "data-move": turn.move, "aria-disabled": String(!usable),
    title: turn.missing ? say("why.unknown_sector", { sector: turn.missing }) : null,
    onpointerdown: () => usable && hands.expect(turn), onclick: () => usable && hands.play(turn),
    onpointerenter: () => hands.pointOut(points), onpointerleave: () => hands.pointOut([]),
    onblur: () => hands.pointOut([]),
    onfocus: () => {
      hands.pointOut(points);
      if (usable) hands.expect(turn);
    },
  }, html("span", {}, name), ...chip);
}

/**
 * What a point is, in words: its man, and what a click on it is worth.
 * @param {string} point
 * @param {Record<Side, string[]>} men
 * @param {Turn[]} turns
 * @param {{clicks: string[], hints: boolean}} how
 */
export function pointInWords(point, men, turns, { clicks, hints }) {
  const side = men.white.includes(point) ? "white" : men.black.includes(point) ? "black" : "empty";
  const what = say(`point.${side}`, { point });
  const turn = nextClicks(turns, clicks).get(point);
  if (!turn) return what;
  const travelled = route(turn);
  const isFirstOfTwo = clicks.length === 0 && travelled.length === 2;
  const deed = clicks.length >= travelled.length ? "take" : isFirstOfTwo ? "choose" : turn.from === null ? "place" : "move";
  if (!hints) return say("point.deed", { what, deed: say(`deed.${deed}`) });
  return say("point.worth", { what, deed: say(`deed.${deed}`), worth: worthInWords(turn) });
}
