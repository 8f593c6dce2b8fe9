// The parts of the page that draw nothing, one by one and without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inAddress } from "../../src/serve/page/api.js";
import { Game, height, mistake } from "../../src/serve/page/game.js";
import { Layout } from "../../src/serve/page/layout.js";
import { Opponent } from "../../src/serve/page/opponent.js";
import { completed, isTaking, kindOf, menAfter, nextClicks, ranks, rest } from "../../src/serve/page/turns.js";

const turn = (move, from, to, takes, value = "draw", plies = null) => ({ move, from, to, takes, value, plies, position: `after ${move}` });

const TURNS = [
  turn("f6-f4xd2", "f6", "f4", ["d2"], "win", 5),
  turn("f6-f4xb4", "f6", "f4", ["b4"], "draw"),
  turn("f6-d6", "f6", "d6", [], "loss", 8),
  turn("e3", null, "e3", [], "loss", 4),
];

test("a turn is clicked from, to, taken", () => {
  assert.deepEqual(rest(TURNS[0], []), ["f6"]);
  assert.deepEqual(rest(TURNS[0], ["f6"]), ["f4"]);
  assert.deepEqual(rest(TURNS[0], ["f6", "f4"]), ["d2"]);
  assert.deepEqual(rest(TURNS[0], ["f6", "f4", "d2"]), []);
  assert.equal(rest(TURNS[0], ["f6", "d6"]), null);
  assert.equal(rest(TURNS[0], ["f6", "f4", "b4"]), null);
});

test("of two men taken either is clicked first", () => {
  const two = turn("a1xb2xc3", null, "a1", ["b2", "c3"]);
  assert.deepEqual(rest(two, ["a1", "c3"]), ["b2"]);
  assert.deepEqual(rest(two, ["a1", "c3", "b2"]), []);
  assert.equal(rest(two, ["a1", "c3", "c3"]), null);
});

test("each next click is worth its best turn", () => {
  const first = nextClicks(TURNS, []);
  assert.deepEqual([...first.keys()], ["f6", "e3"]);
  assert.equal(first.get("f6").move, "f6-f4xd2");
  const second = nextClicks(TURNS, ["f6"]);
  assert.deepEqual([...second].map(([point, best]) => [point, best.move]), [["f4", "f6-f4xd2"], ["d6", "f6-d6"]]);
  assert.equal(isTaking(TURNS, ["f6"]), false);
  assert.equal(isTaking(TURNS, ["f6", "f4"]), true);
  assert.equal(completed(TURNS, ["f6", "d6"]).move, "f6-d6");
  assert.equal(completed(TURNS, ["f6", "f4"]), undefined);
});

test("men are shown where a turn puts them", () => {
  const men = { white: ["f6"], black: ["d2", "b4"], hand: { white: 1, black: 0 }, removals_due: 0 };
  assert.deepEqual(menAfter(men, "white", TURNS[0]).white, ["f4"]);
  assert.deepEqual(menAfter(men, "white", TURNS[0]).black, ["b4"]);
  assert.deepEqual(menAfter(men, "white", TURNS[0], ["f6"]), men);
  assert.deepEqual(menAfter(men, "white", TURNS[0], ["f6", "f4"]).black, ["d2", "b4"]);
  assert.deepEqual(menAfter(men, "white", TURNS[3]).hand, { white: 0, black: 0 });
});

test("kinds of turns have their words", () => {
  assert.equal(kindOf([TURNS[3]]), "placement");
  assert.equal(kindOf(TURNS.slice(0, 3)), "move");
  assert.equal(kindOf([turn("xd2", null, null, ["d2"])]), "capture");
  assert.equal(kindOf(TURNS), "turn");
});

// Eight turns with four ranks of worth.
const RANKED = [
  ["a", "win", 3], ["b", "win", 3], ["c", "win", 9], ["d", "draw", null],
  ["e", "draw", null], ["f", "draw", null], ["g", "loss", 8], ["h", "unknown", null],
].map(([name, value, plies]) => turn(name, null, name, [], value, plies));

test("turns of the same worth are one rank", () => {
  assert.deepEqual(ranks(RANKED).map((rank) => rank.map(({ move }) => move).join("")), ["ab", "c", "def", "g", "h"]);
});

