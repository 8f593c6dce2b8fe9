// Turns on the board: every one the server lists is shown, and can be made by click, by drag and by keyboard.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  POSITIONS, badges, click, clicks, drag, inAddress, link, listed, men, open, point, serve, settled, short, why,
} from "./harness.js";

const server = await serve("six", "nine", "triangles", "three-diagonal", "rota");

const sorted = (list) => [...list].sort();

for (const variant of ["six", "three-diagonal", "rota", "triangles"]) {
  test(`${variant}: every placement has its value on its point and in the list`, async (t) => {
    const page = await open(t, server, { query: `?variant=${variant}` });
    const { moves } = await server.position(variant);
    assert.deepEqual(await listed(page), moves.map((turn) => [turn.move, short(turn)]));
    assert.deepEqual(sorted(await badges(page)), sorted(moves.map(short)));
  });
}

test("every move has its arrow, and one that takes a man that of its best capture", async (t) => {
  const { position, moves } = await server.position("triangles", POSITIONS.twoMills);
  const page = await open(t, server, { query: link("triangles", POSITIONS.twoMills) });
  const steps = new Map(moves.toReversed().map((turn) => [`${turn.from}-${turn.to}`, short(turn)]));
  assert.deepEqual(sorted(await badges(page)), sorted(steps.values()));
  assert.equal(await page.locator(".marks .arrow").count(), 2 * steps.size);
  assert.deepEqual(await listed(page), moves.map((turn) => [turn.move, short(turn)]));
  assert.equal(inAddress(page), position);
});

test("where men fly every goal lists them", async (t) => {
  const { moves } = await server.position("nine", POSITIONS.flying);
  const page = await open(t, server, { query: link("nine", POSITIONS.flying) });
  const steps = new Map(moves.toReversed().map((turn) => [`${turn.from}-${turn.to}`, `${turn.from} ${short(turn)}`]));
  assert.equal(steps.size, 54);
  assert.deepEqual(sorted(await badges(page)), sorted(steps.values()));
});

test("a click places a man, and the page says what that is worth", async (t) => {
  const page = await open(t, server, { query: "?variant=three-diagonal" });
  assert.equal(await why(page), "White wins in 9: b2 is the only winning placement.");
  await clicks(page, "b2");
  assert.deepEqual(await men(page, "white"), ["b2"]);
  assert.equal(await why(page), "Black loses in 8: no turn saves the game.");
  const { position, moves } = await server.position("three-diagonal", "start", "b2");
  assert.equal(inAddress(page), position);
  assert.deepEqual(await listed(page), moves.map((turn) => [turn.move, short(turn)]));
});

test("a mill is two clicks: the man is placed, and another one taken", async (t) => {
  const { moves } = await server.position("six", POSITIONS.mill);
  const page = await open(t, server, { query: link("six", POSITIONS.mill) });
  await clicks(page, "e1");
  assert.deepEqual(await men(page, "white"), ["a1", "c1", "e1"]);
  assert.equal(await page.locator("#prompt span").first().innerText(), "A mill! Choose the man to take.");
  const takes = moves.filter((turn) => turn.to === "e1");
  assert.deepEqual(sorted(await badges(page)), sorted(takes.map(short)));
  assert.deepEqual(await page.locator(".point.taking").evaluateAll((points) => points.map((each) => each.dataset.point).sort()), ["b2", "c2"]);

  // A slip changes nothing, and the list has only the captures that are left.
  await clicks(page, "a5");
  assert.deepEqual((await listed(page)).map(([move]) => move), takes.map((turn) => turn.move));
  await page.keyboard.press("Escape");
  assert.deepEqual(await men(page, "white"), ["a1", "c1"]);
  assert.equal(inAddress(page), POSITIONS.mill);

  await clicks(page, "e1", "b2");
  assert.deepEqual([await men(page, "white"), await men(page, "black")], [["a1", "c1", "e1"], ["c2"]]);
  assert.equal(inAddress(page), takes.find((turn) => turn.takes[0] === "b2").position);
});

test("two mills take two men, in any order", async (t) => {
  const { moves } = await server.position("triangles", POSITIONS.twoMills);
  const page = await open(t, server, { query: link("triangles", POSITIONS.twoMills) });
  await clicks(page, "o5", "i5", "o4");
  const left = moves.filter((turn) => turn.from === "o5" && turn.to === "i5" && turn.takes.includes("o4"));
  assert(left.length > 1);
  assert.deepEqual((await listed(page)).map(([move]) => move), left.map((turn) => turn.move));
  assert.equal((await men(page, "black")).includes("o4"), false);
  const { takes, position } = left[0];
  await clicks(page, takes.find((taken) => taken !== "o4"));
  assert.equal(inAddress(page), position);
});

