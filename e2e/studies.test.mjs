// The studies: presets of papers run in the page, by all workers together.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { assert, batchlab, logs, needsLog, out, serve, test, visit } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const kth = "KTH-SP2-1996-2.1-cln.swf.gz";

/** The rows of a CSV file as lists of cells. */
const cells = (text) => text.trim().split("\n").slice(1).map((line) => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).slice(0, 6).map((c) => c.replace(/,$/, "").replace(/^"|"$/g, "").replaceAll('""', '"')));

/** Goes to the papers and looks at a preset. */
async function open(page, key) {
  await page.locator("#open-presets").click();
  await page.locator("#open-studies").click();
  await page.locator(`#open-${key.split("-")[0]}`).click();
  await page.locator(`[id="paper-${key}"]`).click();
  await page.locator("#study-run").waitFor();
}

/** Runs the preset that is looked at and waits for its end. */
async function run(page, timeout = 600_000) {
  const before = Number(await page.evaluate(() => document.documentElement.dataset.studies || 0));
  await page.locator("#study-run").click();
  await page.waitForFunction((n) => Number(document.documentElement.dataset.studies) > n, before, { timeout });
}

test("the papers are a place: claims with verdicts, printed values beside ours, and an address that comes back", async ({ lab, page, context }) => {
  await lab.openReady();
  await page.locator("#place-papers").click();
  await page.locator("#open-kurowski2011").waitFor();
  const total = (await page.locator(".papers-top .claim-count b").allInnerTexts()).reduce((a, b) => a + Number(b), 0);
  assert.ok(total >= 67, `${total} claims are counted`);
  assert.equal(await page.evaluate(() => performance.getEntriesByType("resource").filter((r) => r.name.includes("studies-")).length), 0, "reading needs no second program");
  await page.locator("#open-kurowski2011").click();
  await page.locator(".claims").waitFor();
  assert.match(await page.locator(".papers-head").innerText(), /Journal of Scheduling 16[^]*How it was read[^]*What could change this/);
  const claims = await page.locator(".claim").count();
  assert.ok(claims >= 20 && await page.locator(".claim-verdict svg").count() === claims, "each claim has a mark");
  await page.locator('.claim [data-open="kurowski2011-table6"]').first().click();

  // What is printed stands there before anything has run.
  const dots = page.locator(".papers-charts > .bl:not([hidden])");
  await lab.until(async () => await dots.count() === 3);
  assert.match(await dots.nth(1).locator(".bl-stage").getAttribute("aria-label"), /within a tenth of the printed/);
  assert.match((await lab.download(async () => { await dots.nth(1).getByRole("button", { name: "Save this chart" }).click(); await page.getByRole("menuitem", { name: "CSV" }).click(); })), /Static,164983,171\d+/);
  assert.match((await lab.download(async () => { await dots.nth(1).getByRole("button", { name: "Save this chart" }).click(); await page.getByRole("menuitem", { name: "SVG" }).click(); })), /^<svg/);
  await dots.nth(1).getByRole("button", { name: "Show as table" }).click();
  assert.match(await dots.nth(1).locator("table").innerText(), /164,983/);
  await lab.choose("#study-reading", "fixed");
  await lab.until(async () => !/162,/.test(await dots.nth(1).locator("table").innerText()));

  const hash = () => new URL(page.url()).hash;
  await lab.until(async () => hash() === "#p=papers.kurowski2011-table6");
  await page.goBack();
  await lab.until(async () => hash() === "#p=papers.kurowski2011" && await page.locator("#study-card").count() === 0 && await page.locator(".claims").count() > 0);
  await page.goForward();
  await page.locator("#study-card").waitFor();
  await page.reload();
  await lab.ready();
  await page.locator("#study-card").waitFor();
  assert.match(await page.locator("#study-card h2").innerText(), /Three ways to place reservations/);
  assert.equal(hash(), "#p=papers.kurowski2011-table6", "opening it does not change it");
  await page.locator("#place-lab").click();
  await lab.until(async () => hash() === "");
  await page.goBack();
  await page.locator("#study-card").waitFor();
});

