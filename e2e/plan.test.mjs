// Plans: what a planning scheduler expects at an instant, how a prediction
// moved, what the optimiser did.
import { assert, link, test } from "./harness.mjs";

const nodes = {
  batchlab: 1,
  workload: { source: { bundled: "demo" }, filter: { max_procs: 40 } },
  platform: {
    clusters: [{ name: "big", packing: "nodes", groups: [{ count: 5, processors: 10 }] }, { name: "flat", groups: [{ count: 50, processors: 1 }] }],
    limits: { user_processors: 60, classes: [{ longer_than: 7200, share: 0.8 }] },
    outages: [{ name: "service", from: 40000, to: 60000, cluster: "big", nodes: [0], announced: true }],
  },
  schedulers: [{ key: "orig-bf" }, { key: "plan-rs", params: { iterations: 50 } }],
};

const shown = (lab, page) => lab.until(async () => (await page.locator(".bl-plan").getAttribute("data-plan") ?? "") !== "");

test("the plan of an instant shows the future beside the past, gaps and limits, and follows a job", async ({ lab, page }) => {
  await lab.openReady(link(nodes));
  await lab.run();
  await page.locator("#tab-plan").click();
  await shown(lab, page);
  const chart = page.locator(".bl-plan-gantt");
  // The drawing and the table say the same number of waiting jobs.
  const waits = Number(/: (\d+)\s+jobs?\s+wait/.exec(await page.locator("#plan-at").innerText())[1]);
  assert.ok(waits > 3, `${waits} jobs wait`);
  const rows = page.locator(".bl-plans table.bl-grid").last().locator("tbody tr");
  await lab.until(async () => await rows.count() === waits);
  // Gap lists of both clusters, and limits, have their strips.
  const text = await chart.innerText();
  for (const want of ["gaps big", "gaps flat", "limit", "past", "planned"]) assert.ok(text.includes(want), `${want} in ${text}`);
  // Jobs on named nodes say which the plan expects.
  const texts = await rows.allInnerTexts();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/plan.png` });
  assert.ok(texts.some((r) => /big\s*[0-4]/.test(r)), `no node is named: ${texts.join("; ")}`);
  // The last planned job is followed: its history ends with its real start.
  const number = (await rows.last().locator("td").first().innerText()).replace(/\D/g, "");
  await lab.type(page.locator(".bl-plan .bl-find input"), number);
  await page.keyboard.press("Enter");
  await shown(lab, page);
  const history = page.locator(".bl-plans > .bl").first();
  await lab.until(async () => /Predicted start of job/.test(await history.locator("[role=application],[role=img]").first().getAttribute("aria-label", { timeout: 1000 }).catch(() => "") ?? ""));
  // Accuracy and trace come from the whole run.
  await lab.until(async () => /accepted improvement/.test(await page.locator(".bl-plans > .bl").nth(2).innerHTML()));
  await lab.until(async () => /Error of predicted starts/.test(await page.locator(".bl-plans > .bl").nth(1).innerHTML()));
  // The next event, and the one before, are other instants.
  const at = await page.locator(".bl-plan").getAttribute("data-plan");
  await page.getByRole("button", { name: "Next event" }).click();
  await lab.until(async () => ![at, ""].includes(await page.locator(".bl-plan").getAttribute("data-plan")));
  await page.getByRole("button", { name: "Event before" }).click();
  await lab.until(async () => await page.locator(".bl-plan").getAttribute("data-plan") === at);
  // The instant and the job go along in a link.
  const view = /&v=(.*)/.exec(await lab.copyLink())[1].split("_");
  assert.ok(view.includes(`i${at}`) && view.includes(`j${number}`) && view.includes("tplan"), view.join(" "));
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/plan.png`, fullPage: true });
});

test("a scheduler without a plan says so, conservative backfilling on one machine shows its plan", async ({ lab, page }) => {
  await lab.openReady(link({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }, { key: "conservative" }] }));
  await lab.run();
  await page.locator("#tab-plan").click();
  await shown(lab, page);
  assert.match(await page.locator("#plan-at").innerText(), /wait/);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/plan-conservative.png` });
  await page.locator(".chip-name").first().click();
  await lab.until(async () => /does not plan all waiting jobs/.test(await page.locator(".bl-plan-gantt").innerText()));
  // And leads on to the one that does.
  await page.getByRole("button", { name: "Show the plan of B Conservative" }).click();
  await shown(lab, page);
  assert.match(await page.locator("#plan-at").innerText(), /wait/);
});
