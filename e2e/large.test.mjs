// Large logs: how long the page takes to draw them, and that its thread is never
// held. What is held against a limit is the processor's own time, from the input
// to the frame in which the picture stands, since other programs may run beside
// the tests; the time on the clock is printed with it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, link, logs, needsLog, test } from "./harness.mjs";

const jobs = 450_000, hpc2n = "HPC2N-2002-2.2-cln.swf.gz";
const large = { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs } } } }, schedulers: [{ key: "fcfs" }, { key: "easy" }] };

/** What the tasks of the page's thread cost, by the processor's own time, so that
 *  other programs do not count: in the browser's trace from start to stop. */
async function trace(page) {
  const cdp = await page.context().newCDPSession(page), events = [];
  cdp.on("Tracing.dataCollected", (d) => events.push(...d.value));
  await cdp.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "blink.user_timing"] } });
  return {
    mark: (name) => page.evaluate((n) => { performance.mark(`tour:${n}`); }, name),
    async stop() {
      const done = new Promise((ok) => cdp.once("Tracing.tracingComplete", ok));
      await cdp.send("Tracing.end");
      await done;
      const marks = events.filter((e) => /^tour:/.test(e.name)).sort((a, b) => a.ts - b.ts), { pid, tid } = marks[0];
      const tasks = events.filter((e) => e.pid === pid && e.tid === tid && e.ph === "X" && /RunTask/.test(e.name) && e.tdur > 0);
      return tasks.map((t) => ({ at: marks.filter((m) => m.ts <= t.ts + t.dur).at(-1)?.name.slice(5), ms: t.tdur / 1000 }));
    },
  };
}

const drawn = (page) => page.locator("[data-island=gantt] canvas[data-drawn=true]").waitFor();

/** Sums what tasks cost by the mark that they stand under. */
function sums(tasks) {
  const sum = {};
  for (const { at, ms } of tasks) sum[at] = (sum[at] || 0) + ms;
  return sum;
}

const sorted = (all, name) => Object.entries(all).filter(([k]) => k.startsWith(name)).map(([, v]) => v).sort((a, b) => a - b);

/** Waits until what was asked for is drawn: until frames come one after the
 *  other, for at least 0.3 s (a span is told to the page once the reader pauses)
 *  and at most 2 s. */
const idle = (page) => page.evaluate(async () => {
  const began = performance.now();
  for (let quiet = 0, last = began; last - began < 300 || quiet < 4 && last - began < 2000;) {
    const now = await new Promise((ok) => requestAnimationFrame(() => ok(performance.now())));
    quiet = now - last < 25 ? quiet + 1 : 0;
    last = now;
  }
});

