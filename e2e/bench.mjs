// Speed in Chromium's worker: BATCHLAB_LOGS=DIR node e2e/bench.mjs
// The built page is opened, and a worker of its own is asked directly. Each
// figure is the best of five. Prints a Markdown table for bench/README.md.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chrome, logs, serve } from "./common.mjs";
import { searches } from "./searchbench.mjs";

const schedulers = [
  ["EASY, FCFS order, FCFS backfill", { key: "easy" }],
  ["EASY, SAF order, SPF backfill", { key: "easy", params: { order: "saf", backfill: "spf" } }],
  ["EASY, LEXP order, SPF backfill", { key: "easy", params: { order: "lexp", backfill: "spf" } }],
  ["conservative", { key: "conservative" }],
  ["FCFS", { key: "fcfs" }],
];
const files = ["SDSC-SP2-1998-4.2-cln.swf.gz", "KTH-SP2-1996-2.1-cln.swf.gz"].filter((f) => existsSync(join(logs, f)));
if (!logs || !files.length) {
  console.log("BATCHLAB_LOGS does not name a folder with the logs: the browser's figures are left out");
  process.exit(0);
}
const { server, base } = await serve();
const browser = await chromium.launch(chrome);
try {
  const page = await browser.newPage();
  await page.goto(base);
  await page.waitForFunction(() => window.batchlabBoot?.module && document.documentElement.dataset.finished);
  for (const name of files) {
    const r = await page.evaluate(measure, { name, base64: readFileSync(join(logs, name)).toString("base64"), schedulers });
    console.log(`| ${name}, Chromium's worker | |\n|---|---|`);
    console.log(`| reading, gunzip and hash included | ${(r.size / r.read / 1e6).toFixed(0)} MB/s of text |`);
    for (const [label, seconds] of r.runs) console.log(`| ${label} | ${(r.jobs / seconds / 1e6).toFixed(2)} million jobs/s |`);
  }
  if (files[0].startsWith("SDSC")) await searches(browser, base);
} finally {
  await browser.close();
  server.kill();
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