for (const key of ["techiouba2008-figure1a", "legrand2018-figure5"]) {
  test(`${key} gives the rows and the digest of the command line, by two workers${key.startsWith("techiouba") ? " and by one" : ""}`, async ({ lab, page, base }) => {
    const want = JSON.parse(await batchlab("paper", key, "--quick"));
    for (const workers of key.startsWith("techiouba") ? [2, 1] : [2]) {
      await page.goto(`${base}/?workers=${workers}`);
      await lab.ready();
      await open(page, key);
      await run(page);
      assert.equal(await page.locator("#study-error").count(), 0);
      assert.equal(await page.getAttribute("#study-result", "data-digest"), want.digest, `${workers} workers`);
      const rows = cells(await lab.download(() => page.locator("#study-csv").click()));
      assert.equal(rows.length, want.rows.length);
      rows.forEach((row, i) => {
        const w = want.rows[i];
        assert.deepEqual([row[0], row[1], row[5]], [w.label, w.column, w.unit]);
        assert.equal(row[2] === "" ? null : Number(row[2]), w.ours);
        assert.equal(row[3] === "" ? undefined : Number(row[3]), w.half);
        assert.equal(row[4] === "" ? null : Number(row[4]), w.paper);
      });
      await page.goto("about:blank");
    }
  });
}

// A figure that is a sweep is a document: opened, it runs by itself and comes to
// the digest that the preset has on the command line.
const sweeps = [["kurowski2011-figure8", 5], ["techiouba2008-table1", 0], ["klusacek2016-figure6", 2], ["skrinarova2013-figure7", 0]];
visit({ anew: true }, ({ lab }) => lab.begin(), {
  ...Object.fromEntries(sweeps.map(([key, points]) => [`${key} opens as an experiment without having run, and gives the preset's digest`, async ({ lab, page }) => {
    const want = JSON.parse(await batchlab("paper", key, "--quick"));
    await open(page, key);
    const button = page.locator("#study-document");
    assert.equal(await button.innerText(), "Open as experiment");
    await button.click();
    await page.waitForFunction(() => {
      document.getElementById("much-go")?.click(); // a busy computer may take a minute, and is asked first
      return document.documentElement.dataset.sweep === "done";
    });
    assert.equal(await lab.flag("sweepDigest"), want.digest);
    assert.equal(await page.locator("#tab-vary").getAttribute("aria-selected"), "true");
    const n = Number(await page.locator("#tab-vary .count").innerText());
    assert.ok(points ? n === points : n > 1, `${n} points`);
  }])),
  async "a figure of one experiment opens as it; a computation says so and opens one of its experiments"({ lab, page }) {
    const want = JSON.parse(await batchlab("paper", "kurowski2011-figure4", "--quick"));
    await open(page, "kurowski2011-figure4");
    const button = page.locator("#study-document");
    assert.equal(await button.innerText(), "Open as experiment");
    await lab.running(() => button.click());
    assert.match(await lab.text(), /slots of 10 min/);
    assert.equal(await lab.digest(), want.digest);
    for (const key of ["legrand2018-table2", "klusacek2016-figure6-replayed"]) {
      await open(page, key);
      assert.equal(await button.innerText(), "Open an experiment with its jobs");
      assert.match(await page.locator("#study-log").innerText(), /This result comes from a computation/);
      await page.keyboard.press("Escape");
    }
    await open(page, "klusacek2016-figure6-replayed");
    await lab.running(() => button.click());
    assert.match(await lab.text(), /Plan-RS/);
  },
});

