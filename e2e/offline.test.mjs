// The lab with the network off: the installed page, its updates, and the page
// that is one file.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { assert, cli, dist, link, root, serve, test } from "./harness.mjs";

const doc = { batchlab: 1, seed: 5, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }, { key: "conservative" }] };

// An experiment that the page's second program runs.
const study = { ...doc, schedulers: [{ key: "bf-mod" }] };

const offline = (page, state) => page.waitForFunction((s) => document.documentElement.dataset.offline === s, state);

// Sharing asks the server whether it keeps short links: without it the browser says so.
test("server killed: reload, run, share all work; the page can be installed", { firefox: true, offline: true, errors: /ERR_CONNECTION_REFUSED/ }, async ({ lab, page, browser }) => {
  const own = await serve();
  try {
    const there = new lab.constructor(page, own.base);
    await there.openReady();
    const digest = await there.digest();
    await offline(page, "ready");
    await page.getByText("Works offline").waitFor();
    if (browser === "Chromium") { // Firefox installs no pages
      const cdp = await page.context().newCDPSession(page);
      const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
      assert.deepEqual(installabilityErrors.filter((e) => e.errorId !== "in-incognito"), []);
    }
    own.server.kill("SIGKILL");
    await new Promise((resolve) => own.server.once("exit", resolve));
    await page.reload();
    await there.ready();
    assert.equal(await there.digest(), digest);
    await there.run();
    assert.equal(await there.digest(), digest);
    await page.locator("#open-share").click();
    const copied = new URL(await page.inputValue("#link")).hash;
    await page.keyboard.press("Escape");
    await page.goto("about:blank");
    await there.openReady(copied);
    assert.match(await there.text(), /reproduced/);
    await page.goto("about:blank");
    await there.openReady(link(doc));
    assert.notEqual(await there.digest(), digest);
    await page.goto("about:blank");
    await there.openReady(link(study));
    assert.match(await there.digest(), /^[0-9a-f]{64}$/, "the studies' program is kept, too, though it was never used");
  } finally {
    own.server.kill();
  }
});

/** What index.html and sw.js of a newer version would be. */
function newVersion(folder) {
  const old = readFileSync(join(folder, "index.html"), "utf8"), index = old.replace("<html ", '<html data-newer="1" ');
  const sum = (text) => createHash("sha256").update(text).digest("hex");
  const sw = readFileSync(join(folder, "sw.js"), "utf8");
  assert.ok(sw.includes(sum(old)), "sw.js holds the hash of index.html");
  return { index, sw: sw.replace(sum(old), sum(index)).replace(/version="[0-9a-f]{16}"/, 'version="0123456789abcdef"') };
}

test("a deploy that is seen half done is refused, what was kept stays, and it is tried again", { offline: true, errors: /./ }, async ({ lab, page }) => {
  const copy = mkdtempSync(join(tmpdir(), "batchlab-"));
  cpSync(dist, copy, { recursive: true, filter: (f) => !f.endsWith("bin/batchlab") && !/\.(br|gz)$/.test(f) });
  const child = spawn(cli, ["serve", "--addr", "127.0.0.1:0", "--dist", copy], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const base = await new Promise((resolve) => child.stdout.once("data", (d) => resolve(JSON.parse(d).url)));
    await page.addInitScript(() => { // it waits longer and longer before it asks again
      const later = window.setTimeout;
      window.setTimeout = (f, ms, ...rest) => later(f, ms >= 5000 ? 500 : ms, ...rest);
    });
    const there = new lab.constructor(page, base), kept = () => page.evaluate(() => caches.keys());
    const script = readFileSync(join(copy, "qr.js"));
    writeFileSync(join(copy, "qr.js"), Buffer.concat([script, Buffer.from("\n// of another version\n")]));
    const asked = [];
    page.context().on("request", (r) => { if (r.serviceWorker() && r.url().endsWith("/qr.js")) asked.push(r.url()); });
    await there.openReady(link(doc));
    const digest = await there.digest();
    await page.waitForFunction(async () => "serviceWorker" in navigator);
    await lab.until(() => asked.length > 1); // refused once, asked for again
    assert.notEqual(await there.flag("offline"), "ready");
    writeFileSync(join(copy, "qr.js"), script);
    await offline(page, "ready");
    const [cache] = await kept();
    // Now a newer sw.js with the page of before.
    const newer = newVersion(copy);
    writeFileSync(join(copy, "sw.js"), newer.sw);
    asked.length = 0;
    await page.evaluate(async () => { await (await navigator.serviceWorker.ready).update().catch(() => {}); });
    await lab.until(() => asked.length > 0);
    await lab.until(async () => (await kept()).join() === cache); // the version of before is kept, and once it was refused nothing else
    await page.reload();
    await there.ready();
    assert.equal(await there.digest(), digest);
    assert.equal(await there.flag("newer"), "");
    writeFileSync(join(copy, "index.html"), newer.index);
    await offline(page, "update");
  } finally {
    child.kill();
    rmSync(copy, { recursive: true, force: true });
  }
});

