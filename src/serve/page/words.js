// @ts-check
// The texts of the page in the language of its reader.

/** @typedef {import("./api.js").Worth} Worth */
/** @typedef {import("./api.js").Side} Side */
/** @typedef {import("./api.js").End} End */
/** @typedef {Record<string, string | Record<string, string>>} Texts plural forms are a table by their names */

/** @type {Record<string, Texts>} */
let languages = {};
let chosen = "en";
let plural = new Intl.PluralRules("en");

/** @param {Record<string, Texts>} texts */
export function bringLanguages(texts) {
  languages = texts;
}

/** The languages there are, each with the name it gives itself. */
export function languageNames() {
  return Object.entries(languages).map(([code, texts]) => ({ code, name: String(texts.language_name) }));
}

/**
 * Takes a language; of those the reader prefers the first one there is.
 * @param {readonly string[]} preferred
 */
export function takeLanguage(preferred) {
  const codes = preferred.map((tag) => tag.split("-")[0].toLowerCase());
  chosen = codes.find((code) => code in languages) ?? "en";
  plural = new Intl.PluralRules(chosen);
  return chosen;
}

/**
 * A text with its gaps filled; the number `n` decides about the plural form.
 * @param {string} key
 * @param {Record<string, string | number>} [gaps]
 */
export function say(key, gaps = {}) {
  const text = languages[chosen]?.[key] ?? languages.en?.[key] ?? key;
  const form = typeof text === "string" ? text : (text[plural.select(Number(gaps.n))] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (gap, name) => String(gaps[name] ?? gap));
}

/**
 * Fills in the texts that the document names in its attributes.
 * @param {ParentNode} root
 */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-text]")) {
    element.textContent = say(/** @type {HTMLElement} */ (element).dataset.text ?? "");
  }
  for (const element of root.querySelectorAll("[data-label]")) {
    const label = say(/** @type {HTMLElement} */ (element).dataset.label ?? "");
    element.setAttribute("aria-label", label);
    if (element.matches("button")) element.setAttribute("title", label);
  }
}

/** @param {number} number */
export function figure(number) {
  return new Intl.NumberFormat(chosen).format(number);
}

/** @param {Side} side */
export function sideName(side) {
  return say(`side.${side}`);
}

/**
 * `win in 47 plies`, `draw`, `unknown`.
 * @param {Worth} worth
 */
export function worthInWords(worth) {
  if (worth.plies === null || worth.value === "draw" || worth.value === "unknown") return say(`value.${worth.value}`);
  return say(`value.${worth.value}_in`, { n: worth.plies });
}

/**
 * `W47`, `D`, `L12`, or `?` where it is unknown.
 * @param {Worth} worth
 */
export function worthInShort(worth) {
  if (worth.value === "unknown") return "?";
  return say(`letter.${worth.value}`) + (worth.value === "draw" ? "" : (worth.plies ?? ""));
}

/**
 * How a game ended.
 * @param {End} end
 */
export function endInWords(end) {
  const result = end.winner ? say("over.wins", { side: sideName(end.winner) }) : say("over.draw");
  const key = `over.${end.reason.replaceAll(" ", "_")}`;
  const reason = say(key);
  return say("over.because", { result, reason: reason === key ? end.reason : reason });
}
