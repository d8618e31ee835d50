// How fast the page answers: first paint and first result, the wheel, sorting,
// the longest task of its thread. Each figure is the best of some tries, in
// milliseconds and as a multiple of a unit, which is fixed work in the same
// browser just before: so figures of different computers, and of a busy and a
// quiet one, can be set side by side.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { logs, root } from "./common.mjs";
import { Lab } from "./lab.mjs";
import { Searching } from "./searching.mjs";
import { watch } from "./watch.mjs";

const toured = ["CTC-SP2-1996-3.1-cln.swf.gz", "SDSC-BLUE-2000-4.2-cln.swf.gz", "HPC2N-2002-2.2-cln.swf.gz", "SDSC-SP2-1998-4.2-cln.swf.gz"];
/** Those of the logs that the command names: node e2e/bench.mjs tour CTC */
const some = toured.filter((log) => process.argv.slice(2).some((word) => log.startsWith(word)));
const link = (document) => `#x=${deflateRawSync(JSON.stringify(document)).toString("base64url")}`;
const large = { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 450_000 } } } }, schedulers: [{ key: "fcfs" }, { key: "easy" }] };

/** The unit: some ten milliseconds of integer work and memory. */
const unit = () => {
  let best = Infinity;
  for (let i = 0; i < 7; i++) {
    const began = performance.now(), a = new Uint32Array(1 << 20);
    let x = 1;
    for (let k = 0; k < 1 << 22; k++) a[(x = (Math.imul(x, 1664525) + 1013904223) >>> 0) & (1 << 20) - 1] += x;
    best = Math.min(best, performance.now() - began + (a[0] & 0));
  }
  return best;
};

/** What can be measured, and how. */
export const parts = { loads, follows, steps, sweeps, sacct, tour, strangers };

/** Measures parts and returns [{ name, ms, unit, ratio }]. */
export async function pages(browser, base, wanted = Object.keys(parts)) {
  const figures = [];
  const visit = async (body) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(600_000);
    try {
      const page = await context.newPage();
      await page.addInitScript(watch);
      await page.goto(`${base}/nothing-here`);
      const u = await page.evaluate(unit);
      const note = (name, list) => {
        const ms = Math.min(...[list].flat());
        figures.push({ name, ms: Math.round(ms * 10) / 10, unit: Math.round(u * 10) / 10, ratio: Math.round(ms / u * 100) / 100 });
        console.log(`| ${name} | ${ms.toFixed(0)} | ${(ms / u).toFixed(2)} |`);
      };
      await body({ page, lab: new Lab(page, base), note });
    } finally {
      await context.close();
    }
  };
  console.log("| page | ms | × unit |\n|---|---:|---:|");
  for (const part of wanted) {
    if (part !== "tour") await visit(parts[part]);
    else for (const log of some.length ? some : toured) if (logs && existsSync(join(logs, log))) await visit((at) => tour(at, log));
  }
  return figures;
}

const painted = (page) => page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN);

/** The longest task since a time, 0 when none took 50 ms. */
const longest = async (lab, since) => Math.max(0, ...(await lab.tasks(since)).map((t) => t.duration));

/** Traces a browser while something is done and returns the processor time of the longest task of a page's thread, in
 *  milliseconds: what a quiet computer would take, however many others work beside it. */
async function traced(browser, act) {
  const session = await browser.newBrowserCDPSession(), tasks = [], mains = new Set();
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const e of value) {
      if (e.name === "thread_name" && e.args.name === "CrRendererMain") mains.add(`${e.pid} ${e.tid}`);
      else if (e.name === "RunTask" && e.tdur) tasks.push([`${e.pid} ${e.tid}`, e.tdur / 1000]);
    }
  });
  const over = new Promise((done) => session.once("Tracing.tracingComplete", done));
  await session.send("Tracing.start", { traceConfig: { includedCategories: ["__metadata", "disabled-by-default-devtools.timeline"], excludedCategories: ["*"], recordMode: "recordAsMuchAsPossible" } });
  try {
    await act();
  } finally {
    await session.send("Tracing.end");
    await over;
    await session.detach();
  }
  return Math.max(0, ...tasks.filter(([thread]) => mains.has(thread)).map(([, ms]) => ms));
}

