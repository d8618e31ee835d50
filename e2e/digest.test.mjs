// The same digits everywhere: native, Node and the browser.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { assert, batchlab, dist, link, logs, needsLog, out, test } from "./harness.mjs";
import { digestInNode } from "./node-worker.mjs";

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

test("native, Node and Chromium give one digest for a generated workload", async ({ lab }) => {
  const document = { batchlab: 1, seed: 7, workload: { source: { generator: { key: "daily", params: { jobs: 3000 } } } },
    schedulers: schedulers.map((s) => ({ ...s, repeat: 2 })) };
  const want = await native(document);
  assert.match(want, /^[0-9a-f]{64}$/);
  assert.equal(await digestInNode(dist, document), want, "Node");
  await lab.openReady(link(document));
  assert.equal(await lab.digest(), want, "Chromium");
});

const kth = "KTH-SP2-1996-2.1-cln.swf.gz";
test("native, Node and Chromium give one digest for a real log", { skip: needsLog(kth) }, async ({ lab, page }) => {
  const data = readFileSync(join(logs, kth));
  await lab.openReady();
  await lab.loading(() => lab.drop(kth, data));
  const text = gunzipSync(data);
  const source = { name: kth, sha256: createHash("sha256").update(text).digest("hex"), size: text.length };
  const document = { batchlab: 1, workload: { source: { log: source } }, schedulers };
  const want = await native(document, "--log", join(logs, kth));
  assert.equal(await digestInNode(dist, document, new Blob([data])), want, "Node");
  await lab.running(() => page.evaluate((hash) => { location.hash = hash; }, link(document)));
  assert.equal(await lab.digest(), want, "Chromium");
});
