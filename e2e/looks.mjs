// How the page looks, everywhere: node e2e/looks.mjs [NAME]... [--widths=390,768]   (./build.sh looks)
// Goes through every view, mode, place, menu, dialog and panel, with logs of
// 1 to 93,312 processors, at six widths and with letters twice as large;
// measures in each that no text is cut or lies on another, that targets are large
// enough and headings in order (looking.mjs), and writes pictures into e2e/out/looks: light and dark, and forced colours.
// With names, only workloads or states of which a name holds one of them; with
// --firefox in Firefox.
// Prints the faults, each once with where it was seen, and fails if there are any.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { dist, logs, out, serve } from "./common.mjs";
import { launchAsked } from "./firefox.mjs";
import { conf, dropAll, sacct } from "./cluster.mjs";
import { type } from "./hand.mjs";
import { Lab } from "./lab.mjs";
import { looks, measured, sizes, watchText } from "./looking.mjs";
import { Searching } from "./searching.mjs";
import { settled, watch } from "./watch.mjs";

const wanted = process.argv.slice(2).filter((a) => !a.startsWith("--"));
const bare = process.argv.includes("--no-pictures");
const some = process.argv.find((a) => a.startsWith("--widths="))?.slice(9).split(",");
const shown = some ? sizes.filter((z) => some.includes(z.name)) : sizes;
const folder = join(out, "looks");
const link = (document) => `#x=${deflateRawSync(JSON.stringify(document)).toString("base64url")}`;
const three = [{ key: "fcfs" }, { key: "easy" }, { key: "conservative" }];

/** Jobs of ten users on twelve processors, of which an instant has much to tell. */
const rows = [[0, 3, 100, 90], [0, 5, 60, 40], [5, 4, 75, 65], [10, 7, 60, 50], [15, 2, 90, 80], [20, 4, 30, 30], [25, 2, 30, 25], [40, 1, 60, 35], [55, 1, 20, 20], [65, 5, 30, 20]]
  .map(([submit, procs, requested, run]) => [50400 + submit * 60, procs, requested * 60, run * 60]);
const inline = (processors, rows) => ({ source: { inline: { processors, columns: ["submit", "procs", "requested", "run"], rows } } });
const program = readFileSync(fileURLToPath(new URL("../examples/schedulers/easy.star", import.meta.url)), "utf8");
const orders = (list) => list.map((order) => ({ key: "easy", label: `EASY, ${order.toUpperCase()} order, with a rather long name`, params: { order } }));
const varied = { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 300 } } } }, schedulers: [{ key: "fcfs", repeat: 3 }, { key: "easy", repeat: 3 }] };
const nodes = { clusters: [{ name: "big", packing: "nodes", groups: [{ count: 5, processors: 10 }] }, { name: "flat", groups: [{ count: 50, processors: 1 }] }],
  limits: { user_processors: 60, classes: [{ longer_than: 7200, share: 0.8 }] },
  outages: [{ name: "service", from: 40000, to: 60000, cluster: "big", nodes: [0], announced: true }] };

