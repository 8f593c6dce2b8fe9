// @ts-check
// Draws what the page knows.

import { inAddress } from "./api.js";
import { drawMan } from "./board.js";
import { byId, control, html, setUsable, svg } from "./dom.js";
import { gallery } from "./gallery.js";
import { graph, moveList } from "./history.js";
import { Layout } from "./layout.js";
import { pointInWords, turnList } from "./list.js";
import { marks } from "./marks.js";
import { completed, kindOf, menAfter, nextClicks, opponentOf, route } from "./turns.js";
import { turnName, unknown, why } from "./why.js";
import { endInWords, figure, say, sideName } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./api.js").Men} Men */
/** @typedef {import("./api.js").Side} Side */
/** @typedef {import("./board.js").BoardView} BoardView */

/** @type {Men} */
const NO_MEN = { white: [], black: [], hand: { white: 0, black: 0 }, removals_due: 0 };

/**
 * @param {App} app
 * @param {BoardView} board
 */
export function draw(app, board) {
  const men = menNow(app);
  drawBoard(app, board, men);
  drawHands(app, board, men);
  drawVerdict(app);
  drawTools(app);
  drawGraph(app);
  drawTurns(app, board);
  drawMoves(app);
  drawSetup(app);
  drawWins(app);
  drawAbout(app);
}

/**
 * The men to show: those of the position, with what was clicked of a turn carried out.
 * @param {App} app
 */
function menNow({ editor, game, answer, clicks, turns }) {
  if (editor) return editor.men;
  const { men, side } = game.now;
  const turn = answer && nextClicks(turns, clicks).values().next().value;
  return men && side && turn && clicks.length ? menAfter(men, side, turn, clicks) : (men ?? NO_MEN);
}

/** @param {App} app */
function showsValues({ settings, editor, answer, isComputersTurn }) {
  return settings.hints && !editor && answer !== null && !isComputersTurn;
}

/**
 * @param {App} app
 * @param {BoardView} board
 * @param {Men} men
 */
function drawBoard(app, board, men) {
  const { layout, clicks, editor, game, turns } = app;
  if (!layout) return;
  if (board.layout !== layout) {
    board.setLayout(layout);
    // The board is as large as fits, and the men in hand stand at its edges.
    byId("table").style.setProperty("--shape", String(layout.width / layout.height));
  }
  const hints = showsValues(app);
  const { turn } = game.now;
  const listed = app.isUsable ? turns : [];
  board.show({
    men,
    marks: hints ? marks(layout, listed, clicks) : [],
    open: app.openPoints,
    chosen: clicks,
    trace: turn && !editor && !clicks.length ? [...route(turn), ...turn.takes] : [],
    isTaking: app.isTaking && app.isUsable,
    describe: (point) => pointInWords(point, men, listed, { clicks, hints }),
  });
  board.picture.classList.toggle("hinted", hints);
  board.picture.classList.toggle("editing", editor !== null);
}

/**
 * The men in hand, and whose turn it is.
 * @param {App} app
 * @param {BoardView} board
 * @param {Men} men
 */
function drawHands(app, board, men) {
  const { variant, editor, answer, game, opponent } = app;
  const toMove = editor ? editor.side : game.now.over ? null : game.now.side;
  for (const side of /** @type {Side[]} */ (["white", "black"])) {
    const bar = byId(`player-${side}`);
    const hand = men.hand[side];
    const lost = (variant?.men[side] ?? 0) - hand - men[side].length;
    const places = editor || (answer?.side === side && app.isUsable && app.turns.some((turn) => turn.from === null && turn.to !== null));
    const heap = html("span", { class: `heap${places && hand ? " open" : ""}`, "aria-hidden": "true" },
      ...Array.from({ length: hand }, () => disc(side)));
    if (places && hand) {
      heap.addEventListener("pointerdown", (event) => {
        if (!app.isTaking) app.cancel();
        app.handSide = side;
        board.takeFromHand(event, side);
      });
    }
    bar.classList.toggle("to-move", toMove === side);
    bar.replaceChildren(disc(side),
      html("strong", {}, sideName(side)),
      ...(opponent?.side === side ? [html("span", { class: "tag" }, say("computer"))] : []),
      ...(toMove === side ? [html("span", { class: "unseen" }, say("to_move", { side: sideName(side) }))] : []),
      html("span", { class: "rest" }, ...(hand ? [html("span", { class: "unseen" }, say("in_hand", { n: hand })), heap] : []),
        ...(lost > 0 && game.now.men && !editor ? [html("span", { class: "lost" }, say("lost", { n: lost }))] : [])));
  }
}

