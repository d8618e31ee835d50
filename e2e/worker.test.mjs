// Work beside the page: cancelling, crashing, and never blocking the page.
import { assert, dist, link, test } from "./harness.mjs";
import { startWorker, studies } from "./node-worker.mjs";

/** Enough work to be caught in the middle of. */
const long = { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 100000, load: 1.2 } } } },
  schedulers: [{ key: "conservative" }, { key: "easy", params: { order: "lexp", backfill: "spf" } }] };

test("cancel ends running work, and the next run is whole", async ({ lab, page }) => {
  await lab.openReady();
  const digest = await lab.digest();
  await lab.hold(0);
  await page.evaluate((hash) => { location.hash = hash; }, link(long));
  await page.waitForFunction(() => document.documentElement.dataset.started === "2" && document.documentElement.dataset.runs === "active");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.documentElement.dataset.finished === "2");
  assert.equal(await lab.digest(), "", "a cancelled experiment has no digest");
  assert.match(await lab.text(), /cancelled/i);
  await lab.hold(Infinity);
  await lab.running(() => lab.preset(/generated workload/));
  assert.equal(await lab.digest(), digest, "the default preset gives its digest again");
});

test("a worker that simulates obeys a cancel before its run is over, and goes on to the next", async () => {
  const worker = startWorker(dist);
  try {
    const experiment = JSON.stringify(long);
    await worker.ask("load", { experiment });
    let last = 0;
    const run = worker.ask("run", { experiment, scheduler: 0 }, { progress: ({ done, total }) => { last = done / total; worker.cancel(run.id); } });
    await assert.rejects(run, (e) => e.code === "cancelled");
    assert.ok(last > 0 && last < 1, `${last}`);
    const { buffers } = await worker.ask("run", { experiment, scheduler: 1 });
    assert.ok(buffers.length >= 2);
  } finally {
    await worker.stop();
  }
});

test("a decision that takes long tells its progress, and obeys a cancel in the middle", async () => {
  const worker = startWorker(dist, studies(dist));
  try {
    // Nodes, and jobs that come all at once: one decision, for hours if nobody stops it.
    let text = "; MaxProcs: 100\n";
    for (let i = 1; i <= 1000; i++) text += `${i} 0 -1 50 ${1 + i % 4} -1 -1 ${1 + i % 4} ${100 + (i * 37) % 900} -1 1 1 1 1 1 1 -1 -1\n`;
    const file = new Blob([text]), document = { batchlab: 1, workload: { source: { bundled: "demo" } },
      platform: { clusters: [{ name: "a", packing: "nodes", groups: [{ count: 25, processors: 4 }] }] }, schedulers: [{ key: "hill-climbing", params: { evaluations: 0 } }] };
    const { preview } = await worker.ask("load", { experiment: JSON.stringify(document), new_log: "all.swf" }, { file });
    document.workload.source = { log: { name: "all.swf", sha256: preview.sha256, size: preview.size } };
    const experiment = JSON.stringify(document);
    let told = 0;
    const run = worker.ask("run", { experiment, scheduler: 0 }, { file, progress: () => { if (++told === 3) worker.cancel(run.id); } });
    await assert.rejects(run, (e) => e.code === "cancelled");
    assert.ok(told >= 3, `told ${told} times`);
  } finally {
    await worker.stop();
  }
});

test("a plan that is being optimised tells its progress, and obeys a cancel", async () => {
  const worker = startWorker(dist, studies(dist));
  try {
    const experiment = JSON.stringify({ ...long, schedulers: [{ key: "plan-rs" }] }); // hours, if nobody stops it
    let told = {};
    const run = worker.ask("run", { experiment, scheduler: 0 }, { progress: ({ done, total }) => {
      told = { done, total }; // a share of its time, of 2^20
      if (done > 0) worker.cancel(run.id);
    } });
    await assert.rejects(run, (e) => e.code === "cancelled");
    assert.ok(told.done > 0 && told.done < told.total && told.total === 2 ** 20, JSON.stringify(told));
  } finally {
    await worker.stop();
  }
});

/** Has the page lose the second worker that it starts, soon after it has begun, by what a text does. */
const lose = (page, how) => page.addInitScript((how) => {
  const Real = window.Worker, end = new Function("worker", how);
  let started = 0;
  window.Worker = class extends Real {
    constructor(...args) {
      super(...args);
      this.number = ++started;
      window.workersStarted = started;
      if (this.number === 2) this.addEventListener("message", (event) => { if (event.data.lock) setTimeout(() => end(this), 20); });
    }
  };
}, how);

// The watch by silence looks for three minutes: a test that waits for no longer than two sees
// that the end itself is noticed.
const noticed = (how, reason) => async ({ lab, page, base }) => {
  await lose(page, how);
  await page.goto(`${base}/?workers=2`);
  await lab.ready();
  await page.waitForFunction((reason) => new RegExp(reason).test(document.body.innerText), reason.source);
  const digest = await lab.digest();
  assert.match(digest, /^[0-9a-f]{64}$/, "nothing is missing");
  await lab.run();
  assert.equal(await lab.digest(), digest);
  // By now: where the other one was idle when it ended, that one did its work.
  assert.ok(await page.evaluate(() => window.workersStarted) >= 3, "it was replaced");
};

test("a worker that crashes is noticed and told, and another does its work once more",
  noticed(`worker.dispatchEvent(new MessageEvent("message", { data: { crash: "out of memory" } }))`, /stopped \(out of memory\)/));

test("a worker that is ended without a message is noticed and told, and another does its work once more",
  noticed("worker.terminate()", /stopped \(it ended without a message\)/));

test("where no worker can be started that is said, and nothing is said to run", { errors: /Failed to load|ERR_FAILED/ }, async ({ lab, page, base }) => {
  await page.route(/\/worker[^/]*\.js/, (route) => route.abort());
  await page.goto(`${base}/?workers=2`);
  await page.waitForFunction(() => /stopped, and so did a second one \(it could not be started\)/.test(document.body.innerText));
  await page.waitForFunction(() => document.documentElement.dataset.runs !== "active");
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
