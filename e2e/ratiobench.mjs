// What schedulers cost in Chromium's worker as multiples of EASY, beside the command line: the same documents, by turns,
// least of some rounds by the clock. A run beside reservations is told as a multiple of EASY without.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { cli, dist, logs } from "./common.mjs";
import { studies } from "./node-worker.mjs";
import { preparePage } from "./page-worker.mjs";

const counted = [["FCFS, nearly the event floor", { key: "fcfs" }], ["EASY", { key: "easy" }], ["conservative", { key: "conservative" }],
  ["plan without an optimiser", { key: "plan-rs", params: { optimiser: "none" } }], ["Plan-RS", { key: "plan-rs" }]];
const share = 0.3;
const reserved = [["FCFS", { key: "fcfs" }], ["EASY", { key: "easy" }], ["conservative", { key: "conservative" }]];
const rounds = 8, patience = 2; // a run that takes so many seconds is made twice

/** Prints a table for each log. */
export async function ratios(browser, base, files) {
  const folder = mkdtempSync(join(tmpdir(), "batchlab-ratios-"));
  try {
    for (const name of files) {
      const page = await browser.newPage();
      page.setDefaultTimeout(3_600_000);
      await page.goto(base);
      await page.waitForFunction(() => window.batchlabBoot?.module && document.documentElement.dataset.finished);
      await preparePage(page, { wasm: studies(dist), file: readFileSync(join(logs, name)) });
      const log = await page.evaluate(async (name) => {
        window.worker = window.startWorker();
        const document = JSON.stringify({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "fcfs" }] });
        const { preview } = await window.worker.ask("load", { experiment: document, new_log: name });
        return { name, sha256: preview.sha256, size: preview.size };
      }, name);
      const runs = [[counted, {}], [reserved, { annotate: { reservations: { share } } }]].flatMap(([list, more], k) => list.map(([label, scheduler]) => {
        const text = JSON.stringify({ batchlab: 1, workload: { source: { log }, ...more }, schedulers: [scheduler] });
        return { label: k ? `${label}, ${100 * share} % reservations` : label, text, here: Infinity, native: Infinity };
      }));
      for (let round = 0; round < rounds; round++) {
        for (const r of runs) {
          if (round > 1 && Math.max(r.here, r.native) > patience) continue;
          const answer = await page.evaluate((experiment) => window.worker.ask("run", { experiment, scheduler: 0 }).then((a) => a.run.simulate_s), r.text);
          r.here = Math.min(r.here, answer);
          const path = join(folder, "document.json");
          writeFileSync(path, r.text);
          const told = JSON.parse(execFileSync(cli, ["run", path, "--log", join(logs, name), "--times", "--parallel", "1"], { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] }));
          r.native = Math.min(r.native, told.runs[0].simulate_s);
        }
      }
      const easy = runs[1];
      console.log(`| ${name}, load ${loadavg()[0].toFixed(1)} | native, × EASY | Chromium's worker, × EASY | between the two |\n|---|---:|---:|---:|`);
      for (const r of runs) {
        const a = r.native / easy.native, b = r.here / easy.here;
        console.log(`| ${r.label} | ${r === easy ? `${(1000 * r.native).toFixed(1)} ms` : a.toFixed(2)} | ${r === easy ? `${(1000 * r.here).toFixed(1)} ms` : b.toFixed(2)} | ${(b / a).toFixed(2)} |`);
      }
      await page.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