/** @param {Side} side */
function disc(side) {
  return svg("svg", { class: "disc", viewBox: "-40 -40 80 80", "aria-hidden": "true" }, drawMan(side, 100));
}

/**
 * What the position is worth and why, in words, and what to do.
 * @param {App} app
 */
function drawVerdict(app) {
  const { trouble, pass } = app;
  const verdict = byId("why");
  verdict.className = verdictClass(app);
  verdict.textContent = verdictText(app);
  const buttons = [];
  if (trouble && trouble.kind !== "unknown") buttons.push(html("button", { type: "button", onclick: () => app.retry() }, say("ask_again")));
  if (pass && app.isUsable && !app.clicks.length) buttons.push(html("button", { type: "button", onclick: () => app.play(pass) }, say("pass")));
  if (app.clicks.length && app.isUsable) {
    const turn = completed(app.turns, app.clicks);
    if (turn) buttons.push(html("button", { type: "button", onclick: () => app.play(turn) }, say("done")));
    buttons.push(html("button", { type: "button", onclick: () => app.cancel() }, say("cancel")));
  }
  const prompt = promptText(app);
  refill(byId("prompt"), [...(prompt ? [html("span", {}, prompt)] : []), ...buttons], "button");
}

/** @param {App} app */
function verdictClass({ trouble, answer, editor, settings }) {
  if (editor) return "why";
  if (trouble) return `why trouble ${trouble.kind}`;
  return settings.hints && answer && !answer.over ? `why ${answer.value}` : "why";
}

/** @param {App} app */
export function verdictText({ trouble, answer, editor, settings }) {
  if (editor) return say("setup.title");
  if (trouble?.kind === "no-answer") return say("no_answer");
  if (trouble) return trouble.kind === "unknown" ? unknown(trouble.text) : say("fault", { text: trouble.text });
  if (!answer) return "";
  if (answer.over) return endInWords(answer.over);
  return settings.hints ? why(answer) : say("to_move", { side: sideName(answer.side) });
}

/** @param {App} app */
export function promptText(app) {
  const { answer, clicks, editor, turns } = app;
  if (editor) return say("setup.prompt");
  if (app.trouble?.kind === "no-answer") return say("no_answer_prompt");
  if (!answer || answer.over) return "";
  if (app.isComputersTurn) return say("computer_thinks");
  if (app.isTaking) return say("prompt.take");
  if (clicks.length) return say("prompt.where", { point: clicks[0] });
  return turns.length ? say(`prompt.${kindOf(turns)}`, { side: sideName(answer.side) }) : "";
}

/** @param {App} app */
function drawTools(app) {
  setUsable(byId("undo"), app.canUndo);
  setUsable(byId("redo"), app.canRedo);
  setUsable(byId("replay"), !app.editor && app.game.nodes.length > 1);
  byId("replay").setAttribute("aria-pressed", String(app.isReplaying));
  byId("hints").setAttribute("aria-pressed", String(app.settings.hints));
  const own = app.opponent && opponentOf(app.opponent.side);
  control(`play-${own ?? "both"}`).checked = true;
}

/** Whether the game's mistakes are shown: with hints, or when there is nothing left to give away. @param {App} app */
function reviews({ settings, game }) {
  return settings.hints || game.nodes[game.nodes.length - 1].over !== null;
}

/** @param {App} app */
function drawGraph(app) {
  const { game, trouble, editor } = app;
  const shown = reviews(app) && game.nodes.length > 1 && trouble?.kind !== "no-answer" && !editor;
  byId("graph").replaceChildren(...(shown ? [graph(game, (index) => app.jump(index))] : []));
}

