// @ts-check
// Turns as the clicks that make them.
//
// A turn is one to four clicks: where a man comes from, where it goes, which men it takes. These are no rules: the
// turns that the server lists are all there are, and a click is offered when it goes on in one of them.
//
//     f6-f4xd2   f6, f4, d2          d6   d6          xd2   d2

/** @typedef {import("./api.js").Turn} Turn */
/** @typedef {import("./api.js").Deed} Deed */
/** @typedef {import("./api.js").Worth} Worth */
/** @typedef {import("./api.js").Men} Men */
/** @typedef {import("./api.js").Side} Side */

/**
 * The points a man travels over: none, one or two.
 * @param {Deed} turn
 * @returns {string[]}
 */
export function route(turn) {
  return [turn.from, turn.to].filter((p) => p !== null);
}

/**
 * The points that may be clicked next in a turn, or nothing if the clicks are not of this turn.
 * Men that are taken may be clicked in any order.
 * @param {Deed} turn
 * @param {string[]} clicks
 * @returns {string[] | null} empty when the turn is complete
 */
export function rest(turn, clicks) {
  const travelled = route(turn);
  const begun = clicks.slice(0, travelled.length);
  if (begun.some((point, i) => point !== travelled[i])) return null;
  if (clicks.length < travelled.length) return [travelled[clicks.length]];
  const left = [...turn.takes];
  for (const taken of clicks.slice(travelled.length)) {
    const at = left.indexOf(taken);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/**
 * What can be clicked next, each with the best turn that goes on there.
 * @param {Turn[]} turns best first
 * @param {string[]} clicks
 * @returns {Map<string, Turn>}
 */
export function nextClicks(turns, clicks) {
  const next = new Map();
  for (const turn of turns) {
    for (const point of rest(turn, clicks) ?? []) if (!next.has(point)) next.set(point, turn);
  }
  return next;
}

/**
 * The turn that the clicks make, if they make one.
 * @param {Turn[]} turns best first
 * @param {string[]} clicks
 */
export function completed(turns, clicks) {
  return turns.find((turn) => rest(turn, clicks)?.length === 0);
}

/**
 * Whether the next click takes a man.
 * @param {Turn[]} turns
 * @param {string[]} clicks
 */
export function isTaking(turns, clicks) {
  return turns.some((turn) => rest(turn, clicks)?.length && clicks.length >= route(turn).length);
}

/**
 * The men after some clicks: a picture for the meantime, until the server says how the position is.
 * @param {Men} men
 * @param {Side} side who moves
 * @param {Deed} turn
 * @param {string[]} clicks of this turn
 * @returns {Men}
 */
export function menAfter(men, side, turn, clicks = [...route(turn), ...turn.takes]) {
  const travelled = route(turn);
  const after = { ...men, white: [...men.white], black: [...men.black], hand: { ...men.hand } };
  const taken = clicks.slice(travelled.length);
  if (travelled.length && clicks.length >= travelled.length) {
    after[side] = after[side].filter((p) => p !== turn.from).concat(travelled[travelled.length - 1]);
    if (turn.from === null) after.hand[side] -= 1;
  }
  for (const colour of /** @type {Side[]} */ (["white", "black"])) {
    after[colour] = after[colour].filter((p) => !taken.includes(p));
  }
  return after;
}

/**
 * What kind of turns these are: the word for them.
 * @param {Deed[]} turns
 * @returns {"placement" | "move" | "capture" | "turn"}
 */
export function kindOf(turns) {
  if (turns.every((turn) => turn.from === null && turn.to !== null)) return "placement";
  if (turns.every((turn) => turn.from !== null)) return "move";
  return turns.every((turn) => turn.to === null && turn.takes.length) ? "capture" : "turn";
}

/**
 * Whether two are worth the same.
 * @param {Worth} a
 * @param {Worth} b
 */
export function sameWorth(a, b) {
  return a.value === b.value && a.plies === b.plies;
}

/**
 * Turns that are worth the same stand together: the best ones, the second-best, and so on.
 * @param {Turn[]} turns best first
 * @returns {Turn[][]}
 */
export function ranks(turns) {
  /** @type {Turn[][]} */
  const groups = [];
  for (const turn of turns) {
    const last = groups.at(-1);
    if (last && sameWorth(last[0], turn)) last.push(turn);
    else groups.push([turn]);
  }
  return groups;
}

/** @param {Side} side */
export function opponentOf(side) {
  return /** @type {Side} */ (side === "white" ? "black" : "white");
}
