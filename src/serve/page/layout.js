// @ts-check
// Where things are on a board, from the coordinates of its points alone, so that every board has a picture.
// Lengths are measured in units: the distance of the two points nearest to each other.

/** @typedef {import("./api.js").Board} Board */
/** @typedef {{x: number, y: number}} Place */
/** @typedef {{quarters: number, mirrored: boolean}} View quarter turns clockwise, after mirroring left and right */
/** @typedef {{text: string, x: number, y: number}} Label */

const UNIT = 100;

/** Men are not drawn for fewer units than this across the board, or they would be huge on small ones. */
const LEAST_ACROSS = 3.6;

/** Room around the points in units, and more of it where the names of rows and columns stand. */
const MARGIN = 0.62;
const NAMES = 0.3;

/** About how wide a letter of the name of a point is, in units. */
const LETTER = 0.13;

/** How much a step to the side counts in "the next point to the left". */
const ASIDE = 2.5;

/**
 * @param {Place} a
 * @param {Place} b
 */
export function distance(a, b) {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

export class Layout {
  /**
   * @param {Board} board
   * @param {View} view
   */
  constructor(board, view) {
    this.board = board;
    const seen = new Map(board.points.map(({ name, x, y }) => [name, turned({ x, y: -y }, view)]));
    const [left, top] = corner(seen, Math.min);
    const [right, bottom] = corner(seen, Math.max);
    const places = [...seen.values()];
    const apart = places.flatMap((a, i) => places.slice(0, i).map((b) => distance(a, b))).filter((d) => d > 0);
    const nearest = apart.length ? Math.min(...apart) : 1;
    const scale = UNIT / nearest;
    /** The distance of neighbours. */
    this.gap = UNIT;
    /** What men and texts are measured by. */
    this.unit = Math.min(UNIT, (Math.max(right - left, bottom - top) * scale) / LEAST_ACROSS || UNIT);
    const margin = MARGIN * this.unit;
    const names = gridNames(board, seen);
    const beside = names ? NAMES * this.unit : 0;
    /** @type {Map<string, Place>} */
    this.at = new Map();
    for (const [name, { x, y }] of seen) {
      this.at.set(name, { x: (x - left) * scale + margin + beside, y: (y - top) * scale + margin });
    }
    this.width = (right - left) * scale + 2 * margin + beside;
    this.height = (bottom - top) * scale + 2 * margin + beside;
    /** The names of rows and columns, or of each point where there are none. */
    this.labels = names ? this.#atTheSides(names) : this.#atThePoints();
    this.labelsAtPoints = !names;
  }

  /** @param {string} point */
  place(point) {
    return this.at.get(point) ?? { x: 0, y: 0 };
  }

  /** @param {GridNames} names */
  #atTheSides({ below, left }) {
    const aside = 0.3 * this.unit;
    const labels = [];
    for (const [text, point] of below) labels.push({ text, x: this.place(point).x, y: this.height - aside });
    for (const [text, point] of left) labels.push({ text, x: aside, y: this.place(point).y });
    return labels;
  }

  #atThePoints() {
    // Below and beside a man or a badge; long names no farther to the right than the picture.
    const [aside, below] = [0.27 * this.unit, 0.36 * this.unit];
    const farthest = (/** @type {string} */ text) => this.width - LETTER * this.unit * text.length;
    return [...this.at].map(([text, { x, y }]) => ({ text, x: Math.min(x + aside, farthest(text)), y: y + below }));
  }

  /** The lines and the slides that are no part of one, each a list of points. */
  ways() {
    const lines = this.board.lines.map((line) => this.#inOrder(line));
    const along = new Set(lines.flatMap((line) => line.slice(1).map((point, i) => pair(line[i], point))));
    return { lines, slides: this.board.slides.filter(([a, b]) => !along.has(pair(a, b))) };
  }

  /**
   * The points of a line as they are passed from one of its ends.
   * @param {string[]} line
   */
  #inOrder(line) {
    const farthest = (/** @type {string} */ from) => {
      const far = (/** @type {string} */ to) => distance(this.place(from), this.place(to));
      return line.reduce((best, point) => (far(point) > far(best) ? point : best), from);
    };
    const end = farthest(farthest(line[0]));
    const fromEnd = (/** @type {string} */ point) => distance(this.place(end), this.place(point));
    return [...line].sort((a, b) => fromEnd(a) - fromEnd(b));
  }

  /**
   * The next point in a direction, for the arrow keys.
   * @param {string} from
   * @param {Place} direction one of the four
   */
  neighbour(from, direction) {
    const start = this.place(from);
    let best = null;
    let least = Infinity;
    for (const [point, { x, y }] of this.at) {
      const ahead = (x - start.x) * direction.x + (y - start.y) * direction.y;
      const aside = Math.abs((x - start.x) * direction.y) + Math.abs((y - start.y) * direction.x);
      // A point more to the side than ahead is reached by another key.
      if (ahead <= 0 || aside > 1.5 * ahead) continue;
      if (ahead + ASIDE * aside < least) [best, least] = [point, ahead + ASIDE * aside];
    }
    return best;
  }

  /**
   * The point near a place, if one is near enough.
   * @param {Place} place
   */
  near(place) {
    const within = 0.5 * this.gap;
    for (const [point, at] of this.at) if (distance(at, place) <= within) return point;
    return null;
  }
}

/**
 * @param {string} a
 * @param {string} b
 */
function pair(a, b) {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

/**
 * @param {Place} place
 * @param {View} view
 */
function turned(place, { quarters, mirrored }) {
  let { x, y } = place;
  if (mirrored) x = -x;
  for (let i = 0; i < quarters; i++) [x, y] = [-y, x];
  return { x, y };
}

/**
 * @param {Map<string, Place>} places
 * @param {(...numbers: number[]) => number} extreme
 */
function corner(places, extreme) {
  const all = [...places.values()];
  return [extreme(...all.map((p) => p.x)), extreme(...all.map((p) => p.y))];
}

/** @typedef {{below: Map<string, string>, left: Map<string, string>}} GridNames each name with one of its points */

/**
 * The letters of columns and the numbers of rows, if that is how the points are named. On a board that was turned
 * the letters are those of rows.
 * @param {Board} board
 * @param {Map<string, Place>} seen
 * @returns {GridNames | null}
 */
function gridNames(board, seen) {
  const parts = board.points.map(({ name }) => /^([A-Za-z])(\d+)$/.exec(name));
  const names = (/** @type {number} */ part, /** @type {"x" | "y"} */ axis) => {
    const found = new Map();
    for (const match of parts) {
      const place = match && seen.get(match[0])?.[axis];
      if (!match || place === undefined) return null;
      const known = found.get(match[part]);
      if (known && seen.get(known)?.[axis] !== place) return null;
      if (!known) found.set(match[part], match[0]);
    }
    const places = new Set([...found.values()].map((point) => seen.get(point)?.[axis]));
    return places.size === found.size ? found : null;
  };
  for (const [below, left] of [[1, 2], [2, 1]]) {
    const [columns, rows] = [names(below, "x"), names(left, "y")];
    if (columns && rows) return { below: columns, left: rows };
  }
  return null;
}