/**
 * Fills an element anew. If it had the focus, what takes the place of the focused control gets it.
 * @param {HTMLElement} home
 * @param {Node[]} content
 * @param {string} successor a selector
 */
function refill(home, content, successor) {
  const hadFocus = home.contains(document.activeElement) && home !== document.activeElement;
  home.replaceChildren(...content);
  if (!hadFocus) return;
  const next = /** @type {HTMLElement | null} */ (home.querySelector(successor));
  (next ?? home).focus({ preventScroll: true });
}

/**
 * @param {App} app
 * @param {BoardView} board
 */
function drawTurns(app, board) {
  const { turns, clicks, trouble, settings, editor } = app;
  const hands = { expect: app.expect.bind(app), play: app.play.bind(app), pointOut: board.pointOut.bind(board) };
  const how = { clicks, hints: settings.hints, usable: app.isUsable };
  const none = trouble?.kind === "no-answer" ? say("no_answer_short") : trouble ? say("turns.none") : "";
  const home = byId("turns");
  // The old list keeps its room, unseen, so that nothing jumps while the server is asked.
  const isWaiting = !app.answer && !trouble && !editor;
  home.classList.toggle("waiting", isWaiting);
  if (isWaiting) return;
  const content = turns.length && !editor ? turnList(turns, how, hands) : [html("p", { class: "aid" }, none)];
  refill(home, content, ".turn");
}

/** @param {App} app */
function drawMoves(app) {
  const list = moveList(app.game, { hints: reviews(app) && app.trouble?.kind !== "no-answer" }, (index) => app.jump(index));
  const home = byId("moves");
  refill(home, [list], "[aria-current]");
  // Not before the frame that shows it, for which all is laid out anyway.
  requestAnimationFrame(() => {
    const current = home.querySelector("[aria-current]");
    if (current instanceof HTMLElement) home.scrollTop = current.offsetTop - home.clientHeight / 2;
  });
}

/** @param {App} app */
function drawSetup({ editor, game }) {
  byId("setup-closed").hidden = editor !== null;
  byId("setup-open").hidden = editor === null;
  if (editor) setUsable(byId("setup-use"), editor.position !== null);
  control("position-text").value = editor ? (editor.position ?? "") : game.now.position;
}

/** @param {App} app */
function drawWins(app) {
  const { wins, variant } = app;
  byId("wins-problem").textContent = app.galleryProblem;
  const home = byId("wins");
  // Pictures are many, and drawn only when they are others.
  const drawn = `${variant?.id} ${wins !== null} ${document.documentElement.lang}`;
  if (home.dataset.drawn === drawn) return;
  home.dataset.drawn = drawn;
  const play = (/** @type {{position: string}} */ win) => {
    app.playBack(win);
    byId("board").scrollIntoView({ block: "nearest" });
  };
  const straight = variant && new Layout(variant.board, { quarters: 0, mirrored: false });
  home.replaceChildren(...(wins && straight ? [gallery(wins, straight, play)] : []));
}

/** @param {App} app */
function drawAbout({ variant, variants }) {
  const select = control("variant");
  if (select.options.length !== variants.length) {
    select.replaceChildren(...variants.map(({ id, name }) => html("option", { value: id }, name)));
  }
  if (!variant) return;
  select.value = variant.id;
  document.title = `${variant.name} · millbase`;
  const size = say(variant.complete ? "about.complete" : "about.part", { positions: figure(variant.positions) });
  byId("about").textContent = [variant.note, size].filter(Boolean).join(" ");
}

/**
 * The address that shows this position.
 * @param {App} app
 */
export function address({ variant, game }) {
  return variant ? `?variant=${encodeURIComponent(variant.id)}&position=${inAddress(game.now.position)}` : "";
}

/**
 * What has just happened, for who cannot see it.
 * @param {App} app
 */
export function news(app) {
  const { game, clicks } = app;
  const { turn } = game.now;
  const by = game.nodes[game.index - 1]?.side;
  const played = turn && by && !clicks.length ? say("news.turn", { side: sideName(by), turn: turnName(turn) }) : "";
  return [played, clicks.length ? "" : verdictText(app), promptText(app)].filter(Boolean).join(" ");
}
