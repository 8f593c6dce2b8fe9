// @ts-check
// The longest wins, each with its board. A click plays one back.

import { askGallery, askMany } from "./api.js";
import { picture } from "./board.js";
import { html } from "./dom.js";
import { say, sideName } from "./words.js";

/** @typedef {import("./api.js").Men} Men */
/** @typedef {import("./api.js").Side} Side */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {{sector: string, plies: number, position: string, side: Side, men: Men}} Win */

/**
 * The longest wins of a game with their men, the longest first.
 * @param {string} variant
 * @returns {Promise<Win[]>}
 */
export async function longestWins(variant) {
  const wins = await askGallery(variant);
  const answers = wins.length ? await askMany(variant, wins.map(({ position }) => position)) : [];
  const shown = wins.flatMap((win, i) => {
    const answer = answers[i];
    return "board" in answer ? [{ ...win, men: answer.board }] : [];
  });
  return shown.sort((a, b) => b.plies - a.plies);
}

/**
 * @param {Win[]} wins
 * @param {Layout} layout
 * @param {(win: Win) => void} play
 */
export function gallery(wins, layout, play) {
  if (wins.length === 0) return html("p", { class: "aid" }, say("gallery.none"));
  return html("ul", { class: "gallery" }, ...wins.map((win) => {
    const title = say("gallery.win", { side: sideName(win.side), n: win.plies });
    const { hand } = win.men;
    const inHand = hand.white + hand.black ? say("gallery.hand", { white: hand.white, black: hand.black }) : "";
    return html("li", {}, html("button", { type: "button", class: "win-card", onclick: () => play(win) },
      picture(layout, win.men),
      html("strong", {}, title),
      html("span", { class: "aid" }, say("gallery.sector", { sector: win.sector })),
      ...(inHand ? [html("span", { class: "aid" }, inHand)] : [])));
  }));
}
