// @ts-check
// The board: a picture that can be clicked, dragged on, and used by keyboard.
//
// From below to above: ways, names, the trace of the last turn, men, marks, points. The points are buttons that
// stay while everything else is drawn anew, so that the focus is never lost.

import { svg } from "./dom.js";
import { Layout } from "./layout.js";

/** @typedef {import("./api.js").Side} Side */
/** @typedef {import("./layout.js").Place} Place */
/**
 * @typedef {object} Scene
 * @property {Record<Side, string[]>} men
 * @property {SVGElement[]} marks
 * @property {Set<string>} open points that a click does something on
 * @property {string[]} chosen points that were clicked already
 * @property {string[]} trace where the last turn went
 * @property {boolean} isTaking whether the next click takes a man
 * @property {(point: string) => string} describe a point in words
 */
/**
 * @typedef {object} Hands what the board tells of
 * @property {(point: string) => void} click a point was clicked, or entered by keyboard
 * @property {(point: string) => void} expect a point is being pressed or has the focus, and may be clicked next
 * @property {() => void} cancel what was begun is given up
 * @property {(point: string) => boolean} lift whether the man there may be dragged; it is then chosen
 * @property {(from: string | null, to: string | null) => void} drop a man was dragged, from a hand if from nowhere
 */

const MAN = 0.34;

/** Pixels a pointer travels before it drags. */
const DRAG = 6;

const ARROWS = {
  ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 },
};

/**
 * A man with its middle at the origin.
 * @param {Side} side
 * @param {number} unit
 */
export function drawMan(side, unit) {
  const r = MAN * unit;
  return svg("g", { class: `man ${side}` },
    svg("ellipse", { class: "shadow", cx: 0.03 * unit, cy: 0.06 * unit, rx: r, ry: r }),
    svg("circle", { class: "body", r, "stroke-width": 0.025 * unit }),
    svg("circle", { class: "rim", r: 0.72 * r, "stroke-width": 0.025 * unit }));
}

/**
 * Lines, slides and empty points.
 * @param {Layout} layout
 */
export function drawWays(layout) {
  const { unit } = layout;
  const path = (/** @type {string[]} */ way) => {
    return `M${way.map((point) => `${layout.place(point).x} ${layout.place(point).y}`).join("L")}`;
  };
  const { lines, slides } = layout.ways();
  const all = lines.map(path).join("");
  const ways = [
    svg("path", { class: "light", d: all, "stroke-width": 0.04 * unit, transform: `translate(0 ${0.025 * unit})` }),
    svg("path", { class: "line", d: all, "stroke-width": 0.036 * unit }),
  ];
  if (slides.length) ways.unshift(svg("path", { class: "slide", d: slides.map(path).join(""), "stroke-width": 0.024 * unit }));
  for (const { x, y } of layout.at.values()) ways.push(svg("circle", { class: "hole", cx: x, cy: y, r: 0.085 * unit }));
  return svg("g", { class: "ways" }, ...ways);
}

/**
 * A small picture of a position.
 * @param {Layout} layout
 * @param {Record<Side, string[]>} men
 */
export function picture(layout, men) {
  const drawn = sides().flatMap((side) => men[side].map((point) => {
    const { x, y } = layout.place(point);
    return svg("g", { transform: `translate(${x} ${y})` }, drawMan(side, layout.unit));
  }));
  const viewBox = `0 0 ${layout.width} ${layout.height}`;
  return svg("svg", { class: "mill", viewBox, "aria-hidden": "true" }, drawWays(layout), ...drawn);
}

/** @returns {Side[]} */
function sides() {
  return ["white", "black"];
}

export class BoardView {
  /**
   * @param {HTMLElement} home
   * @param {Hands} hands
   */
  constructor(home, hands) {
    this.hands = hands;
    this.layers = {
      ways: svg("g"), names: svg("g", { class: "names", "aria-hidden": "true" }), trace: svg("g"), men: svg("g"),
      marks: svg("g", { class: "marks", "aria-hidden": "true" }), points: svg("g"), lifted: svg("g", { class: "lifted" }),
    };
    this.picture = svg("svg", { class: "mill board" }, ...Object.values(this.layers));
    /** @type {Map<string, SVGGElement>} */
    this.points = new Map();
    /** @type {Map<string, {side: Side, element: SVGGElement}>} men by their points */
    this.men = new Map();
    /** @type {{from: string | null, side: Side | null, x: number, y: number, man: SVGElement | null} | null} */
    this.press = null;
    /** A drag ends with a click that means nothing. */
    this.swallowsClick = false;
    /** A man that was carried to its goal needs no animation. */
    this.wasDragged = false;
    home.append(this.picture);
    this.#listen();
    // Not of the picture: Chromium has the Tab key stop at pictures that listen for the focus.
    home.addEventListener("focusin", (event) => {
      const point = pointOf(event);
      if (!point) return;
      this.#rove(point, false);
      this.hands.expect(point);
    });
  }

