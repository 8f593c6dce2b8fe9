// Starts the server, opens the page in Chromium, and reads from it what a reader sees.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { after } from "node:test";
import { chromium } from "playwright-core";

const { MILLBASE, DATABASES, CHROMIUM = "/usr/bin/chromium" } = process.env;
assert(MILLBASE && DATABASES, "scripts/test-browser.sh runs these tests");

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** Where pictures go that are made to be looked at. */
export const PICTURES = new URL("../../target/browser/", import.meta.url).pathname;
mkdirSync(PICTURES, { recursive: true });

export const PHONE = { width: 390, height: 844 };

/** Positions of the test databases. */
export const POSITIONS = {
  /** Six: White closes a mill by e1. */
  mill: "****@@**/****OO** w p p 2 4 2 4 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
  /** Nine, three men a side: White flies and wins. */
  flying: "**O***@*/********/@@**O**O w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
  /** Two triangles: o5-i5 closes two mills and takes two men. */
  twoMills: "*@*@O@/O@OO*O w m s 5 0 4 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
  /** Two triangles: White cannot move, and passes. */
  pass: "@*@@@*/@OOOOO w m s 5 0 5 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
};

/**
 * Starts a server for some databases. `stop` ends it; `restart` starts it again at the same address.
 * @param {string[]} names
 */
export async function serve(...names) {
  const folders = names.flatMap((name) => ["--db", `${DATABASES}/${name}`]);
  const start = async (/** @type {string} */ address) => {
    const child = spawn(MILLBASE, ["serve", ...folders, "--listen", address], { stdio: ["ignore", "pipe", "inherit"] });
    const base = await new Promise((resolve, reject) => {
      let said = "";
      child.stdout.on("data", (text) => {
        said += text;
        const found = /http:\/\/[^/\s]+/.exec(said);
        if (found) resolve(found[0]);
      });
      child.on("exit", (code) => reject(new Error(`the server stopped with ${code}: ${said}`)));
    });
    return { child, base };
  };
  let running = await start("127.0.0.1:0");
  const { base } = running;
  const stop = () => new Promise((resolve) => {
    if (running.child.exitCode !== null || running.child.signalCode !== null) return resolve();
    running.child.once("exit", resolve);
    running.child.kill("SIGKILL");
  });
  after(stop);
  return {
    base,
    stop,
    async restart() {
      running = await start(new URL(base).host);
    },
    /** What the API answers. */
    async ask(path, body) {
      const posted = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      return (await fetch(base + path, posted)).json();
    },
    /** A position with its turns. */
    position(variant, position = "start", moves = "") {
      const played = moves && `&moves=${encodeURIComponent(moves)}`;
      return this.ask(`/api/${variant}?position=${encodeURIComponent(position)}${played}`);
    },
  };
}

// Every launch has an empty user data folder of its own.
const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
after(() => browser.close());

/**
 * Opens the page. When the test ends, it must have asked nobody but the server, and nothing may have gone wrong in it.
 * @param {import("node:test").TestContext} t
 * @param {{base: string}} server
 * @param {object} [how]
 */
export async function open(t, server, how = {}) {
  const { query = "", phone = false, dark = false, locale = "en-GB", touch = false, prepare, grown = {} } = how;
  const context = await browser.newContext({
    viewport: phone ? PHONE : { width: 1280, height: 800 }, deviceScaleFactor: phone ? 2 : 1,
    colorScheme: dark ? "dark" : "light", locale, hasTouch: touch || phone, reducedMotion: "reduce", ...grown,
  });
  const page = await context.newPage();
  const strangers = [];
  const faults = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== server.base) strangers.push(request.url());
  });
  page.on("pageerror", (error) => faults.push(error.stack ?? error.message));
  page.on("console", (message) => {
    // Answers that are refusals, and no answers, are logged by the browser itself.
    const isLog = /^Failed to load resource/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isLog) faults.push(message.text());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(strangers, [], "requests to others than the server");
    assert.deepEqual(faults, []);
  });
  await prepare?.(page);
  await page.goto(`${server.base}/${query}`);
  await page.waitForFunction(() => document.getElementById("why")?.textContent);
  return page;
}

/** The part of an address that shows a position. */
export function link(variant, position) {
  return `?variant=${variant}&position=${encodeURIComponent(position)}`;
}

/** Clicks a point, even where a click should do nothing. */
export function click(page, point) {
  return page.locator(`[data-point="${point}"] .touch`).click({ force: true });
}

/** Clicks points one after the other. */
export async function clicks(page, ...points) {
  for (const point of points) {
    await settled(page);
    await click(page, point);
  }
  await settled(page);
}

/** Drags from one element to another, as slowly as a hand. */
export async function drag(page, from, to) {
  const middle = async (target) => {
    const locator = typeof target === "string" ? page.locator(target) : target;
    // There is none in the moment in which something is drawn anew, and what comes later may push it away.
    for (let [box, before] = [null, null]; ; before = box) {
      box = await locator.boundingBox();
      if (box && before && box.x === before.x && box.y === before.y) return [box.x + box.width / 2, box.y + box.height / 2];
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
  };
  await settled(page);
  const [start, end] = [await middle(from), await middle(to)];
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move(...end, { steps: 5 });
  await page.mouse.up();
  await settled(page);
}

/** What can be clicked of a point. */
export function point(page, name) {
  return page.locator(`[data-point="${name}"] .touch`);
}

/** Waits until the page has the answer about the position it shows. */
export function settled(page) {
  return page.waitForFunction(() => !document.querySelector("#turns.waiting"));
}

/** The men of a side, by what the points say of themselves. */
export function men(page, side) {
  return page.locator(".point").evaluateAll((points, side) => {
    const here = points.filter((each) => each.getAttribute("aria-label").includes(`${side} man`));
    return here.map((each) => each.dataset.point).sort();
  }, side);
}

/** The sentence about the position. */
export function why(page) {
  return page.locator("#why").innerText();
}

/** The badges on the board. */
export function badges(page) {
  return page.locator(".marks .badge text").allTextContents();
}

/** The turns of the list, each with its value in short. */
export function listed(page) {
  return page.locator("#turns .turn").evaluateAll((turns) => turns.map((turn) => {
    return [turn.dataset.move, turn.querySelector(".chip")?.textContent ?? null];
  }));
}

/** A value in short, from what the API says. */
export function short({ value, plies }) {
  return { win: "W", draw: "D", loss: "L", unknown: "?" }[value] + (plies ?? "");
}

/** The position in the address. */
export function inAddress(page) {
  return new URL(page.url()).searchParams.get("position").replaceAll("_", " ");
}

/** All that looks like a value, wherever it is on the page. */
export async function valuesShown(page) {
  const text = await page.evaluate(() => {
    const labels = [...document.querySelectorAll("[aria-label]")].map((each) => each.getAttribute("aria-label"));
    const parts = ["announcer", "why", "prompt", "turns", "moves"].map((id) => document.getElementById(id).textContent);
    return [...parts, ...labels].join("\n");
  });
  const pictures = await page.locator(".badge, .chip, .arrow, .graph").count();
  return [...text.matchAll(/\b(wins?|draws?|loss|loses?|plies|unknown)\b.*/gi)].map(([found]) => found).concat(
    pictures ? [`${pictures} pictures of values`] : []);
}
