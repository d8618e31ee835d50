// What could go wrong around the lab: links that ask for very much, a full disk, tabs that are closed in the middle.
import { assert, link, test } from "./harness.mjs";

test("a link of 64,000 runs asks first, starts what is agreed to bit by bit, and Esc stops it", async ({ lab, page }) => {
  const schedulers = Array.from({ length: 64 }, () => ({ key: "easy", repeat: 1000 }));
  await lab.open(link({ batchlab: 1, workload: { source: { bundled: "demo" }, resample: { by: "shake" } }, schedulers }));
  const asked = page.locator("#much");
  await asked.waitFor();
  assert.match(await asked.innerText(), /64,000\sruns would start/);
  await lab.settled();
  assert.equal(await lab.started(), 0, "nothing has started");
  await page.keyboard.press("Escape");
  await lab.until(async () => await asked.count() === 0);
  await page.keyboard.press("Control+Enter");
  await page.locator("#much-go").click();
  await page.waitForFunction(() => document.documentElement.dataset.runs === "active");
  // What waits to be done is a few tasks, not one for each run.
  assert.ok(await page.evaluate(() => window.pending.size) < 50, "the runs are handed in as workers come free");
  await page.waitForFunction(() => /[1-9]\d*\s%/.test(document.querySelector(".run-progress .percent").textContent));
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.documentElement.dataset.runs !== "active");
  await lab.settled();
  assert.match(await page.locator(".runs .run").first().innerText(), /of 1000 kept/, "what has run stays");
  assert.equal(await page.locator(".runs .run").last().innerText().then((t) => /cancelled/.test(t)), true);
  await page.locator("#tab-gantt").click(); // what has run can be looked at
  await page.locator("#repetition-number").waitFor();
});