test("a newer version is offered, and never forced while something runs", { offline: true }, async ({ lab, page }) => {
  const copy = mkdtempSync(join(tmpdir(), "batchlab-"));
  cpSync(dist, copy, { recursive: true, filter: (f) => !f.endsWith("bin/batchlab") && !/\.(br|gz)$/.test(f) });
  const child = spawn(cli, ["serve", "--addr", "127.0.0.1:0", "--dist", copy], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const base = await new Promise((resolve) => child.stdout.once("data", (d) => resolve(JSON.parse(d).url)));
    const there = new lab.constructor(page, base);
    await there.openReady(link(doc));
    await offline(page, "ready");
    const newer = newVersion(copy);
    writeFileSync(join(copy, "index.html"), newer.index);
    writeFileSync(join(copy, "sw.js"), newer.sw);
    await page.evaluate(async () => { await (await navigator.serviceWorker.ready).update(); });
    await offline(page, "update");
    const long = { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 100000, load: 1.2 } } } }, schedulers: [{ key: "easy", params: { order: "lexp" } }] };
    await there.hold(0);
    await page.evaluate((hash) => { location.hash = hash; }, link(long));
    await page.waitForFunction(() => document.documentElement.dataset.runs === "active");
    await page.locator("#update").dispatchEvent("click");
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.newer || ""), "", "the old version runs on");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.documentElement.dataset.runs !== "active");
    await there.hold(Infinity);
    await there.running(() => page.evaluate((hash) => { location.hash = hash; }, link(doc)));
    await there.until(async () => await there.digest() !== "");
    const digest = await there.digest();
    await page.locator("#update").click();
    await page.waitForFunction(() => document.documentElement.dataset.newer === "1");
    await there.ready();
    assert.equal(await there.digest(), digest, "the settings stay");
  } finally {
    child.kill();
    rmSync(copy, { recursive: true, force: true });
  }
});

test("the one file runs from file://: workers, bundled workloads, dropped logs, links, no request", { firefox: true, offline: true }, async ({ lab, page, base }) => {
  execFileSync("node", [join(root, ".ci/single.mjs"), dist, join(dist, "bin", "batchlab.html")]);
  const urls = [];
  page.on("request", (r) => urls.push(r.url()));
  const url = pathToFileURL(join(dist, "bin", "batchlab.html")).href;
  await page.goto(url + link(doc));
  await lab.ready();
  const digest = await lab.digest();
  assert.match(digest, /^[0-9a-f]{64}$/);
  await page.getByText("Works offline").waitFor();
  await lab.run();
  assert.equal(await lab.digest(), digest);
  let log = "; MaxProcs: 32\n";
  for (let i = 1; i <= 60; i++) log += `${i} ${i * 50} 0 ${100 + i} 8 -1 -1 8 400 -1 1 1 1 -1 1 -1 -1 -1\n`;
  await lab.loading(() => lab.drop("stick.swf", log));
  await lab.run();
  const own = await lab.digest();
  await page.locator("#open-share").click();
  const shared = await page.inputValue("#link");
  await page.keyboard.press("Escape");
  await page.goto("about:blank");
  await page.goto(url + shared.slice(shared.indexOf("#")));
  await lab.ready();
  assert.equal(await lab.digest(), own, "the log is kept here, too");
  await page.goto("about:blank");
  await page.goto(url + link(study));
  await lab.ready();
  assert.match(await lab.digest(), /^[0-9a-f]{64}$/, "the studies' program is in the file");
  for (const u of urls) assert.match(u, /^(file|blob|data|about):/, u);
  await page.goto("about:blank");
  await page.goto(base + "/" + link(doc));
  await lab.ready();
  assert.equal(await lab.digest(), digest, "the served page gives the same");
});

const lan = Object.values(networkInterfaces()).flat().find((i) => i.family === "IPv4" && !i.internal)?.address;
test("plain http on a network address: everything but offline use", { offline: true, skip: lan ? false : "this computer has no network address" }, async ({ lab, page, base }) => {
  const child = spawn(cli, ["serve", "--addr", `${lan}:0`, "--lan", "--dist", dist], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const url = await new Promise((resolve) => child.stdout.once("data", (d) => resolve(JSON.parse(d).url)));
    const there = new lab.constructor(page, url);
    await page.goto(base + "/" + link(doc));
    await lab.ready();
    const digest = await lab.digest();
    await there.openReady(link(doc));
    assert.equal(await there.digest(), digest);
    await offline(page, "insecure");
    assert.match(await page.getAttribute("#offline", "title"), /plain http/);
    await there.loading(() => there.drop("small.swf", "; MaxProcs: 4\n1 0 0 10 2 -1 -1 2 20 -1 1 1 1 -1 1 -1 -1 -1\n"));
    await there.run();
    assert.match(await there.digest(), /^[0-9a-f]{64}$/, "hashing works without the browser's");
  } finally {
    child.kill();
  }
});
