// @ts-check
// Tabs as WAI-ARIA describes them: one is reached by the Tab key, the arrow keys go to the others.

/**
 * @param {HTMLElement} list its tabs name their panels
 * @param {(panel: string) => void} opened
 */
export function makeTabs(list, opened) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
  const open = (/** @type {HTMLElement} */ tab) => {
    for (const each of tabs) {
      const isOpen = each === tab;
      each.setAttribute("aria-selected", String(isOpen));
      each.tabIndex = isOpen ? 0 : -1;
      const panel = document.getElementById(each.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = !isOpen;
    }
    opened(tab.getAttribute("aria-controls") ?? "");
  };
  for (const tab of tabs) tab.addEventListener("click", () => open(tab));
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
    const goal = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || goal === undefined) return;
    event.preventDefault();
    const tab = tabs[(goal + tabs.length) % tabs.length];
    tab.focus();
    open(tab);
  });
}
