// How the page looks, everywhere: node e2e/looks.mjs [NAME]...   (./build.sh looks)
// Goes through every view, mode, place, menu, dialog and panel, with logs of
// 100 to 93,312 processors, at six widths and with letters twice as large;
// measures in each that no text is cut or lies on another (looking.mjs), and
// writes pictures into e2e/out/looks: light and dark, and forced colours.
// With names, only workloads or states of which a name holds one of them.
// Prints the faults, each once with where it was seen, and fails if there are any.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";
import { chrome, logs, out, serve } from "./common.mjs";
import { Lab } from "./lab.mjs";
import { looks, sizes, watchText } from "./looking.mjs";
import { Searching } from "./searching.mjs";
import { settled, watch } from "./watch.mjs";

const wanted = process.argv.slice(2).filter((a) => !a.startsWith("--"));
const bare = process.argv.includes("--no-pictures");
const folder = join(out, "looks");
const link = (document) => `#x=${deflateRawSync(JSON.stringify(document)).toString("base64url")}`;
const three = [{ key: "fcfs" }, { key: "easy" }, { key: "conservative" }];

/** Workloads: a link, or a log to be dropped; and what there is to see beside the views. */
const workloads = {
  demo: { hash: "", states: "all" },
  kth: { log: "KTH-SP2-1996-2.1-cln.swf.gz" },
  sdsc: { log: "SDSC-SP2-1998-4.2-cln.swf.gz" },
  hpc2n: { log: "HPC2N-2002-2.2-cln.swf.gz" },
  curie: { document: { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 3000, "procs-max": 65536, interarrival: 90 } } } }, platform: { processors: 93312 }, schedulers: three } },
  farm: { document: { batchlab: 1,
    workload: { source: { generator: { key: "farm", params: { jobs: 200, interarrival: 40, "procs-max": 4 } } }, annotate: { deadlines: { share: 0.7 }, licences: [{ licence: "cad", share: 0.4 }, { licence: "finite-elements-2024", share: 0.2 }] } },
    platform: { clusters: [{ name: "farm", packing: "machine", groups: [{ count: 6, processors: 4, licences: ["cad"] }] }], licences: [{ name: "cad", copies: 2 }, { name: "finite-elements-2024", copies: 1 }] },
    schedulers: [{ key: "fcfs" }, { key: "easy" }, { key: "bf-unmod" }, { key: "bf-mod" }] } },
  grid: { document: { batchlab: 1,
    workload: { source: { generator: { key: "two-level", params: { jobs: 200, interarrival: 900, "procs-max": 16, "procs-mean": 6 } } }, clean: { oversize: "clamp" },
      annotate: { reservations: { share: 0.4, ready: "drawn", lead_min: 600, lead_max: 20000 } } },
    platform: { clusters: [{ name: "North", groups: [{ processors: 16 }] }, { name: "South", groups: [{ processors: 16 }] }],
      reservations: [{ name: "course", processors: 8, from: 30000, to: 40000, cluster: "South" }] },
    schedulers: [{ key: "grid" }, { key: "easy" }] } },
  eight: { document: { batchlab: 1, workload: { source: { bundled: "demo" } },
    schedulers: [...three, ...["saf", "spf", "lexp", "laf", "sqf"].map((order) => ({ key: "easy", label: `EASY, ${order.toUpperCase()} order, with a rather long name`, params: { order } }))] } },
  vary: { document: { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 300 } } } },
    schedulers: [{ key: "fcfs", repeat: 3 }, { key: "easy", repeat: 3 }], vary: [{ path: "workload.source.generator.params.interarrival", values: [200, 300, 400, 500] }] }, tabs: ["vary"] },
};
const tabs = ["overview", "gantt", "series", "distributions", "users", "foresight", "search", "table", "plan", "vary"];

