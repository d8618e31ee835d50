// What could go wrong around the lab: links that ask for very much, a full disk, tabs that are closed in the middle.
import { join } from "node:path";
import { assert, link, out, test } from "./harness.mjs";

test("a link of 64,000 runs asks first, starts what is agreed to bit by bit, and Esc stops it", async ({ lab, page }) => {
  const schedulers = Array.from({ length: 64 }, () => ({ key: "easy", repeat: 1000 }));
  await lab.open(link({ batchlab: 1, workload: { source: { bundled: "demo" }, resample: { by: "shake" } }, schedulers }));
  const asked = page.locator("#much");
  await asked.waitFor();
  assert.match(await asked.innerText(), /64,000\sruns would start/);
  await lab.settled();
  assert.equal(await lab.started(), 0, "nothing has started");
  await page.keyboard.press("Escape");
  await lab.until(async () => await asked.count() === 0);
  await page.keyboard.press("Control+Enter");
  await lab.hold(0);
  await page.locator("#much-go").click();
  await page.waitForFunction(() => document.documentElement.dataset.runs === "active");
  // What waits to be done is a few tasks, not one for each run.
  assert.ok(await page.evaluate(() => window.pending.size) < 50, "the runs are handed in as workers come free");
  for (let come = 0; !/[1-9]\d*\s%/.test(await page.locator(".run-progress .percent").first().textContent()); come++) {
    assert.ok(come < 1000, "nothing is told of what has run");
    await lab.hold(4);
    await lab.settled();
  }
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.documentElement.dataset.runs !== "active");
  await lab.hold(Infinity);
  await lab.settled();
  assert.match(await page.locator(".runs .run").first().innerText(), /of 1000 kept/, "what has run stays");
  assert.equal(await page.locator(".runs .run").last().innerText().then((t) => /cancelled/.test(t)), true);
  await page.locator("#tab-gantt").click(); // what has run can be looked at
  await page.locator("#repetition-number").waitFor();
});

/** Jobs of four weeks by six users, as a table in a document. */
function weeks() {
  const rows = [];
  for (let i = 0; i < 120; i++) rows.push([i * 20_160, 1 + (i * 31) % 6, 90_000, 20_000 + (i * 7919) % 60_000, 1 + i % 6]);
  return { inline: { processors: 8, columns: ["submit", "procs", "requested", "run", "user"], rows } };
}

test("names that are markup, quotes and formulas stay names, in the page and in its files", async ({ lab, page, context, base }) => {
  const evil = ['<img src=x onerror="hurt()">', `"'><script>hurt()</script>&amp;`, "=HYPERLINK(\"http://x\")"];
  const title = `</title><script>hurt()</script> & "quoted" ${evil[0]}`;
  let hurt = 0;
  await page.exposeFunction("hurt", () => { hurt++; });
  const keys = ["fcfs", "easy", "conservative"];
  await lab.openReady(link({ batchlab: 1, title, workload: { source: weeks() }, schedulers: keys.map((key, i) => ({ key, label: evil[i] })) }));
  for (const name of evil) assert.ok((await lab.text()).includes(name), `${name} is not read as it is`);
  /** What is wrong with a picture as a document of its own. */
  const wrong = (text, type = "image/svg+xml") => page.evaluate(([text, type]) => {
    const doc = new DOMParser().parseFromString(text, type);
    if (doc.querySelector("parsererror")) return doc.querySelector("parsererror").textContent;
    return [...doc.querySelectorAll("*")].filter((e) => /^(script|foreignObject|img|iframe)$/i.test(e.localName) || [...e.attributes].some((a) => /^on/i.test(a.name) || /^\s*javascript:/i.test(a.value))).map((e) => e.outerHTML).join("");
  }, [text, type]);
  for (const island of ["gantt", "series"]) {
    await page.locator(`#tab-${island}`).click();
    await page.locator(`[data-island=${island}] canvas, [data-island=${island}] .bl-stage svg`).first().waitFor();
    await lab.settled();
    const svg = await lab.download(async () => {
      await page.locator(`[data-island=${island}]`).getByRole("button", { name: "Save this chart" }).first().click();
      await page.getByRole("menuitem", { name: "SVG" }).click();
    });
    assert.equal(await wrong(svg), "", island);
    assert.match(svg, /&lt;(img|script)|HYPERLINK/, `${island} names its schedulers: ${svg.slice(0, 600)}`);
  }
  await page.locator("#open-export").click();
  const report = await lab.download(() => page.locator("#export-report").click());
  assert.equal(await wrong(report, "text/html"), "", "the report");
  const alone = await context.newPage();
  await alone.exposeFunction("hurt", () => { hurt++; });
  await alone.setContent(report);
  assert.equal(await alone.locator("h1").innerText(), title);
  assert.equal(await alone.locator("figure > svg").count(), 6);
  assert.equal(await alone.locator("#digest").innerText(), await lab.digest());
  for (const name of evil) assert.ok((await alone.locator("table").last().innerText()).includes(name), name);
  await alone.screenshot({ path: join(out, "report.png"), fullPage: true });
  await alone.close();
  await page.locator("#open-export").click();
  const csv = await lab.download(() => page.locator("#menu-export").getByText("All measures").click());
  assert.ok(csv.includes(`"'=HYPERLINK`) || csv.includes("'=HYPERLINK"), "a spreadsheet takes it for a text");
  // A log with such a name is kept, and named, as it is.
  const log = `; MaxProcs: 8\n; Note: ${evil[0]}\n1 0 0 10 2 -1 -1 2 20 -1 1 1 1 -1 1 -1 -1 -1\n`;
  await lab.loading(() => lab.drop(`=${evil[0]}.swf`, log));
  assert.ok((await lab.text()).includes(`=${evil[0]}.swf`));
  await page.locator("#tab-overview").click();
  await lab.run();
  await lab.reopen();
  assert.ok((await lab.text()).includes(`=${evil[0]}.swf`), "found again by its hash");
  assert.equal(hurt, 0, "nothing of a name ran");
  assert.equal(page.url().startsWith(base), true);
});

