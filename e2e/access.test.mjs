// Access: axe in every view, the keyboard alone, small screens, large letters,
// forced colours, less motion.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { conf, dropAll, sacct } from "./cluster.mjs";
import { assert, link, test } from "./harness.mjs";
import { looks, measured, watchText } from "./looking.mjs";
import { Searching } from "./searching.mjs";
import { settled } from "./watch.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tabs = ["overview", "gantt", "series", "distributions", "users", "search", "table", "plan"];

/** What axe finds, in the whole page or the part that a selector names; in the other theme, which changes colours, of colours alone. */
async function serious(page, where, part = "") {
  const found = [];
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    await settled(page); // what is still fading in has other colours
    // The page's policy forbids scripts from elsewhere; evaluate goes by the debugger.
    if (!await page.evaluate(() => !!window.axe)) await page.evaluate(axe);
    const { violations } = await page.evaluate(([s, dark]) => {
      if (matchMedia("(prefers-color-scheme: dark)").matches !== dark) throw new Error("the theme has not changed");
      return window.axe.run((s && document.querySelector(s)) || document, { resultTypes: ["violations"], ...(dark ? { runOnly: ["color-contrast"] } : {}) });
    }, [part, scheme === "dark"]);
    found.push(...violations.filter((v) => v.impact === "serious" || v.impact === "critical")
      .map((v) => `${where}, ${scheme}: ${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 120)} ${n.failureSummary?.split("\n")[1] || ""}`).join(" | ")}`));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}

test("axe finds nothing serious in any view, light and dark", async ({ lab, page }) => {
  await lab.openReady();
  const found = await serious(page, "page");
  for (const tab of tabs) {
    await page.locator(`#tab-${tab}`).click();
    if (tab === "plan") await page.locator(".chip-name").nth(2).click(); // conservative backfilling plans
    found.push(...await serious(page, tab, "main"));
    if (tab !== "search") continue;
    const search = new Searching(lab);
    await search.set({ points: "12", method: "both", budget: "20" });
    await search.run();
    await page.mouse.move(5, 5);
    found.push(...await serious(page, "search, done", "main"));
  }
  for (const name of ["share", "help", "log"]) {
    await page.locator(`#open-${name}`).click();
    found.push(...await serious(page, name));
    await page.keyboard.press("Escape");
  }
  for (const name of ["presets", "export", "display", "add"]) {
    await page.locator(`#open-${name}`).click();
    found.push(...await serious(page, `menu ${name}`));
    await page.keyboard.press("Escape");
  }
  await page.locator("#glance").click();
  await page.locator("#open-jobs").click();
  found.push(...await serious(page, "jobs"));
  await page.keyboard.press("Escape");
  await page.locator("#tab-overview").click();
  await page.locator("#open-metric-mean-wait").click();
  found.push(...await serious(page, "metric"));
  await page.keyboard.press("Escape");
  await lab.setField("tau", "77"); // stale
  found.push(...await serious(page, "stale"));
  await lab.openReady(link({
    batchlab: 1,
    workload: { source: { generator: { key: "farm", params: { jobs: 60, interarrival: 40, "procs-max": 4 } } }, annotate: { deadlines: { share: 0.7 }, licences: [{ licence: "cad", share: 0.4 }], jobs: [{ job: 3 }] } },
    platform: { clusters: [{ name: "farm", packing: "machine", groups: [{ count: 3, processors: 4, licences: ["cad"] }] }], licences: [{ name: "cad", copies: 2 }] },
    schedulers: [{ key: "fcfs" }, { key: "bf-unmod" }],
  }));
  for (const part of ["machines", "needs"]) await lab.section(part);
  await lab.type(page.locator('[id="groups.0.count"]'), "x");
  await page.locator('[id="groups.0.count"]').press("Enter");
  found.push(...await serious(page, "farm, tables"));
  await page.locator("#tab-series").click();
  found.push(...await serious(page, "farm, licences", "main"));
  await page.locator("#tab-gantt").click();
  await page.locator(".chip-name").nth(1).click();
  await lab.choose(page.getByLabel("Colour jobs by"), "deadline");
  await page.locator("#panel-gantt canvas.bl-top").first().focus();
  for (let i = 0; i < 25; i++) await page.keyboard.press(".");
  found.push(...await serious(page, "farm, card", "main"));
  // A program from outside, allowed and run, and one with a fault.
  await lab.open(link({ batchlab: 1, workload: { source: { bundled: "demo" }, window: { to: 200000 } },
    schedulers: [{ key: "easy" }, { key: "custom", params: { code: "def order(job, s):\n    return job.procs\n" } }] }));
  await page.locator(".own-alert").waitFor();
  await page.locator("#own-code").waitFor();
  found.push(...await serious(page, "own scheduler, from outside"));
  await lab.running(() => page.locator("[data-do=allow]").click());
  await page.locator("#tab-own").click();
  await lab.until(async () => /The same as EASY/.test(await page.locator(".own-same").innerText()) && /Tried/.test(await page.locator(".own-foot").innerText()));
  found.push(...await serious(page, "own scheduler", "main"));
  await page.locator("#own-code").click();
  await page.keyboard.insertText("x(");
  await page.locator(".cm-fault").first().waitFor();
  found.push(...await serious(page, "own scheduler, at fault", "main"));
  assert.deepEqual(found, []);
});