test("a study that is stopped keeps what is complete, sorts its rows, and its experiment opens in the page", async ({ lab, page }) => {
  await lab.openReady();
  await open(page, "techiouba2008-figure1b");
  const begun = async () => {
    await lab.hold(0);
    await page.locator("#study-run").click();
    await page.locator("#study-progress").waitFor();
  };
  const come = async (of) => Number(new RegExp(`(\\d+)of${of}(?!\\d)`).exec((await page.locator("#study-progress").innerText()).replace(/[,\s]/g, ""))?.[1] ?? -1);
  // The whole has 2,000 runs, the smaller version 80 of the same five points: the first of them is whole behind 16.
  await page.locator("#study-quick").uncheck();
  await begun();
  await lab.hold(1);
  await lab.until(async () => await come(2000) > 0);
  await page.locator("#study-stop").click();
  await lab.hold(Infinity);
  await page.locator("#study-progress").waitFor({ state: "hidden" });
  await page.locator("#study-quick").check();
  await begun();
  while (await come(80) < 17) {
    await lab.hold(1);
    await lab.settled();
  }
  await page.locator("#study-stop").click();
  await lab.hold(Infinity);
  await page.locator("#study-result").waitFor();
  assert.match(await page.locator("#study-result").innerText(), /stopped: only what was complete/);
  assert.equal(await page.getAttribute("#study-result", "data-digest"), "", "a part has no digest");
  const labels = () => page.locator("#study-result tbody tr td:nth-child(1)").allInnerTexts();
  assert.ok((await labels()).every((l) => /^inter-arrival (4|6|12|24)$/.test(l)) && (await labels()).length >= 7, await labels());
  const here = async () => (await page.locator("#study-result tbody tr td:nth-child(3)").allInnerTexts()).map((t) => parseFloat(t.replace("−", "-")));
  await page.locator("#study-result th button").nth(2).click();
  await page.locator("#study-result th[aria-sort=ascending]").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.dataset.sort), "3", "the head that was pressed keeps the focus");
  const sorted = await here();
  assert.deepEqual(sorted, [...sorted].sort((a, b) => a - b));
  await page.keyboard.press("Escape");
  await page.locator("#all-studies").waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");
  await lab.run();
  assert.match(await lab.digest(), /^[0-9a-f]{64}$/, "other work goes on afterwards");
  await open(page, "techiouba2008-figure1b");
  await lab.running(() => page.getByRole("button", { name: "Open inter-arrival 48" }).click());
  assert.match(await lab.text(), /BF_MOD/);
});

test("a study of a log says what it wants, and runs on the log once it is here", { skip: needsLog(kth) }, async ({ lab, page }) => {
  const want = JSON.parse(await batchlab("paper", "legrand2018-table5", "--quick", "--log", join(logs, kth)));
  await lab.openReady();
  await open(page, "legrand2018-table5");
  assert.match(await page.locator("#study-log").innerText(), /The paper used KTH-SP2 .* stand-in/);
  await page.locator("#place-lab").click();
  await lab.loading(() => lab.drop(kth, readFileSync(join(logs, kth))));
  await open(page, "legrand2018-table5");
  assert.match(await page.locator("#study-log").innerText(), /The paper's log, KTH-SP2.* is here/);
  await run(page);
  assert.equal(await page.getAttribute("#study-result", "data-digest"), want.digest);
});

test("studies work without a network", { offline: true, errors: /ERR_CONNECTION_REFUSED/ }, async ({ lab, page }) => {
  const own = await serve();
  try {
    const there = new lab.constructor(page, own.base);
    await there.openReady();
    await page.waitForFunction(() => document.documentElement.dataset.offline === "ready");
    own.server.kill("SIGKILL");
    await page.reload();
    await there.ready();
    await open(page, "legrand2018-figure1");
    await run(page);
    assert.match(await page.getAttribute("#study-result", "data-digest"), /^[0-9a-f]{64}$/);
    assert.equal(await page.locator(".papers-charts .bl-chart [role=img] > svg:visible").count(), 1, "a box plot");
  } finally {
    own.server.kill();
  }
});

/** Opens a study's figure, runs it, and looks: nothing that axe finds serious, and nothing sticks out. */
async function ran({ lab, page }) {
  await lab.openReady();
  await open(page, "legrand2018-figure1");
  await run(page);
  await page.evaluate(axe);
}

async function harmless({ lab, page }, name) {
  await lab.settled(); // colours change slowly
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
  await page.screenshot({ path: join(out, `studies-${name}.png`) });
  assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 150)).slice(0, 3)}`), []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
}

visit({}, ran, Object.fromEntries(["light", "dark"].map((colorScheme) => [`the studies hold nothing that axe finds serious, ${colorScheme}`, async (at) => {
  await at.page.emulateMedia({ colorScheme });
  await harmless(at, colorScheme);
}])));

test("the studies hold nothing that axe finds serious, narrow", { width: 390, height: 844 }, async (at) => {
  const { lab, page } = at;
  await ran(at);
  await harmless(at, "narrow");
  // A study begins with the list of its tables and figures; what is chosen from it stands at the top.
  const top = (what) => page.evaluate((what) => document.querySelector(what).getBoundingClientRect().top, what);
  assert.ok(await top(".studies-list") < 0, "the list above what was chosen");
  await page.evaluate(() => { location.hash = "#p=papers.legrand2018"; });
  await lab.until(async () => await page.locator("#study-card").count() === 0 && await top(".studies-list") >= 0);
});
