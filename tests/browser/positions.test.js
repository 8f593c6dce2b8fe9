// Positions and games from elsewhere: set up on the board, pasted, linked.

import assert from "node:assert/strict";
import { test } from "node:test";

import { POSITIONS, clicks, drag, inAddress, link, men, open, point, serve, settled, why } from "./harness.js";

const server = await serve("six", "nine", "triangles");

const verdict = (page) => page.locator("#setup-verdict");

/** Opens the editor. */
async function editing(t, query) {
  const page = await open(t, server, { query });
  await page.locator("#tab-setup").click();
  await page.locator("#setup-edit").click();
  await page.locator("#setup-clear").waitFor();
  return page;
}

test("a position is set up by clicks, and the server says whether it is one", async (t) => {
  const page = await editing(t, "?variant=six");
  await clicks(page, "a1");
  await verdict(page).filter({ hasText: "in hand" }).waitFor();
  assert.equal(await page.locator("#setup-use").getAttribute("aria-disabled"), "true");
  await page.locator("#brush-black").check();
  await clicks(page, "c2");
  assert.deepEqual([await men(page, "white"), await men(page, "black")], [["a1"], ["c2"]]);
  await verdict(page).filter({ hasText: "This is a position of the game." }).waitFor();
  const toMove = (letter) => page.waitForFunction((letter) => {
    return document.getElementById("position-text").value.split(" ")[1] === letter;
  }, letter);
  await page.locator("#side-black").check();
  await toMove("b");
  await page.locator("#side-white").check();
  await toMove("w");
  await page.locator("#setup-use").click();
  await settled(page);
  const asked = { white: ["a1"], black: ["c2"], hand: { white: 5, black: 5 }, side: "white", removals_due: 0 };
  assert.equal(inAddress(page), (await server.ask("/api/six/setup", asked)).position);
  assert.match(await why(page), /^(A draw|White (wins|loses) in \d+): /);
});

test("men are dragged from hand to board, about it, and off it", async (t) => {
  const page = await editing(t, "?variant=six");
  await drag(page, "#player-black .heap", point(page, "e5"));
  await drag(page, "#player-white .heap", point(page, "a1"));
  await drag(page, point(page, "a1"), point(page, "b2"));
  assert.deepEqual([await men(page, "white"), await men(page, "black")], [["b2"], ["e5"]]);
  assert.equal(await page.locator("#hand-white").inputValue(), "5");
  await drag(page, point(page, "e5"), "h1");
  assert.deepEqual(await men(page, "black"), []);
  assert.equal(await page.locator("#hand-black").inputValue(), "6");
});

test("an endgame is set up with empty hands", async (t) => {
  const page = await editing(t, link("nine", POSITIONS.flying));
  // What is on a point goes when it is clicked with its own colour, or with nothing.
  await clicks(page, "a7");
  await page.locator("#brush-none").check();
  await clicks(page, "c4");
  await verdict(page).filter({ hasText: /\S/ }).waitFor();
  assert.deepEqual([await men(page, "white"), await men(page, "black")], [["d1", "e4"], ["d7", "g7"]]);
  await page.locator("#setup-cancel").click();
  await settled(page);
  assert.equal(inAddress(page), POSITIONS.flying);
  assert.deepEqual(await men(page, "white"), ["a7", "d1", "e4"]);
});

test("a man that has still to be taken is part of a position", async (t) => {
  const page = await editing(t, link("nine", POSITIONS.flying));
  await page.locator("#setup-clear").click();
  await clicks(page, "a1", "d1", "g1");
  await page.locator("#brush-black").check();
  await clicks(page, "a7", "b6", "c5", "e5");
  await page.locator("#due").fill("1");
  await verdict(page).filter({ hasText: "This is a position" }).waitFor();
  await page.locator("#setup-use").click();
  await settled(page);
  assert.equal(await page.locator("#prompt").innerText(), "A mill! Choose the man to take.");
  await clicks(page, "b6");
  assert.deepEqual(await men(page, "black"), ["a7", "c5", "e5"]);
});

