// The same digits everywhere: native, Node and the browser.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { assert, batchlab, dist, link, logs, needsLog, out, test } from "./harness.mjs";
import { digestInNode, studies } from "./node-worker.mjs";

const schedulers = [
  { key: "fcfs" },
  { key: "easy", params: { order: "lexp", backfill: "spf", threshold: 36000 } },
  { key: "easy", params: { order: "saf", backfill: "saf", ties: "newest" } },
  { key: "conservative" },
];

async function native(document, ...flags) {
  const path = join(out, "digest.json");
  writeFileSync(path, JSON.stringify(document));
  return JSON.parse(await batchlab("run", path, ...flags)).digest;
}

test("native, Node and the browser give one digest for a generated workload", { firefox: true }, async ({ lab, browser }) => {
  const document = { batchlab: 1, seed: 7, workload: { source: { generator: { key: "daily", params: { jobs: 3000 } } } },
    schedulers: schedulers.map((s) => ({ ...s, repeat: 2 })) };
  const want = await native(document);
  assert.match(want, /^[0-9a-f]{64}$/);
  assert.equal(await digestInNode(dist, document), want, "Node");
  assert.equal(await digestInNode(dist, document, undefined, studies(dist)), want, "Node, the studies' program");
  await lab.openReady(link(document));
  assert.equal(await lab.digest(), want, browser);
});

test("a study's experiment gives one digest, too, and brings its program", async ({ lab, page, browser }) => {
  const document = { batchlab: 1, seed: 3, workload: { source: { generator: { key: "farm", params: { jobs: 200 } } }, annotate: { deadlines: { share: 0.7 } } },
    platform: { generator: { key: "farm-machines", params: {} } }, schedulers: [{ key: "easy" }, { key: "bf-mod", repeat: 2 }] };
  const want = await native(document);
  await assert.rejects(digestInNode(dist, document), /needs the studies' simulator/, "the page's own program refuses it");
  assert.equal(await digestInNode(dist, document, undefined, studies(dist)), want, "Node");
  const fetched = [];
  page.on("request", (r) => { if (r.url().endsWith(".wasm")) fetched.push(new URL(r.url()).pathname.slice(1)); });
  await lab.openReady(link(document));
  assert.equal(await lab.digest(), want, browser);
  assert.deepEqual(fetched.sort(), ["app.wasm", studies(dist)]);
});

const kth = "KTH-SP2-1996-2.1-cln.swf.gz";
test("native, Node and the browser give one digest for a real log", { firefox: true, skip: needsLog(kth) }, async ({ lab, page, browser }) => {
  const data = readFileSync(join(logs, kth));
  await lab.openReady();
  await lab.loading(() => lab.drop(kth, data));
  const text = gunzipSync(data);
  const source = { name: kth, sha256: createHash("sha256").update(text).digest("hex"), size: text.length };
  const document = { batchlab: 1, workload: { source: { log: source } }, schedulers };
  const want = await native(document, "--log", join(logs, kth));
  assert.equal(await digestInNode(dist, document, new Blob([data])), want, "Node");
  assert.equal(await digestInNode(dist, document, new Blob([data]), studies(dist)), want, "Node, the studies' program");
  await lab.running(() => page.evaluate((hash) => { location.hash = hash; }, link(document)));
  assert.equal(await lab.digest(), want, browser);
});
