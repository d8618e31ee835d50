// Short links: the Cloudflare build in workerd and the native server give the
// same answers, and what was answered survives a kill.
import { execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test as plain } from "node:test";
import { promisify } from "node:util";
import { Miniflare } from "miniflare";
import { assert, cli, dist, root, test } from "./harness.mjs";

const doc = (seed = 1) => JSON.stringify({ batchlab: 1, seed, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }] });
const idOf = (body, n = 11) => createHash("sha256").update(body).digest("base64url").slice(0, n);

/** Starts the native server with a store of its own. */
async function native(data) {
  const child = spawn(cli, ["serve", "--addr", "127.0.0.1:0", "--dist", dist, "--data", data], { stdio: ["ignore", "pipe", "ignore"] });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (d) => resolve(JSON.parse(d).url));
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
  });
  return { url, child };
}

/** A worker on its own folder of KV data. */
function worker(folder, limit = 1000) {
  const build = join(root, "edge/worker/build");
  return new Miniflare({
    host: "127.0.0.1", cf: false, telemetry: { enabled: false }, modules: true, rootPath: build, scriptPath: join(build, "worker.mjs"),
    modulesRules: [{ type: "ESModule", include: ["**/*.mjs", "**/*.js"] }, { type: "CompiledWasm", include: ["**/*.wasm"] }],
    compatibilityDate: "2026-04-01", kvNamespaces: ["LINKS"], kvPersist: folder,
    ratelimits: { POSTS: { simple: { limit, period: 60 } } },
  });
}

let data, kv, server, cloud, cloudURL;
before(async () => {
  execFileSync(join(root, "build.sh"), ["worker"]);
  data = mkdtempSync(join(tmpdir(), "batchlab-data-"));
  kv = mkdtempSync(join(tmpdir(), "batchlab-kv-"));
  server = await native(data);
  cloud = worker(kv);
  cloudURL = String(await cloud.ready).replace(/\/$/, "");
});
after(async () => {
  server?.child.kill();
  await cloud?.dispose();
  for (const d of [data, kv]) if (d) rmSync(d, { recursive: true, force: true });
});

plain("the Cloudflare build and the native server give the same answers", async () => {
  const body = doc(), spaced = body.replaceAll(":", ": "), id = idOf(body);
  const bad = [
    "", "{", "[]", "null", "[".repeat(50_000), `{"batchlab":1,"a":[${"1,".repeat(20_000)}1]}`, body.replace("easy", "eassy"), body.replace('"key"', '"kye"'),
    body.replace('"seed":1', '"seed":1,"seed":1'), body.replace("demo", "démo"), body + "{}", body + " ".repeat(65536), doc(-1), `{"batchlab":99}`,
  ];
  const asks = [
    ["POST", "/x", body], ["POST", "/x", body], ["POST", "/x", spaced], ["GET", `/x/${id}`], ["HEAD", `/x/${id}`], ["GET", `/x/${id}`, null, { accept: "text/html" }],
    ["GET", `/x/${id}`, null, { "if-none-match": `"${id}"` }], ["GET", `/x/${idOf(spaced)}`], ["GET", "/x/aaaaaaaaaaa"], ["GET", "/x/short"], ["GET", "/x/"],
    ["GET", "/x"], ["PUT", "/x", body], ["DELETE", `/x/${id}`], ["POST", "/x", body, { origin: "https://evil.example" }], ["POST", "/x", body, { "sec-fetch-site": "cross-site" }],
    ...bad.map((b) => ["POST", "/x", b]),
  ];
  const statuses = [];
  for (const [method, path, sent, headers] of asks) {
    const answers = [];
    for (const base of [server.url, cloudURL]) {
      const r = await fetch(base + path, { method, body: sent ?? undefined, headers: { accept: "application/json", ...headers }, redirect: "manual" });
      const text = await r.text();
      answers.push({ status: r.status, text, ...Object.fromEntries(["content-type", "location", "etag", "vary", "cache-control", "content-security-policy", "x-content-type-options", "allow", "retry-after"].map((h) => [h, r.headers.get(h)])) });
    }
    assert.deepEqual(answers[1], answers[0], `${method} ${path} ${String(sent).slice(0, 60)}`);
    assert.ok(answers[0]["content-security-policy"].includes("default-src 'none'"));
    statuses.push(answers[0].status);
  }
  assert.deepEqual(statuses.slice(0, 16), [201, 200, 201, 200, 200, 303, 304, 200, 404, 404, 404, 405, 405, 405, 403, 403]);
  assert.deepEqual(statuses.slice(16), [400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 413, 400, 400]);
  assert.match(await (await fetch(`${cloudURL}/x`, { method: "POST", body: body.replace("easy", "eassy") })).text(), /schedulers\[0\]\.key/);
});