async function loads({ page, lab, note }) {
  await lab.openReady();
  note("first visit: first paint", await painted(page));
  note("first visit: results", await lab.now());
  const paints = [], results = [], presets = [];
  for (let i = 0; i < 5; i++) {
    await page.reload();
    await lab.ready();
    results.push(await lab.now());
    paints.push(await painted(page));
  }
  note("next visit: first paint", paints);
  note("next visit: results", results);
  for (let i = 0; i < 4; i++) {
    const began = await lab.now();
    await lab.running(() => lab.preset(i % 2 ? /generated workload/ : /EASY against conservative/));
    await page.locator("#tab-gantt").click();
    await page.locator("[data-island=gantt] canvas[data-drawn=true]").waitFor();
    presets.push(await lab.now() - began);
    await page.locator("#tab-overview").click();
  }
  note("a preset with its Gantt chart", presets);
  const cancels = [];
  for (let i = 0; i < 3; i++) {
    const before = await lab.started();
    await page.evaluate((hash) => { location.hash = hash; }, link({ ...large, seed: i, schedulers: [{ key: "conservative" }] }));
    await page.waitForFunction((n) => Number(document.documentElement.dataset.started) > n && document.documentElement.dataset.runs === "active", before);
    await page.waitForTimeout(500);
    const began = await lab.now();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.documentElement.dataset.started === document.documentElement.dataset.finished);
    cancels.push(await lab.now() - began);
  }
  note("cancelling a run", cancels);
  await lab.running(() => lab.preset(/generated workload/));
  const s = new Searching(lab), tasks = [], stops = [];
  await s.open();
  for (let points = 24; points < 27; points++) {
    await s.settings();
    await s.set({ length: "1d", points: String(points) });
    const since = await lab.now();
    await s.run();
    await page.locator("[data-island=search-maps]").getByRole("button", { name: "1 map", exact: true }).click();
    await lab.settled();
    tasks.push(await longest(lab, since));
  }
  note("longest task: a search and its maps", tasks);
  for (let i = 0; i < 3; i++) {
    await s.settings();
    await s.set({ points: String(120 + i) });
    await s.start();
    await page.waitForFunction(() => /best so far/.test(document.querySelector("#search-state").innerText));
    const began = await lab.now();
    await s.stop();
    await s.ended();
    stops.push(await lab.now() - began);
  }
  note("stopping a search", stops);
}

/** 450,000 jobs in two panes: what follows the hand. */
async function follows({ page, lab, note }) {
  await lab.openReady(link(large));
  await page.locator("#tab-gantt").click();
  await page.locator("[data-island=gantt] canvas[data-drawn=true]").waitFor();
  await lab.settled();
  await page.evaluate(() => {
    const frame = () => new Promise((ok) => requestAnimationFrame(ok));
    /** Ends when what the frame has drawn is handed on. */
    const shown = async () => {
      await frame();
      await new Promise((ok) => { const c = new MessageChannel(); c.port1.onmessage = ok; c.port2.postMessage(0); });
    };
    /** Does something at the beginning of a frame and says how long it is until it can be seen. */
    window.timed = async (act, finished = () => true) => {
      await frame();
      const start = performance.now();
      act();
      do await shown(); while (!finished());
      return performance.now() - start;
    };
    window.stands = () => document.querySelector("[data-island=gantt] canvas.bl-top").dataset.drawn === "true";
    window.turns = [];
    document.addEventListener("wheel", async () => {
      const start = performance.now();
      await shown();
      turns.push(performance.now() - start);
    }, { capture: true, passive: true });
  });
  const canvas = page.locator("[data-island=gantt] canvas.bl-top"), box = await canvas.boundingBox();
  const full = [], back = [], wheel = [], sort = [], scroll = [];
  for (let i = 0; i < 4; i++) {
    full.push(await page.evaluate(() => timed(() => [...document.querySelectorAll(".bl-tog")].find((l) => l.textContent === "Gaps").querySelector("input").click(), stands)));
    await lab.settled();
  }
  for (let round = 0; round < 3; round++) {
    await page.mouse.move(box.x + box.width * 0.55, box.y + 90);
    await page.evaluate(() => { turns.length = 0; });
    for (let i = 1; i <= 20; i++) {
      await page.mouse.wheel(0, -100);
      await page.waitForFunction((n) => turns.length >= n, i);
    }
    wheel.push(await page.evaluate(() => [...turns].sort((a, b) => a - b)[10]));
    await lab.settled();
    back.push(await page.evaluate(() => timed(() => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "0", bubbles: true })), stands)));
    await lab.settled();
  }
  note("450,000 jobs: everything drawn anew", full);
  note("450,000 jobs: back to the whole", back);
  note("450,000 jobs: a turn of the wheel, median of 20", wheel);
  await page.locator("#tab-table").click();
  await page.locator("[data-island=table] [role=columnheader] > svg").first().waitFor(); // histograms of the columns come late
  await lab.settled();
  for (let i = 0; i < 4; i++) {
    sort.push(await page.evaluate((i) => timed(() => document.querySelectorAll("[data-island=table] button[data-c]")[4 + i % 3].click()), i));
    await lab.settled();
    scroll.push(await page.evaluate((i) => {
      const grid = document.querySelector("[data-island=table] [role=grid]");
      return timed(() => { grid.scrollTop = i % 2 ? 0 : grid.scrollHeight / 2; });
    }, i));
    await lab.settled();
  }
  note("450,000 jobs: the table sorted", sort);
  note("450,000 jobs: the table scrolled", scroll);
}

