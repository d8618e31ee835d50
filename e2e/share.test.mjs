// Links that reproduce: the view, the digest, the log by its hash, for ever.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import jsQR from "jsqr";
import { assert, batchlab, link, root, test, unzip, visit } from "./harness.mjs";

const golden = JSON.parse(readFileSync(join(root, "core/experiment/testdata/links.json"), "utf8"));

/** A log of n jobs on 64 processors; job changed runs longer by more seconds. */
function someLog(n = 90, changed = 0, more = 0) {
  let text = "; MaxProcs: 64\n; Note: free to use in tests\n";
  for (let i = 1; i <= n; i++) {
    const run = 60 + (i * 7919) % 7200 + (i === changed ? more : 0), procs = 8 + (i * 31) % 48;
    text += `${i} ${i * 97} 5 ${run} ${procs} -1 -1 ${procs} ${20000} -1 1 ${1 + i % 9} 1 -1 1 -1 -1 -1\n`;
  }
  return text;
}

test("golden links open with their digests and views", async ({ lab, page }) => {
  for (const l of golden) {
    await page.goto("about:blank");
    if (!l.digest) {
      await lab.open(l.hash);
      await page.getByRole("button", { name: "Choose the log" }).waitFor();
      continue;
    }
    await lab.openReady(l.hash);
    assert.equal(await lab.digest(), l.digest, l.name);
    const tab = /&v=1_t([a-z]+)/.exec(l.hash)?.[1] || (await lab.flag("sweep") === "done" ? "vary" : "overview");
    assert.equal(await page.getAttribute(`#tab-${tab}`, "aria-selected"), "true", `${l.name}: ${tab}`);
    assert.doesNotMatch(await lab.text(), /cannot be used|could not be opened/, l.name);
  }
});

test("a link takes tab, job, runs and time span to another profile", async ({ lab, page, base }) => {
  const urls = [];
  page.on("request", (r) => urls.push(r.url() + (r.postData() || "")));
  await lab.openReady(link({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "fcfs" }, { key: "easy" }, { key: "conservative" }] }));
  await page.locator(".chip-name", { hasText: "Conservative" }).click();
  await page.locator("#tab-gantt").click();
  await page.locator("#tab-table").click();
  const copied = await lab.copyLink();
  assert.match(copied, /&v=1_ttable_a2/);
  const digest = await lab.digest();
  await page.goto("about:blank");
  await page.goto(base + "/" + new URL(copied).hash.replace("_ttable", "_tgantt_f86400_e172800_j57"));
  await lab.ready();
  assert.equal(await lab.digest(), digest);
  assert.equal(await page.getAttribute("#tab-gantt", "aria-selected"), "true");
  await page.waitForFunction(() => /reproduced:\s3\sruns, digest equal/.test(document.getElementById("verdict").textContent));
  const again = await lab.copyLink();
  assert.match(again, /_tgantt_a2.*_f86400_e172800_j57/, "the view comes back as it was sent");
  const state = new URL(copied).hash.slice(3, 40);
  for (const u of urls) assert.ok(!u.includes(state), `a request carries the experiment: ${u}`);
});

test("a bad view falls back with a notice and never blocks the result", async ({ lab }) => {
  const g = golden[0];
  for (const view of ["&v=9_tgantt", "&v=1_tnowhere_a77", "&v=%%%", `&v=1_${"z".repeat(500)}`]) {
    await lab.page.goto("about:blank");
    await lab.openReady(g.hash + view);
    assert.equal(await lab.digest(), g.digest);
    assert.match(await lab.text(), /view of the link cannot be used|default view/i, view);
  }
});

