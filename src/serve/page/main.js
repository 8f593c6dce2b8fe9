// @ts-check
// Puts the page together and listens to its controls.

import { NoAnswer, Refusal } from "./api.js";
import { App } from "./app.js";
import { BoardView } from "./board.js";
import { byId, control, html } from "./dom.js";
import { keepSettings, readSettings } from "./settings.js";
import { makeTabs } from "./tabs.js";
import { address, draw, news } from "./view.js";
import { bringLanguages, languageNames, say, takeLanguage, translate } from "./words.js";

const settings = readSettings();
const app = new App(settings, changed);
const board = new BoardView(byId("board"), {
  click: (point) => app.click(point),
  expect: (point) => app.expectClick(point),
  cancel: () => app.cancel(),
  lift: (point) => app.lift(point),
  drop: (from, to) => app.drop(from, to),
});

/**
 * Draws what is known now.
 * @param {boolean} isNews whether who cannot see it is told
 */
function changed(isNews) {
  draw(app, board);
  if (app.variant && !app.editor && location.search !== address(app)) takeAddress(address(app));
  if (isNews) announce(news(app));
}

/** @param {string} search */
function takeAddress(search) {
  try {
    history.replaceState(null, "", search);
  } catch {
    // Some browsers refuse more than so many changes in a while. The next one is taken again.
  }
}

/** What was just said is not said again. @param {string} text */
function announce(text) {
  const home = byId("announcer");
  if (home.textContent !== text) home.textContent = text;
}

let noticeEnds = 0;

/** Something short that need not be read. @param {string} text */
function notice(text) {
  const home = byId("notice");
  home.textContent = text;
  home.classList.add("shown");
  clearTimeout(noticeEnds);
  noticeEnds = setTimeout(() => home.classList.remove("shown"), 2500);
}

function keep() {
  keepSettings(settings);
}

function takeSettings() {
  const language = takeLanguage(settings.language ? [settings.language] : navigator.languages);
  document.documentElement.lang = language;
  document.documentElement.dataset.theme = settings.theme;
  translate(document);
  control("theme").value = settings.theme;
  control("second-best").value = String(settings.secondBest);
  byId("second-best-count").textContent = String(settings.secondBest);
  const languages = languageNames().map(({ code, name }) => html("option", { value: code }, name));
  control("language").replaceChildren(html("option", { value: "" }, say("language_auto")), ...languages);
  control("language").value = settings.language;
}

/**
 * @param {string} id
 * @param {() => void} act
 */
function onClick(id, act) {
  const button = byId(id);
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") act();
  });
}

/** @param {Partial<typeof settings>} change how the board is seen */
function turnBoard(change) {
  Object.assign(settings, change);
  keep();
  app.setLayout();
  changed(false);
}

function listenToTools() {
  onClick("undo", () => app.undo());
  onClick("redo", () => app.redo());
  onClick("replay", () => app.toggleReplay());
  onClick("new", () => app.newGame());
  onClick("rotate", () => turnBoard({ quarters: (settings.quarters + 1) % 4 }));
  // Mirrored as it is seen: a board that lies on its side is turned the other way around by it.
  onClick("flip", () => turnBoard({ mirrored: !settings.mirrored, quarters: (4 - settings.quarters) % 4 }));
  onClick("hints", () => {
    settings.hints = !settings.hints;
    keep();
    changed(false);
    notice(say(settings.hints ? "hints_on" : "hints_off"));
  });
  onClick("link", copyLink);
}

async function copyLink() {
  const link = new URL(address(app), location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    notice(say("link_copied"));
  } catch {
    // Browsers copy only for pages they hold secure; the address bar has the link as well.
    control("link-text").value = link;
    byId("link-row").hidden = false;
    control("link-text").select();
  }
}

function listenToSettings() {
  control("variant").addEventListener("change", () => {
    const variant = app.variants.find(({ id }) => id === control("variant").value);
    if (variant) app.open(variant).then(fetchIfOpen);
  });
  control("language").addEventListener("change", () => {
    settings.language = control("language").value;
    keep();
    takeSettings();
    changed(false);
    // What the editor says of a position is said by its last answer.
    app.editor?.refresh();
  });
  control("theme").addEventListener("change", () => {
    settings.theme = control("theme").value;
    keep();
    takeSettings();
  });
  control("second-best").addEventListener("input", () => {
    app.setSecondBest(control("second-best").valueAsNumber);
    byId("second-best-count").textContent = String(settings.secondBest);
    keep();
  });
  for (const [id, side] of /** @type {const} */ ([["play-both", null], ["play-white", "white"], ["play-black", "black"]])) {
    control(id).addEventListener("change", () => app.playAs(side));
  }
  onClick("new-game", () => app.newGame());
}

function listenToSetup() {
  onClick("setup-edit", () => app.edit());
  onClick("setup-use", () => app.endEdit(true));
  onClick("setup-cancel", () => app.endEdit(false));
  onClick("setup-clear", () => app.editor?.clear());
  for (const id of ["hand-white", "hand-black", "due", "side-white", "side-black"]) {
    control(id).addEventListener("input", () => app.editor?.readFields());
  }
  onClick("load-position", () => loadText((text) => app.load(text)));
  onClick("load-moves", () => loadText((text) => app.loadMoves(text, control("from-here").checked)));
}

/**
 * Loads what was pasted. Where it is wrong the text is marked.
 * @param {(text: string) => Promise<void>} load
 */
async function loadText(load) {
  const field = control("pasted");
  const problem = byId("paste-problem");
  try {
    await load(field.value);
    problem.textContent = "";
    field.removeAttribute("aria-invalid");
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof NoAnswer)) throw error;
    problem.textContent = error instanceof Refusal ? error.fault.message : say("no_answer");
    field.setAttribute("aria-invalid", "true");
    const character = error instanceof Refusal ? error.fault.character : undefined;
    if (character === undefined) return;
    field.focus();
    // Characters are counted as people do, places in a text field in halves of rare ones.
    const before = [...field.value].slice(0, character - 1).join("").length;
    field.setSelectionRange(before, before + 1);
  }
}

function fetchIfOpen() {
  if (!byId("panel-wins").hidden) app.fetchWins();
}

bringLanguages(JSON.parse(byId("texts").textContent ?? "{}"));
takeSettings();
listenToTools();
listenToSettings();
listenToSetup();
makeTabs(byId("tabs"), fetchIfOpen);
addEventListener("keydown", (event) => {
  if (event.key === "Escape") app.cancel();
});
const wanted = new URLSearchParams(location.search);
app.start(wanted.get("variant"), wanted.get("position"));
