// Everybody can read and use it: axe finds nothing, in light and dark, on a desk and on a phone, in all languages.
// Pictures are made of what was looked at.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { PICTURES, POSITIONS, clicks, link, open, serve, settled } from "./harness.js";

const server = await serve("six", "nine", "triangles", "three-diagonal", "rota", "twelve");

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong: labels, contrast, roles, order of headings. */
async function faults(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0].html}`);
}

const SCENES = {
  "six": { query: "?variant=six" },
  "three-diagonal": { query: "?variant=three-diagonal" },
  "rota": { query: "?variant=rota" },
  "own variant, two mills": { query: link("triangles", POSITIONS.twoMills) },
  "own variant, taking": { query: link("triangles", POSITIONS.twoMills), act: (page) => clicks(page, "o5", "i5") },
  "nine, flying": { query: link("nine", POSITIONS.flying) },
  "nine, a man chosen": { query: link("nine", POSITIONS.flying), act: (page) => clicks(page, "e4") },
  "nine, unknown": { query: "?variant=nine" },
  "twelve": { query: link("twelve", POSITIONS.flying) },
  "game": { query: "?variant=six", act: async (page) => {
    await clicks(page, "a1", "b2", "c1", "c2", "e1", "b2", "e5", "a5");
    await page.locator("#tab-game").click();
  } },
  "play": { query: "?variant=six", act: (page) => page.locator("#tab-play").click() },
  "set-up": { query: link("six", POSITIONS.mill), act: async (page) => {
    await page.locator("#tab-setup").click();
    await page.locator("#setup-edit").click();
    await clicks(page, "e5");
    await page.locator("#setup-verdict").filter({ hasText: "place in turn" }).waitFor();
  } },
  "longest wins": { query: "?variant=six", act: async (page) => {
    await page.locator("#tab-wins").click();
    await page.locator(".win-card").first().waitFor();
  } },
  "settings": { query: "?variant=six", act: (page) => page.locator("#settings-open").click() },
  "no answer": { query: "?variant=six", act: async (page) => {
    await page.route(/\/api\/six\?/, (route) => route.abort());
    await page.locator("[data-point=a1] .touch").click();
    await page.waitForFunction(() => document.getElementById("why").textContent.startsWith("No answer"));
  } },
};

const LOOKS = { light: {}, dark: { dark: true }, phone: { phone: true }, "phone, dark": { phone: true, dark: true } };

for (const [look, how] of Object.entries(LOOKS)) {
  for (const [scene, { query, act }] of Object.entries(SCENES)) {
    test(`${scene}, ${look}: readable, labelled, within the screen`, async (t) => {
      const page = await open(t, server, { query, ...how });
      await settled(page);
      await act?.(page);
      await page.screenshot({ path: `${PICTURES}${scene}, ${look}.png` });
      assert.deepEqual(await faults(page), []);
      const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert(wide <= screen, `${wide} pixels on a screen of ${screen}`);
    });
  }
}

const LANGUAGES = {
  "en-GB": { code: "en", why: "White wins in 9: b2 is the only winning placement.", badge: "W9" },
  "de-AT": { code: "de", why: "Weiß gewinnt in 9: nur das Setzen auf b2 gewinnt.", badge: "G9" },
  "hu": { code: "hu", why: "Fehér 9 féllépésben nyer: az egyetlen nyerő lerakás b2.", badge: "N9" },
  "ru-RU": { code: "ru", why: "Белые выигрывают за 9 полуходов: выигрывает только постановка на b2.", badge: "В9" },
  "fr-FR": { code: "en", why: "White wins in 9: b2 is the only winning placement.", badge: "W9" },
};

for (const [locale, expected] of Object.entries(LANGUAGES)) {
  test(`${locale} is spoken to in ${expected.code}`, async (t) => {
    const page = await open(t, server, { query: "?variant=three-diagonal", locale, phone: true });
    await settled(page);
    assert.equal(await page.locator("html").getAttribute("lang"), expected.code);
    assert.equal(await page.locator("#why").innerText(), expected.why);
    assert((await page.locator(".badge text").allTextContents()).includes(expected.badge));
    await page.screenshot({ path: `${PICTURES}language ${locale}.png` });
    // No text is left that is only the name of one.
    for (const tab of ["game", "play", "setup", "wins"]) {
      await page.locator(`#tab-${tab}`).click();
      assert.doesNotMatch(await page.locator("body").innerText(), /\b[a-z]+[._][a-z]+[._a-z]*\b(?<!ids:nodes)|\{\w+\}/);
    }
    assert.deepEqual(await faults(page), []);
  });
}

test("on narrow phones the tools stand in one row", async (t) => {
  const page = await open(t, server, { query: "?variant=six", grown: { viewport: { width: 320, height: 640 } } });
  const tops = await page.locator(".tools .tool").evaluateAll((tools) => tools.map((tool) => tool.offsetTop));
  assert.equal(new Set(tops).size, 1, `${tops}`);
});

test("language and appearance are chosen, and kept", async (t) => {
  const page = await open(t, server, { query: "?variant=six", dark: true });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.locator("#settings-open").click();
  await page.locator("#theme").selectOption("light");
  assert.notEqual(await ground(), dark);
  await page.locator("#language").selectOption("de");
  assert.equal(await page.locator("#tab-turns").innerText(), "Züge");
  await page.reload();
  await settled(page);
  assert.equal(await page.locator("#tab-turns").innerText(), "Züge");
  assert.notEqual(await ground(), dark);
  await page.locator("#settings-open").click();
  await page.locator("#theme").selectOption("auto");
  assert.equal(await ground(), dark);
});

test("tabs are gone through by arrow keys", async (t) => {
  const page = await open(t, server, { query: "?variant=six" });
  await page.locator("#tab-turns").focus();
  const panel = () => page.locator("[role=tabpanel]:not([hidden])").getAttribute("id");
  await page.keyboard.press("ArrowRight");
  assert.equal(await panel(), "panel-game");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await panel(), "panel-wins");
  await page.keyboard.press("Home");
  assert.equal(await panel(), "panel-turns");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-turns");
});
