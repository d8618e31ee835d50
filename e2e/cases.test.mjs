// Cases: typed, pasted, placed by hand; each schedule follows.
import { assert, test } from "./harness.mjs";

test("a case is changed by hand, pasted over, placed by keyboard and pointer, and opens in the laboratory", async ({ lab, page }) => {
  await lab.openReady("");
  await page.locator("#place-cases").click();
  const boards = () => page.locator(".case-right svg.board").evaluateAll((all) => all.map((s) => s.getAttribute("aria-label")));
  const until = (pattern) => page.waitForFunction((p) => [...document.querySelectorAll(".case-right svg.board")].some((s) => new RegExp(p).test(s.getAttribute("aria-label"))), pattern);
  await until("^EASY, .*3 from 10 to 40");
  assert.match((await boards())[0], /^FCFS, .*3 from 120 to 150/);
  const run = page.locator('[data-cell="2/3"]');
  await page.locator('[data-cell="2/2"]').fill("80m");
  await run.fill("1:20:00");
  await run.press("Tab");
  await until("^EASY, .*3 from 120 to 200");
  await run.fill("much");
  await run.press("Tab");
  await page.locator(".case-middle .fault-text", { hasText: "Job 3, Runs for: much is not a duration" }).waitFor();
  assert.equal(await run.inputValue(), "much", "what was typed stays");
  await page.locator("[data-do=paste]").click();
  await page.locator("#case-text").fill("submit\tprocs\trun\n0\t2\t1h\n10m\t2\t20m\n");
  await page.locator("[data-do=take]").click();
  await until("^EASY, .*1 from 0 to 60, 2 from 10 to 30");
  await page.locator("#case-promise, #case-everyone").first().click();
  await page.locator("[data-do=place]").click();
  await page.locator(".case-job.here").press("Enter"); // job 1 at 0
  await page.keyboard.press("Home");
  await page.locator(".case-yes", { hasText: "Job 2 may start at 60" }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.locator(".case-no", { hasText: /At 55.min 1 of 4 processors is free; job 2 needs 4\..*60.min/ }).waitFor();
  await page.keyboard.press("Enter"); // springs to the earliest allowed
  await page.locator(".case-job.placed", { hasText: "at 60" }).waitFor();
  await page.locator('[data-job="3"]').click();
  const board = page.locator(".case-board svg");
  const box = await board.boundingBox();
  await page.mouse.move(box.x + 150, box.y + 20);
  await page.mouse.click(box.x + 150, box.y + 20);
  await page.locator('[data-job="3"].placed').waitFor();
  assert.match(await page.locator(".case-middle .lesson-table").textContent(), /You.*EASY.*Best there is/);
  await page.locator("[data-do=table]").click();
  await page.locator("[data-do=lab]").click();
  await page.waitForFunction(() => document.getElementById("place").hidden);
  assert.equal((await lab.text()).includes("Nothing has run yet"), false);
});
