// Speed in Chromium: BATCHLAB_LOGS=DIR node e2e/bench.mjs [page|worker|ratios|foresight|programs|search]...
// The page first (pagebench.mjs; parts of it by their names: loads, follows, steps, sweeps, sacct, tour of real logs or of those named, as in tour CTC, strangers),
// then a worker of its own that is asked directly, best of five, Foresight beside SAF, programs that users write, and
// searches. Prints Markdown tables for bench/README.md and writes the page's figures to e2e/out/bench.json, beside those
// of the run before.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { program } from "./agree.mjs";
import { chrome, dist, logs, out, serve } from "./common.mjs";
import { studies } from "./node-worker.mjs";
import { preparePage } from "./page-worker.mjs";
import { pages, parts } from "./pagebench.mjs";
import { ratios } from "./ratiobench.mjs";
import { searches } from "./searchbench.mjs";

// Foresight's times are told as multiples of this one's.
const saf = ["EASY, SAF order, SPF backfill", { key: "easy", params: { order: "saf", backfill: "spf" } }];
const foresight = [saf, ["F1, `foresight`", { key: "foresight" }], ["F2, `foresight-rollout`", { key: "foresight-rollout" }]];
const schedulers = [
  ["EASY, FCFS order, FCFS backfill", { key: "easy" }],
  saf,
  ["EASY, LEXP order, SPF backfill", { key: "easy", params: { order: "lexp", backfill: "spf" } }],
  ["conservative", { key: "conservative" }],
  ["FCFS", { key: "fcfs" }],
];
// A program, and the built-in scheduler that it writes out.
const own = (name, line) => [[name, { key: "custom", params: { code: program(name) } }], [line.key, line]];
const written = [own("fcfs", { key: "fcfs" }), own("easy", { key: "easy" }), own("sjf", { key: "easy", params: { order: "spf", backfill: "spf" } }),
  own("easy-in-order", { key: "easy", params: { order: "saf", backfill: "saf" } }), own("conservative", { key: "conservative" }), own("bf-mod", { key: "bf-mod" })];
const wanted = (part) => process.argv.length < 3 || process.argv.slice(2).includes(part);
const there = (...names) => names.filter((f) => logs && existsSync(join(logs, f)));
const files = there("SDSC-SP2-1998-4.2-cln.swf.gz", "KTH-SP2-1996-2.1-cln.swf.gz");
const { server, base } = await serve();
const browser = await chromium.launch(chrome);
try {
  if (wanted("page")) write(await pages(browser, base));
  else {
    const some = Object.keys(parts).filter(wanted);
    if (some.length) await pages(browser, base, some);
  }
  if (!files.length) console.log("BATCHLAB_LOGS does not name a folder with the logs: the figures of workers and searches are left out");
  for (const [part, wasm] of [["worker", ""], ["foresight", studies(dist)], ["programs", studies(dist)]]) {
    for (const name of wanted(part) ? [...files, ...(part === "foresight" ? there("HPC2N-2002-2.2-cln.swf.gz") : [])] : []) {
      const page = await browser.newPage();
      page.setDefaultTimeout(3_600_000);
      await page.goto(base);
      await page.waitForFunction(() => window.batchlabBoot?.module && document.documentElement.dataset.finished);
      await preparePage(page, { wasm, file: readFileSync(join(logs, name)) });
      if (part === "worker") {
        const r = await page.evaluate(measure, { name, schedulers, times: 5 });
        console.log(`| ${name}, Chromium's worker | |\n|---|---|`);
        console.log(`| reading, gunzip and hash included | ${(r.size / r.read / 1e6).toFixed(0)} MB/s of text |`);
        for (const [label, seconds] of r.runs) console.log(`| ${label} | ${(r.jobs / seconds / 1e6).toFixed(2)} million jobs/s |`);
      } else if (part === "foresight") {
        const r = await page.evaluate(measure, { name, schedulers: foresight, times: 3 });
        console.log(`| ${name}, Chromium's worker, load ${loadavg()[0].toFixed(1)} | µs a job | times SAF's |\n|---|---:|---:|`);
        for (const [label, seconds] of r.runs) console.log(`| ${label} | ${(1e6 * seconds / r.jobs).toFixed(2)} | ${(seconds / r.runs[0][1]).toFixed(1)} |`);
      } else if (name.startsWith("KTH")) {
        const r = await page.evaluate(measure, { name, schedulers: written.flat(), times: 3 });
        console.log(`| ${name}, programs in Chromium's worker | seconds | times the built-in's |\n|---|---:|---:|`);
        for (let i = 0; i < r.runs.length; i += 2) console.log(`| ${r.runs[i][0]} | ${r.runs[i][1].toFixed(2)} | ${(r.runs[i][1] / r.runs[i + 1][1]).toFixed(1)} |`);
      }
      await page.close();
    }
  }
  if (wanted("ratios")) await ratios(browser, base, there("SDSC-SP2-1998-4.2-cln.swf.gz", "CTC-SP2-1996-3.1-cln.swf.gz"));
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

/** Reads a log and runs schedulers on it, and returns the least times. Runs in the page. */
async function measure({ name, schedulers, times }) {
  const document = (source) => JSON.stringify({ batchlab: 1, workload: { source }, schedulers: schedulers.map((s) => s[1]) });
  let read = Infinity, worker, preview;
  for (let i = 0; i < times; i++) {
    worker?.stop();
    worker = window.startWorker();
    const r = await worker.ask("load", { experiment: document({ bundled: "demo" }), new_log: name });
    read = Math.min(read, r.read_s);
    preview = r.preview;
  }
  const experiment = document({ log: { name, sha256: preview.sha256, size: preview.size } });
  const runs = [];
  for (const [scheduler, [label]] of schedulers.entries()) {
    let best = Infinity;
    for (let i = 0, spent = 0; i < times || spent < 1; i++) { // a short run has to be repeated until the browser has compiled it well
      const took = (await worker.ask("run", { experiment, scheduler })).run.simulate_s;
      best = Math.min(best, took);
      spent += took;
    }
    runs.push([label, best]);
  }
  worker.stop();
  return { jobs: preview.jobs, size: preview.size, read, runs };
}