/** 450,000 jobs, stepped through from the end: an instant back, until its sentences stand there. */
async function steps({ page, lab, note }) {
  for (const [name, scheduler] of [["EASY", { key: "easy" }], ["conservative", { key: "conservative" }], ["FCFS with backfilling, from the beginning", { key: "fcfs-bf" }]]) {
    await page.goto("about:blank");
    await lab.openReady(`${link({ ...large, schedulers: [scheduler] })}&v=1_tgantt_s900000000`);
    const began = await lab.now();
    await page.locator(".bl-step[data-index]").waitFor();
    note(`450,000 jobs, ${name}: the first step`, await lab.now() - began);
    const list = await page.evaluate(async () => {
      const root = document.querySelector(".bl-step"), list = [];
      for (let i = 0; i < 20; i++) {
        const start = performance.now();
        const changed = new Promise((ok) => { const o = new MutationObserver(() => { o.disconnect(); ok(); }); o.observe(root, { attributeFilter: ["data-index"] }); });
        document.getElementById("step-back").click();
        await changed;
        list.push(performance.now() - start);
      }
      return list.sort((a, b) => a - b);
    });
    note(`450,000 jobs, ${name}: a step back, median of 20`, list[10]);
  }
}

/** An experiment at 10,000 points under three schedulers: 30,000 runs in the page. */
async function sweeps({ page, lab, note }) {
  const values = (n, of) => Array.from({ length: n }, (_, i) => of(i));
  await lab.open(link({
    batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 30, processors: 16 } } } }, platform: { processors: 16 },
    schedulers: [{ key: "fcfs" }, { key: "easy" }, { key: "conservative" }],
    vary: [{ path: "workload.scale.load", values: values(100, (i) => Math.round(50 + i) / 100) }, { path: "seed", values: values(100, (i) => i + 1) }],
  }));
  const began = await lab.now();
  const work = await traced(page.context().browser(), async () => {
    await page.locator("#much-go").click();
    await page.waitForFunction(() => document.documentElement.dataset.sweep === "done", null, { timeout: 600_000 });
  });
  note("10,000 points under three schedulers", await lab.now() - began);
  note("10,000 points under three schedulers: longest task", await longest(lab, began));
  note("10,000 points under three schedulers: longest task, processor time", work);
  const tasks = await lab.tasks(began);
  console.log(`     ${tasks.length} tasks of 50 ms and more meanwhile`);
}

/** Jobs like those of RICC (2010: 8,192 processors, 450,000 jobs of five months, most of one node of eight or a few of
 *  them, requests in round hours), written as a log and as what sacct -P prints of the same jobs: not in the page, whose memory would be
 *  collected while it is measured. */