/** A game of so many turns by each side, in which the computer, Black, chooses among the same turns every time. */
function played(opponent, turns, choices = RANKED) {
  const game = new Game("start", { side: "white", men: { white: [], black: [], hand: { white: 9, black: 9 }, removals_due: 0 } });
  const chosen = [];
  for (let i = 0; i < turns; i++) {
    game.play({ ...RANKED[0], position: `white ${i}` });
    const { turn, isSecondBest } = opponent.choose(game, choices);
    game.play({ ...turn, position: `black ${i}` }, isSecondBest);
    chosen.push(turn.move);
  }
  return chosen;
}

test("the computer plays perfectly, of equal turns any", () => {
  const chosen = new Set(Array.from({ length: 40 }, () => played(new Opponent("black", 0), 5)).flat());
  assert.deepEqual([...chosen].sort(), ["a", "b"]);
});

test("the computer makes exactly as many second-best turns as it is told", () => {
  for (let count = 0; count <= 10; count++) {
    const moments = new Set();
    for (let game = 0; game < 60; game++) {
      const chosen = played(new Opponent("black", count), 12);
      assert.equal(chosen.filter((move) => move === "c").length, count);
      chosen.forEach((move, i) => move === "c" && moments.add(i));
    }
    // Every one of the nine placements is such a moment in some game.
    if (count) assert(moments.size >= 9, `${count}: ${[...moments]}`);
  }
});

test("a moment without a second-best turn is made up for", () => {
  const opponent = new Opponent("black", 2, () => 0);
  const game = new Game("start", { side: "black", men: { white: [], black: [], hand: { white: 9, black: 9 }, removals_due: 0 } });
  assert.deepEqual(opponent.choose(game, RANKED.slice(0, 2)).isSecondBest, false);
  assert.deepEqual(opponent.choose(game, RANKED.slice(3, 6)).isSecondBest, false);
  assert.deepEqual(opponent.choose(game, RANKED).isSecondBest, true);
});

test("before the computer wins it makes up for what it owes", () => {
  const opponent = new Opponent("black", 1, () => 0);
  const game = new Game("start", { side: "black" });
  const winning = [turn("win", null, "a", [], "win", 1), turn("draw", null, "b", [], "draw")];
  opponent.moments = new Set([8]);
  assert.equal(opponent.choose(game, RANKED).isSecondBest, false);
  assert.equal(opponent.choose(game, winning).turn.move, "draw");
});

test("a computer that joins a game counts from there", () => {
  const game = Game.of(["0", "1", "2", "3", "4"], [1, 2, 3, 4].map((i) => turn(`t${i}`, null, "a", [])));
  game.nodes.forEach((node, i) => (node.side = i % 2 ? "black" : "white"));
  game.nodes[4].men = { white: [], black: [], hand: { white: 7, black: 7 }, removals_due: 0 };
  game.goTo(4);
  // Of the seven placements that are left the last one.
  const opponent = new Opponent("white", 1, () => 0.999);
  for (let i = 0; i < 6; i++) {
    const { turn, isSecondBest } = opponent.choose(game, RANKED);
    assert.equal(isSecondBest, false);
    game.play({ ...turn, position: `white ${i}` });
    game.play({ ...RANKED[0], position: `black ${i}` });
  }
  assert.equal(opponent.choose(game, RANKED).isSecondBest, true);
});

test("what is unknown is played only where nothing is known", () => {
  const unknown = [turn("x", null, "x", [], "unknown"), turn("y", null, "y", [], "unknown")];
  assert(["x", "y"].includes(new Opponent("white", 3).choose(new Game("start"), unknown).turn.move));
  const known = new Opponent("white", 1, () => 0).choose(new Game("start"), [RANKED[3], ...unknown]);
  assert.equal(known.turn.move, "d");
});