/** Clicks an element that may be out of sight; false when it is not there. */
const press = (page, selector) => page.evaluate((s) => { const e = document.querySelector(s); e?.click(); return !!e; }, selector);
const say = (page, text) => page.evaluate((t) => {
  const e = [...document.querySelectorAll("button")].find((b) => b.textContent.trim().startsWith(t) && b.checkVisibility());
  e?.click();
  return !!e;
}, text);
const sections = (page) => page.evaluate(() => { document.querySelectorAll("#side [aria-expanded=false]:not([aria-haspopup])").forEach((b) => b.click()); });

/** States besides the views: how to come there, and back. */
const states = {
  ...Object.fromEntries(["presets", "export", "display", "add"].map((m) => [`menu ${m}`, [(p) => press(p, `#open-${m}`), (p) => p.keyboard.press("Escape")]])),
  ...Object.fromEntries(["share", "help", "log", "header", "lines", "kept"].map((d) => [`dialog ${d}`, [(p) => press(p, `#open-${d}`), (p) => p.keyboard.press("Escape")]])),
  "dialog metric": [(p) => press(p, "#open-metric-mean-wait"), (p) => p.keyboard.press("Escape")],
  "dialog jobs": [async (p) => { await press(p, "#glance"); await settled(p); return press(p, "#open-jobs"); }, (p) => p.keyboard.press("Escape")],
  drawer: [async (p) => { await press(p, "#open-drawer"); for (let i = 0; i < 3; i++) await sections(p), await settled(p); }, (p) => press(p, "#open-drawer")],
  "gantt, two panes": [async (p) => { await press(p, "#tab-gantt"); await settled(p); await press(p, ".bl-panes [data-i='1']"); }, (p) => press(p, ".bl-panes [data-i='0']")],
  "gantt, card": [async (p) => { await press(p, "#tab-gantt"); await settled(p); await p.locator("#panel-gantt canvas.bl-top").first().focus(); for (let i = 0; i < 25; i++) await p.keyboard.press("."); }, (p) => p.keyboard.press("Escape")],
  "gantt, why idle": [async (p) => { await p.locator("#panel-gantt canvas.bl-top").first().focus(); await p.keyboard.press("i"); }, (p) => p.keyboard.press("Escape")],
  step: [async (p) => { await p.keyboard.press("e"); }, (p) => p.keyboard.press("e")],
  "compare two": [async (p) => { await press(p, "#tab-overview"); await press(p, "#only-two"); }, (p) => p.keyboard.press("c")],
  differences: [async (p) => { await press(p, "#tab-overview"); return press(p, "#differences"); }],
};
/** States of the default experiment alone, since they do not depend on it. */
const more = {
  lessons: [(p) => press(p, "#place-lessons")],
  "a lesson": [async (p) => { await press(p, "#place-lessons"); await settled(p); await press(p, "#place .island:not([hidden]) button"); }, (p) => p.keyboard.press("Escape")],
  cases: [(p) => press(p, "#place-cases")],
  "cases, paste": [async (p) => { await press(p, "#place-cases"); await settled(p); return press(p, "[data-do=paste]"); }, (p) => press(p, "[data-do=drop]")],
  "cases, puzzle": [async (p) => { await press(p, "#place-cases"); await settled(p); return press(p, "[data-do=place]"); }, (p) => press(p, "[data-do=table]")],
  papers: [(p) => press(p, "#place-papers")],
  lab: [(p) => press(p, "#place-lab")],
  tour: [(p) => press(p, "#start-tour"), (p) => press(p, "#demo-leave")],
  stale: [async (p) => { await press(p, "#tab-overview"); await p.evaluate(() => { const t = document.querySelector("#tau"); t.value = "60"; t.dispatchEvent(new Event("change", { bubbles: true })); }); }, (p) => p.keyboard.press("Control+z")],
};

const all = new Map(); // fault → where
let looked = 0, pictures = 0;