test("a link finds its log in this browser, else asks, refuses another and names it, or uses it and says so", async ({ lab, page, context, base }) => {
  const sent = [];
  page.on("request", (r) => sent.push(r));
  await lab.openReady();
  await lab.loading(() => lab.drop("mine.swf", someLog()));
  await lab.run();
  const digest = await lab.digest();
  const copied = await lab.copyLink();
  const hash = new URL(copied).hash;
  await page.goto("about:blank");
  await lab.openReady(hash);
  assert.equal(await lab.digest(), digest, "the log was found without asking");
  await page.locator("#open-kept").waitFor();

  // Another browser: nothing is kept there.
  const fresh = await context.browser().newContext();
  fresh.setDefaultTimeout(120_000);
  const other = await fresh.newPage();
  const there = new lab.constructor(other, base);
  await there.open(hash);
  await other.getByRole("button", { name: "Choose the log" }).waitFor();
  assert.match(await there.text(), /mine\.swf.*SHA-256 [0-9a-f]{64}/);
  await there.drop("yours.swf", someLog(90, 41, 500));
  await other.getByText("yours.swf is another log: 90 jobs").first().waitFor();
  const refused = await there.text();
  assert.match(refused, /yours\.swf is another log: 90 jobs/);
  assert.match(refused, /made with mine\.swf/);
  assert.equal(await there.digest(), "", "nothing ran on the wrong log");
  await there.running(() => other.locator("#use-other").click());
  const text = await there.text();
  assert.match(text, /Modified experiment: it runs on the log yours\.swf/);
  assert.match(text, /Not reproduced/);
  assert.match(text, /A FCFS: The first job that differs is (job 41|one of the \d+ jobs from job \d+ to job \d+)/);
  assert.match(text, /starts? at [\d,]+ s/);
  assert.match(text, /Both simulated with engine \d+/);
  await other.goto("about:blank");
  await there.open(hash);
  await other.getByRole("button", { name: "Choose the log" }).waitFor();
  await there.running(() => there.drop("renamed.swf", someLog()));
  assert.equal(await there.digest(), digest);
  assert.match(await there.text(), /reproduced: 3 runs, digest equal/);
  await fresh.close();

  // Forgetting is heard.
  await page.locator("#open-kept").click();
  await page.getByRole("button", { name: "Forget mine.swf" }).click();
  await page.getByText("No log is kept.").waitFor();
  for (const r of sent) {
    assert.ok(["GET", "OPTIONS"].includes(r.method()) && !r.postData(), `${r.method()} ${r.url()}`);
    assert.ok(!r.url().includes(hash.slice(3, 40)), r.url());
  }
});

test("only the last ten logs are kept, in the order in which they were opened", async ({ lab, page }) => {
  // A clock that stands still is what a slow store makes of it.
  await page.addInitScript(() => { Date.now = () => 1e12; });
  await lab.openReady();
  for (let i = 1; i <= 12; i++) await lab.loading(() => lab.drop(`log${i}.swf`, someLog(20 + i)));
  await page.locator("#open-kept", { hasText: /^10\s/ }).click();
  const want = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `log${n}.swf`).join();
  await lab.until(async () => (await page.locator(".kept-logs li .link-button").allInnerTexts()).join() === want); // the store's list comes when it comes
  await lab.loading(() => page.getByRole("button", { name: "log5.swf", exact: true }).click());
  assert.match(await lab.text(), /log5\.swf/);
});

test("a difference is told by run, job and both starts; without a trace by the digests", async ({ lab, page }) => {
  const doc = { batchlab: 1, seed: 1, workload: { source: { generator: { key: "daily", params: { jobs: 120 } } } }, schedulers: [{ key: "fcfs" }, { key: "easy" }] };
  await lab.openReady(link(doc));
  const copied = new URL(await lab.copyLink()).hash;
  const { expect } = JSON.parse(inflateRawSync(Buffer.from(copied.slice(3).split("&")[0], "base64url")));
  assert.equal(expect.digest, await lab.digest());
  await page.goto("about:blank");
  await lab.openReady(link({ ...doc, seed: 2, expect }));
  assert.match(await lab.text(), /A FCFS: The first job that differs is job 1: .*start/);
  await page.goto("about:blank");
  await lab.openReady(link({ ...doc, seed: 2, expect: { digest: expect.digest } }));
  assert.match(await lab.text(), /Not reproduced.*without the author's starts.*engine \d+/);
});

test("a deflate bomb is cut at its limit", async ({ lab }) => {
  await lab.openReady(link(" ".repeat(40_000_000)));
  assert.match(await lab.text(), /unpacks to more than 65536 bytes/);
});

test("the QR code reads as the link, and the dialog works by keyboard alone", async ({ lab, page }) => {
  await lab.openReady(golden[0].hash);
  await page.locator("#open-share").focus();
  await page.keyboard.press("Enter");
  await page.locator("#qr").waitFor();
  const shared = await page.inputValue("#link");
  assert.ok(await page.evaluate(() => document.activeElement.id) === "link", "the link has the focus");
  const image = await page.evaluate(async () => {
    const svg = document.getElementById("qr"), size = 600;
    const copy = svg.cloneNode(true);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", size);
    copy.setAttribute("height", size);
    const img = new Image();
    img.src = `data:image/svg+xml;base64,${btoa(new XMLSerializer().serializeToString(copy))}`;
    await img.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const g = canvas.getContext("2d");
    g.drawImage(img, 0, 0, size, size);
    return { size, data: Array.from(g.getImageData(0, 0, size, size).data) };
  });
  const read = jsQR(Uint8ClampedArray.from(image.data), image.size, image.size);
  assert.equal(read?.data, shared);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "copy-link");
  await page.keyboard.press("Enter");
  await page.waitForFunction(async (t) => await navigator.clipboard.readText() === t, shared);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement.id === "open-share");
});