test("mistakes are told by how bad they are", () => {
  const marks = (before, after) => {
    const game = Game.of(["first", "second"], [turn("a1", null, "a1", [])]);
    Object.assign(game.nodes[0], { side: "white", worth: before });
    Object.assign(game.nodes[1], { side: "black", worth: after });
    return mistake(game, 1)?.mark;
  };
  const worth = (value, plies = null) => ({ value, plies });
  assert.equal(marks(worth("win", 5), worth("loss", 4)), undefined);
  assert.equal(marks(worth("win", 5), worth("loss", 6)), "?!");
  assert.equal(marks(worth("win", 5), worth("draw")), "?");
  assert.equal(marks(worth("win", 5), worth("win", 3)), "??");
  assert.equal(marks(worth("draw"), worth("draw")), undefined);
  assert.equal(marks(worth("draw"), worth("win", 9)), "?");
  assert.equal(marks(worth("loss", 8), worth("win", 7)), undefined);
  assert.equal(marks(worth("loss", 8), worth("win", 5)), "?!");
  assert.equal(marks(worth("win"), worth("loss")), undefined);
  assert.equal(marks(worth("win", 5), worth("unknown")), undefined);
  assert.equal(marks(worth("unknown"), worth("win", 3)), undefined);
  assert.equal(marks(worth("win", 5), null), undefined);
});

test("the graph is White's: quicker ends lie farther out, what is unknown nowhere", () => {
  const at = (side, value, plies = null) => height({ side, worth: { value, plies } });
  assert.equal(at("white", "draw"), 0);
  assert(at("white", "win", 1) > at("white", "win", 50) && at("white", "win", 200) > 0);
  assert.equal(at("black", "win", 7), -at("white", "win", 7));
  assert.equal(at("white", "loss", 7), at("black", "win", 7));
  assert.equal(at("white", "unknown"), null);
  assert.equal(height({ side: "white", worth: null }), null);
});

const SQUARE = {
  points: ["a1", "b1", "a2", "b2"].map((name) => ({ name, x: name.charCodeAt(0), y: Number(name[1]) })),
  lines: [], slides: [["a1", "b1"]],
};

test("a board is turned and mirrored as it is seen", () => {
  const corner = (quarters, mirrored) => {
    const layout = new Layout(SQUARE, { quarters, mirrored });
    const { x, y } = layout.place("a1");
    return `${y > layout.height / 2 ? "lower" : "upper"} ${x < layout.width / 2 ? "left" : "right"}`;
  };
  assert.equal(corner(0, false), "lower left");
  assert.equal(corner(1, false), "upper left");
  assert.equal(corner(2, false), "upper right");
  assert.equal(corner(3, false), "lower right");
  assert.equal(corner(0, true), "lower right");
});

test("names stand at the sides where they are those of columns and rows", () => {
  const names = (board, view) => new Layout(board, view).labels.map(({ text }) => text).join("");
  assert.equal(names(SQUARE, { quarters: 0, mirrored: false }), "ab12");
  assert.equal(names(SQUARE, { quarters: 1, mirrored: false }), "12ab");
  const own = { ...SQUARE, points: SQUARE.points.map((point, i) => ({ ...point, name: `p${i}` })) };
  assert.equal(names(own, { quarters: 0, mirrored: false }), "p0p1p2p3");
});

test("long names of points stay within the picture", () => {
  const points = [{ name: "left", x: 0, y: 0 }, { name: "right", x: 4, y: 0 }, { name: "a", x: 2, y: 4 }];
  const layout = new Layout({ points, lines: [], slides: [] }, { quarters: 0, mirrored: false });
  const at = Object.fromEntries(layout.labels.map(({ text, x }) => [text, x]));
  const { unit, width } = layout;
  assert(at.right + 0.12 * unit * "right".length < width);
  // Where there is room they stand beside the point.
  assert(at.left > layout.place("left").x && at.a > layout.place("a").x);
});

test("arrow keys go to the next point as it is seen", () => {
  const layout = new Layout(SQUARE, { quarters: 1, mirrored: false });
  assert.equal(layout.neighbour("a1", { x: 0, y: 1 }), "b1");
  assert.equal(layout.neighbour("a1", { x: 1, y: 0 }), "a2");
  assert.equal(layout.neighbour("a1", { x: -1, y: 0 }), null);
});

test("positions are readable in an address", () => {
  const escaped = inAddress("**O/@** w p ids:nodes");
  assert.equal(escaped, "**O/@**_w_p_ids:nodes");
  assert.equal(inAddress("a&b=c#d"), "a%26b%3Dc%23d");
});
