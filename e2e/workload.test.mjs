// The workload panel: what stands in a log before anything runs, and storage
// that is full, private, blocked or lost.
import { assert, test, visit } from "./harness.mjs";

/** A small log whose first jobs have no users; line numbers are those of the file. */
function log(n = 300, damage = () => "") {
  let text = "; MaxProcs: 64\n; UnixStartTime: 1704067200\n; TimeZoneString: Europe/Prague\n; Note: terms of use stand here\n";
  for (let i = 1; i <= n; i++) {
    const run = 60 + (i * 7919) % 7200, procs = 1 + (i * 31) % 48;
    text += damage(i) || `${i} ${i * 997} 5 ${run} ${procs} -1 -1 ${procs} ${2 * run} -1 1 ${1 + i % 9} 1 -1 1 -1 -1 -1\n`;
  }
  return text;
}

visit({ anew: true }, ({ lab }) => lab.begin(), {
  async "a log is shown at a glance, by the local time of its machine"({ lab, page }) {
    await lab.loading(() => lab.drop("prague.swf", log()));
    await lab.unfold("open-jobs");
    assert.equal(await page.locator(".glances .glance svg").count(), 6);
    await page.locator("#open-jobs").click();
    const dialog = page.getByRole("dialog");
    assert.match(await dialog.innerText(), /Europe\/Prague/);
    // The first job comes at 00:16 UTC, 01:16 in Prague: nobody from 0 to 1 h on the first day.
    const table = page.locator(".glance-tables table").first();
    const hours = await table.locator("td").allInnerTexts();
    assert.equal(hours.length, 24);
    const want = new Array(24).fill(0);
    for (let i = 1; i <= 300; i++) want[new Date((1704067200 + i * 997 + 3600) * 1000).getUTCHours()]++;
    assert.deepEqual(hours.map((t) => Number(t.replace(/\D/g, ""))), want);
  },
  async "charts follow a generator's parameter"({ lab, page }) {
    await lab.unfold("open-jobs");
    const before = await page.locator(".glances .glance").nth(2).innerText();
    await lab.loading(() => lab.setField("gen.serial", "1"));
    const after = await page.locator(".glances .glance").nth(2).innerText();
    assert.notEqual(before, after);
    assert.match(after, /9\d\.\d\s% on one processor|100\.0\s% on one processor/);
  },
  async "the Lublin–Feitelson model is a source"({ lab, page }) {
    const lublin = await lab.unfold("act-generator.lublin");
    await lab.loading(() => lublin.click());
    await lab.unfold("open-jobs");
    assert.match(await lab.text(), /This log names no users/);
    await lab.run();
    assert.match(await lab.digest(), /^[0-9a-f]{64}$/);
  },
  async "a line of the cleaning report is shown with its neighbours, and the list is a file"({ lab, page }) {
    await lab.loading(() => lab.drop("odd.swf", log(500, (i) => i === 100 ? "this is no job\n" : "")));
    await lab.openLines();
    await page.getByRole("dialog").locator(".problems button").first().click();
    const excerpt = page.locator("#excerpt pre");
    await excerpt.waitFor();
    await lab.until(async () => /this is no job/.test(await excerpt.innerText()));
    const lines = (await excerpt.innerText()).trim().split("\n");
    assert.equal(lines.length, 7);
    assert.match(await page.locator("#excerpt mark").innerText(), /^104\s+this is no job/);
    const csv = await lab.download(() => page.getByRole("button", { name: "Download the list" }).click());
    assert.match(csv, /^line,field,text,problem,action\r\n104,/);
  },
  async "a Batsim workload is read like a log, faults name the job"({ lab }) {
    const jobs = [], profiles = { p: { type: "delay", delay: 60 } };
    for (let i = 0; i < 200; i++) jobs.push({ id: `w!${i}`, subtime: i * 10, res: 1 + i % 4, walltime: 100, profile: "p" });
    jobs.push({ id: "w!bad", subtime: 3000, res: 2, profile: "nowhere" });
    await lab.loading(() => lab.drop("batsim.json", JSON.stringify({ nb_res: 8, jobs, profiles })));
    assert.match(await lab.text(), /200\sjobs/);
    await lab.openLines();
    assert.match(await lab.text(), /w!bad/);
    await lab.page.keyboard.press("Escape");
    await lab.run();
    assert.match(await lab.digest(), /^[0-9a-f]{64}$/);
  },
});

const storages = {
  "switched off": () => { Object.defineProperty(window, "indexedDB", { get() { throw new DOMException("no", "SecurityError"); } }); },
  "full": () => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...args) {
      const request = put.apply(this, args);
      this.transaction.abort();
      return request;
    };
  },
  "silent": () => { IDBFactory.prototype.open = () => ({}); },
};
for (const [name, init] of Object.entries(storages)) {
  test(`storage that is ${name}: said, and everything else works`, async ({ lab, page }) => {
    await page.addInitScript(init);
    await lab.openReady();
    await lab.loading(() => lab.drop("small.swf", log()));
    await page.locator(".storage").waitFor();
    assert.match(await page.locator(".storage").innerText(), /not kept for the next visit/);
    await lab.run();
    assert.match(await lab.digest(), /^[0-9a-f]{64}$/);
  });
}

