// @ts-check
// What turns are worth, on the points and arrows of the board.
//
//     a man is placed     a badge on the point
//     a man moves         an arrow with its badge
//     men fly             on each goal a list of the men that may fly there; arrows would cover the board
//     a turn was begun    badges on the points where it goes on

import { distance } from "./layout.js";
import { nextClicks, route, sameWorth } from "./turns.js";
import { svg } from "./dom.js";
import { worthInShort } from "./words.js";

/** @typedef {import("./api.js").Turn} Turn */
/** @typedef {import("./api.js").Worth} Worth */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Place} Place */
/** @typedef {{worth: Worth, isBest: boolean, man?: string}} Row a badge; the man it is about where that is not clear */

/**
 * The marks for the turns that go on from some clicks.
 * @param {Layout} layout
 * @param {Turn[]} turns best first
 * @param {string[]} clicks
 * @returns {SVGElement[]}
 */
export function marks(layout, turns, clicks) {
  if (turns.length === 0) return [];
  // Where all are the same none is best.
  const differ = turns.some((turn) => !sameWorth(turn, turns[0]));
  const row = (/** @type {Turn} */ turn, /** @type {string} [man] */ man = "") => {
    return { worth: turn, isBest: differ && sameWorth(turn, turns[0]), man };
  };
  if (clicks.length) {
    return [...nextClicks(turns, clicks)].map(([point, turn]) => badge(layout, layout.place(point), row(turn)));
  }
  const steps = bestOfEachStep(turns);
  const isFlight = (/** @type {Step} */ { from, to }) => from !== null && !isJoined(layout, from, to);
  if (!steps.some(isFlight)) return steps.flatMap((step) => stepMarks(layout, step, row(step.turn)));
  /** @type {Map<string, Row[]>} */
  const lists = new Map();
  for (const { from, to, turn } of steps) {
    lists.set(to, [...(lists.get(to) ?? []), row(turn, from ?? "+")]);
  }
  return [...lists].flatMap(([to, rows]) => stack(layout, layout.place(to), rows));
}

/** @typedef {{from: string | null, to: string, turn: Turn}} Step */

/**
 * Turns that differ only in the men they take are one step, worth what the best of them is.
 * @param {Turn[]} turns best first
 */
function bestOfEachStep(turns) {
  /** @type {Map<string, Step>} */
  const steps = new Map();
  const add = (/** @type {string | null} */ from, /** @type {string} */ to, /** @type {Turn} */ turn) => {
    const key = `${from} ${to}`;
    if (!steps.has(key)) steps.set(key, { from, to, turn });
  };
  for (const turn of turns) {
    const [first, second] = route(turn);
    if (second !== undefined) add(first, second, turn);
    else if (first !== undefined) add(null, first, turn);
    else for (const taken of turn.takes) add(null, taken, turn);
  }
  return [...steps.values()];
}

/**
 * @param {Layout} layout
 * @param {string} a
 * @param {string} b
 */
function isJoined(layout, a, b) {
  return layout.board.slides.some(([from, to]) => (from === a && to === b) || (from === b && to === a));
}

/**
 * @param {Layout} layout
 * @param {Step} step
 * @param {Row} row
 */
function stepMarks(layout, { from, to }, row) {
  return from === null ? [badge(layout, layout.place(to), row)] : arrow(layout, from, to, row);
}

/** @param {Row} row */
function colours({ worth, isBest }) {
  return `${worth.value}${isBest ? " best" : ""}`;
}

/**
 * An arrow and its badge. Upon a short arrow the badge would hide it, so it goes to the left of who travels there:
 * arrows that meet in a point then have their badges all around it.
 * @param {Layout} layout
 * @param {string} from
 * @param {string} to
 * @param {Row} row
 */
function arrow(layout, from, to, row) {
  const { unit } = layout;
  const [a, b] = [layout.place(from), layout.place(to)];
  const length = Math.max(distance(a, b), 1);
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const at = (/** @type {number} */ along, /** @type {number} */ aside) => {
    return `${Math.round(a.x + dx * along - dy * aside)} ${Math.round(a.y + dy * along + dx * aside)}`;
  };
  const tip = length - 0.14 * unit;
  const wings = tip - 0.2 * unit;
  const size = badgeSize(layout, row);
  const aside = (Math.abs(dy) * size.width + Math.abs(dx) * size.height) / 2 + 0.1 * unit;
  const middle = (/** @type {number} */ by) => ({ x: (a.x + b.x) / 2 + dy * by, y: (a.y + b.y) / 2 - dx * by });
  const fits = (/** @type {Place} */ { x, y }) => {
    return x > size.width / 2 && x < layout.width - size.width / 2
      && y > size.height / 2 && y < layout.height - size.height / 2;
  };
  return [
    svg("path", {
      class: `arrow ${colours(row)}`, "stroke-width": 0.06 * unit,
      d: `M${at(0.36 * unit, 0)}L${at(wings, 0)}`,
    }),
    svg("path", {
      class: `arrow ${colours(row)}`,
      d: `M${at(tip, 0)}L${at(wings, 0.12 * unit)}L${at(wings, -0.12 * unit)}Z`,
    }),
    badge(layout, middle(fits(middle(aside)) ? aside : -aside), row),
  ];
}

/**
 * The men that may fly to a point, one below the other.
 * @param {Layout} layout
 * @param {Place} place
 * @param {Row[]} rows
 */
function stack(layout, { x, y }, rows) {
  const below = (/** @type {number} */ i) => 0.29 * layout.unit * (i - (rows.length - 1) / 2);
  return rows.map((row, i) => badge(layout, { x, y: y + below(i) }, row));
}

/** @param {Row} row */
function badgeText({ worth, man }) {
  return man ? `${man} ${worthInShort(worth)}` : worthInShort(worth);
}

/**
 * @param {Layout} layout
 * @param {Row} row
 */
function badgeSize(layout, row) {
  const font = (row.man ? 0.2 : 0.3) * layout.unit;
  const beside = row.man ? 0.5 : 0.8;
  return { font, width: font * (0.62 * badgeText(row).length + beside), height: 1.35 * font };
}

/**
 * A value on its coloured ground.
 * @param {Layout} layout
 * @param {Place} place its middle
 * @param {Row} row
 */
function badge(layout, { x, y }, row) {
  const { font, width, height } = badgeSize(layout, row);
  return svg("g", { class: `badge ${colours(row)}` },
    svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 0.35 * font }),
    svg("text", { x, y, dy: ".35em", "text-anchor": "middle", "font-size": font }, badgeText(row)));
}
