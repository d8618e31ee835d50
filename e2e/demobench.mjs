// The demo of a conference, for long: node e2e/demobench.mjs [--rounds=60] [--speed=20]
// Runs #demo with the clock of its steps going so many times faster, and says after
// each tenth of the rounds what the page holds: its JavaScript heap (collected), the
// memory of its WebAssembly, elements and listeners, and what all processes of
// pages and workers hold of the computer's memory. It fails when the page failed,
// an error was thrown, or the demo stands still. What it found is in bench/README.md.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { chrome, serve } from "./common.mjs";
import { Lab } from "./lab.mjs";

const option = (name, usual) => Number(process.argv.find((a) => a.startsWith(`--${name}=`))?.split("=")[1] || usual);
const rounds = option("rounds", 60), speed = option("speed", 20);
const { server, base } = await serve();
const browser = await chromium.launch(chrome);
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const faults = [];
page.on("pageerror", (e) => faults.push(e.message));
page.on("console", (m) => { if (m.type() === "error") faults.push(m.text()); });
await page.addInitScript((speed) => {
  const now = Date.now, from = now();
  Date.now = () => from + (now() - from) * speed;
  window.programs = [];
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const real = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const made = await real.apply(WebAssembly, args);
      window.programs.push((made.instance || made).exports.mem);
      return made;
    };
  }
}, speed);
const lab = new Lab(page, base);
await lab.open("#demo");
await lab.ready();
const cdp = await page.context().newCDPSession(page), whole = await browser.newBrowserCDPSession();
await cdp.send("Performance.enable");
const began = Date.now();

async function sample(round) {
  await cdp.send("HeapProfiler.collectGarbage");
  const m = Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map((x) => [x.name, x.value]));
  const wasm = await page.evaluate(() => window.programs.reduce((sum, mem) => sum + mem.buffer.byteLength, 0));
  let resident = 0;
  for (const p of (await whole.send("SystemInfo.getProcessInfo")).processInfo) {
    if (p.type === "renderer") resident += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${p.id}/status`, "utf8"))?.[1] || 0) * 1024;
  }
  const mb = (n) => Math.round(n / 1e5) / 10;
  const row = { round, minutes: Math.round((Date.now() - began) / 6000) / 10, heap_mb: mb(m.JSHeapUsedSize), wasm_mb: mb(wasm), resident_mb: mb(resident), elements: m.Nodes, listeners: m.JSEventListeners };
  console.log(JSON.stringify(row));
  return row;
}

const step = () => page.evaluate(() => document.querySelector(".story-step")?.textContent || "");
const rows = [];
let last = await step();
for (let round = 0; round <= rounds;) {
  const now = await page.waitForFunction((was) => {
    const text = document.querySelector(".story-step")?.textContent || "";
    return text !== was && text;
  }, last, { timeout: 120_000 }).then((h) => h.jsonValue(), () => "");
  if (!now || await lab.flag("failed")) {
    faults.push(`the demo stands still at ${last} of round ${round}`);
    break;
  }
  last = now;
  if (!now.startsWith("1 of ")) continue;
  round++;
  if (round === 1 || round % Math.max(1, Math.round(rounds / 10)) === 0) rows.push(await sample(round));
}
for (const f of new Set(faults)) console.log(`fault: ${f}`);
await browser.close();
server.kill();
process.exitCode = faults.length ? 1 : 0;