test("what if others had come: draws by one button, the measuring window by its chip, and back", async ({ lab, page }) => {
  await lab.openReady(link({ batchlab: 1, workload: { source: weeks() }, schedulers: [{ key: "fcfs" }, { key: "easy" }], measures: { from: 200_000, to: 2_000_000 } }));
  const once = await lab.digest(), whole = page.locator("#measured");
  assert.match(await whole.innerText(), /Measured:\s+day \d+ to day \d+/);
  const waits = () => page.locator(".card-value").first().innerText();
  const part = await waits();
  await lab.running(() => page.locator("#measure-all").click());
  assert.equal(await lab.digest(), once, "the schedules are the same");
  assert.notEqual(await waits(), part, "and what is measured is not");
  assert.equal(await whole.isVisible(), false);
  assert.match(await page.locator("#sampled").innerText(), /^One workload/);
  await lab.running(() => page.locator("#offer").click());
  assert.match(await page.locator("#sampled").innerText(), /20\sdraws of .*, paired/);
  assert.match(await page.locator("#finding").innerText(), /with other (weeks|users) (of the same kind|like these)/i);
  assert.match(await page.locator(".card-value small").first().innerText(), / to /);
  await lab.running(() => page.locator("#back-to-log").click());
  assert.equal(await lab.digest(), once);
});

test("a full disk is said and nothing else is lost; a tab that is closed while it runs hurts no other", async ({ lab, page, context, base }) => {
  const cdp = await context.newCDPSession(page);
  await lab.openReady(link({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }] }));
  const digest = await lab.digest();
  await cdp.send("Storage.overrideQuotaForOrigin", { origin: base, quotaSize: 20_000 });
  let log = "; MaxProcs: 64\n";
  for (let i = 1; i <= 2000; i++) log += `${i} ${i * 97} 5 ${60 + (i * 7919) % 7200} ${1 + i % 40} -1 -1 -1 9000 -1 1 ${1 + i % 9} 1 -1 1 -1 -1 -1\n`;
  await lab.loading(() => lab.drop("large.swf", log));
  await page.locator(".storage").waitFor();
  assert.match(await page.locator(".storage").innerText(), /not kept for the next visit/);
  await lab.run();
  const own = await lab.digest();
  assert.notEqual(own, digest);
  // Another tab is closed in the middle of its work.
  const other = await context.newPage();
  await other.addInitScript(() => window.hold(0));
  const long = link({ batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 100_000 } } } }, schedulers: [{ key: "conservative" }] });
  await other.goto(`${base}/${long}`);
  await other.waitForFunction(() => document.documentElement.dataset.runs === "active");
  await other.close();
  await lab.run();
  assert.equal(await lab.digest(), own, "the log is still here, and gives the same");
  await cdp.send("Storage.overrideQuotaForOrigin", { origin: base });
  // The page that is opened in its place works.
  const next = await context.newPage(), there = new lab.constructor(next, base);
  await there.openReady(link({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }] }));
  assert.equal(await there.digest(), digest);
});

test("a page that is loaded again in the middle of a study begins anew", async ({ lab, page }) => {
  await lab.openReady(link({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }] }));
  const digest = await lab.digest();
  const study = async (key) => {
    await page.locator("#open-presets").click();
    await page.locator("#study-legrand2018").click();
    await page.locator(`[id="paper-${key}"]`).click();
    await page.locator("#study-run").click();
  };
  await lab.hold(0);
  await study("legrand2018-figure5");
  await page.locator("#study-progress").waitFor();
  await page.reload();
  await lab.ready();
  assert.equal(await lab.digest(), digest, "the experiment of the link is there");
  assert.equal(await page.locator("#run-study").count(), 0, "nothing of the study runs on");
  await study("legrand2018-figure1");
  await page.waitForFunction(() => Number(document.documentElement.dataset.studies) > 0);
  assert.match(await page.getAttribute("#study-result", "data-digest"), /^[0-9a-f]{64}$/);
});
