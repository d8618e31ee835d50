// Speed in Chromium: BATCHLAB_LOGS=DIR node e2e/bench.mjs [page|tour|worker|search]...
// The page first (pagebench.mjs; tour: real logs through all views alone), then a worker of its own that is asked
// directly, best of five, and searches. Prints Markdown tables for
// bench/README.md and writes the page's figures to e2e/out/bench.json, beside
// those of the run before.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chrome, logs, out, serve } from "./common.mjs";
import { pages } from "./pagebench.mjs";
import { searches } from "./searchbench.mjs";

const schedulers = [
  ["EASY, FCFS order, FCFS backfill", { key: "easy" }],
  ["EASY, SAF order, SPF backfill", { key: "easy", params: { order: "saf", backfill: "spf" } }],
  ["EASY, LEXP order, SPF backfill", { key: "easy", params: { order: "lexp", backfill: "spf" } }],
  ["conservative", { key: "conservative" }],
  ["FCFS", { key: "fcfs" }],
];
const wanted = (part) => process.argv.length < 3 || process.argv.slice(2).includes(part);
const files = ["SDSC-SP2-1998-4.2-cln.swf.gz", "KTH-SP2-1996-2.1-cln.swf.gz"].filter((f) => logs && existsSync(join(logs, f)));
const { server, base } = await serve();
const browser = await chromium.launch(chrome);
try {
  if (wanted("page")) write(await pages(browser, base));
  else if (wanted("tour")) await pages(browser, base, true);
  if (!files.length) console.log("BATCHLAB_LOGS does not name a folder with the logs: the figures of workers and searches are left out");
  if (wanted("worker") && files.length) {
    const page = await browser.newPage();
    await page.goto(base);
    await page.waitForFunction(() => window.batchlabBoot?.module && document.documentElement.dataset.finished);
    for (const name of files) {
      const r = await page.evaluate(measure, { name, base64: readFileSync(join(logs, name)).toString("base64"), schedulers });
      console.log(`| ${name}, Chromium's worker | |\n|---|---|`);
      console.log(`| reading, gunzip and hash included | ${(r.size / r.read / 1e6).toFixed(0)} MB/s of text |`);
      for (const [label, seconds] of r.runs) console.log(`| ${label} | ${(r.jobs / seconds / 1e6).toFixed(2)} million jobs/s |`);
    }
    await page.close();
  }
  if (wanted("search") && files[0]?.startsWith("SDSC")) await searches(browser, base);
} finally {
  await browser.close();
  server.kill();
}

/** Keeps the page's figures, and prints how they stand to those of the last time. */
function write(figures) {
  mkdirSync(out, { recursive: true });
  const path = join(out, "bench.json");
  const before = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).figures : [];
  writeFileSync(path, JSON.stringify({ at: new Date().toISOString(), figures, before }, null, 1) + "\n");
  const old = new Map(before.map((f) => [f.name, f.ratio]));
  const changed = figures.filter((f) => old.get(f.name) > 0 && f.ratio > 0).map((f) => [f.name, f.ratio / old.get(f.name)]).filter(([, x]) => x > 1.3 || x < 0.77);
  for (const [name, x] of changed) console.log(`${name}: ${x.toFixed(2)} times the last ratio`);
  console.log(`written to ${path}`);
}

async function measure({ name, base64, schedulers }) {
  const file = new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]);
  let last = 0;
  const waiting = new Map();
  const start = () => {
    const w = new Worker("worker.js");
    w.onmessage = (e) => {
      const reply = JSON.parse(e.data.head);
      if (reply.kind === "progress") return;
      const [yes, no] = waiting.get(reply.id);
      reply.kind === "error" ? no(new Error(reply.error)) : yes(reply);
    };
    w.postMessage({ module: window.batchlabBoot.module });
    return w;
  };
  const ask = (w, kind, fields) => new Promise((yes, no) => {
    waiting.set(++last, [yes, no]);
    w.postMessage({ head: JSON.stringify({ kind, id: last, ...fields }), buffers: [], file });
  });
  const document = (source) => JSON.stringify({ batchlab: 1, workload: { source }, schedulers: schedulers.map((s) => s[1]) });
  let read = Infinity, worker, preview;
  for (let i = 0; i < 5; i++) {
    worker?.terminate();
    worker = start();
    const r = await ask(worker, "load", { experiment: document({ bundled: "demo" }), new_log: name });
    read = Math.min(read, r.read_s);
    preview = r.preview;
  }
  const experiment = document({ log: { name, sha256: preview.sha256, size: preview.size } });
  const runs = [];
  for (const [scheduler, [label]] of schedulers.entries()) {
    let best = Infinity;
    for (let i = 0; i < 5; i++) best = Math.min(best, (await ask(worker, "run", { experiment, scheduler })).run.simulate_s);
    runs.push([label, best]);
  }
  worker.terminate();
  return { jobs: preview.jobs, size: preview.size, read, runs };
}
