// What is shown when the server cannot say: never a value.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  POSITIONS, badges, click, clicks, inAddress, link, listed, men, open, point, serve, settled,
  short, valuesShown, why,
} from "./harness.js";

const server = await serve("six", "nine");

const noAnswer = (page) => page.waitForFunction(() => document.getElementById("why").textContent.startsWith("No answer"));

test("a server that stops is 'no answer', and no value stays", async (t) => {
  const server = await serve("six");
  const page = await open(t, server, { query: "?variant=six" });
  await clicks(page, "a1", "b2");
  assert.equal(await page.locator(".graph").count(), 1);
  assert((await valuesShown(page)).length > 0);
  await server.stop();
  await click(page, "c1");
  await noAnswer(page);
  assert.equal(await why(page), "No answer: the server is not reached.");
  assert.deepEqual(await valuesShown(page), []);
  assert.deepEqual(await listed(page), []);
  // The men are where the turn has put them, and one can look back; but nothing is worth anything.
  assert.deepEqual(await men(page, "white"), ["a1", "c1"]);
  await page.locator("#undo").click();
  await noAnswer(page);
  assert.deepEqual(await men(page, "white"), ["a1"]);
  assert.deepEqual(await valuesShown(page), []);
  await page.locator("#tab-game").click();
  assert.deepEqual(await valuesShown(page), []);
  await page.locator("#tab-turns").click();
  assert.match(await page.locator("#announcer").innerText(), /^No answer|No answer/);

  // The page asks again by itself.
  await server.restart();
  await page.waitForFunction(() => document.querySelectorAll("#turns .turn").length > 0);
  assert.match(await why(page), /^(A draw|White (wins|loses) in)/);
  await page.locator(".graph").waitFor();
});

test("an answer that is no JSON is no answer", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  await page.route(/\/api\/six\?/, (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>", contentType: "text/html" }));
  await click(page, "a1");
  await noAnswer(page);
  assert.deepEqual(await valuesShown(page), []);
  // The page asks again and again, and takes the focus from nobody.
  await page.locator("#prompt button").focus();
  await page.waitForRequest(/\/api\/six\?/);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Ask again");
  await page.unroute(/\/api\/six\?/);
  await page.locator("#prompt button").click();
  await page.waitForFunction(() => document.querySelectorAll("#turns .turn").length > 0);
});

test("a late answer is not taken for that of another position", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  const first = (await server.position("six", "start", "a1")).position;
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(/\/api\/six\?/, async (route) => {
    const position = new URL(route.request().url()).searchParams.get("position").replaceAll("_", " ");
    if (position === first) await held;
    await route.continue();
  });
  await click(page, "a1");
  await page.locator("#undo").click();
  await settled(page);
  release();
  await page.waitForTimeout(200);
  assert.match(inAddress(page), / w p p 0 6 0 6 /);
  assert.deepEqual(await men(page, "white"), []);
  assert.equal((await listed(page)).length, 16);
});

test("the server is asked while the button is pressed, and not again for the click", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  const asked = [];
  page.on("request", (request) => {
    const position = new URL(request.url()).searchParams.get("position");
    if (position) asked.push(position);
  });
  const box = await point(page, "a1").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  assert.deepEqual(asked, []);
  const answer = page.waitForResponse(/\/api\/six\?/);
  await page.mouse.down();
  await answer;
  assert.deepEqual(await men(page, "white"), []);
  await page.mouse.up();
  await settled(page);
  assert.deepEqual(await men(page, "white"), ["a1"]);
  assert.equal(asked.length, 1);
  assert.equal((await listed(page)).length, 15);
  // A press that leads to no click tells nothing about what is clicked later.
  await page.mouse.move(5, 5);
  const other = await point(page, "b2").boundingBox();
  await page.mouse.move(other.x + other.width / 2, other.y + other.height / 2);
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  assert.deepEqual(await men(page, "black"), []);
  await click(page, "c4");
  await settled(page);
  assert.deepEqual(await men(page, "black"), ["c4"]);
  const { moves } = await server.position("six", "start", "a1 c4");
  assert.deepEqual(await listed(page), moves.map((turn) => [turn.move, short(turn)]));
});

