// How true it is: what is simulated beside what the log says happened.
import { assert, test } from "./harness.mjs";

/** A log of so many jobs, each of which waited; every third of them far longer than any scheduler makes it. */
function waited(n = 400, wait = (i) => (i % 3 ? 30 * (i % 7) : 7200 + i)) {
  let text = "; Version: 2.2\n; UnixStartTime: 1000000000\n; MaxProcs: 64\n; MaxNodes: 64\n";
  for (let i = 1; i <= n; i++) {
    const run = 600 + (i * 7919) % 3000, procs = 1 + (i * 31) % 12;
    text += `${i} ${i * 300} ${wait(i)} ${run} ${procs} -1 -1 ${procs} ${run * 2} -1 1 ${1 + i % 9} ${1 + i % 2} -1 ${i % 2} ${i % 4} -1 -1\n`;
  }
  return text;
}

/** Drops a log, runs, and opens the view. */
async function open(lab, page, text) {
  await lab.openReady();
  assert.equal(await page.locator("#tab-truth").count(), 0, "generated jobs never waited");
  await lab.stage("waited.swf", text);
  await lab.loading(() => lab.dropStaged());
  await lab.run();
  await page.locator("#tab-truth").click();
  const panel = page.locator("#panel-truth");
  await panel.locator(".truth-head h2").waitFor();
  return panel;
}

const shot = async (page, name) => { if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/truth-${name}.png` }); };

test("a log with waits: the verdict, where it is wrong, what carries it, a fit, and a job that opens in the steps", async ({ lab, page }) => {
  const panel = await open(lab, page, waited());
  const known = () => lab.until(async () => await panel.locator(".truth-bar").count() === 0 && /within an hour/.test(await panel.locator(".truth-head").innerText()));
  await known();
  const text = async (part) => (await panel.locator(part).first().innerText()).replace(/\u00a0/g, " ");
  assert.match(await text(".truth-head"), /half of the jobs are off by .* at most/);
  // How near each one comes, also as a table; the best stands first.
  await panel.locator(".truth-ranks").getByRole("button", { name: "Show as table" }).click();
  assert.equal(await panel.locator(".truth-ranks tbody tr").count(), 3);
  for (const part of [".truth-density svg path", ".truth-wrong svg rect", ".truth-carries svg"]) assert.ok(await panel.locator(part).count() > 0, part);
  assert.match(await text(".truth-told"), /Partitions\s+simulated ÷ logged is [\d.]+ to [\d.]+/);
  assert.match(await text(".truth-told"), /Outages/);
  await panel.locator(".truth-wrong").getByRole("button", { name: "Partition" }).click();
  await lab.until(async () => /partition 3/.test(await text(".truth-wrong")));
  // Another scheduler is looked at, and the link keeps it.
  await panel.locator(".truth-main").getByRole("button", { name: "FCFS" }).click();
  await lab.until(async () => /FCFS/.test(await text(".truth-head h2")));
  assert.match(await lab.copyLink(), /Atruth\.0/);
  // A fit says whether it helps, and leaves the settings alone.
  await panel.getByRole("button", { name: "Calibrate" }).click();
  await lab.until(async () => /It (does not help|helps):/.test(await text(".truth-fit")));
  assert.match(await text(".truth-fit"), /judged half/);
  assert.equal(await page.locator(".stale-bar").count(), 0);
  await shot(page, "whole");
  // The job that differs most, in the steps.
  const row = panel.locator(".truth-jobs tbody tr").first();
  const number = await row.locator("th").innerText();
  await row.getByRole("button", { name: `Step to job ${number}` }).click();
  await lab.until(async () => await page.locator("#tab-gantt").getAttribute("aria-selected") === "true");
  assert.match(await lab.copyLink(), new RegExp(`_j${number}(_|$)`));
});

test("a log without waits says so, and one of few jobs is shown with a word of warning", async ({ lab, page }) => {
  const panel = await open(lab, page, waited(60, () => -1));
  await lab.until(async () => /does not say how long jobs waited/.test(await panel.locator("[role=alert]").innerText().catch(() => "")));
  await shot(page, "without");
  await lab.stage("few.swf", waited(40));
  await lab.loading(() => lab.dropStaged());
  await lab.run();
  await lab.until(async () => /Only 40 jobs/.test((await panel.locator(".truth-head").innerText()).replace(/\u00a0/g, " ")));
  await shot(page, "few");
});
