// Programs that mean no good, and how long a worker takes to end them: node e2e/hostile.mjs [node|chromium]...
// The programs are those of core/custom/testdata/hostile.txt; each is tried as the editor tries what is typed.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { chrome, dist, serve } from "./common.mjs";
import { startWorker, studies } from "./node-worker.mjs";
import { preparePage } from "./page-worker.mjs";

/** The programs; what defines nothing is the body of decide. */
export const hostile = () => readFileSync(new URL("../core/custom/testdata/hostile.txt", import.meta.url), "utf8").split("===\n").map((code) =>
  /def |backfill =/.test(code) || code.startsWith("decide =") || code === "x = 1\n" ? code : `def decide(s):\n    ${code}`);

/** Tries each program and says what came of it. Runs in a page as well. */
async function tryAll(worker, programs) {
  const found = [];
  for (const code of programs) {
    const began = performance.now();
    const { trial } = await worker.ask("trial", { code });
    const fault = trial.check.faults?.[0] || trial.stopped;
    found.push({ code, seconds: (performance.now() - began) / 1000, line: fault?.line || 0, says: fault?.message || "" });
  }
  return found;
}

/** Tries programs in a worker of the page. */
export async function tryInPage(page, programs) {
  await preparePage(page, { wasm: studies(dist) });
  return page.evaluate(`(async () => {
    const worker = window.startWorker();
    try { return await (${tryAll})(worker, ${JSON.stringify(programs)}); } finally { worker.stop(); }
  })()`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  const { server, base } = await serve();
  const browser = await chromium.launch(chrome);
  for (const place of wanted.length ? wanted : ["node", "chromium"]) {
    let found;
    if (place === "node") {
      const worker = startWorker(dist, studies(dist));
      found = await tryAll(worker, hostile());
      await worker.stop();
    } else {
      const page = await browser.newPage();
      page.setDefaultTimeout(600_000);
      await page.goto(base);
      await page.waitForFunction(() => window.batchlabBoot?.module);
      found = await tryInPage(page, hostile());
    }
    const without = found.filter((f) => !f.line && !/empty/.test(f.says));
    found.sort((a, b) => b.seconds - a.seconds);
    console.log(`${place}: ${found.length} programs, ${without.length} without a line; the longest took`);
    for (const f of found.slice(0, 8)) console.log(`  ${f.seconds.toFixed(2)} s: ${JSON.stringify(f.code.slice(0, 90))}: ${f.line}: ${f.says.slice(0, 80)}`);
    for (const f of without) console.log(`  no line: ${JSON.stringify(f.code)}: ${f.says}`);
    if (without.length) process.exitCode = 1;
  }
  await browser.close();
  server.kill();
}