test("axe finds nothing serious in what logs, users and grids bring, light and dark", async ({ lab, page }) => {
  const found = [], look = async (where, part) => { found.push(...await serious(page, where, part)); };
  await lab.openReady(link({
    batchlab: 1,
    workload: { source: { generator: { key: "two-level", params: { jobs: 80, interarrival: 900, "procs-max": 16, "procs-mean": 6 } } }, clean: { oversize: "clamp" },
      annotate: { reservations: { share: 0.4, ready: "drawn", lead_min: 600, lead_max: 20000 } } },
    platform: { clusters: [{ name: "North", groups: [{ processors: 16 }] }, { name: "South", groups: [{ processors: 16 }] }],
      reservations: [{ name: "course", processors: 8, from: 30000, to: 40000, cluster: "South" }] },
    schedulers: [{ key: "grid" }],
  }));
  for (const key of ["grid", "react", "patience"]) {
    await lab.section(key);
  }
  await look("grid, reactions, acceptable waits", "#side");
  await page.locator("#tab-gantt").click();
  await look("grid, reserved", "main");
  await page.locator("#tab-users").click();
  await look("complaints", "main");
  // A log, its report, its header; one that is asked about, one that is missing, one that is no log.
  let text = "; MaxProcs: 64\n; Note: terms of use stand here\n";
  for (let i = 1; i <= 300; i++) text += i === 100 ? "this is no job\n" : `${i} ${i * 97} 5 ${60 + i} 4 -1 -1 4 900 -1 1 ${1 + i % 9} 1 -1 1 -1 -1 -1\n`;
  await lab.openReady();
  await lab.loading(() => lab.drop("small.swf", text));
  await lab.openLines();
  await page.getByRole("dialog").locator(".problems button").first().click();
  await page.locator("#excerpt mark").waitFor();
  await look("cleaning report", "[role=dialog]");
  await page.keyboard.press("Escape");
  for (const name of ["header", "kept"]) {
    await page.locator(`#open-${name}`).click();
    await look(name, "[role=dialog]");
    await page.keyboard.press("Escape");
  }
  await lab.running(() => lab.drop("jobs.psv", "JobIDRaw|User|Partition|Submit|Start|End|TimelimitRaw|State|NCPUS\n1|ann|p|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T09:00:00|90|COMPLETED|4\n" +
    "2|ann|p|2026-11-23T08:00:00|2026-11-23T12:00:10|2026-11-23T13:00:00|90|COMPLETED|4\n"));
  await lab.loading(() => lab.drop("slurm.conf", "NodeName=n[1-4] CPUs=8\nPartitionName=p Nodes=ALL\nPriorityType=priority/multifactor\n"));
  await page.locator(".intake-unused summary").click();
  await look("import", "main");
  await lab.loading(() => lab.drop("half.swf", text.replaceAll(/^(1\d\d) /gm, "x ")));
  await look("question");
  await lab.loading(() => lab.drop("table.csv", "job,submit\n1,0\n"));
  await look("no log");
  await lab.open(link({ batchlab: 1, workload: { source: { log: { name: "SDSC-SP2.swf", sha256: "ab".repeat(32), size: 12300000 } } }, schedulers: [{ key: "fcfs" }] }));
  await page.getByText("This experiment needs a log").waitFor();
  await look("a log is missing");
  assert.deepEqual(found, []);
});