visit({}, async ({ lab, page }) => {
  await lab.openReady();
  await page.locator("#open-share").click();
  await page.locator("#qr").waitFor();
  await page.evaluate(readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8"));
}, Object.fromEntries(["light", "dark"].map((colorScheme) => [`axe finds nothing serious in the share dialog, ${colorScheme}`, async ({ lab, page }) => {
  await page.emulateMedia({ colorScheme });
  await lab.settled();
  const { violations } = await page.evaluate(() => window.axe.run(document.querySelector(".dialog.share"), { resultTypes: ["violations"] }));
  const bad = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
  assert.deepEqual(bad.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 90)).join(" | ")}`), []);
}])));

test("everything in one .zip: document, measures, jobs, charts, terms; the command line gives the same", async ({ lab, page }) => {
  await lab.openReady();
  await lab.loading(() => lab.drop("mine.swf", someLog()));
  await lab.run();
  const digest = await lab.digest();
  await page.locator("#open-export").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#export-bundle").click()]);
  const folder = mkdtempSync(join(tmpdir(), "batchlab-zip-"));
  try {
    const zip = join(folder, "all.zip");
    await download.saveAs(zip);
    const files = unzip(readFileSync(zip));
    const names = [...files.keys()];
    for (const n of ["README.txt", "CITATION.txt", "experiment.json", "summary.csv", "platform.json", "drawn.json", "log-terms.txt", "jobs-01-fcfs-0.csv", "jobs-02-easy-0.csv", "jobs-03-conservative-0.csv", "charts/waits.svg", "charts/classes.svg", "charts/over-time.svg"]) {
      assert.ok(names.includes(n), `${n} is missing: ${names}`);
    }
    assert.match(String(files.get("log-terms.txt")), /free to use in tests/);
    assert.match(String(files.get("CITATION.txt")), new RegExp(`Digest of its schedules ${digest}`));
    for (const [n, data] of files) {
      if (!n.endsWith(".svg")) continue;
      const bad = await page.evaluate((t) => new DOMParser().parseFromString(t, "image/svg+xml").querySelector("parsererror")?.textContent, String(data));
      assert.equal(bad, undefined, n);
    }
    writeFileSync(join(folder, "mine.swf"), someLog());
    writeFileSync(join(folder, "experiment.json"), files.get("experiment.json"));
    const out = JSON.parse(await batchlab("run", join(folder, "experiment.json"), "--log", join(folder, "mine.swf"), "--out", join(folder, "out")));
    assert.equal(out.digest, digest);
    assert.equal(out.reproduced, true);
    for (const n of names.filter((f) => /^(jobs-|platform|drawn)/.test(f))) {
      assert.equal(String(files.get(n)), readFileSync(join(folder, "out", n), "utf8"), n);
    }
    // The document dropped on the page of somebody who has the log.
    await lab.openReady(golden[0].hash);
    await lab.running(() => lab.drop("experiment.json", files.get("experiment.json")));
    assert.equal(await lab.digest(), digest);
    assert.match(await lab.text(), /reproduced: 3 runs, digest equal/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a link made by the command line opens here, and one made here runs there", async ({ lab, page }) => {
  const folder = mkdtempSync(join(tmpdir(), "batchlab-link-"));
  try {
    const file = join(folder, "e.json");
    writeFileSync(file, JSON.stringify({ batchlab: 1, seed: 9, workload: { source: { bundled: "wide-jobs" } }, schedulers: [{ key: "fcfs" }, { key: "easy", params: { backfill: "saf" } }] }));
    const made = JSON.parse(await batchlab("run", file));
    await lab.openReady(made.link);
    assert.equal(await lab.digest(), made.digest);
    assert.match(await lab.text(), /reproduced: 2 runs, digest equal/);
    await page.locator("#tab-users").click();
    const back = JSON.parse(await batchlab("run", await lab.copyLink()));
    assert.equal(back.digest, made.digest);
    assert.equal(back.reproduced, true);
    assert.equal(back.identity, made.identity);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