test("a chosen man shows only its own turns; another may be chosen instead", async (t) => {
  const { moves } = await server.position("nine", POSITIONS.flying);
  const page = await open(t, server, { query: link("nine", POSITIONS.flying) });
  for (const man of ["d1", "a7"]) {
    await clicks(page, man);
    const goals = new Map(moves.filter((turn) => turn.from === man).toReversed().map((turn) => [turn.to, short(turn)]));
    assert.deepEqual(sorted(await badges(page)), sorted(goals.values()));
    assert.equal(await page.locator(`[data-point=${man}]`).getAttribute("aria-pressed"), "true");
  }
  await clicks(page, "a7");
  assert.equal((await badges(page)).length, 54);
});

test("men fly by clicks", async (t) => {
  const page = await open(t, server, { query: link("nine", POSITIONS.flying) });
  await clicks(page, "e4", "d2");
  assert.deepEqual(await men(page, "white"), ["a7", "d1", "d2"]);
  const { moves } = await server.position("nine", POSITIONS.flying);
  assert.equal(inAddress(page), moves.find((turn) => turn.move === "e4-d2").position);
});

test("men are dragged: from the hand, over the board, and off it when they are taken", async (t) => {
  const page = await open(t, server, { query: link("six", POSITIONS.mill) });
  await drag(page, "#player-white .heap", point(page, "e1"));
  assert.deepEqual(await men(page, "white"), ["a1", "c1", "e1"]);
  await drag(page, point(page, "c2"), "#player-black");
  assert.deepEqual(await men(page, "black"), ["b2"]);

  await page.goto(server.base + link("nine", POSITIONS.flying).replace("?", "/?"));
  await settled(page);
  await drag(page, point(page, "e4"), point(page, "a1"));
  assert.deepEqual(await men(page, "white"), ["a1", "a7", "d1"]);
});

test("a man that is dropped where it cannot go returns", async (t) => {
  const page = await open(t, server, { query: link("nine", POSITIONS.flying) });
  await drag(page, point(page, "e4"), point(page, "d7"));
  assert.deepEqual(await men(page, "white"), ["a7", "d1", "e4"]);
  assert.equal(inAddress(page), POSITIONS.flying);
  // And those of the opponent are not even lifted.
  await drag(page, point(page, "d7"), point(page, "a1"));
  assert.deepEqual(await men(page, "black"), ["c4", "d7", "g7"]);
});

test("men are dragged by touch", async (t) => {
  const page = await open(t, server, { query: link("nine", POSITIONS.flying), phone: true });
  const client = await page.context().newCDPSession(page);
  const touch = async (type, name) => {
    const box = name && await point(page, name).boundingBox();
    const touchPoints = box ? [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }] : [];
    await client.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  await touch("touchStart", "e4");
  await touch("touchMove", "e3");
  await touch("touchMove", "a1");
  await touch("touchEnd");
  await settled(page);
  assert.deepEqual(await men(page, "white"), ["a1", "a7", "d1"]);
});

test("turns of the list can be played, and point themselves out", async (t) => {
  const page = await open(t, server, { query: link("nine", POSITIONS.flying) });
  await page.locator("[data-move=e4-a1]").hover();
  assert.deepEqual(await page.locator(".point.hot").evaluateAll((points) => points.map((each) => each.dataset.point).sort()), ["a1", "e4"]);
  await page.locator("[data-move=e4-a1]").click();
  await settled(page);
  assert.deepEqual(await men(page, "white"), ["a1", "a7", "d1"]);
  // The keyboard stays in the list.
  assert.equal(await page.evaluate(() => document.activeElement.className), "turn");
});

test("a side that has to pass has a button for it", async (t) => {
  const page = await open(t, server, { query: link("triangles", POSITIONS.pass) });
  assert.match(await why(page), /pass is the only turn/);
  await page.locator("#prompt button").click();
  await settled(page);
  const { moves } = await server.position("triangles", POSITIONS.pass);
  assert.equal(inAddress(page), moves[0].position);
});