test("no local storage: the page works and forgets", async ({ lab, page }) => {
  await page.addInitScript(() => { Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } }); });
  await lab.openReady();
  await page.locator("#see-all").click(); // each visit is a first one
  await page.locator("#open-display").click();
  await page.getByRole("button", { name: "h", exact: true }).click();
  assert.match(await page.locator(".card-value").first().innerText(), /h/);
});

test("a log too large for memory: a message, what was loaded stays", async ({ lab, page }) => {
  await lab.openReady();
  const digest = await lab.digest();
  await page.evaluate(() => {
    window.staged = new File(["x"], "huge.swf");
    Object.defineProperty(window.staged, "size", { value: 2 ** 31 });
  });
  // The size counts in the worker, where a file that says 2 GB cannot be made up:
  // a gzip file of 1.1 GB of blanks, which is 1 MB, is what a worker refuses.
  await page.evaluate(async () => {
    const chunk = new Uint8Array(1 << 22).fill(32);
    let left = 270;
    const stream = new ReadableStream({ pull(c) { if (left-- > 0) c.enqueue(chunk); else c.close(); } });
    window.staged = new File([await new Response(stream.pipeThrough(new CompressionStream("gzip"))).blob()], "huge.swf.gz");
  });
  await lab.loading(() => lab.dropStaged(), 120_000);
  assert.match(await lab.text(), /huge\.swf\.gz.*(longer than 1 GB|memory)/);
  await lab.run();
  assert.equal(await lab.digest(), digest);
});

test("memory that runs out while a log is read or simulated: a message says how much of it fits, and what was there stays", async ({ lab, page }) => {
  await lab.openReady();
  const bound = (bytes) => Promise.all(page.workers().map((w) => w.evaluate((bytes) => { self.batchlabMemory = bytes ?? undefined; }, bytes)));
  const rows = (n) => `; MaxProcs: 256\n${Array.from({ length: n }, (_, i) => `${i + 1} ${20 * i} 5 600 4 -1 -1 4 900 -1 1 1 1 -1 1 -1 -1 -1`).join("\n")}\n`;
  await bound(2e6);
  await lab.loading(() => lab.drop("big.swf", rows(30_000)));
  assert.match(await lab.text(), /big\.swf.*after 1 MB of its text, about \d{5} lines, the log takes up/);
  assert.match(await lab.text(), /2,000\sjobs/, "what was loaded before stays");
  await bound(null);
  await lab.loading(() => lab.drop("big.swf", rows(30_000)));
  assert.match(await lab.text(), /30,000\sjobs/);
  await bound(2e6);
  await page.keyboard.press("Control+Enter");
  await lab.until(async () => /30000 jobs need about 0\.\d GB of memory, more than the 0\.0 GB that a browser gives; about 3\d{3} jobs fit/.test(await lab.text()));
  await bound(null);
  await lab.run();
});

test("a worker that is lost while it reads: a message, and another reads; when that is lost, too, what was there stays", { errors: /crash for the test/ }, async ({ lab, page }) => {
  await page.addInitScript(() => {
    const Real = window.Worker;
    window.Worker = class extends Real {
      postMessage(message, ...rest) {
        if (window.lose && message.head && message.head.includes('"load"')) {
          window.lose--;
          setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data: { crash: "out of memory" } })), 20);
          return;
        }
        super.postMessage(message, ...rest);
      }
    };
  });
  await lab.openReady();
  await page.evaluate(() => { window.lose = 2; });
  await lab.loading(() => lab.drop("small.swf", log()));
  assert.match(await lab.text(), /out of memory/);
  assert.match(await lab.text(), /2,000\sjobs/, "what was loaded before stays");
  await page.evaluate(() => { window.lose = 1; });
  await lab.loading(() => lab.drop("small.swf", log()));
  await lab.until(async () => /300\sjobs/.test(await lab.text()));
});

test("Slurm's accounting is dropped like a log: its report stands in the header, names nowhere, and what happened is set beside EASY", async ({ lab, page }) => {
  const two = (n) => String(n).padStart(2, "0");
  const at = (s) => `2026-11-23T${two(8 + Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  let text = "JobIDRaw|User|Account|Submit|Eligible|Start|End|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS\n";
  for (let i = 0; i < 200; i++) text += `${i + 1}|secretuser${i % 5}|secretaccount|${at(20 * i)}|${at(20 * i)}|${at(20 * i + 40)}|${at(20 * i + 100)}|2|COMPLETED|1|4|4\n`;
  text += "201|secretuser1|secretaccount|yesterday|||||COMPLETED|1|4|4\n";
  await lab.openReady();
  await lab.loading(() => lab.drop("jobs.psv", text));
  assert.match(await lab.text(), /200\sjobs/);
  await lab.openLines();
  assert.match(await lab.text(), /yesterday/);
  await page.keyboard.press("Escape");
  await lab.run();
  assert.match(await lab.digest(), /^[0-9a-f]{64}$/);
  const shown = await page.content() + page.url();
  assert.doesNotMatch(shown, /secretuser|secretaccount/);
});
