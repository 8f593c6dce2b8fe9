// Games against the computer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { POSITIONS, inAddress, link, open, serve, settled, short, why } from "./harness.js";

const server = await serve("six", "three-diagonal", "nine");

/**
 * Makes `Math.random` of the page a sequence that is known (Park and Miller's generator, 1988). Otherwise a game that
 * the computer's second-best turns have made a draw may go on for ever, and a fault could not be seen again.
 */
const chance = (seed) => (page) => page.addInitScript((seed) => {
  let state = seed;
  Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
}, seed);

/** Chooses the side and begins. */
async function against(t, query, side, secondBest = 0) {
  const page = await open(t, server, { query, prepare: chance(Number(process.env.SEED ?? 1)) });
  await page.locator("#tab-play").click();
  if (secondBest) await page.locator("#second-best").fill(String(secondBest));
  await page.locator(`#play-${side}`).check();
  await page.locator("#tab-turns").click();
  return page;
}

const isOver = (page) => page.evaluate(() => /^(White|Black) has won|^The game is drawn/.test(document.getElementById("why").textContent));

/** Waits until the reader can make a turn, or the game is over. */
function myTurn(page, side) {
  return page.waitForFunction((side) => {
    const [verdict, prompt] = ["why", "prompt"].map((id) => document.getElementById(id).textContent);
    const isOver = /^(White|Black) has won|^The game is drawn/.test(verdict);
    return isOver || (prompt.startsWith(side) && !document.querySelector("#turns.waiting"));
  }, side);
}

/** Plays until the game is over: the turn that `choose` takes of those listed. */
async function playOut(page, side, choose) {
  const name = { white: "White", black: "Black" }[side];
  for (let turns = 0; turns < 100; turns++) {
    await myTurn(page, name);
    if (await isOver(page)) return;
    const buttons = page.locator("#turns .turn");
    await buttons.nth(choose(await buttons.count())).click();
  }
  assert.fail("the game does not end");
}

/** The positions of the game with the turns that led there. */
async function game(page) {
  const moves = await page.locator("#moves button").allTextContents();
  const { positions } = await server.ask("/api/six/game", { position: "start", moves: moves.slice(1).join(" ") });
  return { moves: moves.slice(1), positions };
}

test("a whole game of six against the computer, which punishes bad turns", async (t) => {
  const page = await against(t, "?variant=six", "white");
  // The last of the list is the worst.
  await playOut(page, "white", (count) => count - 1);
  assert.match(await why(page), /^Black has won: (too few men are left|there is no turn to make)\.$/);
  const { moves, positions } = await game(page);
  for (let i = 1; i < moves.length; i += 2) {
    const { moves: turns } = await server.position("six", positions[i]);
    const chosen = turns.find((turn) => turn.move === moves[i]);
    assert.equal(short(chosen), short(turns[0]), `the computer's turn ${moves[i]} is a best one`);
  }
  // The game is looked back on: the reader's mistakes are marked, the computer made none.
  await page.locator("#tab-game").click();
  assert(await page.locator("#moves .by-white .mark").count() > 0);
  assert.equal(await page.locator("#moves .by-black .mark").count(), 0);
});

test("the computer has White as well, and the first turn", async (t) => {
  const page = await against(t, "?variant=three-diagonal", "black");
  await myTurn(page, "Black");
  assert.match(inAddress(page), /^\*\*\*\/\*O\*\/\*\*\* b /);
  assert.equal(await page.locator("#player-white .tag").innerText(), "computer");
  await playOut(page, "black", () => 0);
  assert.equal(await why(page), "White has won: three in a row.");
});

test("against good play the computer loses what is lost", async (t) => {
  const page = await against(t, "?variant=three-diagonal", "white");
  await playOut(page, "white", () => 0);
  assert.equal(await why(page), "White has won: three in a row.");
  // White wins in 9: five turns of his own, four of Black.
  assert.equal(await page.locator("#moves li").count(), 1 + 9);
});

test("the computer makes exactly as many second-best turns as it was told", async (t) => {
  const page = await against(t, "?variant=six", "white", 2);
  await playOut(page, "white", (count) => count - 1);
  const { moves, positions } = await game(page);
  let secondBest = 0;
  for (let i = 1; i < moves.length; i += 2) {
    const { moves: turns } = await server.position("six", positions[i]);
    const worths = [...new Set(turns.map(short))];
    const rank = worths.indexOf(short(turns.find((turn) => turn.move === moves[i])));
    assert(rank <= 1, `${moves[i]} is neither best nor second-best`);
    secondBest += rank;
  }
  assert.equal(secondBest, 2);
  await page.locator("#tab-game").click();
  assert.equal(await page.locator("#moves .mark.chosen").count(), 2);
});

test("a step back leads to the reader's own turn", async (t) => {
  const page = await against(t, "?variant=six", "white");
  await myTurn(page, "White");
  await page.locator("[data-move=a1]").click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 3);
  await myTurn(page, "White");
  await page.locator("#undo").click();
  await myTurn(page, "White");
  assert.match(inAddress(page), /^\*{8}\/\*{8} w /);
  // The computer waits: the game goes on from where it was.
  await page.locator("#redo").click();
  await myTurn(page, "White");
  assert.equal(await page.locator("#moves [aria-current]").getAttribute("aria-label").then((label) => label.split(".")[0]), "2");
});

test("the computer plays on from any position, and with hints off", async (t) => {
  const page = await against(t, link("nine", POSITIONS.flying), "black");
  await page.locator("#hints").click();
  await myTurn(page, "Black");
  // e4-a1 is the only turn that wins in 3.
  assert.match(await page.locator("#moves [aria-current]").innerText(), /e4-a1/);
  assert.equal(await page.locator(".badge, .chip, .graph, .mark").count(), 0);
  await playOut(page, "black", () => 0);
  assert.match(await why(page), /^White has won/);
  // When it is over there is nothing left to hide.
  assert.equal(await page.locator(".graph").count(), 1);
});
