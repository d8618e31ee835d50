// Steps: an instant of a run, its decisions as sentences and as marks, forth and
// back, beside another scheduler, with and without the truth.
import { readFileSync } from "node:fs";
import { assert, link, test, visit } from "./harness.mjs";

const at = (h, min = 0) => h * 3600 + min * 60;
// Submission, processors, minutes requested, minutes really.
const rows = [
  [at(14), 3, 100, 90], [at(14), 5, 60, 40], [at(14, 5), 4, 75, 65], [at(14, 10), 7, 60, 50], [at(14, 15), 2, 90, 80],
  [at(14, 20), 4, 30, 30], [at(14, 25), 2, 30, 25], [at(14, 40), 1, 60, 35], [at(14, 55), 1, 20, 20], [at(15, 5), 5, 30, 20],
].map(([submit, procs, requested, run]) => [submit, procs, requested * 60, run * 60]);
const hole = {
  batchlab: 1,
  workload: { source: { inline: { processors: 12, columns: ["submit", "procs", "requested", "run"], rows } } },
  schedulers: [{ key: "easy" }, { key: "conservative" }, { key: "fcfs" }],
};
const farm = {
  batchlab: 1,
  workload: {
    source: { inline: { processors: 12, columns: ["submit", "procs", "requested", "run"], rows: [
      [at(9, 40), 3, 4200, 4200], [at(10), 2, 4200, 4200], [at(10, 10), 4, 2100, 2100], [at(10, 20), 2, 2400, 2400], [at(10, 25), 2, 1800, 1800], [at(10, 27), 1, 1200, 1200], [at(10, 28), 2, 3600, 3600],
    ] } },
    annotate: { jobs: [1, 2, 4, 5].map((job) => ({ job, licences: ["solver"] })) },
  },
  platform: { clusters: [{ name: "farm", packing: "machine", groups: [{ count: 3, processors: 4, licences: ["solver"] }] }], licences: [{ name: "solver", copies: 2 }] },
  schedulers: [{ key: "bf-mod" }],
};

