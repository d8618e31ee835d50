// The Search tab: the same numbers on any number of workers and as natively,
// maps that lead to a Gantt chart, links, faults at their fields.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, batchlab, logs, needsLog, out, test, visit } from "./harness.mjs";
import { Searching } from "./searching.mjs";

/** The cells of a line of CSV; labels hold commas. */
const cells = (line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map((m) => m[1]);

const small = { points: "12", cleaning: "kill" };

visit({ anew: true }, ({ lab }) => lab.begin(), {
  async "a search of the default workload ends in maps, and a click on one opens its Gantt chart"({ lab, page }) {
    const s = new Searching(lab);
    await s.open();
    await s.set(small);
    assert.equal(await s.run(), "done");
    assert.ok(await s.mapColours() > 12, "the maps are empty");
    assert.match(await s.map.getAttribute("aria-label"), /week 1 best [\d.,]+ with q /);
    const { x, y, text } = await s.pointAtMap();
    const [, week, score] = text.match(/week (\d+) · ([\d.,]+)/);
    await lab.running(() => page.mouse.click(x, y));
    assert.equal(await page.getAttribute("#tab-gantt", "aria-selected"), "true");
    assert.match(await page.innerText(".chip.selected"), /mixed/);
    // The run has the value that the map shows: repetition 0 is what was searched.
    await page.click("#open-export");
    const summary = await lab.download(() => page.getByRole("button", { name: /All measures/ }).click());
    const [head, ...rows] = summary.split("\n").map(cells);
    const row = rows.find((r) => /mixed/.test(r[head.indexOf("label")]) && r[head.indexOf("repetition")] === "0");
    const value = Number(row[head.indexOf("mean-bounded-slowdown")]);
    assert.equal(value < 10 ? value.toFixed(2) : value.toFixed(1), score, `week ${week}: ${row}`);
  },
  async "a link repeats a search in another profile"({ lab, page, context }) {
    const s = new Searching(lab);
    await s.open();
    await s.set({ ...small, length: "3d", ties: "oldest", threshold: "" });
    assert.equal(await s.run(), "done");
    const link = await lab.copyLink();
    const other = await context.browser().newContext();
    other.setDefaultTimeout(120_000);
    try {
      const page2 = await other.newPage();
      await page2.goto(link);
      await page2.waitForFunction(() => document.documentElement.dataset.search === "done");
      assert.equal(await page2.evaluate(() => document.documentElement.dataset.fingerprint), await s.fingerprint());
      assert.equal(await page2.getAttribute("#tab-search", "aria-selected"), "true");
    } finally {
      await other.close();
    }
  },
  async "stopping a search keeps what was found, and a run is not kept waiting by it"({ lab, page }) {
    const s = new Searching(lab);
    await s.open();
    await s.set({ points: "120" }); // far more than is done meanwhile
    await s.start();
    await page.waitForFunction(() => /best so far/.test(document.querySelector("#search-state").innerText));
    const digest = await lab.digest();
    await lab.run();
    assert.equal(await lab.digest(), digest);
    assert.equal(await s.flag("search"), "running");
    await s.stop();
    assert.equal(await s.ended(), "cancelled");
    assert.match(await s.state(), /found is kept/);
    assert.ok((await s.table("search-best")).length > 0);
  },
  async "what a search cannot use is said at its field"({ lab }) {
    const s = new Searching(lab);
    await s.open();
    await s.set({ formula: "q * (p + " });
    assert.match(await s.fault("formula"), /column \d+/);
    await s.set({ formula: "", scales: "0, 0, 0" });
    assert.match(await s.fault("scales"), /between|0/);
    await s.set({ scales: "", origin: "1998-05-04x" });
    assert.match(await s.fault("origin"), /./);
    await s.set({ origin: "0", length: "30d", ...small });
    assert.equal(await s.run(), "failed");
    await s.settings();
    assert.match(await s.fault("length"), /shorter than two windows/);
    await s.set({ length: "7d", formula: "1 / (q - 1)" });
    assert.equal(await s.run(), "failed");
    await s.settings();
    assert.match(await s.fault("formula"), /division by zero/);
    await s.set({ formula: "", first: "40" });
    assert.equal(await s.run(), "failed");
    await s.settings();
    assert.match(await s.fault("first"), /ends in window/);
    await s.set({ first: "0", split: "28-64" });
    assert.equal(await s.run(), "failed");
    await s.settings();
    assert.match(await s.fault("split"), /65 windows/);
    await s.set({ split: "halves" });
    assert.equal(await s.run(), "done");
  },
  async "the maps answer the keyboard"({ lab, page }) {
    const s = new Searching(lab);
    await s.open();
    await s.set(small);
    assert.equal(await s.run(), "done");
    await s.map.focus();
    await page.keyboard.press("Home");
    const words = () => page.innerText("[data-island=search-maps] .bl-vh");
    await lab.until(async () => /Week 1/.test(await words()));
    const first = await words();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowLeft");
    await lab.until(async () => await words() !== first);
    await lab.running(() => page.keyboard.press("Enter"));
    assert.equal(await page.getAttribute("#tab-gantt", "aria-selected"), "true");
  },
});

test("one and two workers find the same, and the best policies run with the values they are listed with", async ({ lab, page }) => {
  const prints = [];
  for (const workers of [1, 2]) {
    await page.goto(`${lab.base}/?workers=${workers}`);
    await lab.ready();
    const s = new Searching(lab);
    await s.open();
    await s.set({ ...small, method: "both", budget: "60", formula: "-p * sqrt(q)" });
    assert.equal(await s.run(), "done");
    prints.push(await s.fingerprint());
    const rows = await s.table("search-orders");
    assert.equal(rows.length, 13, "12 pure orders and the own one");
  }
  assert.equal(prints[0], prints[1]);
  const s = new Searching(lab);
  const best = await s.csv("search-best");
  assert.equal(best.length, 7);
  await lab.running(() => s.runBest(2));
  await page.click("#open-export");
  const summary = await lab.download(() => page.getByRole("button", { name: /All measures/ }).click());
  const [head, ...rows] = summary.split("\n").map(cells);
  const row = rows.find((r) => /mixed/.test(r[head.indexOf("label")]) && r[head.indexOf("repetition")] === "0");
  assert.ok(Math.abs(Number(row[head.indexOf("mean-bounded-slowdown")]) / Number(best[2][1]) - 1) < 1e-12, `${row[head.indexOf("mean-bounded-slowdown")]}, listed with ${best[2][1]}`);
});

const sdsc = "SDSC-SP2-1998-4.2-cln.swf.gz";
test("the pure orders of SDSC-SP2 have the sums that the command line computes", { skip: needsLog(sdsc) }, async ({ lab, page }) => {
  await lab.openReady();
  await lab.loading(() => lab.drop(sdsc, readFileSync(join(logs, sdsc))));
  const s = new Searching(lab);
  await s.open();
  await lab.loading(() => page.click("#search-studied"));
  await s.set({ method: "none" });
  assert.equal(await s.run(), "done");
  const native = JSON.parse(await batchlab("paper", "legrand2018-table3", "--log", join(logs, sdsc)));
  writeFileSync(join(out, "table3.json"), JSON.stringify(native, null, 1));
  const rows = await s.csv("search-orders");
  assert.deepEqual(rows[0].slice(0, 2), ["order", "sum"]);
  let compared = 0;
  for (const [order, sum] of rows.slice(1)) {
    const want = native.rows.find((r) => r.label === order && /200,?000|2\.31/.test(r.column) && /newest/.test(r.column));
    assert.ok(want, `${order} is not in ${native.rows.map((r) => r.column)}`);
    assert.ok(Math.abs(Number(sum) - want.ours) < 1e-6, `${order}: ${sum}, natively ${want.ours}`);
    compared++;
  }
  assert.equal(compared, 12);
  assert.ok(Math.abs(Number(rows.find((r) => r[0] === "SAF")[1]) - 1630.75) < 0.01);
});