test("a number that is far too large is neither drawn nor sent", async (t) => {
  const page = await editing(t, "?variant=six");
  await page.locator("#hand-white").fill("1000000000");
  await verdict(page).filter({ hasText: "White, to move, has 32 in hand" }).waitFor();
  assert.equal(await page.locator("#player-white .heap .disc").count(), 32);
});

test("the editor speaks the language that is chosen meanwhile", async (t) => {
  const page = await editing(t, "?variant=six");
  await verdict(page).filter({ hasText: "This is a position of the game." }).waitFor();
  await page.locator("#settings-open").click();
  await page.locator("#language").selectOption("de");
  await verdict(page).filter({ hasText: "Das ist eine Stellung des Spiels." }).waitFor();
});

test("the editor is used by keyboard", async (t) => {
  const page = await editing(t, "?variant=six");
  await page.locator("[data-point=a1]").focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await men(page, "white"), ["a1"]);
  await page.keyboard.press(" ");
  assert.deepEqual(await men(page, "white"), []);
});

async function pasted(page, text, button) {
  await page.locator("#tab-setup").click();
  await page.locator("#pasted").fill(text);
  await page.locator(button).click();
}

test("a position is pasted", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  await pasted(page, ` ${POSITIONS.mill}\n`, "#load-position");
  await page.waitForFunction(() => document.querySelectorAll('.point[aria-label*="man"]').length === 4);
  assert.equal(inAddress(page), POSITIONS.mill);
  assert.equal(await page.locator("#position-text").inputValue(), POSITIONS.mill);
});

test("a wrong text is refused with the reason, and its place is marked", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  const wrong = POSITIONS.mill.replace("w p p 2 4", "w p p 2 9");
  const { error } = await server.position("six", wrong);
  await pasted(page, wrong, "#load-position");
  await page.locator("#paste-problem").filter({ hasText: error.message }).waitFor();
  const marked = await page.locator("#pasted").evaluate((field) => [field.selectionStart, field.selectionEnd]);
  assert.deepEqual(marked, [error.character - 1, error.character]);
  assert.deepEqual(await men(page, "white"), []);

  const moves = "a1 b2 c1 zz";
  await pasted(page, moves, "#load-moves");
  await page.locator("#paste-problem").filter({ hasText: "zz" }).waitFor();
  assert.equal(await page.locator("#pasted").evaluate((field) => field.selectionStart), moves.indexOf("zz"));
});

test("turns are pasted, from the start or from the position on the board", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  await pasted(page, "1. a1 b2 2. c1 c2 3. e1xb2", "#load-moves");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 6);
  await settled(page);
  assert.deepEqual([await men(page, "white"), await men(page, "black")], [["a1", "c1", "e1"], ["c2"]]);
  await page.locator("#from-here").check();
  await pasted(page, "d2 a5", "#load-moves");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 3);
  await settled(page);
  assert.deepEqual(await men(page, "black"), ["c2", "d2"]);
});

test("a link is copied, and leads to the position", async (t) => {
  const page = await open(t, server, { query: link("six", POSITIONS.mill) });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await clicks(page, "e5");
  await page.locator("#link").click();
  await page.locator("#notice").filter({ hasText: "Link copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, page.url());
  const other = await open(t, server, { query: copied.slice(copied.indexOf("?")) });
  assert.deepEqual(await men(other, "white"), await men(page, "white"));
  assert.equal(await why(other), await why(page));
});

test("where nothing can be copied the link is shown", async (t) => {
  const page = await open(t, server, {
    query: link("six", POSITIONS.mill),
    prepare: (page) => page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined })),
  });
  await page.locator("#link").click();
  await page.locator("#link-text").waitFor();
  assert.equal(await page.locator("#link-text").inputValue(), page.url());
});

test("a link to a game or a position that is not there shows none", async (t) => {
  const unknownGame = await open(t, server, { query: link("chess", POSITIONS.mill) });
  assert.deepEqual(await men(unknownGame, "white"), []);
  assert.equal(await unknownGame.locator("#variant").inputValue(), "nine");
  const wrong = await open(t, server, { query: link("six", "nonsense") });
  assert.match(await why(wrong), /^No answer: a position text has /);
  assert.equal(await wrong.locator(".badge, .chip").count(), 0);
});
