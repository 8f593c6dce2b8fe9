// The graph of a game, its mistakes, playing back, and the gallery.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clicks, inAddress, men, open, serve, settled, why } from "./harness.js";

const server = await serve("six", "three-diagonal");

/** Pastes a game. */
async function playing(t, variant, moves, how = {}) {
  const page = await open(t, server, { query: `?variant=${variant}`, ...how });
  await page.locator("#tab-setup").click();
  await page.locator("#pasted").fill(moves);
  await page.locator("#load-moves").click();
  const turns = moves.split(" ").length;
  await page.waitForFunction((turns) => document.querySelectorAll("#moves li").length === turns + 1, turns);
  await page.locator("#tab-game").click();
  await page.locator(".graph").waitFor();
  await settled(page);
  return page;
}

/** The marks of a game, as the values of its positions have it. */
async function expectedMarks(variant, moves) {
  const { positions } = await server.ask(`/api/${variant}/game`, { position: "start", moves });
  const { answers } = await server.ask(`/api/${variant}/batch`, { positions, turns: true });
  return moves.split(" ").map((move, i) => {
    const [best] = answers[i].moves;
    const made = answers[i].moves.find((turn) => turn.move === move);
    const lost = ["win", "draw", "loss"].indexOf(made.value) - ["win", "draw", "loss"].indexOf(best.value);
    return lost === 2 ? "??" : lost === 1 ? "?" : made.plies !== best.plies ? "?!" : "";
  });
}

test("the mistakes of a game are marked in the graph and in the list of its turns", async (t) => {
  const moves = "b1 c2 b2 b3 a1 c3 a1-a2";
  const expected = await expectedMarks("three-diagonal", moves);
  assert.deepEqual(expected, ["??", "??", "?", "", "?", "??", "?!"]);
  const page = await playing(t, "three-diagonal", moves);
  await page.waitForFunction(() => document.querySelector("#moves .mark"));
  const shown = await page.locator("#moves li").evaluateAll((items) => items.slice(1).map((item) => {
    return item.querySelector(".mark [aria-hidden]")?.textContent ?? "";
  }));
  assert.deepEqual(shown, expected);
  assert.deepEqual(await page.locator(".graph g text").allTextContents(), expected.filter(Boolean));
  const label = await page.locator(".graph").getAttribute("aria-label");
  assert(label.includes(`over ${expected.length} turns`));
  assert(label.includes(`losses: ${expected.filter((mark) => mark === "??").length};`));
});

test("a click on the graph or on a turn goes there", async (t) => {
  const page = await playing(t, "six", "a1 b2 c1 c2 e1xb2 d2");
  const last = inAddress(page);
  await page.locator("#moves button").nth(1).click();
  await settled(page);
  assert.deepEqual([await men(page, "white"), await men(page, "black")], [["a1"], []]);
  const box = await page.locator(".graph").boundingBox();
  await page.mouse.click(box.x + box.width * 0.96, box.y + 10);
  await settled(page);
  assert.equal(inAddress(page), last);
  // Another turn from the middle is the beginning of another game.
  await page.locator("#moves button").nth(2).click();
  await clicks(page, "e5");
  assert.equal(await page.locator("#moves li").count(), 4);
});

test("a game is played back, and stopped", async (t) => {
  const page = await playing(t, "six", "a1 b2 c1");
  await page.locator("#replay").click();
  const at = (n) => page.waitForFunction((n) => document.querySelectorAll('.point[aria-label*="man"]').length === n, n);
  await at(0);
  await at(1);
  await at(2);
  await page.locator("#replay").click();
  assert.equal(await page.locator("#replay").getAttribute("aria-pressed"), "false");
  await page.waitForTimeout(1200);
  await at(2);
});

test("the gallery shows the longest wins, and plays them back", async (t) => {
  const page = await open(t, server, { query: "?variant=three-diagonal" });
  await page.locator("#tab-wins").click();
  await page.locator(".win-card").first().waitFor();
  const { longest } = await server.ask("/api/three-diagonal/gallery");
  assert(longest.length > 1);
  assert.equal(await page.locator(".win-card").count(), longest.length);
  const most = longest.toSorted((a, b) => b.plies - a.plies)[0];
  const side = { white: "White", black: "Black" }[most.side];
  assert.equal(await page.locator(".win-card strong").first().innerText(), `${side} wins in ${most.plies} plies`);
  await page.locator(".win-card").first().click();
  await page.waitForFunction((turns) => document.querySelectorAll("#moves li").length === turns + 1, most.plies);
  await page.waitForFunction(() => / has won: /.test(document.getElementById("why").textContent), null, { timeout: 1500 * most.plies });
  assert.equal(await why(page), `${side} has won: three in a row.`);
  assert.equal(await page.locator("#moves .mark").count(), 0);
});
