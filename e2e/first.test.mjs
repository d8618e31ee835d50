// The page as a first visit finds it: one story, the verdict, three ways on.
import { assert, test } from "./harness.mjs";

/** What can be pressed or typed into, in sight. */
const controls = (page) => page.evaluate(() => [...document.querySelectorAll("button, a[href], input, select, textarea, summary, [role=slider]")].filter((e) => {
  const r = e.getBoundingClientRect();
  return r.width > 1 && r.height > 1 && e.checkVisibility({ visibilityProperty: true }) && r.top < innerHeight && r.bottom > 0 && r.left < innerWidth && r.right > 0;
}).map((e) => e.id || e.getAttribute("aria-label") || e.textContent.trim()));

const moment = (page) => page.getAttribute(".bl-start", "data-moment");

test("a first visit is told what backfilling is, by a run that can be stepped through, and then goes its way", { fresh: true, still: true }, async ({ lab, page }) => {
  await lab.openReady();
  const digest = await lab.digest();
  assert.equal(await moment(page), "4", "who prefers less motion sees how it ends");
  const list = await controls(page);
  assert.ok(list.length <= 30, `${list.length} controls: ${list.join(", ")}`);
  for (const id of ["on-0", "on-1", "on-2"]) assert.ok(list.includes(id), `${id}: every scheduler is in view`);
  assert.match(await page.innerText(".verdict-line"), /^Jobs wait/);
  assert.match(await page.innerText(".start-end"), /Both start 50 min earlier, and nobody starts later\. The mean wait is 19 min; first come, first served makes it 36\./);
  // Each caption is a button, and its picture shows what it says.
  await page.locator("#start-2").click();
  assert.equal(await page.locator(".start-scene .instant-hole").count(), 1);
  assert.ok(!/shadow time/.test(await page.innerText(".start-scene")), "the promise has not been made yet");
  await page.locator("#start-3").focus();
  await page.keyboard.press("Enter");
  assert.match(await page.innerText(".start-scene"), /10:40 shadow time/);
  assert.equal(await page.locator(".start-scene .instant-hole").count(), 0);
  assert.deepEqual(await lab.undefinedColours(".bl-start"), []);
  // The very instant, in the step view, and back.
  await page.locator("#start-steps").click();
  await page.locator(".bl-step[data-step='37200']").waitFor();
  assert.match(await page.innerText(".step-right .step-decisions"), /Job 6/);
  assert.deepEqual(await lab.undefinedColours(".bl-step"), []);
  await page.goBack();
  await lab.run();
  assert.equal(await lab.digest(), digest);
  assert.ok(await page.locator("#tab-gantt").isVisible(), "whoever has gone a step is in the laboratory");
  // Whoever comes back is not told again, unless they ask.
  await page.goto("about:blank");
  await lab.openReady();
  assert.equal(await page.locator(".bl-start").isVisible(), false);
  assert.ok(await page.locator("#tab-gantt").isVisible());
  await page.keyboard.press("?");
  await page.locator("#wish-story").click();
  await page.locator(".bl-start").waitFor();
  await page.locator("#see-all").click();
  assert.ok(await page.locator("#run").isVisible() && !await page.locator(".bl-start").isVisible());
  assert.equal(await lab.digest(), digest, "nothing has run for it");
});

test("whoever comes back without an address may go on where they were", async ({ lab, page }) => {
  await lab.openReady();
  assert.equal(await page.locator("#again").isVisible(), false, "nobody has been anywhere");
  await lab.type(await lab.unfold("seed"), "77");
  await lab.run();
  const digest = await lab.digest(), said = await page.innerText(".verdict-line");
  await lab.until(() => page.evaluate(() => /^#x=/.test(location.hash)));
  await page.goto("about:blank");
  await lab.openReady();
  assert.equal((await page.innerText("#again b")).trim(), said.trim());
  await page.locator("#go-on").click();
  await lab.until(async () => await lab.digest() === digest);
  assert.equal(await page.locator("#again").isVisible(), false);
});

test("the story plays once, and each way leads on", { fresh: true }, async ({ lab, page }) => {
  await lab.openReady();
  for (const n of [2, 3, 4]) await page.waitForFunction((n) => Number(document.querySelector(".bl-start").dataset.moment) >= n, n); // a busy computer may miss one
  await page.locator("#start-again").click();
  assert.equal(await moment(page), "1");
  await page.locator("#open-bring").click();
  assert.match(await page.innerText("#dialog-bring"), /sacct -a -X -D -P/);
  await lab.type(page.locator("#bring-from"), "2025-07-01; rm");
  await page.keyboard.press("Tab");
  await lab.until(async () => /-S 2025-07-01rm -E now /.test(await page.innerText("#dialog-bring")));
  await page.locator("#copy-command").click();
  await lab.until(async () => /^SLURM_TIME_FORMAT/.test(await page.evaluate(() => navigator.clipboard.readText())));
  await page.keyboard.press("Escape");
  await page.locator("#way-lessons").click();
  await page.locator("#lesson-promise").waitFor();
  await page.locator("#place-lab").click();
  assert.ok(await page.locator("#tab-gantt").isVisible());
});

test("on a phone the first screen is the sentence and the machine, and nothing is cut", { fresh: true, still: true, width: 390, height: 844 }, async ({ lab, page }) => {
  await lab.openReady();
  assert.ok(await page.locator(".start-scene svg").isVisible());
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  for (const id of ["#start-1", "#start-4", "#way-lessons", "#open-bring"]) {
    const box = await page.locator(id).boundingBox();
    assert.ok(box.height >= 24 && box.width >= 24, `${id} is ${box.width} × ${box.height}`);
  }
  await page.locator("#more-settings").evaluate((e) => e.closest(".app").querySelector("#open-drawer").click());
  await page.locator("#more-settings").click();
  assert.ok(await page.locator("#section-grid").isVisible(), "what was asked for stays open");
  assert.ok(await page.locator("#tab-gantt").isVisible());
});