test("undo, redo, and a new game", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  const start = inAddress(page);
  await clicks(page, "a1", "b2");
  const second = inAddress(page);
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  await settled(page);
  assert.equal(inAddress(page), start);
  assert.equal(await page.locator("#undo").getAttribute("aria-disabled"), "true");
  await page.locator("#redo").click();
  await page.locator("#redo").click();
  await settled(page);
  assert.equal(inAddress(page), second);
  await page.locator("#undo").click();
  await clicks(page, "e5");
  assert.equal(await page.locator("#redo").getAttribute("aria-disabled"), "true");
  assert.deepEqual(await men(page, "black"), ["e5"]);
  await page.locator("#new").click();
  await settled(page);
  assert.equal(inAddress(page), start);
});

test("the board is turned and mirrored, and stays so", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  const place = async (name) => {
    const [board, box] = [await page.locator(".board").boundingBox(), await point(page, name).boundingBox()];
    return [box.x > board.x + board.width / 2 ? "right" : "left", box.y > board.y + board.height / 2 ? "down" : "up"].join(" ");
  };
  assert.equal(await place("a1"), "left down");
  await page.locator("#rotate").click();
  assert.equal(await place("a1"), "left up");
  await page.locator("#flip").click();
  assert.equal(await place("a1"), "right up");
  await page.reload();
  await settled(page);
  assert.equal(await place("a1"), "right up");
  await click(page, "a1");
  await settled(page);
  assert.deepEqual(await men(page, "white"), ["a1"]);
});

test("everything can be done by keyboard", async (t) => {
  const page = await open(t, server, { query: link("six", POSITIONS.mill) });
  const focused = () => page.evaluate(() => document.activeElement.closest(".point")?.dataset.point);
  await page.locator("#settings-open").focus();
  await page.keyboard.press("Tab");
  assert(await focused(), "the Tab key comes to the points at once");
  await page.keyboard.press("Home");
  const keys = async (...names) => {
    for (const name of names) await page.keyboard.press(name);
    await settled(page);
  };
  assert.equal(await focused(), "a1");
  await keys("ArrowRight", "ArrowRight");
  assert.equal(await focused(), "e1");
  assert(await page.evaluate(() => document.activeElement.matches(":focus-visible")));
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^e1, empty; place here: /);
  await keys("Enter");
  assert.match(await page.locator("#announcer").innerText(), /A mill! Choose the man to take/);
  await keys("Escape");
  assert.deepEqual(await men(page, "white"), ["a1", "c1"]);
  await keys("Enter", "ArrowLeft");
  assert.equal(await focused(), "c1");
  await keys("ArrowUp", "Enter");
  assert.deepEqual(await men(page, "black"), ["b2"]);
  assert.equal(await focused(), "c2");
  assert.match(await page.locator("#announcer").innerText(), /^White: e1xc2\. (Black|A draw)/);
});

test("hidden values are hidden everywhere", async (t) => {
  const page = await open(t, server, { query: link("nine", POSITIONS.flying) });
  await page.locator("#hints").click();
  assert.equal(await page.locator(".badge, .chip, .arrow").count(), 0);
  assert.equal(await why(page), "White to move.");
  const labels = await page.locator("[aria-label]").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
  const texts = [...labels, await page.locator("#turns").textContent()];
  assert.deepEqual(texts.filter((text) => /win|loss|draw|plies|ply/.test(text)), []);
  const moves = (await listed(page)).map(([move]) => move);
  assert.deepEqual(moves, sorted(moves));
  // Where a chosen man can go is no secret, nor which men there are to choose.
  await clicks(page, "e4");
  assert.equal(await page.locator(".point.open").count(), 18 + 3);
  await page.reload();
  await settled(page);
  assert.equal(await page.locator(".badge").count(), 0);
});

test("without distances there are results alone", async (t) => {
  const server = await serve("six-values");
  const { moves } = await server.position("six", POSITIONS.mill);
  const page = await open(t, server, { query: link("six", POSITIONS.mill) });
  assert.deepEqual(await listed(page), moves.map((turn) => [turn.move, short(turn)]));
  assert((await badges(page)).every((badge) => /^[WDL]$/.test(badge)));
  assert.match(await why(page), /^A draw: \d+ of \d+ placements hold it\.$/);
  await page.locator("#tab-wins").click();
  await page.locator("#wins").filter({ hasText: "no distances" }).waitFor();
});
