// @ts-check
// The game so far: a graph of what its positions were worth, and its turns with the mistakes marked.

import { html, svg } from "./dom.js";
import { height, mistake } from "./game.js";
import { say, sideName, worthInWords } from "./words.js";
import { turnName } from "./why.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {(index: number) => void} Jump */

const GRAPH = { width: 640, height: 120, left: 32, right: 18, half: 46 };

const CLASS = { "??": "blunder", "?": "mistake", "?!": "slip" };

/**
 * The graph: White wins above, Black below. Where values are unknown the line has gaps.
 * @param {Game} game
 * @param {Jump} jump
 */
export function graph(game, jump) {
  const last = game.nodes.length - 1;
  const inner = GRAPH.width - GRAPH.left - GRAPH.right;
  const x = (/** @type {number} */ i) => GRAPH.left + (last ? (inner * i) / last : 0);
  const y = (/** @type {number} */ high) => GRAPH.height / 2 - GRAPH.half * high;
  const points = game.nodes.map((each, i) => ({ i, high: height(each) }));
  const runs = runsOf(points);
  const at = (/** @type {{i: number, high: number}} */ p) => `${x(p.i).toFixed(1)} ${y(p.high).toFixed(1)}`;
  const middle = GRAPH.height / 2;
  const areas = runs.map((run) => `M${x(run[0].i)} ${middle}L${run.map(at).join("L")}L${x(run[run.length - 1].i)} ${middle}Z`);
  const lines = runs.map((run) => `M${run.map(at).join("L")}${run.length === 1 ? "h.01" : ""}`);
  const marks = points.flatMap(({ i, high }) => {
    const made = high === null ? null : mistake(game, i);
    return made && high !== null ? [dot(x(i), y(high), made.mark, high)] : [];
  });
  const now = x(game.index);
  const picture = svg("svg", { class: "graph", viewBox: `0 0 ${GRAPH.width} ${GRAPH.height}`, role: "img", "aria-label": summary(game) },
    svg("rect", { class: "white-side", width: GRAPH.width, height: middle }),
    svg("rect", { class: "black-side", y: middle, width: GRAPH.width, height: middle }),
    svg("circle", { class: "sign white", cx: 14, cy: 14, r: 6 }),
    svg("circle", { class: "sign black", cx: 14, cy: GRAPH.height - 14, r: 6 }),
    svg("path", { class: "middle", d: `M0 ${middle}H${GRAPH.width}` }),
    svg("path", { class: "area", d: areas.join("") }),
    svg("path", { class: "now", d: `M${now} 0V${GRAPH.height}` }),
    svg("path", { class: "curve", d: lines.join("") }),
    ...marks);
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * GRAPH.width - GRAPH.left;
    jump(Math.round((share / inner) * last));
  });
  return picture;
}

/**
 * Points without gaps between them.
 * @param {{i: number, high: number | null}[]} points
 * @returns {{i: number, high: number}[][]}
 */
function runsOf(points) {
  /** @type {{i: number, high: number}[][]} */
  const runs = [[]];
  for (const { i, high } of points) {
    if (high === null) runs.push([]);
    else runs[runs.length - 1].push({ i, high });
  }
  return runs.filter((run) => run.length);
}

/**
 * @param {number} cx
 * @param {number} cy
 * @param {keyof typeof CLASS} mark
 * @param {number} high
 */
function dot(cx, cy, mark, high) {
  const aside = high > 0.5 ? 20 : -10;
  return svg("g", { class: CLASS[mark] },
    svg("circle", { cx, cy, r: 5 }),
    svg("text", { x: cx, y: cy + aside, "text-anchor": "middle" }, mark));
}

/** @param {Game} game */
function summary(game) {
  const count = (/** @type {string} */ mark) => game.nodes.filter((_, i) => mistake(game, i)?.mark === mark).length;
  const [blunders, mistakes, slips] = ["??", "?", "?!"].map(count);
  return say("graph.summary", { turns: game.nodes.length - 1, blunders, mistakes, slips });
}

/**
 * The turns as a list of buttons.
 * @param {Game} game
 * @param {{hints: boolean}} how without hints no mistakes are marked
 * @param {Jump} jump
 */
export function moveList(game, { hints }, jump) {
  const start = html("li", { class: "start" }, moveButton(game, 0, say("game.start"), jump));
  const items = game.nodes.slice(1).map((each, i) => {
    const made = hints ? mistake(game, i + 1) : null;
    const item = html("li", { class: `by-${game.nodes[i].side ?? "nobody"}` }, moveButton(game, i + 1, turnName(each.turn ?? { move: "" }), jump));
    if (made) {
      const words = say("mistake", { before: worthInWords(made.before), after: worthInWords(made.after) });
      item.append(html("span", { class: `mark ${CLASS[made.mark]}`, title: words },
        html("span", { "aria-hidden": "true" }, made.mark), html("span", { class: "unseen" }, words)));
    }
    if (each.isSecondBest && game.nodes[game.nodes.length - 1].over) {
      item.append(html("span", { class: "mark chosen" }, say("second_best.mark")));
    }
    return item;
  });
  return html("ol", { class: "moves" }, start, ...items);
}

/**
 * @param {Game} game
 * @param {number} index
 * @param {string} text
 * @param {Jump} jump
 */
function moveButton(game, index, text, jump) {
  const by = index ? game.nodes[index - 1].side : null;
  const label = by ? say("game.turn", { n: index, side: sideName(by), turn: text }) : text;
  return html("button", {
    type: "button", "aria-label": label, "aria-current": index === game.index ? "step" : null, onclick: () => jump(index),
  }, text);
}
