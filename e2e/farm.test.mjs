// The farm: machines and licences one by one, deadlines, and what becomes of
// them in the drawings.
import { assert, link, test } from "./harness.mjs";

const small = {
  batchlab: 1,
  workload: {
    source: { generator: { key: "farm", params: { jobs: 60, interarrival: 40, "procs-max": 4 } } },
    annotate: { deadlines: { share: 0.7 }, licences: [{ licence: "cad", share: 0.4 }] },
  },
  platform: {
    clusters: [{ name: "farm", packing: "machine", groups: [{ count: 2, processors: 4, licences: ["cad", "mesh"] }, { count: 3, processors: 2, speed: 2, licences: ["cad"] }] }],
    licences: [{ name: "cad", copies: 2 }],
  },
  schedulers: [{ key: "fcfs" }, { key: "bf-unmod" }],
};

const cell = (page, sheet, row, key) => page.locator(`[id="${sheet}.${row}.${key}"]`);

async function openPart(page, key) {
  const button = page.locator(`#section-${key}`);
  if (await button.getAttribute("aria-expanded") === "false") await button.click();
}

test("machines and licences are edited in tables, and a link brings them back", async ({ lab, page }) => {
  await lab.openReady(link(small));
  await openPart(page, "machines");
  assert.equal(await cell(page, "groups", 1, "speed").inputValue(), "2");
  // By keyboard alone: a row is added, filled, and left with Enter.
  await page.locator('[id="groups.add"]').focus();
  await page.keyboard.press("Enter");
  await lab.until(async () => await page.evaluate(() => document.activeElement.id) === "groups.2.count");
  await page.keyboard.type("4");
  await page.keyboard.press("Tab");
  await page.keyboard.type("8");
  await page.keyboard.press("Enter");
  await lab.until(async () => await page.evaluate(() => document.activeElement.id) === "groups.add");
  await page.keyboard.press("Shift+Tab"); // nothing is lost on the way
  await cell(page, "licences", 0, "name").fill("solver");
  await cell(page, "licences", 0, "name").press("Enter");
  await lab.until(async () => await cell(page, "groups", 2, "licences").inputValue() === "solver");
  await lab.run();
  const digest = await lab.digest();
  const again = await lab.copyLink();
  await page.goto("about:blank");
  await lab.openReady(new URL(again).hash);
  await openPart(page, "machines");
  assert.equal(await cell(page, "groups", 2, "count").inputValue(), "4");
  assert.equal(await cell(page, "groups", 2, "processors").inputValue(), "8");
  assert.equal(await cell(page, "licences", 0, "name").inputValue(), "solver");
  assert.equal(await lab.digest(), digest);
  await cell(page, "groups", 2, "count").focus();
  await page.keyboard.press("Control+Delete");
  await lab.until(async () => await cell(page, "groups", 2, "count").count() === 0);
});
