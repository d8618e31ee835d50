// Work beside the page: cancelling, crashing, and never blocking the page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { assert, dist, link, logs, needsLog, test } from "./harness.mjs";
import { startWorker, studies } from "./node-worker.mjs";

/** Enough work to be caught in the middle of. */
const long = { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 100000, load: 1.2 } } } },
  schedulers: [{ key: "conservative" }, { key: "easy", params: { order: "lexp", backfill: "spf" } }] };

test("cancel ends running work at once, and the next run is whole", async ({ lab, page }) => {
  await lab.openReady();
  const digest = await lab.digest();
  await page.evaluate((hash) => { location.hash = hash; }, link(long));
  await page.waitForFunction(() => document.documentElement.dataset.started === "2");
  await page.waitForTimeout(300);
  const start = Date.now();
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.documentElement.dataset.finished === "2");
  const took = Date.now() - start;
  console.log(`     cancelled after ${took} ms`);
  assert.ok(took <= 600, `cancelling took ${took} ms`);
  assert.equal(await lab.digest(), "", "a cancelled experiment has no digest");
  await lab.running(() => lab.preset(/generated workload/));
  assert.equal(await lab.digest(), digest, "the default preset gives its digest again");
});

test("a worker obeys a cancel within 150 ms of the simulation", async () => {
  const worker = startWorker(dist);
  try {
    const experiment = JSON.stringify(long);
    await worker.ask("load", { experiment });
    const run = worker.ask("run", { experiment, scheduler: 0 });
    let at;
    setTimeout(() => { at = Date.now(); worker.cancel(run.id); }, 300);
    await assert.rejects(run, (e) => e.code === "cancelled");
    assert.ok(Date.now() - at <= 150, `${Date.now() - at} ms`);
  } finally {
    await worker.stop();
  }
});

test("a plan that is being optimised tells its progress, and obeys a cancel", async () => {
  const worker = startWorker(dist, studies(dist));
  try {
    const experiment = JSON.stringify({ ...long, schedulers: [{ key: "plan-rs" }] }); // hours, if nobody stops it
    let before = 0;
    const run = worker.ask("run", { experiment, scheduler: 0 }, { progress: ({ done, total }) => {
      assert.ok(done >= before && total === 100000, `${done} of ${total} after ${before}`);
      before = done;
      if (done > 0) worker.cancel(run.id);
    } });
    await assert.rejects(run, (e) => e.code === "cancelled");
    assert.ok(before > 0, "it told no progress");
  } finally {
    await worker.stop();
  }
});

test("a crashed worker fails its run only, and is replaced", { errors: /crash for the test/ }, async ({ lab, page, base }) => {
  // The second worker that is started dies at its first request.
  await page.addInitScript(() => {
    const Real = window.Worker;
    let started = 0;
    window.Worker = class extends Real {
      constructor(...args) {
        super(...args);
        this.number = ++started;
        window.workersStarted = started;
      }
      postMessage(message, ...rest) {
        if (this.number === 2 && message.head) {
          setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: { crash: "out of memory" } })), 20);
          return;
        }
        super.postMessage(message, ...rest);
      }
    };
  });
  await page.goto(`${base}/?workers=2`);
  await lab.ready();
  const text = await lab.text();
  assert.match(text, /out of memory|failed/i, "the failed run is named");
  assert.equal(await lab.digest(), "", "no digest while a run is missing");
  assert.ok(await page.evaluate(() => window.workersStarted) >= 2);
  await lab.run();
  assert.match(await lab.digest(), /^[0-9a-f]{64}$/, "the next run is whole, with a new worker");
});

test("the number of workers changes no digit", async ({ lab, page, base }) => {
  const digests = [];
  for (const n of [1, 3]) {
    await page.goto(`${base}/?workers=${n}`);
    await lab.ready();
    digests.push(await lab.digest());
  }
  assert.equal(digests[0], digests[1]);
});

const hpc2n = "HPC2N-2002-2.2-cln.swf.gz";
// Another program may hold the processor for a moment, so one good try of six
// is enough; what the page itself takes is the same in each.
for (const [tab, name] of [["1", "overview"], ["2", "Gantt"], ["7", "table"]]) {
  test(`no task over 100 ms on the page's thread while HPC2N loads and runs, ${name} shown`, { skip: needsLog(hpc2n) }, async ({ lab, page }) => {
    // In one of the three as it is unpacked: 202,871 jobs as a file of 18 MB.
    const packed = readFileSync(join(logs, hpc2n)), [file, data] = name === "Gantt" ? ["HPC2N.swf", gunzipSync(packed)] : [hpc2n, packed];
    const tries = [];
    do {
      await page.goto("about:blank");
      await lab.openReady();
      await page.keyboard.press(tab);
      await page.waitForTimeout(500);
      await lab.stage(file, data);
      const start = await lab.now();
      await lab.loading(() => lab.dropStaged());
      const loaded = await lab.now();
      await lab.run();
      await page.waitForTimeout(500);
      const end = await lab.now();
      const tasks = (await lab.tasks(start)).map((t) => Math.round(t.duration));
      tries.push(Math.max(0, ...tasks));
      console.log(`     loaded in ${(loaded - start).toFixed(0)} ms, run in ${(end - loaded - 500).toFixed(0)} ms; long tasks: ${tasks.join(", ") || "none"}`);
    } while (tries.at(-1) > 100 && tries.length < 6);
    assert.ok(Math.min(...tries) <= 100, `tasks of ${tries.join(", ")} ms in ${tries.length} tries`);
  });
}
