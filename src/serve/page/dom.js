// @ts-check
// Makes elements. Texts are set as texts: nothing a server says is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Setting */

/**
 * @param {Element} element
 * @param {Record<string, Setting>} settings attributes, and listeners as `onclick`; null and false leave one out
 * @param {(Node | string)[]} children
 */
function furnish(element, settings, children) {
  for (const [name, setting] of Object.entries(settings)) {
    if (typeof setting === "function") element.addEventListener(name.slice(2), setting);
    else if (setting !== null && setting !== undefined && setting !== false) {
      element.setAttribute(name, setting === true ? "" : String(setting));
    }
  }
  element.append(...children);
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, Setting>} [settings]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function html(tag, settings = {}, ...children) {
  const element = document.createElement(tag);
  furnish(element, settings, children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, Setting>} [settings]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, settings = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  furnish(element, settings, children);
  return element;
}

/**
 * The element of the document with this id, which has to be there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page lacks #${id}`);
  return element;
}

/**
 * The control of the document with this id.
 * @param {string} id
 */
export function control(id) {
  return /** @type {HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement} */ (byId(id));
}

/**
 * Marks a button as of no use now. It keeps the focus, which a disabled one would lose.
 * @param {HTMLElement} button
 * @param {boolean} usable
 */
export function setUsable(button, usable) {
  button.setAttribute("aria-disabled", String(!usable));
}