test("a press without an answer is asked again by its click", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  let fails = true;
  await page.route(/\/api\/six\?/, (route) => fails ? route.abort() : route.continue());
  const box = await point(page, "a1").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const failure = page.waitForEvent("requestfailed");
  await page.mouse.down();
  await failure;
  fails = false;
  await page.waitForTimeout(50);
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelectorAll("#turns .turn").length === 15);
  assert.deepEqual(await men(page, "white"), ["a1"]);
});

test("while the server is asked there is no value", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(/\/api\/six\?/, async (route) => {
    await held;
    await route.continue();
  });
  await click(page, "a1");
  assert.deepEqual(await men(page, "white"), ["a1"]);
  assert.equal(await why(page), "");
  assert.deepEqual(await badges(page), []);
  assert.equal(await page.locator("#turns").evaluate((home) => getComputedStyle(home).opacity), "0");
  release();
  await settled(page);
});

test("a position of a missing sector is 'unknown', and says which", async (t) => {
  // The database has the endgames of nine only.
  const page = await open(t, server, { query: "?variant=nine" });
  const { error } = await server.position("nine");
  assert.equal(await why(page), `Unknown: the database lacks sector ${error.missing}.`);
  assert.equal(await page.locator("#why").getAttribute("class"), "why trouble unknown");
  assert.equal(await page.locator(".badge, .chip").count(), 0);
  assert.doesNotMatch(await page.locator("main").innerText(), /draw/i);
});

test("turns into a missing sector are unknown, neither won nor drawn", async (t) => {
  const server = await serve("six-part");
  const { moves } = await server.position("six", POSITIONS.mill);
  const unknown = moves.filter((turn) => turn.value === "unknown");
  assert(unknown.length > 0 && unknown.length < moves.length);
  const page = await open(t, server, { query: link("six", POSITIONS.mill) });
  const shown = (await listed(page)).filter(([, value]) => value === "?").map(([move]) => move);
  assert.deepEqual(shown.sort(), unknown.map((turn) => turn.move).sort());
  assert.equal(await page.locator("#turns h2.unknown").innerText(), `${unknown.length} turns are unknown`);
  // Such a turn can be made, and taken back.
  await page.locator(`[data-move="${unknown[0].move}"]`).click();
  await page.waitForFunction(() => document.getElementById("why").textContent.startsWith("Unknown"));
  assert.equal(await why(page), `Unknown: the database lacks sector ${unknown[0].missing}.`);
  await page.locator("#undo").click();
  await page.waitForFunction(() => !document.getElementById("why").textContent.startsWith("Unknown: the database lacks sector 1-"));
  await settled(page);
  assert.equal((await listed(page)).length, moves.length);
});

test("a damaged database is told as the server tells it", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  const error = { kind: "database", message: "block 3 of 3_3_0_0.values is damaged" };
  await page.route(/\/api\/six\?/, (route) => route.fulfill({ status: 500, json: { error } }));
  await click(page, "a1");
  await noAnswer(page);
  assert.equal(await why(page), `No answer: ${error.message}`);
  assert.equal(await page.locator(".badge, .chip").count(), 0);
});

test("what the gallery and the graph lack leaves the position alone", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  const error = { kind: "time", message: "the answer takes too long just now" };
  await page.route(/\/(gallery|batch)$/, (route) => route.fulfill({ status: 503, json: { error } }));
  await page.locator("#tab-wins").click();
  await page.locator("#wins-problem").filter({ hasText: error.message }).waitFor();
  await page.locator("#tab-setup").click();
  await page.locator("#pasted").fill("a1 b2 c1");
  await page.locator("#load-moves").click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 4);
  await settled(page);
  assert.match(await why(page), /^(A draw|Black (wins|loses) in)/);
  // Once it is there again it is asked for again.
  await page.unroute(/\/(gallery|batch)$/);
  await page.locator("#tab-wins").click();
  await page.locator(".win-card").first().waitFor();
  assert.equal(await page.locator("#wins-problem").innerText(), "");
});

test("a browser that does not take the address keeps nobody from playing", async (t) => {
  const refuse = () => {
    history.replaceState = () => {
      throw new DOMException("too many changes", "SecurityError");
    };
  };
  const page = await open(t, server, { query: "?variant=six", prepare: (page) => page.addInitScript(refuse) });
  await clicks(page, "a1", "b2");
  assert.deepEqual([await men(page, "white"), await men(page, "black")], [["a1"], ["b2"]]);
  assert((await listed(page)).length > 0);
});