const ricc = (n, folder) => {
  let x = 29, at = 1_700_000_000;
  const below = (m) => (x = (Math.imul(x, 1664525) + 1013904223) >>> 0) % m;
  const two = (k) => (k < 10 ? "0" : "") + k;
  const wall = (unix) => new Date(unix * 1000).toISOString().slice(0, 19);
  const span = (s) => `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:00`;
  const swf = ["; MaxProcs: 8192\n; UnixStartTime: 1700000000\n"];
  const sacct = ["JobIDRaw|JobID|User|Account|QOS|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|SubmitLine\n"];
  for (let i = 1; i <= n; i++) {
    at += below(3) ? below(9) : below(80);
    const procs = below(10) < 8 ? [1, 1, 1, 4, 8][below(5)] : 8 << below(7), nodes = Math.ceil(procs / 8);
    const limit = [1, 2, 4, 12, 24, 72][below(6)] * 3600, run = 1 + Math.floor(limit * (below(1000) / 1000) ** 3 / 4), wait = below(4) ? below(60) : below(40_000);
    const user = below(200), failed = below(20) === 0, tres = `billing=${procs},cpu=${procs},mem=${procs * 1200}M,node=${nodes}`;
    swf.push(`${i} ${at - 1_700_000_000} ${wait} ${run} ${procs} -1 -1 ${procs} ${limit} -1 ${failed ? 0 : 1} ${user + 1} ${user % 40 + 1} -1 1 1 -1 -1\n`);
    sacct.push(`${i}|${i}|user${user}|account${user % 40}|normal|batch|${wall(at)}|${wall(at)}|${wall(at + wait)}|${wall(at + wait + run)}|${run}|${limit / 60}|${failed ? "FAILED" : "COMPLETED"}|${nodes}|${procs}|${procs}|${procs * 1200}M|${tres}|${tres}|sbatch -n${procs} --time=${span(limit)} job.sh\n`);
  }
  const files = [join(folder, "ricc.swf"), join(folder, "ricc.psv")];
  [swf, sacct].forEach((rows, i) => writeFileSync(files[i], rows.join("")));
  return files;
};

/** 450,000 and a million jobs that are dropped as a log and as sacct's output: until FCFS has run on them, and the longest
 *  tasks meanwhile. */
async function sacct({ page, lab, note }) {
  const folder = mkdtempSync(join(tmpdir(), "batchlab-sacct-"));
  for (const [jobs, rounds] of [[450_000, 2], [1_000_000, 1]]) {
    const first = {}, task = {}, work = {}, name = jobs.toLocaleString("en"), files = ricc(jobs, folder);
    for (let round = 0; round < rounds; round++) {
      for (const [i, kind] of ["swf", "sacct"].entries()) {
        await page.goto("about:blank");
        await lab.openReady(link({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "fcfs" }] }));
        await page.evaluate(() => { document.body.append(Object.assign(document.createElement("input"), { type: "file", id: "brought", hidden: true })); });
        await page.locator("#brought").setInputFiles(files[i]);
        await lab.settled();
        const since = await lab.now();
        (work[kind] ||= []).push(await traced(page.context().browser(), () => lab.running(() => page.evaluate(() => {
          const data = new DataTransfer();
          data.items.add(document.querySelector("#brought").files[0]);
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }))));
        (first[kind] ||= []).push(await lab.now() - since);
        (task[kind] ||= []).push(await longest(lab, since));
        if (process.env.TASKS) console.log(kind, (await lab.tasks(since)).map((t) => `${(t.startTime - since).toFixed(0)}:${t.duration.toFixed(0)}`).join(" "));
      }
    }
    for (const kind of ["swf", "sacct"]) {
      note(`${name} jobs dropped as ${kind}: first result`, first[kind]);
      note(`${name} jobs dropped as ${kind}: longest task`, task[kind]);
      note(`${name} jobs dropped as ${kind}: longest task, processor time`, work[kind]);
    }
    console.log(`     sacct takes ${(Math.min(...first.sacct) / Math.min(...first.swf)).toFixed(2)} times the log's`);
  }
  rmSync(folder, { recursive: true });
}