test("choose, run, compare, export and share by the keyboard alone", async ({ lab, page }) => {
  await lab.openReady();
  const digest = await lab.digest();
  const press = (...keys) => keys.reduce((p, k) => p.then(() => page.keyboard.press(k)), Promise.resolve());
  /** Tabs on until an element has the focus. */
  const reach = async (selector, most = 150) => {
    for (let i = 0; i < most; i++) {
      if (await page.evaluate((s) => document.activeElement?.matches(s) || false, selector)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`${selector} cannot be reached by Tab`);
  };
  await reach("#open-presets");
  await press("Enter", "ArrowDown");
  await lab.running(() => page.keyboard.press("Enter"));
  assert.notEqual(await lab.digest(), digest, "another preset has run");
  await page.evaluate(() => document.activeElement.blur());
  await reach('[role="tab"]');
  await press("ArrowRight");
  assert.equal(await page.locator("#tab-gantt").getAttribute("aria-selected"), "true");
  await press("ArrowLeft");
  await reach(".chip-name");
  await press("Enter");
  await reach(".pin");
  const pinned = await page.evaluate(() => document.activeElement.getAttribute("aria-pressed"));
  await press("Enter");
  await lab.until(async () => await page.locator(".pin").first().getAttribute("aria-pressed") !== pinned); // another baseline
  await page.evaluate(() => document.activeElement.blur());
  await reach("#open-export");
  await press("Enter");
  await reach("#menu-export :focus, #menu-export button", 5);
  for (let i = 0; i < 8 && !/All measures/.test(await page.evaluate(() => document.activeElement.textContent)); i++) await press("ArrowDown");
  const csv = await lab.download(() => page.keyboard.press("Enter"));
  assert.match(csv, /^scheduler,key,label/);
  await page.evaluate(() => document.activeElement.blur());
  await reach("#open-share");
  await press("Enter");
  await lab.until(async () => await page.evaluate(() => document.activeElement.id) === "link");
  await press("Tab", "Enter");
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("#x="));
  await press("Escape");
  await lab.until(async () => await page.evaluate(() => document.activeElement.id) === "open-share"); // the focus comes back
  await press("?");
  await page.getByRole("dialog").waitFor();
  assert.match(await page.getByRole("dialog").innerText(), /Ctrl\s*Z/);
  await press("Escape");
  await lab.run();
});

for (const [name, options] of [
  ["390 × 844", { width: 390, height: 844 }],
  ["200 % zoom", { width: 720, height: 450, scale: 2 }],
]) {
  test(`no view scrolls sideways, all is in reach: ${name}`, options, async ({ lab, page }) => {
    await lab.openReady();
    for (const tab of tabs) {
      await page.locator(`#tab-${tab}`).click();
      await lab.settled();
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${tab}: ${wide} px too wide`);
      const cut = await page.evaluate(() => {
        const panel = document.querySelector("[role=tabpanel]:not([hidden])");
        return panel.scrollWidth - panel.clientWidth;
      });
      assert.ok(cut <= 1, `${tab}: its panel is ${cut} px too wide`);
    }
    for (const id of ["open-presets", "open-share", "open-export", "open-display", "open-drawer", "run"]) {
      const box = await page.locator(`#${id}`).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= options.width, `#${id} is at ${JSON.stringify(box)}`);
    }
    for (const menu of ["export", "display", "presets"]) {
      await page.locator(`#open-${menu}`).click();
      const box = await page.locator(`#menu-${menu}`).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= options.width + 1, `${menu}: ${JSON.stringify(box)}`);
      await page.keyboard.press("Escape");
    }
    await page.locator("#open-drawer").click();
    await (await lab.unfold("tau")).click();
    await page.keyboard.press("Escape");
  });
}