test("450,000 jobs: full view, wheel, sort and scroll follow the hand", { timeout: 400_000 }, async ({ lab, page }) => {
  await lab.open(link(large));
  await lab.ready(300_000);
  await page.locator("#tab-gantt").click();
  await drawn(page);
  await page.evaluate(() => {
    const frame = () => new Promise((ok) => requestAnimationFrame(ok));
    /** Ends when what the frame has drawn is handed on. */
    const shown = async () => {
      await frame();
      await new Promise((ok) => { const c = new MessageChannel(); c.port1.onmessage = ok; c.port2.postMessage(0); });
    };
    window.clock = {};
    /** Does something at the beginning of a frame and waits until it can be seen. */
    window.timed = async (name, act, finished = () => true) => {
      await frame();
      performance.mark(`tour:${name}`);
      const start = performance.now();
      act();
      do await shown(); while (!finished());
      clock[name] = performance.now() - start;
      performance.mark("tour:rest");
    };
    window.stands = () => document.querySelector("[data-island=gantt] canvas.bl-top").dataset.drawn === "true";
    /** Times the turns of a wheel: from when the page gets one until it can be seen. */
    window.turn = "";
    document.addEventListener("wheel", async () => {
      const name = window.turn, start = performance.now();
      performance.mark(`tour:${name}`);
      await shown();
      clock[name] = performance.now() - start;
      performance.mark("tour:rest");
    }, { capture: true, passive: true });
  });
  const t = await trace(page);
  await t.mark("begin");
  const canvas = page.locator("[data-island=gantt] canvas.bl-top"), box = await canvas.boundingBox();
  for (let i = 0; i < 3; i++) { // everything drawn anew: nothing of it is known from before
    await page.evaluate((i) => timed(`full${i}`, () => [...document.querySelectorAll(".bl-tog")].find((l) => l.textContent === "Gaps").querySelector("input").click(), stands), i);
    await idle(page);
  }
  for (const round of "abc") { // another program may hold the processor in one
    await page.mouse.move(box.x + box.width * 0.55, box.y + 90);
    for (let i = 0; i < 20; i++) {
      const name = `wheel-${round}${i}`;
      await page.evaluate((n) => { window.turn = n; }, name);
      await page.mouse.wheel(0, -100);
      await page.waitForFunction((n) => n in clock, name);
    }
    await idle(page);
    await page.evaluate((r) => timed(`back-${r}`, () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "0", bubbles: true })), stands), round);
    await idle(page);
  }
  await page.locator("#tab-table").click();
  await page.locator("[data-island=table] [role=columnheader] > svg").first().waitFor(); // histograms of the columns come late
  await idle(page);
  for (let i = 0; i < 3; i++) {
    await page.evaluate((i) => timed(`sort${i}`, () => document.querySelectorAll("[data-island=table] button[data-c]")[4 + i].click()), i);
    await idle(page);
    await page.evaluate((i) => {
      const grid = document.querySelector("[data-island=table] [role=grid]");
      return timed(`scroll${i}`, () => { grid.scrollTop = i % 2 ? 0 : grid.scrollHeight / 2; });
    }, i);
    await idle(page);
  }
  const clock = await page.evaluate(() => clock);
  await t.mark("end");
  const sum = sums(await t.stop());
  const round = ["wheel-a", "wheel-b", "wheel-c"].sort((a, b) => sorted(sum, a)[10] - sorted(sum, b)[10])[0];
  for (const [name, limit, place] of [["full", 100, 1], ["back", 100, 1], [round, 33, 10], ["sort", 300, 1], ["scroll", 300, 1]]) {
    const own = sorted(sum, name), wall = sorted(clock, name);
    console.log(`     ${name}: ${own[place].toFixed(0)} ms of the processor, ${wall[place].toFixed(0)} ms on the clock (${own.length} tries)`);
    assert.equal(own.length, place === 10 ? 20 : 3, `${name}: tries that the trace holds`);
    assert.ok(own[place] <= limit, `${name}: ${own.map((v) => v.toFixed(0)).join(", ")} ms`);
  }
});

test("no task over 100 ms on the page's thread in a tour of all views of HPC2N", { skip: needsLog(hpc2n), timeout: 400_000 }, async ({ lab, page }) => {
  await lab.openReady();
  await lab.stage(hpc2n, readFileSync(join(logs, hpc2n)));
  const t = await trace(page);
  await t.mark("reading");
  await lab.loading(() => lab.dropStaged(), 120_000);
  await t.mark("running");
  await lab.running(() => page.keyboard.press("Control+Enter"), 300_000);
  for (const tab of ["overview", "gantt", "series", "distributions", "users", "search", "table", "overview", "gantt"]) {
    await t.mark(tab);
    await page.locator(`#tab-${tab}`).click();
    await idle(page);
    if (tab === "gantt") {
      await drawn(page);
      for (const key of ["w", "w", "d", "0"]) await page.keyboard.press(key), await idle(page);
      const box = await page.locator("[data-island=gantt] canvas.bl-top").boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + 90);
      for (let i = 0; i < 6; i++) await page.mouse.wheel(0, i < 3 ? -240 : 240), await page.waitForTimeout(60);
      for (const file of [/^PNG/, /^CSV: what/]) {
        await page.locator("[data-island=gantt]").getByRole("button", { name: "Save this chart" }).click();
        await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: file }).click()]);
      }
    } else if (["series", "distributions", "users"].includes(tab)) {
      await page.locator(`[data-island] .bl-stage svg:visible`).first().waitFor();
      await idle(page);
    } else if (tab === "table") {
      await page.locator("[data-island=table] button[data-c]").nth(7).click();
      await idle(page);
    }
  }
  await t.mark("end");
  const tasks = await t.stop();
  assert.ok(tasks.length > 100, "the trace holds no tasks");
  const most = {};
  for (const { at, ms } of tasks) most[at] = Math.max(most[at] || 0, Math.round(ms));
  console.log(`     longest tasks, ms of the processor: ${Object.entries(most).map(([k, v]) => `${k} ${v}`).join(", ")}`);
  assert.deepEqual(tasks.filter((x) => x.ms > 100), []);
});
