// Jobs that wait for others: told at each instant, in the reasons of the Gantt chart and in the
// table of jobs, and drawn as arrows.
import { readFileSync } from "node:fs";
import { assert, link, test } from "./harness.mjs";

const at = (h, min = 0) => h * 3600 + min * 60;
// Submission, processors, minutes requested, minutes really, after, begin, array, its limit: a preparation in an
// array of two at a time, a training, two evaluations and a report.
const rows = [
  [at(8), 2, 60, 50, "", -1, 1, 2], [at(8), 2, 60, 40, "", -1, 1, 2], [at(8), 2, 60, 45, "", -1, 1, 2],
  [at(8), 6, 120, 80, "1:ok,2:ok,3:ok", -1, -1, -1], [at(8), 3, 60, 50, "4:start+1800", -1, -1, -1], [at(8), 3, 60, 30, "4:ok", -1, -1, -1],
  [at(8), 1, 30, 20, "5,6", -1, -1, -1], [at(8), 1, 30, 20, "", at(9, 30), -1, -1], [at(8), 1, 30, 20, "4:notok", -1, -1, -1], [at(8, 10), 5, 120, 100, "", -1, -1, -1],
].map(([submit, procs, requested, run, ...more]) => [submit, procs, requested * 60, run * 60, ...more]);
const doc = {
  batchlab: 1,
  workload: { dependencies: "keep", source: { inline: { processors: 12, columns: ["submit", "procs", "requested", "run", "after", "begin", "array", "array_limit"], rows } } },
  platform: { limits: { classes: [{ longer_than: 5400, share: 0.7 }] } },
  schedulers: [{ key: "easy" }, { key: "fcfs" }],
};
const shot = async (page, name) => { if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/waits-${name}.png` }); };

test("what jobs wait for is told at an instant, over a job's wait, in the table and in files, and drawn as arrows", { firefox: true }, async ({ lab, page }) => {
  await lab.openReady(link(doc));
  await lab.run();
  await page.locator("#tab-gantt").click();
  await page.locator("[data-island=gantt] canvas[data-drawn=true]").waitFor();
  assert.match(await page.locator("[data-island=gantt]").innerText(), /waits for/, "the arrows are not in the legend");
  await shot(page, "gantt");
  // Job 7, the report: what its wait was, stretch by stretch.
  await page.keyboard.press("/");
  await page.keyboard.type("7");
  await page.keyboard.press("Enter");
  const card = page.locator(".bl-hc:visible");
  await card.locator(".past").waitFor();
  const list = (await card.locator(".past li").allTextContents()).join("\n");
  for (const want of ["Waits for job 5, which is not eligible either and for job 6, which is not eligible either.", "Waits for job 6, which runs until"]) assert.ok(list.includes(want), `${want} is not in\n${list}`);
  assert.match(await card.innerText(), /Eligible\s*\S[\s\S]*after 5, 6/);
  await shot(page, "card");
  // The limit of long jobs by its name: job 10 may not start beside job 4.
  await lab.type(page.locator("[data-island=gantt] input[type=search]"), "4");
  await page.keyboard.press("Enter");
  await lab.until(async () => /Job 4\b/.test(await card.locator("h3").innerText()) && await card.locator(".past li").count() > 0);
  const limit = (await card.locator(".past li").allTextContents()).join("\n");
  assert.match(limit, /Jobs of more than 1 h 30 min may hold 8, and job 10 holds 5\./);
  // What a file says.
  await page.locator("[data-island=gantt]").getByRole("button", { name: "Save this chart" }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "CSV: what jobs wait for, A" }).click()]);
  const csv = readFileSync(await file.path()).toString().trim().split("\r\n");
  assert.equal(csv[0], "job,waits_for,job_waited_for,delay_s,happened_s,eligible_s,start_s");
  assert.ok(csv.some((l) => l.startsWith("5,start,4,1800,")) && csv.some((l) => l.startsWith(`8,time,,,${at(9, 30)},`)) && csv.some((l) => l.startsWith("3,array of 2,,,,")), csv.join("\n"));
  // The instant at which the first two of the array run.
  await page.locator("#gantt-step").click();
  const root = page.locator(".bl-step");
  await lab.type(page.locator("#step-goto").last(), "08:10");
  await page.keyboard.press("Enter");
  await lab.until(async () => await root.getAttribute("data-step") === String(at(8, 10)));
  const told = await page.locator(".step-queue tr.held").evaluateAll((all) => all.map((r) => `${r.cells[1].innerText}: ${r.cells[r.cells.length - 1].innerText}`));
  assert.deepEqual(told, [
    "3: Waits for a place in its array, of which 2 may wait and run at a time: jobs 1 and 2 do.",
    "4: Waits for the success of job 1, which runs until 09:00 at most, for the success of job 2, which runs until 09:00 at most and for the success of job 3, which is not eligible either.",
    "5: Waits for the start of job 4, which is not eligible either, and 30 min more.", "6: Waits for the success of job 4, which is not eligible either.",
    "7: Waits for job 5, which is not eligible either and for job 6, which is not eligible either.", "8: Waits until 09:30, before which it does not want to begin.", "9: Waits for the failure of job 4, which is not eligible either.",
  ]);
  assert.ok(await page.locator(".step-svg g.after").count() >= 2, "no arrow behind the jobs that run");
  await shot(page, "step");
  await page.keyboard.press("Escape");
  // The table has both columns, and says why job 9 never ran.
  await page.locator("#tab-table").click();
  const table = page.locator("[data-island=table]");
  await table.getByRole("row").nth(3).waitFor();
  await lab.until(async () => /never eligible/.test(await table.innerText()));
  const text = await table.innerText();
  for (const want of ["Eligible", "Waits for", "1:ok, 2:ok, 3:ok", "4:start+1800", "array of 2"]) assert.ok(text.includes(want), `${want} is not in the table`);
  await shot(page, "table");
});

test("on a phone, in the dark, the same is told", { width: 390, height: 844, dark: true }, async ({ lab, page }) => {
  await lab.openReady(link(doc));
  await lab.run();
  await page.locator("#tab-gantt").click();
  await page.locator("[data-island=gantt] canvas[data-drawn=true]").waitFor();
  await shot(page, "390-dark-gantt");
  await page.locator("#gantt-step").click();
  await page.locator(".step-queue tr.held").first().waitFor();
  await page.locator(".step-queue").scrollIntoViewIfNeeded();
  await shot(page, "390-dark-step");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `the page is ${wide} px wide`);
});
