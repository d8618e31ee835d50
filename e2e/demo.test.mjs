// The demo for a room: a story that tells itself and asks nobody for anything.
import { join } from "node:path";
import { assert, out, test } from "./harness.mjs";

test("the demo tells its steps, points at what it speaks of, goes on by itself to a cluster, starts over when idle, and makes no request", async ({ lab, page, base }) => {
  await page.addInitScript(() => {
    window.later = 0; // time stands still but where the test moves it
    Date.now = () => 1e12 + window.later;
  });
  await lab.open("#demo");
  await lab.ready();
  const requests = [];
  page.on("request", (r) => requests.push(r.url()));
  const step = () => page.innerText(".story-step");
  const tabs = ["overview", "overview", "gantt", "gantt", "distributions", "overview", "import", "job", "import", "overview", "truth", "gantt", "users", "whatif"], all = tabs.length;
  await lab.until(async () => await step() === `1 of ${all}`); // the cluster's files have come
  const size = await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector(".story-text")).fontSize));
  assert.ok(size >= 18, `${size} px is no large type`);
  // Untouched it goes on.
  for (let n = 2; n <= 4; n++) {
    await page.evaluate(() => { window.later += 21_000; });
    await lab.until(async () => await step() === `${n} of ${all}`);
  }
  for (let n = 0; n < 3; n++) await page.keyboard.press("PageUp");
  await lab.settled();
  // Instants are told by the second program, which is loaded once, from here.
  assert.deepEqual(requests.filter((u) => !u.startsWith(`${base}/`) || !/studies-|worker|wasm_exec|demo\.json/.test(u)), []);
  requests.length = 0;
  for (const [i, tab] of tabs.entries()) {
    await lab.until(async () => await step() === `${i + 1} of ${all}` && await page.getAttribute(`#tab-${tab}`, "aria-selected") === "true");
    await lab.ready();
    await lab.settled();
    assert.equal(await page.locator(".bl-start").isVisible(), i === 1, "what backfilling is stands beside its own step");
    // The frame lies around something that is drawn there, in the window.
    await lab.until(() => page.evaluate(() => {
      const f = document.querySelector(".story-frame:not([hidden])")?.getBoundingClientRect();
      return !!f && f.width > 20 && f.height > 20 && f.left >= 0 && f.top >= 0 && f.right <= innerWidth && f.bottom <= innerHeight;
    }));
    await page.screenshot({ path: join(out, `demo-${i + 1}.png`) });
    if (i < all - 1) await (i % 2 ? page.keyboard.press("PageDown") : page.locator("#demo-next").click());
  }
  // What was shown of the made-up cluster is not kept among the visitor's logs.
  assert.equal(await page.evaluate(() => document.documentElement.dataset.keeping || "0"), "0");
  await page.locator("#tab-table").click();
  await page.evaluate(() => { window.later += 80_000; });
  await page.waitForTimeout(1500);
  assert.equal(await step(), `${all} of ${all}`, "80 s are not 90");
  await page.evaluate(() => { window.later += 15_000; });
  await lab.until(async () => await step() === `1 of ${all}`);
  await lab.ready();
  assert.equal(await page.getAttribute("#tab-overview", "aria-selected"), "true");
  await page.waitForTimeout(2000);
  assert.deepEqual(requests.filter((u) => !/^(blob|data):/.test(u) && !/\/(worker|wasm_exec)\.js$/.test(u)), [], "something was asked for");
  await page.locator("#demo-leave").click();
  await page.locator("#story").waitFor({ state: "detached" });
});