  /** @param {Layout} layout */
  setLayout(layout) {
    this.layout = layout;
    const { width, height, unit, at } = layout;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.layers.ways.replaceChildren(drawWays(layout));
    const size = (layout.labelsAtPoints ? 0.2 : 0.24) * unit;
    this.layers.names.replaceChildren(...layout.labels.map(({ text, x, y }) => {
      return svg("text", { x, y, dy: ".35em", "text-anchor": layout.labelsAtPoints ? "start" : "middle", "font-size": size }, text);
    }));
    this.men.clear();
    this.layers.men.replaceChildren();
    const inUse = document.activeElement?.closest(".point")?.getAttribute("data-point");
    this.points.clear();
    for (const [point, { x, y }] of at) this.points.set(point, this.#point(point, x, y));
    this.layers.points.replaceChildren(...this.points.values());
    this.#rove([...at.keys()].find((point) => point === inUse) ?? [...at.keys()][0], inUse !== undefined);
  }

  /**
   * @param {string} point
   * @param {number} cx
   * @param {number} cy
   */
  #point(point, cx, cy) {
    const { unit, gap } = /** @type {Layout} */ (this.layout);
    return svg("g", { class: "point", role: "button", tabindex: -1, "data-point": point },
      svg("circle", { class: "touch", cx, cy, r: 0.49 * gap }),
      svg("circle", { class: "ring", cx, cy, r: 0.42 * unit, "stroke-width": 0.05 * unit }));
  }

  /** @param {Scene} scene */
  show(scene) {
    const layout = /** @type {Layout} */ (this.layout);
    const { unit } = layout;
    this.scene = scene;
    this.#showMen(scene.men);
    this.layers.marks.replaceChildren(...scene.marks);
    this.layers.trace.replaceChildren(...scene.trace.map((point) => {
      const { x, y } = layout.place(point);
      return svg("circle", { class: "trace", cx: x, cy: y, r: 0.43 * unit, "stroke-width": 0.05 * unit });
    }));
    for (const [point, element] of this.points) {
      element.setAttribute("aria-label", scene.describe(point));
      element.setAttribute("aria-pressed", String(scene.chosen.includes(point)));
      element.setAttribute("aria-disabled", String(!scene.open.has(point) && !scene.chosen.includes(point)));
      element.classList.toggle("open", scene.open.has(point));
      element.classList.toggle("taking", scene.isTaking && scene.open.has(point));
      element.classList.toggle("held", scene.open.has(point) && this.men.has(point));
    }
  }

  /**
   * Points out some points, as those of a turn in the list.
   * @param {string[]} points
   */
  pointOut(points) {
    for (const [point, element] of this.points) element.classList.toggle("hot", points.includes(point));
  }