test("on a phone what is to be touched is at least 44 px high", { width: 390, height: 844 }, async ({ lab, page }) => {
  await lab.openReady();
  const low = async (scope) => page.evaluate((s) => [...document.querySelectorAll(s)].filter((e) => e.offsetParent && !e.closest(".plain"))
    .map((e) => [e.id || e.className || e.textContent.slice(0, 20), Math.round(e.getBoundingClientRect().height)]).filter(([, h]) => h > 0 && h < 44), scope);
  assert.deepEqual(await low(".top button, .tabs button, .chip"), []);
  await page.locator("#open-drawer").click();
  for (const id of ["seed", "load", "gen.jobs", "sched.1.order"]) await lab.unfold(id);
  assert.deepEqual(await low(".side .segments button, .side .sched-head, .side h2 > button:first-child, .side h3 > button, .side .input"), []);
});

test("forced colours: chosen things still differ, focus is seen", { forced: true }, async ({ lab, page }) => {
  await lab.openReady();
  const outline = await page.locator('.segments [aria-pressed="true"]').first().evaluate((e) => getComputedStyle(e).outlineStyle);
  assert.equal(outline, "solid");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none");
  const shown = await page.evaluate(() => matchMedia("(forced-colors: active)").matches);
  assert.ok(shown);
});

test("less motion: nothing moves by itself", { still: true, width: 900, height: 800 }, async ({ lab, page }) => {
  await lab.openReady();
  await page.locator("#open-drawer").click();
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
  assert.equal(await page.locator("#side").evaluate((e) => getComputedStyle(e).transitionDuration.split(", ").every((t) => t === "0s")), true);
});

test("what happens is said to screen readers", async ({ lab, page }) => {
  await lab.openReady();
  const said = () => page.locator('[role="status"].visually-hidden').innerText();
  assert.match(await said(), /Done/);
  await lab.setField("tau", "20");
  await lab.leaveFields();
  await page.keyboard.press("Control+z");
  await lab.until(async () => /undone/.test(await said()));
});

// Intent: in every view what can be pressed can be hit, by a pointer (24 px) and by a finger (44 px high
// on a phone); headings leave out no level, so that who reads by them gets everywhere; no
// text is cut or lies on another; and what stands on the page stays where it is.
for (const [name, least, options] of [["1440 wide", 24, {}], ["390 wide", 44, { width: 390, height: 844 }], ["letters twice as large, in forced colours", 24, { width: 720, height: 450, scale: 2, forced: true }]]) {
  test(`targets, headings, text that is whole and a page that stands still in every view: ${name}`, options, async ({ lab, page }) => {
    await page.addInitScript(watchText);
    await lab.openReady();
    const shifted = await page.evaluate(() => window.shifted);
    assert.ok(shifted < .1, `while the first results come the page moves by ${shifted.toFixed(3)}`);
    assert.equal(await page.locator("#finding h2").count(), 1, "the verdict is a heading");
    const found = [], look = async (where) => { await settled(page); found.push(...[...await page.evaluate(measured, where.startsWith("tab") ? least : 24), ...await page.evaluate(looks)].map((f) => `${where}: ${f}`)); };
    const views = async () => {
      for (const tab of await page.locator("[role=tab]").evaluateAll((all) => all.map((e) => e.id))) {
        await page.evaluate((id) => document.getElementById(id)?.click(), tab);
        await look(tab);
      }
    };
    await views();
    await page.evaluate(() => document.getElementById("tab-gantt").click());
    await page.locator("#gantt-step").click();
    await look("step");
    await lab.running(() => dropAll(page, [["jobs.psv", sacct()], ["slurm.conf", conf]]));
    await views();
    assert.ok(await page.locator("#tab-truth").count() && await page.locator("#tab-job").count() && await page.locator("#tab-whatif").count(), "the views of real clusters are there");
    for (const key of ["lessons", "lessons.promise", "cases", "papers", "papers.skrinarova2013-figure7"]) {
      await page.evaluate((key) => { location.hash = `#p=${key}`; window.shifted = 0; }, key);
      await page.locator("#place").waitFor();
      await look(key);
      const moved = await page.evaluate(() => window.shifted);
      if (moved >= .1) found.push(`${key} moves by itself by ${moved.toFixed(2)}`);
    }
    assert.deepEqual(found, []);
  });
}