const shot = async (page, name) => { if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/step-${name}.png` }); };
const root = (page) => page.locator(".bl-step");
const stands = (lab, page, time) => lab.until(async () => await root(page).getAttribute("data-step") === String(time));
const sentences = (page) => page.locator(".step-right .step-decisions .t").evaluateAll((list) => list.map((t) => t.innerText.split("\n")[0]));
const shown = (page, pane = 0) => page.locator(".step-svg").nth(pane).evaluate((el) => [...el.querySelectorAll("text")].map((t) => t.textContent.trim()));

test("sentences and marks say what EASY decides; steps go forth and back; a link opens at its instant", { firefox: true }, async ({ lab, page }) => {
  await lab.openReady(link(hole));
  await lab.run();
  await page.locator("#tab-gantt").click();
  await page.locator(".chip-name").first().click();
  await page.locator("#gantt-step").click();
  await stands(lab, page, at(14));
  await lab.type(page.locator("#step-goto").last(), "14:40");
  await page.keyboard.press("Enter");
  await stands(lab, page, at(14, 40));
  assert.deepEqual(await sentences(page), [
    "Job 4 needs 7 processors; 5 are free. It is the head: at 15:20, when job 3 must have ended, 9 will be. 2 are left over then.",
    "Job 5 needs 2; 5 are free. It may run until 16:10, past 15:20, but takes both left over. It starts; none is left over now.",
    "Job 6 needs 4; 3 are free. It waits.",
    "Job 7 needs 2; 3 are free. It must end by 15:10, before 15:20. It starts.",
    "Job 8 needs 1; 1 is free. But it may run until 15:40, past 15:20, and none is left over: job 4 would start 20 min later. It waits.",
  ]);
  assert.match(await page.locator(".step-news").innerText(), /Job 2 ended, 20 min before its request\. 5 of 12 processors are free\.\s+Job 8 came: 1 processor for 1 h\.\s+Running: 3 until 15:20 and 1 until 15:40, at the latest\./);
  const marks = await shown(page);
  for (const want of ["14:40", "15:20 shadow time", "Job 4, the head", "needs 7, for 1 h", "left over: 2", "must end by 15:20", "must end by 16:10", "20 min"]) assert.ok(marks.includes(want), `${want} is not among ${marks.join(" | ")}`);
  assert.deepEqual(await page.locator(".step-queue tbody tr").evaluateAll((list) => list.map((r) => r.innerText.split("\t").slice(1).join(" ").replace(/\s+/g, " ").trim())), [
    "4 7 × 1 h 14:10 30 min head 15:20 at the latest", "5 2 × 1 h 30 min 14:15 25 min starts fits beside the head", "6 4 × 30 min 14:20 20 min waits 3 free, needs 4",
    "7 2 × 30 min 14:25 15 min starts ends by 15:20", "8 1 × 1 h 14:40 just came waits head 20 min later",
  ]);
  await shot(page, "1440-light");
  // The copied link opens here.
  const href = await lab.copyLink();
  assert.ok(/&v=(.*)/.exec(href)[1].split("_").includes(`s${at(14, 40)}`), href);
  await lab.until(async () => await page.locator("[role=dialog]").count() === 0);
  // Decision by decision: what comes later is not told.
  await page.keyboard.press("ArrowUp");
  await lab.until(async () => (await sentences(page))[4] === "Job 8 comes next.");
  assert.ok(!(await shown(page)).includes("20 min"));
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await lab.until(async () => await root(page).getAttribute("data-decision") === "1");
  await shot(page, "before-1440-light");
  for (const _ of [1, 2]) await page.keyboard.press("ArrowDown");
  await lab.until(async () => await root(page).getAttribute("data-decision") === "3");
  await page.locator(".step-right [data-d='2']").click();
  await lab.until(async () => (await shown(page)).includes("6? needs 4, 3 free"));
  await shot(page, "toowide-1440-light");
  // Forth and back by keys ends where it began; then the next decision about job 6.
  const went = [];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft"]) {
    const before = await root(page).getAttribute("data-index");
    await page.keyboard.press(key);
    await lab.until(async () => await root(page).getAttribute("data-index") !== before);
    went.push(Number(await root(page).getAttribute("data-step")));
  }
  assert.deepEqual(went, [at(14, 55), at(15, 5), at(15, 10), at(15, 5), at(14, 55), at(14, 40)].map((t, i) => [went[0], went[1], went[2], went[1], went[0], at(14, 40)][i]));
  assert.ok(went[0] > at(14, 40) && went[1] > went[0] && went[2] > went[1], went.join());
  // Escape closes a menu, and the steps stay.
  await page.locator("#open-display").click();
  await page.locator("#menu-display").waitFor();
  await page.keyboard.press("Escape");
  await lab.until(async () => await page.locator("#menu-display").count() === 0);
  assert.ok(await page.locator(".bl-step").isVisible(), "the steps were left");
  // The truth only when asked: job 2 asked for 60 min, so at 14:25 nothing says that it ends at 14:40.
  await lab.type(page.locator("#step-goto").last(), "14:25");
  await page.keyboard.press("Enter");
  await stands(lab, page, at(14, 25));
  const ink = () => page.locator(".step-svg").first().evaluate((el) => el.querySelectorAll('path[stroke="var(--ink)"][stroke-width="2"]').length);
  assert.equal(await ink(), 0);
  await page.keyboard.press("t");
  await lab.until(async () => await ink() === 3);
  await shot(page, "truth-1440-light");
  await page.keyboard.press("t");
  // Two beside each other: at 14:40 EASY starts 5 and 7 and FCFS none.
  await page.locator("#step-two").click();
  await lab.until(async () => await page.locator(".step-pane").nth(1).isVisible());
  await page.locator(".chip-name").nth(2).click();
  await page.locator(".chip-name").nth(0).click();
  await page.keyboard.press("x");
  await stands(lab, page, at(14, 40));
  await lab.until(async () => /starts none/.test(await page.locator(".step-pane").nth(1).innerText()));
  for (const [pane, text] of [/starts 5 and 7/, /Job 4 needs 7 processors; 5 are free\. The queue stops here: nobody may pass, and 5 stay empty\./].entries()) {
    await lab.until(async () => text.test(await page.locator(".step-pane").nth(pane).innerText())); // each is told when its own steps are there
  }
  await shot(page, "two-light");
  // By one clock: forth and back through the instants of both, and from one difference to the next, also where only FCFS starts a job.
  const clock = async () => Number(await root(page).getAttribute("data-step"));
  const press = async (key) => {
    const before = await clock();
    await page.keyboard.press(key);
    await lab.until(async () => await clock() !== before);
    return clock();
  };
  const seen = [];
  for (const key of ["x", "x", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"]) seen.push(await press(key));
  assert.deepEqual(seen, [at(14, 55), at(15, 10), at(15, 15), at(15, 30), at(15, 15), at(15, 10)], seen.join());
  await page.keyboard.press("t");
  const pair = await lab.copyLink();
  assert.deepEqual(/&v=(.*)/.exec(pair)[1].split("_").filter((f) => /^[sghdk]/.test(f)), [`s${at(15, 10)}`, "g1", "h1"]);
  await lab.until(async () => await page.locator("[role=dialog]").count() === 0);
  await page.keyboard.press("t");
  for (let n = 0, last = at(15, 10); ; n++) { // each difference once, up to the last
    await page.keyboard.press("x");
    await lab.until(async () => await clock() !== last || /No new difference after/.test(await page.locator(".step-differs").innerText()));
    if (await clock() === last) break;
    assert.ok(await clock() > last && n < 12, `the difference after ${last} is at ${await clock()}`);
    last = await clock();
  }
  await page.locator("#step-two").click();
  await lab.type(page.locator("#step-goto").last(), "14:40");
  await page.keyboard.press("Enter");
  await stands(lab, page, at(14, 40));
  // Conservative: how plans move.
  await page.locator(".chip-name").nth(1).click();
  await lab.until(async () => /A EASY|B Conservative/.test(await page.locator(".step-pane h3").first().innerText()) && /moves from 15:00 to now/.test((await sentences(page)).join()));
  assert.deepEqual(await sentences(page), [
    "Job 5 moves from 15:00 to now, 20 min earlier. It starts.", "Job 4 keeps 15:20.", "Job 7 moves from 15:40 to now, 1 h earlier. It starts.",
    "Job 6 moves from 16:20 to 16:10, 10 min earlier.", "Job 8 is new. The earliest place for 1 processor × 1 h is 15:40.",
  ]);
  await shot(page, "conservative-light");
  await page.keyboard.press("Escape");
  await page.locator("[data-island=gantt] canvas").first().waitFor();
  // The link, in a page of its own, in the dark.
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("about:blank");
  await page.goto(href);
  await stands(lab, page, at(14, 40));
  assert.equal((await sentences(page)).length, 5);
  await shot(page, "1440-dark");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(400);
  await shot(page, "390-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForTimeout(300);
  await shot(page, "390-light");
  await page.locator("#step-up").click(); // by touch as well
  await lab.until(async () => await root(page).getAttribute("data-decision") === "3");
  // Links to a decision, and to two beside each other with the truth, open just there.
  await page.goto("about:blank");
  await page.goto(`${href}_d4_k2`);
  await stands(lab, page, at(14, 40));
  await lab.until(async () => await root(page).getAttribute("data-decision") === "1" && (await sentences(page))[4] === "Job 8 comes next.");
  await page.goto("about:blank");
  await page.goto(pair);
  await stands(lab, page, at(15, 10));
  await lab.until(async () => await page.locator(".step-pane").nth(1).isVisible() && await page.locator("#step-truth").isChecked());
});

visit({ anew: true }, ({ lab }) => lab.begin(), {
  async "what was derived by hand from the rules is what stands in the page, for each small case"({ lab, page }) {
    const told = JSON.parse(readFileSync(new URL("../core/lab/testdata/told.json", import.meta.url)));
    const cases = readFileSync(new URL("../docs/cases.md", import.meta.url), "utf8");
    const links = new Map([...cases.matchAll(/^## (\S+)\n[\s\S]*?\n`(#x=\S+)`$/gm)].map((m) => [m[1], m[2]]));
    assert.ok(told.length >= 30);
    for (const one of told) {
      const name = `${one.case}, scheduler ${one.scheduler}, ${one.minute} min`;
      await page.evaluate((hash) => { location.hash = hash; }, `${links.get(one.case)}&v=1_tgantt_a${one.scheduler}_s${60 * one.minute}`);
      let got;
      await lab.until(async () => {
        got = await root(page).getAttribute("data-step") === String(60 * one.minute) ? await sentences(page) : [];
        return JSON.stringify(got) === JSON.stringify(one.told);
      }).catch(() => assert.deepEqual(got, one.told, name));
      const news = await page.locator(".step-news").innerText();
      for (const text of one.news ?? []) assert.ok(news.includes(text), `${name}: ${text} is not among ${news}`);
      const known = one.told.map((text) => /^Job (\d+) /.exec(text)?.[1]).filter(Boolean);
      const drawn = await shown(page);
      if (one.told.some((t) => t.includes("It is the head: at") && !t.includes("nothing says"))) assert.ok(drawn.some((t) => t.includes("head") || t.includes("shadow time")), `${name}: the promise is drawn: ${drawn.join(" | ")}`);
      for (const [i, text] of one.told.entries()) if (/starts\.$/i.test(text) && known[i]) assert.ok(drawn.includes(known[i]), `${name}: job ${known[i]} is drawn: ${drawn.join(" | ")}`);
    }
  },
  async "a job is gone to by its number; the head that needs a GPU stands on the machine that has one"({ lab, page }) {
    const cases = readFileSync(new URL("../docs/cases.md", import.meta.url), "utf8");
    const hash = /^## gpu\n[\s\S]*?\n`(#x=\S+)`$/m.exec(cases)[1];
    await page.evaluate((to) => { location.hash = to; }, `${hash}&v=1_tgantt_a1_s300`);
    await stands(lab, page, 300);
    const box = page.locator(".step-svg rect[data-j='2'][stroke='var(--ink)']");
    await box.waitFor();
    // Two of six processors are n1's, at the bottom: the ground's lower edge is the highest y of all.
    const [top, high, low, bottom] = await box.evaluate((r) => {
      const all = [...r.ownerSVGElement.querySelectorAll("rect[fill='var(--panel)'], rect[fill='var(--step-future)']")].filter((x) => !x.dataset.j);
      const edge = (x) => Number(x.getAttribute("y")) + Number(x.getAttribute("height"));
      return [Math.min(...all.map((x) => Number(x.getAttribute("y")))), Number(r.getAttribute("y")), edge(r), Math.max(...all.map(edge))];
    });
    assert.ok(high > top + (bottom - top) * 4 / 6 - 1 && low <= bottom, `the head's box is drawn from ${high} to ${low} of ${top} to ${bottom}`);
    await page.locator("#step-goto").last().click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("job 3", { delay: 30 });
    await page.keyboard.press("Enter");
    await stands(lab, page, 600);
    await lab.until(async () => await root(page).getAttribute("data-decision") === "1" && await page.locator("#step-goto").last().inputValue() === "00:10");
    assert.match((await sentences(page))[1], /^Job 3 needs 1; 5 are free\./);
    await page.locator("#step-goto").last().click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("job 99", { delay: 30 });
    await page.keyboard.press("Enter");
    await lab.until(async () => (await page.locator("#step-say").innerText()) === "There is no job 99.");
    assert.equal(await page.locator("#step-goto").last().getAttribute("aria-invalid"), "true");
  },
  async "the plan is drawn as it stands while it is told; hatching has a legend"({ lab, page }) {
    const cases = readFileSync(new URL("../docs/cases.md", import.meta.url), "utf8");
    const links = new Map([...cases.matchAll(/^## (\S+)\n[\s\S]*?\n`(#x=\S+)`$/gm)].map((m) => [m[1], m[2]]));
    const boxes = () => page.locator(".step-svg rect[stroke='var(--ink)']").evaluateAll((list) => Object.fromEntries(list.map((r) => [r.dataset.j, Math.round(Number(r.getAttribute("x")))])));
    await page.evaluate((to) => { location.hash = to; }, `${links.get("plan")}&v=1_tgantt_a1_s240_d2`);
    await stands(lab, page, 240);
    await lab.until(async () => (await sentences(page))[2] === "Move 1 comes next.");
    const before = await boxes();
    assert.ok(before[2] < before[3] && before[3] === before[4] && before[4] < before[5], `the optimiser begins with jobs 2, 3 and 4, 5: ${JSON.stringify(before)}`);
    for (let i = 0; i < 7; i++) await page.keyboard.press("ArrowDown");
    await lab.until(async () => await root(page).getAttribute("data-decision") === "8");
    const after = await boxes();
    assert.ok(after[3] < after[4] && after[4] < after[2] && !after[5], `then with 3, 4 and 2: ${JSON.stringify(after)}`);
    assert.ok(!(await page.locator(".step-pane").first().innerText()).includes("reserved or out of order"));
    await shot(page, "plan-light");
    await page.evaluate((to) => { location.hash = to; }, `${links.get("outage")}&v=1_tgantt_a1_s600`);
    await stands(lab, page, 600);
    await lab.until(async () => (await page.locator(".step-pane").first().innerText()).includes("reserved or out of order"));
    await shot(page, "outage-light");
  },
});

test("a missing licence and the terms of BF_MOD are told and drawn", async ({ lab, page }) => {
  await lab.openReady(link(farm));
  await lab.run();
  await page.locator("#tab-gantt").click();
  await page.locator("#gantt-step").click();
  await page.locator(".bl-step[data-index]").waitFor();
  await lab.settled();
  await lab.type(page.locator("#step-goto").last(), "10:28");
  await page.keyboard.press("Enter");
  await stands(lab, page, at(10, 28));
  const text = (await sentences(page)).join("\n");
  assert.match(text, /Job 4 needs 1 copy of solver; 0 of 2 are free\. It is the head: at 10:50, when job 1 must have ended, it can start\./);
  assert.match(text, /Job 5 needs 1 copy of solver; 0 of 2 are free\. It waits\./);
  assert.ok((await shown(page)).includes("solver: 0 of 2 free"));
  assert.match(await page.locator(".step-queue thead").innerText(), /age\s+due\s+licence\s+short\s+value/i);
  await shot(page, "farm-light");
});