plain("KV keeps links over a restart; too many posts of one client are refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "batchlab-kv-"));
  let w = worker(folder, 5);
  try {
    let base = String(await w.ready).replace(/\/$/, "");
    const seen = [];
    for (let i = 0; i < 16; i++) { // the clock's minute may end on the way, and another five be let in
      const r = await fetch(`${base}/x`, { method: "POST", body: doc(100 + i), headers: { "cf-connecting-ip": "192.0.2.9" } });
      await r.text();
      seen.push(r.status);
    }
    assert.deepEqual(seen.slice(0, 5), [201, 201, 201, 201, 201]);
    assert.ok(seen.slice(5).includes(429), String(seen));
    await w.dispose();
    w = worker(folder);
    base = String(await w.ready).replace(/\/$/, "");
    assert.equal(await (await fetch(`${base}/x/${idOf(doc(100))}`)).text(), doc(100));
  } finally {
    await w.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
});

plain("wrangler would upload less than 3 MB", async () => {
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false", CI: "1" };
  const { stdout } = await promisify(execFile)(join(root, "node_modules/.bin/wrangler"), ["deploy", "--dry-run"], { cwd: join(root, "edge/worker"), env });
  const [, size, unit] = /gzip: ([\d.]+) (KiB|MiB)/.exec(stdout) || [];
  assert.ok(size, stdout);
  const bytes = Number(size) * (unit === "MiB" ? 2 ** 20 : 1024);
  console.log(`     ${(bytes / 1e6).toFixed(2)} MB gzipped`);
  assert.ok(bytes < 3e6, `${bytes} bytes`);
  assert.doesNotMatch(stdout, /bin\/batchlab|\.wasm\.br/);
});

plain("1,000 posts and gets at once with a kill -9 in the middle: what was answered is there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "batchlab-kill-"));
  let own = await native(folder);
  const answered = new Map();
  try {
    const url = own.url;
    let lost = 0;
    const one = async (i) => {
      const body = doc(1000 + i % 900);
      try {
        const r = await fetch(`${url}/x`, { method: "POST", body });
        const { id } = await r.json();
        assert.equal(id, idOf(body));
        answered.set(id, body);
        if (answered.size === 300) own.child.kill("SIGKILL");
        const back = await fetch(`${url}/x/${id}`);
        assert.equal(await back.text(), body);
      } catch (error) {
        if (error.code === "ERR_ASSERTION") throw error;
        lost++;
      }

    };
    // 250 clients, so that the kill meets posts of every age.
    let next = 0;
    await Promise.all(Array.from({ length: 250 }, async () => { while (next < 1000) await one(next++); }));
    assert.ok(answered.size >= 300 && lost > 0, `${answered.size} answered, ${lost} lost`);
    console.log(`     ${answered.size} answered before the kill, ${lost} requests lost`);
    own = await native(folder);
    for (const [id, body] of answered) assert.equal(await (await fetch(`${own.url}/x/${id}`)).text(), body, id);
    // And now without a kill.
    const all = await Promise.all(Array.from({ length: 1000 }, async (_, i) => {
      const body = doc(5000 + i);
      const { id } = await (await fetch(`${own.url}/x`, { method: "POST", body })).json();
      return await (await fetch(`${own.url}/x/${id}`)).text() === body;
    }));
    assert.ok(all.every(Boolean));
    assert.equal((await fetch(`${own.url}/x/${"A".repeat(11)}`)).status, 404);
  } finally {
    own.child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a short link opens the page with its experiment and view", { errors: /404/ }, async ({ lab, page, base }) => {
  const there = new lab.constructor(page, server.url);
  await there.openReady();
  const digest = await there.digest();
  await page.locator("#tab-table").click();
  await page.locator("#open-share").click();
  await page.locator("#make-short").click();
  await page.waitForFunction(() => /\/x\/[\w-]{11}/.test(document.getElementById("link").value));
  const short = await page.inputValue("#link");
  assert.ok(short.length < 120, short);
  const requests = [];
  page.on("request", (r) => requests.push(r.url() + (r.postData() || "")));
  await page.goto("about:blank");
  await page.goto(short);
  await there.ready();
  assert.equal(await there.digest(), digest);
  assert.equal(await page.getAttribute("#tab-table", "aria-selected"), "true");
  assert.match(await there.text(), /reproduced/);
  for (const r of requests) assert.doesNotMatch(r, /ttable|schedulers/, "the view stays in the browser");
  await page.goto("about:blank");
  await page.goto(`${server.url}/?x=AAAAAAAAAAA`);
  await there.ready();
  assert.match(await there.text(), /no experiment has this id/);
});

