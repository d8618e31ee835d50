// The demo for a room: a story that tells itself and asks nobody for anything.
import { join } from "node:path";
import { assert, out, test } from "./harness.mjs";

test("the demo tells six steps, goes on by itself, starts over when idle, and makes no request", async ({ lab, page, base }) => {
  await page.addInitScript(() => {
    window.later = 0; // time stands still but where the test moves it
    Date.now = () => 1e12 + window.later;
  });
  await lab.open("#demo");
  await lab.ready();
  const requests = [];
  page.on("request", (r) => requests.push(r.url()));
  const step = () => page.innerText(".story-step");
  assert.equal(await step(), "1 of 6");
  const size = await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector(".story-text")).fontSize));
  assert.ok(size >= 18, `${size} px is no large type`);
  // Untouched it goes on.
  for (let n = 2; n <= 4; n++) {
    await page.evaluate(() => { window.later += 21_000; });
    await page.waitForFunction((n) => document.querySelector(".story-step").textContent === `${n} of 6`, n);
  }
  for (let n = 0; n < 3; n++) await page.keyboard.press("PageUp");
  await lab.settled();
  // Instants are told by the second program, which is loaded once, from here.
  assert.deepEqual(requests.filter((u) => !u.startsWith(`${base}/`) || !/studies-|worker|wasm_exec/.test(u)), []);
  requests.length = 0;
  for (const [i, tab] of ["overview", "overview", "gantt", "gantt", "distributions", "overview"].entries()) {
    await page.waitForFunction((n) => document.querySelector(".story-step").textContent === `${n} of 6`, i + 1);
    assert.equal(await page.getAttribute(`#tab-${tab}`, "aria-selected"), "true", `step ${i + 1}`);
    assert.equal(await page.locator(".bl-start").isVisible(), i === 1, "what backfilling is stands beside its own step");
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(out, `demo-${i + 1}.png`) });
    if (i < 5) await (i % 2 ? page.keyboard.press("PageDown") : page.locator("#demo-next").click());
  }
  await page.locator("#tab-table").click();
  await page.evaluate(() => { window.later += 80_000; });
  await page.waitForTimeout(1500);
  assert.equal(await step(), "6 of 6", "80 s are not 90");
  await page.evaluate(() => { window.later += 15_000; });
  await page.waitForFunction(() => document.querySelector(".story-step").textContent === "1 of 6");
  await lab.ready();
  assert.equal(await page.getAttribute("#tab-overview", "aria-selected"), "true");
  await page.waitForTimeout(2000);
  assert.deepEqual(requests.filter((u) => !u.startsWith("blob:") && !u.startsWith("data:")), [], "something was asked for");
  await page.locator("#demo-leave").click();
  await page.locator("#story").waitFor({ state: "detached" });
});