  /** @param {Record<Side, string[]>} men */
  #showMen(men) {
    for (const side of sides()) {
      const goals = new Set(men[side]);
      const gone = [...this.men].filter(([point, man]) => man.side === side && !goals.has(point)).map(([point]) => point);
      const come = men[side].filter((point) => this.men.get(point)?.side !== side);
      // One that is gone and one that has come are the same man.
      const moved = gone.length === 1 && come.length === 1 ? gone[0] : null;
      for (const point of gone) this.#remove(point, moved === null);
      for (const point of come) this.#put(side, point, moved);
    }
  }

  /**
   * @param {string} point
   * @param {boolean} visibly
   */
  #remove(point, visibly) {
    const element = this.men.get(point)?.element;
    this.men.delete(point);
    if (!visibly || isCalm()) return element?.remove();
    const fading = element?.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 220, fill: "forwards" });
    if (fading) fading.onfinish = () => element?.remove();
  }

  /**
   * @param {Side} side
   * @param {string} point
   * @param {string | null} from where the man was before
   */
  #put(side, point, from) {
    const layout = /** @type {Layout} */ (this.layout);
    const { x, y } = layout.place(point);
    const inner = svg("g", {}, drawMan(side, layout.unit));
    const element = svg("g", { transform: `translate(${x} ${y})` }, inner);
    this.men.get(point)?.element.remove();
    this.men.set(point, { side, element });
    this.layers.men.append(element);
    if (isCalm() || this.wasDragged) return;
    const start = from ? layout.place(from) : null;
    const before = start ? `translate(${start.x - x}px, ${start.y - y}px)` : "scale(1.25)";
    inner.animate([{ transform: before, opacity: from ? 1 : 0 }, { transform: "none", opacity: 1 }], { duration: 180, easing: "ease-out" });
  }

  #listen() {
    const { picture } = this;
    picture.addEventListener("click", (event) => {
      const point = pointOf(event);
      if (point && !this.swallowsClick) this.#enter(point);
    });
    picture.addEventListener("keydown", (event) => this.#key(event));
    picture.addEventListener("pointerdown", (event) => {
      const from = pointOf(event);
      if (!from || event.button !== 0) return;
      this.hands.expect(from);
      if (this.men.has(from)) this.press = { from, side: null, x: event.clientX, y: event.clientY, man: null };
    });
    // A finger on a man that may be lifted does not scroll. (Not all browsers heed the style of SVG elements for this.)
    picture.addEventListener("touchmove", (event) => {
      const from = this.press?.from;
      if (from && this.points.get(from)?.matches(".held, [aria-pressed=true]")) event.preventDefault();
    }, { passive: false });
    addEventListener("pointermove", (event) => this.#drag(event));
    addEventListener("pointerup", (event) => this.#letGo(event, true));
    addEventListener("pointercancel", (event) => this.#letGo(event, false));
  }

  /** @param {string} point */
  #enter(point) {
    this.#rove(point, false);
    this.hands.click(point);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const point = pointOf(event);
    if (!point || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    const all = [...this.points.keys()];
    if (direction) this.#rove(this.layout?.neighbour(point, direction) ?? point, true);
    else if (event.key === "Home") this.#rove(all[0], true);
    else if (event.key === "End") this.#rove(all[all.length - 1], true);
    else if (event.key === "Enter" || event.key === " ") this.#enter(point);
    else if (event.key === "Escape") this.hands.cancel();
    else return;
    event.preventDefault();
  }

  /**
   * Makes a point the one that the Tab key reaches.
   * @param {string} point
   * @param {boolean} focused
   */
  #rove(point, focused) {
    for (const [name, element] of this.points) element.setAttribute("tabindex", name === point ? "0" : "-1");
    if (focused) this.points.get(point)?.focus();
  }

  /**
   * A man of a hand is picked up.
   * @param {PointerEvent} event
   * @param {Side} side
   */
  takeFromHand(event, side) {
    this.press = { from: null, side, x: event.clientX, y: event.clientY, man: null };
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const { press, layout } = this;
    if (!press || !layout) return;
    if (!press.man) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG) return;
      press.man = this.#lift(press);
      if (!press.man) return void (this.press = null);
    }
    const { x, y } = this.#inPicture(event);
    press.man.setAttribute("transform", `translate(${x} ${y})`);
    this.pointOut([layout.near({ x, y }) ?? ""].filter((point) => this.scene?.open.has(point)));
  }

  /** @param {NonNullable<BoardView["press"]>} press */
  #lift({ from, side }) {
    const man = from === null ? side : this.men.get(from)?.side;
    if (!man || (from !== null && !this.hands.lift(from))) return null;
    if (from !== null) this.men.get(from)?.element.classList.add("away");
    const ghost = drawMan(man, this.layout?.unit ?? 1);
    this.layers.lifted.replaceChildren(ghost);
    this.picture.classList.add("dragging");
    return ghost;
  }

  /**
   * @param {PointerEvent} event
   * @param {boolean} dropped
   */
  #letGo(event, dropped) {
    const press = this.press;
    this.press = null;
    if (!press?.man) return;
    this.swallowsClick = true;
    setTimeout(() => (this.swallowsClick = false));
    this.picture.classList.remove("dragging");
    this.layers.lifted.replaceChildren();
    for (const { element } of this.men.values()) element.classList.remove("away");
    this.pointOut([]);
    this.wasDragged = true;
    if (dropped) this.hands.drop(press.from, this.layout?.near(this.#inPicture(event)) ?? null);
    else this.hands.cancel();
    this.wasDragged = false;
  }

  /**
   * @param {PointerEvent} event
   * @returns {Place}
   */
  #inPicture(event) {
    const at = new DOMPoint(event.clientX, event.clientY);
    return at.matrixTransform(this.picture.getScreenCTM()?.inverse());
  }
}

/**
 * The point an event happened on.
 * @param {Event} event
 */
function pointOf(event) {
  return /** @type {Element} */ (event.target).closest(".point")?.getAttribute("data-point") ?? null;
}

/** Whether the reader wants no movement. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
