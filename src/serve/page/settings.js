// @ts-check
// What the reader has chosen, kept by the browser where it keeps anything.

const KEY = "millbase";

const DEFAULTS = {
  /** A language, or nothing for that of the browser. */
  language: "",
  /** `light`, `dark`, or `auto` for that of the system. */
  theme: "auto",
  hints: true,
  /** Second-best turns of the computer in a game. */
  secondBest: 0,
  /** Quarter turns of the board, and whether it is mirrored. */
  quarters: 0,
  mirrored: false,
};

/** @typedef {typeof DEFAULTS} Settings */

/** @returns {Settings} */
export function readSettings() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const usable = Object.entries(kept).filter(([key, value]) => {
      return key in DEFAULTS && typeof value === typeof DEFAULTS[/** @type {keyof Settings} */ (key)];
    });
    return { ...DEFAULTS, ...Object.fromEntries(usable) };
  } catch {
    return { ...DEFAULTS };
  }
}

/** @param {Settings} settings */
export function keepSettings(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing forgets the choices with the page.
  }
}