const { server, base } = await serve();
const browser = await chromium.launch(chrome);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
try {
  for (const [name, w] of Object.entries(workloads)) {
    if (w.log && !(logs && existsSync(join(logs, w.log)))) {
      console.log(`${name}: ${w.log} is not in BATCHLAB_LOGS; a generated log stands for it`);
      Object.assign(w, { log: "", document: { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 20000 } } } }, schedulers: three } });
    }
    const list = { ...Object.fromEntries((w.tabs || tabs).map((t) => [t, [async (p) => p.evaluate((id) => { const e = document.getElementById(id); e?.click(); return !!e; }, `tab-${t}`)]])),
      ...(w.tabs ? {} : states), ...(w.states === "all" ? more : {}) };
    const names = Object.keys(list).filter((s) => !wanted.length || wanted.some((x) => name.includes(x) || `${name} ${s}` === x || s.includes(x)));
    if (!names.length || wanted.length && !wanted.some((x) => name.includes(x)) && w.states !== "all") continue;
    const before = new Set(all.keys());
    await visit(name, w, names.map((s) => [s, ...list[s]])).catch((e) => note(`stopped: ${e.message.split("\n")[0]}`, name));
    console.log(`${name}: ${names.length} states, ${looked} looks so far`);
    for (const [fault, where] of all) if (!before.has(fault)) console.log(`  ${fault}\n      ${where.length}: ${where.slice(0, 4).join(" | ")}`);
  }
} finally {
  await browser.close();
  server.kill();
}
console.log(`${looked} looks, ${pictures} pictures in ${folder}, ${all.size} faults`);
process.exitCode = all.size ? 1 : 0;

async function visit(name, w, list) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  page.on("pageerror", (e) => note(`page error: ${e.message}`, name));
  await page.addInitScript(() => {
    try { localStorage.setItem("batchlab-hints", "off"); } catch { /* not kept */ }
    delete Navigator.prototype.serviceWorker;
  });
  await page.addInitScript(watch);
  await page.addInitScript(watchText);
  const lab = new Lab(page, base);
  await lab.openReady(w.document ? link(w.document) : "");
  if (w.log) {
    await lab.loading(() => lab.drop(w.log, readFileSync(join(logs, w.log))));
    if (!await page.evaluate(() => document.documentElement.dataset.runs === "active")) await lab.run();
    await lab.ready();
  }
  const search = w.states === "all" && list.some(([s]) => s === "search");
  if (search) {
    const s = new Searching(lab);
    await s.open(); await s.set({ points: "12", method: "both", budget: "20" }); await s.run();
  }
  for (const [state, go, back] of list) {
    if (await go(page) === false) continue;
    for (const size of sizes) {
      await page.setViewportSize({ width: size.width, height: size.height });
      await settled(page).catch((e) => note(`never at rest: ${e.message.slice(0, 100)}`, `${name} ${state} ${size.name}`));
      const drawer = state === "drawer" && size.width < 1100;
      if (drawer && !await page.evaluate(() => document.querySelector("#open-drawer").getAttribute("aria-expanded") === "true")) await press(page, "#open-drawer"), await settled(page);
      if (!drawer) await page.evaluate(() => document.querySelector("#open-drawer[aria-expanded=true]")?.click());
      looked++;
      for (const f of await page.evaluate(looks)) note(f, `${name}, ${state}, ${size.name}`);
      if (!bare) await picture(page, `${name} ${state}`, size.name);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await settled(page);
    if (back) await back(page), await settled(page);
  }
  await context.close();
}

function note(fault, where) {
  if (!all.has(fault)) all.set(fault, []);
  all.get(fault).push(where);
}

async function picture(page, name, size) {
  const file = (scheme) => join(folder, `${name.replace(/[^a-z0-9]+/gi, "-")}-${size.replace("%", "")}-${scheme}.png`);
  await page.screenshot({ path: file("light") });
  pictures++;
  if (size !== "390" && size !== "1440") return;
  for (const [scheme, media] of [["dark", { colorScheme: "dark" }], ["forced", { forcedColors: "active" }]]) {
    await page.emulateMedia(media);
    await settled(page);
    await page.screenshot({ path: file(scheme) });
    pictures++;
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  }
  await settled(page);
}