/** Workloads: a link, or a log to be dropped; and what there is to see: views (all that have a tab, if it does not say), and states besides. */
const workloads = {
  demo: { hash: "", more: "demo" },
  kth: { log: "KTH-SP2-1996-2.1-cln.swf.gz" },
  sdsc: { log: "SDSC-SP2-1998-4.2-cln.swf.gz" },
  hpc2n: { log: "HPC2N-2002-2.2-cln.swf.gz" },
  curie: { document: { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 3000, processors: 93312 } } } }, platform: { processors: 93312 }, schedulers: three } },
  farm: { document: { batchlab: 1,
    workload: { source: { generator: { key: "farm", params: { jobs: 200, interarrival: 40, "procs-max": 4 } } }, annotate: { deadlines: { share: 0.7 }, licences: [{ licence: "cad", share: 0.4 }, { licence: "finite-elements-2024", share: 0.2 }] } },
    platform: { clusters: [{ name: "farm", packing: "machine", groups: [{ count: 6, processors: 4, licences: ["cad", "finite-elements-2024"] }] }], licences: [{ name: "cad", copies: 2 }, { name: "finite-elements-2024", copies: 1 }] },
    schedulers: [{ key: "fcfs" }, { key: "easy" }, { key: "bf-unmod" }, { key: "bf-mod" }] } },
  grid: { document: { batchlab: 1,
    workload: { source: { generator: { key: "two-level", params: { jobs: 200, interarrival: 900, "procs-max": 16, "procs-mean": 6 } } }, clean: { oversize: "clamp" },
      annotate: { reservations: { share: 0.4, ready: "drawn", lead_min: 600, lead_max: 20000 } } },
    platform: { clusters: [{ name: "North", groups: [{ processors: 16 }] }, { name: "South", groups: [{ processors: 16 }] }],
      reservations: [{ name: "course", processors: 8, from: 30000, to: 40000, cluster: "South" }] },
    schedulers: [{ key: "grid" }, { key: "easy" }] } },
  eight: { document: { batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [...three, ...orders(["saf", "spf", "lexp", "laf", "sqf"])] } },
  ten: { document: { batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [...three, ...orders(["saf", "spf", "lexp", "laf", "sqf", "lcfs", "lpf"])] } },
  lone: { document: { batchlab: 1, workload: inline(1, [[0, 1, 3600, 1800]]), schedulers: three.slice(0, 2) } },
  hole: { document: { batchlab: 1, workload: inline(12, rows), schedulers: three }, more: "steps" },
  nodes: { document: { batchlab: 1, workload: { source: { bundled: "demo" }, filter: { max_procs: 40 } }, platform: nodes, schedulers: [{ key: "orig-bf" }, { key: "plan-rs", params: { iterations: 50 } }, { key: "easy" }] } },
  vary: { document: { ...varied, vary: [{ path: "workload.scale.load", values: [0.8, 1, 1.2, 1.4] }] }, tabs: ["vary"], more: "varying" },
  map: { document: { ...varied, vary: [{ path: "workload.scale.load", values: [0.8, 1, 1.2, 1.4] }, { path: "schedulers[1].params.order", values: ["fcfs", "saf", "spf"] }] }, tabs: ["vary"], more: "varying" },
  cluster: { hash: "", files: true, more: "asking" },
  class: { hash: "#p=lessons", tabs: [], more: "teaching" },
  show: { hash: "#demo", tabs: [], more: "showing" },
  papers: { hash: "#p=papers", tabs: [], more: "figures" },
  first: { hash: "", hints: true, tabs: [], more: "visiting" },
  own: { document: { batchlab: 1, workload: inline(12, rows), schedulers: [{ key: "easy" }, { key: "custom", label: "Mine", params: { code: program } }] }, asks: true, tabs: [], more: "writing" },
};
const tabs = ["overview", "gantt", "series", "distributions", "users", "foresight", "search", "table", "plan", "vary", "import", "truth", "job", "whatif"];

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
  "dialog jobs": [async (p) => { await (await new Lab(p, base).unfold("open-jobs")).click(); }, (p) => p.keyboard.press("Escape")],
  drawer: [async (p) => { await press(p, "#open-drawer"); for (let i = 0; i < 3; i++) await sections(p), await settled(p); }, (p) => press(p, "#open-drawer")],
  "gantt, two panes": [async (p) => { await press(p, "#tab-gantt"); await settled(p); await press(p, ".bl-panes [data-i='1']"); }, (p) => press(p, ".bl-panes [data-i='0']")],
  "gantt, card": [async (p) => { await press(p, "#tab-gantt"); await settled(p); await p.locator("#panel-gantt canvas.bl-top").first().focus(); for (let i = 0; i < 25; i++) await p.keyboard.press("."); }, (p) => p.keyboard.press("Escape")],
  "gantt, why idle": [async (p) => { await p.locator("#panel-gantt canvas.bl-top").first().focus(); await p.keyboard.press("i"); }, (p) => p.keyboard.press("Escape")],
  step: [async (p) => { await p.keyboard.press("e"); }, (p) => p.keyboard.press("e")],
  "compare two": [async (p) => { await press(p, "#tab-overview"); await press(p, "#only-two"); }, (p) => p.keyboard.press("c")],
  differences: [async (p) => { await press(p, "#tab-overview"); return press(p, "#differences"); }],
};
const tall = (n) => Array.from({ length: 200 }, (_, i) => [i + 1, i % n ? i * 60 : "abc", 1, 600, 4, -1, -1, 4, 900, -1, 1, 1, 1, -1, -1, -1, -1, -1].join(" ")).join("\n");
const opened = (document) => async (p) => { await p.evaluate((h) => { location.hash = h; }, link(document)); await settled(p); };
const study = async (p) => { await press(p, "#place-papers"); await settled(p); await press(p, ".papers-card footer button"); await p.locator(".papers-item").nth(1).click(); await p.locator("#study-run").waitFor(); };
/** The steps of the tour or of #demo behind the first. */
const turns = (name) => Object.fromEntries([2, 3, 4, 5, 6].map((n) => [`${name} ${n}`, [(p) => press(p, "#demo-next")]]));
/** States that depend on a workload of their own, or on none. */
const more = {
  demo: {
    lessons: [(p) => press(p, "#place-lessons")],
    "a lesson": [async (p) => { await press(p, "#place-lessons"); await settled(p); await press(p, "#lesson-promise"); }],
    "a lesson, asked": [async (p) => { await p.keyboard.press("ArrowRight"); await settled(p); await p.keyboard.press("2"); }],
    "a lesson, answered": [async (p) => { await p.locator("[data-do=show]:enabled").waitFor(); await p.keyboard.press("Enter"); }, (p) => p.keyboard.press("Escape")],
    cases: [(p) => press(p, "#place-cases")],
    "cases, paste": [async (p) => { await press(p, "#place-cases"); await settled(p); return press(p, "[data-do=paste]"); }, (p) => press(p, "[data-do=drop]")],
    "cases, puzzle": [async (p) => { await press(p, "#place-cases"); await settled(p); return press(p, "[data-do=place]"); }, (p) => press(p, "[data-do=table]")],
    papers: [(p) => press(p, "#place-papers")],
    "a study": [study],
    "a study, run": [async (p) => { await press(p, "#study-quick"); await settled(p); await press(p, "#study-run"); await p.locator("#study-result").waitFor(); }],
    lab: [(p) => press(p, "#place-lab")],
    "word list": [async (p) => { await press(p, "#tab-overview"); await settled(p); await p.keyboard.press("h"); }],
    "word entry": [async (p) => { await press(p, "#words .words-list button"); }, (p) => p.keyboard.press("Escape")],
    "search, settings": [async (p) => { await press(p, "#tab-search"); await settled(p); return press(p, "#search-settings"); }, (p) => press(p, "#search-settings")],
    "vary a number": [async (p) => { await press(p, "#tab-overview"); await settled(p); await (await new Lab(p, base).unfold("wave-seed")).click(); await settled(p); }, (p) => press(p, "#vary-close")],
    "write one": [async (p) => { await press(p, "#write-own"); await p.locator("#own-code").waitFor(); }],
    "write one, fault": [async (p) => { await p.locator("#own-code").click(); await p.keyboard.press("ControlOrMeta+a"); await p.keyboard.insertText("def decide(s):\n    return s.quue\n"); await p.locator(".cm-fault").waitFor(); }, (p) => p.keyboard.press("Escape")],
    tour: [async (p) => { await p.keyboard.press("?"); await press(p, "#wish-tour"); }],
    ...turns("tour"),
    "tour left": [(p) => press(p, "#demo-leave")],
    running: [async (p) => { await press(p, "#tab-overview"); await p.evaluate(() => window.hold(1)); await p.keyboard.press("Control+Enter"); }, (p) => p.evaluate(() => window.hold(Infinity))],
    "large overview": [async (p) => { await press(p, "#tab-overview"); await settled(p); await p.keyboard.press("l"); }],
    "large gantt": [(p) => press(p, "#tab-gantt")],
    "large step": [(p) => p.keyboard.press("e"), async (p) => { await p.keyboard.press("e"); await p.keyboard.press("l"); }],
    stale: [async (p) => { await press(p, "#tab-overview"); await new Lab(p, base).unfold("tau"); await p.evaluate(() => { const t = document.querySelector("#tau"); t.value = "60"; t.dispatchEvent(new Event("change", { bubbles: true })); }); }, (p) => p.keyboard.press("Control+z")],
    "very much": [opened({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: three.map((x) => ({ ...x, repeat: 1000 })) }), (p) => press(p, "#much-leave")],
    "log wanted": [opened({ batchlab: 1, workload: { source: { log: { name: "A-log-with-a-rather-long-name-1998-4.2-cln.swf", sha256: "ab".repeat(32), size: 12300000 } } }, schedulers: three })],
    "log damaged": [async (p) => { await new Lab(p, base).drop("a-log-with-a-rather-long-name-that-is-damaged.swf", tall(5)); }],
    "damaged lines": [async (p) => { await say(p, "Go on"); await settled(p); await (await new Lab(p, base).unfold("open-lines")).click(); }, (p) => p.keyboard.press("Escape")],
    "link damaged": [async (p) => { await p.evaluate(() => { location.hash = "#x=notalink"; }); }],
  },
  steps: {
    "step, much": [async (p) => { await press(p, "#tab-gantt"); await settled(p); await p.keyboard.press("e"); await settled(p); await type(p.locator("#step-goto").last(), "14:40"); await p.keyboard.press("Enter"); }],
    "step, two": [async (p) => { await press(p, "#step-two"); }],
    "step, truth": [async (p) => { await press(p, "#step-truth"); }],
  },
  asking: {
    "my job, asked": [async (p) => { await press(p, "#tab-job"); await settled(p); await type(p.locator("#job-procs"), "8"); await type(p.locator("#job-limit"), "1h"); await say(p, "When would it start?"); await p.locator(".job-dots .bl-chart svg").waitFor(); }],
    "my job, squeue": [async (p) => { await say(p, "squeue"); }],
    "what if, answered": [async (p) => { await press(p, "#tab-whatif"); await settled(p); await type(p.locator("#whatif-count"), "16"); await p.keyboard.press("Enter"); await p.locator(".whatif-said h2").waitFor(); }],
    "table of unknown columns": [(p) => new Lab(p, base).drop("eigene.csv", "wann,breite,dauer,anfang\n0,4,60,5\n10,2,90,30\n20,8,45,90\n")],
  },
  teaching: {
    "hand out": [async (p) => { await say(p, "Hand out a lesson"); }],
    "hand out, link": [async (p) => { await say(p, "Solve all its boards"); await p.locator("#given-link").waitFor(); }],
    marking: [async (p) => { await press(p, "#place-lessons"); await settled(p); await say(p, "Mark answers"); await p.locator("#mark-text").waitFor(); }],
    "marking, nothing read": [async (p) => { await p.locator("#mark-text").click(); await p.keyboard.insertText("Ann: no link"); }],
    "write a lesson": [async (p) => { await press(p, "#place-lessons"); await settled(p); return say(p, "Write a lesson"); }],
  },
  varying: {
    "vary, point": [async (p) => { await p.locator("#vary-plot, #vary-map-plot").first().focus(); await p.keyboard.press("ArrowRight"); }],
    "vary, table": [(p) => say(p, "Show as table")],
    "vary, popover": [async (p) => { for (let i = 0; i < 3; i++) await sections(p), await settled(p); return press(p, ".wave[aria-pressed=true], .wave.on, [id^=wave-]"); }, (p) => press(p, "#vary-close")],
  },
  showing: { "demo 1": [async () => true], ...turns("demo") },
  figures: Object.fromEntries(JSON.parse(readFileSync(join(dist, "papers.json"), "utf8")).papers.map((p) => p.key).map((key) => [`figure ${key}`, async (p) => {
    await p.evaluate((k) => { location.hash = `#p=papers.${k}`; }, key);
    await p.locator("#study-card").waitFor();
    return p.waitForFunction((k) => location.hash.includes(k), key);
  }]).map(([name, go]) => [name, [go]])),
  visiting: {
    "first visit": [async () => true],
    "table pasted": [async (p) => { await p.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", "submit\tprocs\trequested\trun\n0\t3\t100\t90\n5\t5\t60\t40\n10\t8\t60\t60\n");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }); }],
    "table pasted, left column": [async (p) => { for (let i = 0; i < 3; i++) await sections(p), await settled(p); }],
  },
  writing: {
    "own, asked": [async () => true],
    "own, allowed": [async (p) => { await press(p, "[data-do=allow]"); await p.waitForFunction(() => document.documentElement.dataset.runs === "done"); await press(p, "#tab-own"); await p.locator("#own-code").waitFor(); }],
  },
};

const all = new Map(); // fault → where
let looked = 0, pictures = 0;

const { server, base } = await serve();
const browser = await launchAsked();
mkdirSync(folder, { recursive: true });
try {
  for (const [name, w] of Object.entries(workloads)) {
    if (w.log && !(logs && existsSync(join(logs, w.log)))) {
      console.log(`${name}: ${w.log} is not in BATCHLAB_LOGS; a generated log stands for it`);
      Object.assign(w, { log: "", document: { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 20000 } } } }, schedulers: three } });
    }
    const list = { ...Object.fromEntries((w.tabs || tabs).map((t) => [t, [async (p) => p.evaluate((id) => { const e = document.getElementById(id); e?.click(); return !!e; }, `tab-${t}`)]])),
      ...(w.tabs ? {} : states), ...more[w.more] };
    const names = Object.keys(list).filter((s) => !wanted.length || wanted.some((x) => name.includes(x) || `${name} ${s}` === x || s.includes(x)));
    if (!names.length || wanted.length && !wanted.some((x) => name.includes(x)) && w.more !== "demo") continue;
    if (!wanted.length || wanted.includes(name)) for (const f of readdirSync(folder)) if (f.startsWith(`${name}-`)) rmSync(join(folder, f));
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
    delete Navigator.prototype.serviceWorker;
  });
  if (!w.hints) await page.addInitScript(() => { try { localStorage.setItem("batchlab-hints", "off"); } catch { /* not kept */ } });
  await page.addInitScript(watch);
  await page.addInitScript(watchText);
  const lab = new Lab(page, base);
  await lab.open(w.document ? link(w.document) : w.hash);
  if (!w.asks) await lab.ready(); // its program waits for a word
  const refused = await page.evaluate(() => document.querySelector(".notice p")?.textContent || "");
  if (refused) note(`not opened: ${refused}`, name);
  if (w.files) await lab.running(() => dropAll(page, [["jobs.psv", sacct()], ["slurm.conf", conf]]));
  if (w.log) {
    await lab.loading(() => lab.drop(w.log, readFileSync(join(logs, w.log))));
    if (!await page.evaluate(() => document.documentElement.dataset.runs === "active")) await lab.run();
    await lab.ready();
  }
  const search = w.more === "demo" && list.some(([s]) => s === "search");
  if (search) {
    const s = new Searching(lab);
    await s.open(); await s.set({ points: "12", method: "both", budget: "20" }); await s.run();
  }
  for (const [state, go, back] of list) {
    const there = await go(page).catch((e) => (note(`cannot be reached: ${e.message.split("\n")[0]}`, `${name} ${state}`), false));
    if (there === false) continue;
    for (const size of shown) {
      await page.setViewportSize({ width: size.width, height: size.height });
      await settled(page).catch((e) => note(`never at rest: ${e.message.slice(0, 100)}`, `${name} ${state} ${size.name}`));
      const drawer = state === "drawer" && size.width < 1100;
      if (drawer && !await page.evaluate(() => document.querySelector("#open-drawer").getAttribute("aria-expanded") === "true")) await press(page, "#open-drawer"), await settled(page);
      if (!drawer) await page.evaluate(() => document.querySelector("#open-drawer[aria-expanded=true]")?.click());
      looked++;
      for (const f of [...await page.evaluate(looks), ...await page.evaluate(measured, size.width < 600 ? 44 : 24)]) note(f, `${name}, ${state}, ${size.name}`);
      if (!bare) await picture(page, `${name} ${state}`, size.name, (where) => `${name}, ${state}, ${where}`);
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

async function picture(page, name, size, where) {
  const file = (scheme) => join(folder, `${name.replace(/[^a-z0-9]+/gi, "-")}-${size.replace("%", "")}-${scheme}.png`);
  await page.screenshot({ path: file("light") });
  pictures++;
  for (const [scheme, media] of [["dark", { colorScheme: "dark" }], ["forced", { forcedColors: "active" }]]) {
    if (scheme === "forced" && size !== "390" && size !== "1440") continue;
    await page.emulateMedia(media);
    await settled(page);
    if (scheme === "forced") for (const f of await page.evaluate(looks)) note(f, where(`${size} forced`));
    await page.screenshot({ path: file(scheme) });
    pictures++;
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  }
  await settled(page);
}
