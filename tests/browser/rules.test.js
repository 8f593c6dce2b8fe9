// The page knows no rules: it offers what the server lists, be it nonsense, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { badges, clicks, inAddress, listed, men, open, serve, settled, why } from "./harness.js";

const server = await serve("three-diagonal");

const VARIANT = {
  id: "nonsense", name: "Nonsense", note: "", contents: "distances", complete: true, positions: 4, start: "p0",
  men: { white: 2, black: 1 },
  board: {
    points: ["north", "east", "south", "west", "middle"].map((name, i) => {
      return { name, x: [0, 2, 0, -2, 0][i], y: [2, 0, -2, 0, 0][i] };
    }),
    lines: [["north", "middle", "south"]], slides: [["north", "east"], ["east", "south"]],
  },
};

const hand = { white: 0, black: 0 };
const at = (white, black) => ({ white, black, hand, removals_due: 0 });
const turn = (move, from, to, takes, value, plies, position) => ({ move, from, to, takes, captures: takes.length, value, plies, position });

/** White takes its own man, moves one of Black's, places beside an empty hand, and takes three men by one turn. */
const POSITIONS = {
  p0: {
    side: "white", value: "loss", plies: 77, board: at(["north", "east"], ["south"]), over: null,
    moves: [
      turn("one", "south", "west", [], "loss", 77, "p1"),
      turn("two", null, "middle", ["east"], "loss", 7, "p2"),
      turn("three", "north", "north", ["north", "east", "south"], "draw", null, "p3"),
    ],
  },
  p1: { side: "white", value: "win", plies: 500, board: at(["west"], ["south"]), over: null, moves: [turn("pass", null, null, [], "win", 500, "p0")] },
  p2: { side: "black", value: "draw", plies: null, board: at(["middle"], ["middle"]), over: { winner: "black", reason: "the moon is full" }, moves: [] },
  p3: { side: "black", value: "unknown", plies: null, missing: "x-y", board: at([], []), over: null, moves: [] },
};

async function opened(t) {
  return open(t, server, {
    prepare: async (page) => {
      await page.route("**/api/**", (route) => {
        const url = new URL(route.request().url());
        if (url.pathname === "/api/variants") return route.fulfill({ json: { variants: [VARIANT] } });
        if (url.pathname === "/api/nonsense/batch") {
          const asked = route.request().postDataJSON().positions;
          return route.fulfill({ json: { answers: asked.map((position) => ({ position, ...POSITIONS[position] })) } });
        }
        const position = url.searchParams.get("position");
        return route.fulfill({ json: { variant: "nonsense", position, ...POSITIONS[position] } });
      });
    },
  });
}

const openPoints = (page) => page.locator(".point.open").evaluateAll((points) => points.map((each) => each.dataset.point).sort());

test("the turns of the server are offered, and no others", async (t) => {
  const page = await opened(t);
  assert.deepEqual(await listed(page), [["three", "D"], ["one", "L77"], ["two", "L7"]]);
  assert.deepEqual(await openPoints(page), ["middle", "north", "south"]);
  await clicks(page, "west", "east");
  assert.equal(inAddress(page), "p0");
  await clicks(page, "south");
  assert.deepEqual(await openPoints(page), ["north", "south", "west"]);
  await clicks(page, "west");
  assert.equal(inAddress(page), "p1");
  assert.equal(await why(page), "White wins in 500: pass is the only turn.");
  assert.deepEqual(await openPoints(page), []);
});

test("men are taken as the server says, whoever they belong to", async (t) => {
  const page = await opened(t);
  await clicks(page, "middle");
  assert.deepEqual(await openPoints(page), ["east"]);
  assert.deepEqual(await badges(page), ["L7"]);
  await clicks(page, "east");
  assert.equal(inAddress(page), "p2");
  // Also what the server says of the end is told as it is.
  assert.equal(await why(page), "Black has won: the moon is full.");
});

test("as many men are asked for as a turn takes", async (t) => {
  const page = await opened(t);
  await clicks(page, "north", "north");
  assert.deepEqual(await openPoints(page), ["east", "north", "south"]);
  await clicks(page, "south");
  assert.deepEqual(await openPoints(page), ["east", "north"]);
  assert.deepEqual(await men(page, "black"), []);
  await clicks(page, "north", "east");
  await settled(page);
  assert.equal(inAddress(page), "p3");
  assert.equal(await why(page), "Unknown: the database lacks sector x-y.");
  assert.deepEqual(await listed(page), []);
});
