// Programs of examples/schedulers beside the built-in schedulers that they write out, job by job, in Node and in Chromium:
// BATCHLAB_LOGS=DIR node e2e/agree.mjs [node|chromium]...
// On KTH-SP2, on HPC2N's first 20,000 jobs, on a farm with licences and on nodes with an outage. The browser tests do the same on small
// workloads; natively TestProgramsAgree in core/lab does it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { chrome, dist, logs, serve } from "./common.mjs";
import { startWorker, studies } from "./node-worker.mjs";
import { preparePage } from "./page-worker.mjs";

/** The text of a program of examples/schedulers. */
export const program = (name) => readFileSync(new URL(`../examples/schedulers/${name}.star`, import.meta.url), "utf8");

const orders = ["fcfs", "lcfs", "spf", "lpf", "sqf", "lqf", "saf", "laf", "sexp", "lexp", "srf", "lrf"];
/** Programs, and the lines of the built-in schedulers that they are. */
const pairs = [
  ...["fcfs", "easy", "conservative", "bf-mod"].map((key) => [key, program(key), { key }]),
  ["conservative by plan", program("conservative-by-plan"), { key: "conservative" }],
  ...orders.map((order) => [`easy in ${order}`, program("easy-in-order").replace('ORDER = "saf"', `ORDER = "${order}"`), { key: "easy", params: { order, backfill: order } }]),
];

/** Workloads and platforms, with so many jobs. */
const generated = (jobs) => ({
  "counted processors": { workload: { source: { generator: { key: "daily", params: { jobs, processors: 64, load: 1.1 } } } } },
  "farm with licences": { workload: { source: { generator: { key: "farm", params: { jobs } } }, annotate: { licences: [{ licence: "*", share: 0.4 }], deadlines: { share: 0.5 } } },
    platform: { generator: { key: "farm-machines" } } },
  "nodes with an outage": { workload: { source: { generator: { key: "daily", params: { jobs, processors: 16, load: 1.1 } } } },
    platform: { clusters: [{ name: "a", packing: "nodes", groups: [{ count: 4, processors: 4 }] }],
      outages: [{ cluster: "a", nodes: [1], from: 90000, to: 120000, announced: true }, { cluster: "a", nodes: [2], from: 150000, to: 152000, announced: true }] } },
});
const cases = (world) => pairs.map(([name, code, line]) =>
  ({ name, experiment: JSON.stringify({ batchlab: 1, ...world, schedulers: [{ key: "custom", params: { code } }, line] }) }));

/** Runs the two schedulers of each case and says for how many executions they agree, or where they part. Runs in a page as well. */
async function compare(worker, cases) {
  const found = [];
  for (const { name, experiment } of cases) {
    const runs = [], blocks = [];
    for (const scheduler of [0, 1]) {
      const { run, buffers } = await worker.ask("run", { experiment, scheduler });
      runs.push(run.simulate_s);
      const whole = buffers[1].buffer || buffers[1], key = new DataView(whole).getUint32(0, true);
      blocks.push(new BigInt64Array(whole.slice(4 + key + 8))); // behind the scheduler's key and the repetition
    }
    const [own, other] = blocks, count = Number(other[0]);
    let apart = own.length === other.length && count > 0 ? "" : `${own[0]} executions, not ${count}`;
    for (let i = 0; i < count && !apart; i++) {
      const [a, b] = [own, other].map((block) => block.slice(1 + 6 * i, 7 + 6 * i));
      if (a.some((word, k) => word !== b[k])) apart = `job ${b[0]} runs from ${a[3]} to ${a[4]}, not from ${b[3]} to ${b[4]}`;
    }
    found.push({ name, count, apart, multiple: runs[0] / runs[1] });
  }
  return found;
}

/** Compares all programs on small workloads in a page; returns what differs, and how many were compared. */
export async function agreeInPage(page, jobs) {
  await preparePage(page, { wasm: studies(dist) });
  const all = Object.entries(generated(jobs)).flatMap(([where, world]) => cases(world).map((c) => ({ ...c, name: `${c.name} on ${where}` })));
  const found = await page.evaluate(`(async () => {
    const worker = window.startWorker();
    try { return await (${compare})(worker, ${JSON.stringify(all)}); } finally { worker.stop(); }
  })()`);
  return { compared: found.length, differ: found.filter((f) => f.apart) };
}

/** The log of an archive, cut to its first jobs, as a packed file. */
function cut(name, most) {
  const text = gunzipSync(readFileSync(join(logs, name))).toString("latin1").split("\n");
  let jobs = 0;
  return gzipSync(Buffer.from(text.filter((l) => !l.trim() || l.trim().startsWith(";") || ++jobs <= most).join("\n"), "latin1"));
}

async function main(where) {
  if (!logs) throw new Error("BATCHLAB_LOGS does not name a folder with the logs");
  const { server, base } = await serve();
  const browser = await chromium.launch(chrome);
  let failed = false;
  const worlds = Object.entries(generated(1000)).slice(1).map(([name, world]) => [name, world, undefined]);
  worlds.unshift(["HPC2N, 20,000 jobs", null, cut("HPC2N-2002-2.2-cln.swf.gz", 20_000)], ["KTH-SP2", null, readFileSync(join(logs, "KTH-SP2-1996-2.1-cln.swf.gz"))]);
  try {
    for (let [name, world, file] of worlds) {
      for (const place of where) {
        let worker, page;
        if (place === "node") {
          const thread = startWorker(dist, studies(dist)), blob = file && new Blob([file]);
          worker = { ask: (kind, fields) => thread.ask(kind, fields, { file: blob }), stop: thread.stop };
        } else {
          page = await browser.newPage();
          page.setDefaultTimeout(3_600_000);
          await page.goto(base);
          await preparePage(page, { wasm: studies(dist), file });
          await page.evaluate(() => { window.worker = window.startWorker(); });
          worker = { ask: (kind, fields) => page.evaluate(([kind, fields]) => window.worker.ask(kind, fields), [kind, fields]), stop: () => page.close() };
        }
        if (file && !world) {
          const { preview } = await worker.ask("load", { experiment: JSON.stringify({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }] }), new_log: "log.swf.gz" });
          world = { workload: { source: { log: { name: "log.swf.gz", sha256: preview.sha256, size: preview.size } } } };
        }
        for (const one of cases(world)) {
          const [f] = page ? await page.evaluate(`(${compare})(window.worker, ${JSON.stringify([one])})`) : await compare(worker, [one]);
          failed ||= f.apart !== "";
          console.log(`${place}, ${name}, ${f.name}: ${f.apart || `all ${f.count} executions agree`}; ${f.multiple.toFixed(1)} times the built-in's time`);
        }
        await worker.stop();
      }
    }
  } finally {
    await browser.close();
    server.kill();
  }
  process.exitCode = failed ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  await main(wanted.length ? wanted : ["node", "chromium"]);
}