/** The longest tasks while a real log is read, run and looked at in all views, modes and places, and while what varies is run and read. */
async function tour({ page, lab, note }, log) {
  const worst = {}, work = {}, browser = page.context().browser();
  const press = (id) => page.evaluate((s) => document.querySelector(s)?.click(), id);
  for (let round = 0; round < 3; round++) {
    await page.goto("about:blank");
    await lab.openReady();
    await lab.stage(log, readFileSync(join(logs, log)));
    const during = async (name, act) => {
      const since = await lab.now();
      (work[name] ||= []).push(await traced(browser, async () => { await act(); await lab.settled(); }));
      (worst[name] ||= []).push(await longest(lab, since));
    };
    await during("read", () => lab.loading(() => lab.dropStaged()));
    await during("run", async () => {
      if (await lab.flag("runs") !== "active") await lab.run();
      await lab.ready();
    });
    for (const tab of ["gantt", "series", "distributions", "users", "foresight", "search", "table", "plan", "truth", "job", "whatif", "overview"]) {
      if (!await page.locator(`#tab-${tab}`).isVisible()) continue; // not every log has all of them
      await during(tab, async () => {
        await page.locator(`#tab-${tab}`).click();
        await lab.settled();
        if (tab === "gantt") {
          for (const key of ["w", "w", "d", "0"]) await page.keyboard.press(key), await lab.settled();
          for (const file of [/^PNG/, /^CSV: what/]) {
            await page.locator("[data-island=gantt]").getByRole("button", { name: "Save this chart" }).click();
            await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: file }).click()]);
          }
        } else if (tab === "table") await page.locator("[data-island=table] button[data-c]").nth(7).click();
      });
    }
    await during("compare two", async () => { await press("#only-two"); await lab.settled(); await page.keyboard.press("c"); });
    await during("gantt, why idle and a card", async () => {
      await press("#tab-gantt"); await lab.settled();
      await page.locator("#panel-gantt canvas.bl-top").first().focus();
      for (const key of ["i", "Escape", ".", ".", "Escape"]) await page.keyboard.press(key), await lab.settled();
    });
    await during("gantt, two panes", async () => { await press(".bl-panes [data-i='1']"); await lab.settled(); await press(".bl-panes [data-i='0']"); });
    await during("steps", async () => {
      await page.keyboard.press("e");
      await page.locator(".bl-step[data-index]").waitFor();
      for (let i = 0; i < 5; i++) await press("#step-next"), await lab.settled();
      await page.keyboard.press("e");
    });
    await during("large type", async () => { await page.keyboard.press("l"); await lab.settled(); await page.keyboard.press("l"); });
    for (const id of ["presets", "export", "display", "share", "help"]) {
      await during(`${id}, opened and closed`, async () => { await press(`#open-${id}`); await lab.settled(); await page.keyboard.press("Escape"); });
    }
    for (const place of ["papers", "lessons", "cases"]) await during(place, () => press(`#place-${place}`));
    await during("back in the laboratory", () => press("#place-lab"));
  }
  for (const [name, list] of Object.entries(worst)) {
    const title = `longest task: ${log.replace(/-\d{4}-.*/, "")}, ${name}`;
    note(title, list);
    note(`${title}: processor time`, Math.max(...work[name])); // of all rounds: other programs add nothing to it
  }
}

/** Damaged links: what the slowest of a thousand costs. */
async function strangers({ page, lab, note }) {
  const golden = JSON.parse(readFileSync(join(root, "core/experiment/testdata/links.json"), "utf8")).filter((l) => l.digest).map((l) => l.hash);
  await lab.openReady(golden[0]);
  note("a damaged link, the slowest of 1,000", await page.evaluate((hashes) => {
    Object.defineProperty(history, "state", { get: () => null, configurable: true });
    let worst = 0;
    for (let i = 0; i < 1000; i++) {
      const h = hashes[i % hashes.length], at = 3 + i * 7919 % (h.length - 3), bad = h.slice(0, at) + "A" + h.slice(at + 1 + i % 3);
      let best = Infinity;
      for (let k = 0; k < 3; k++) {
        const began = performance.now();
        window.dispatchEvent(new HashChangeEvent("hashchange", { newURL: location.href.split("#")[0] + bad }));
        best = Math.min(best, performance.now() - began);
      }
      worst = Math.max(worst, best);
    }
    delete history.state;
    return worst;
  }, golden));
}
