// The address is the session: reload, back, forward, a second tab and a bookmark
// bring back what was there, with the log from the browser's store.
import { spawnSync } from "node:child_process";
import { assert, cli, test } from "./harness.mjs";

const tab = (page) => page.locator("[role=tab][aria-selected=true]").getAttribute("id");
/** What the Gantt chart says that it shows. */
const shown = (page) => page.locator("#panel-gantt .bl-mini canvas[role=img]").getAttribute("aria-label");

test("settings, tab, span and log come back by reload, back and forward, and in a second tab", async ({ lab, page, context }) => {
  await lab.openReady();
  assert.equal(new URL(page.url()).hash, "", "a first visit needs no address of its own");

  const log = spawnSync(cli, ["generate", "daily", "--jobs", "400"], { encoding: "utf8", maxBuffer: 1 << 26 }).stdout;
  await lab.loading(() => lab.drop("mine.swf", log));
  await lab.setField("tau", "60");
  await lab.run();
  await page.locator("#tab-gantt").click();
  await page.locator("[data-island=gantt] canvas[data-drawn=true]").waitFor();
  const whole = await shown(page);
  await page.locator("#panel-gantt canvas[tabindex]").first().focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("w");
  await lab.until(async () => /_f\d+_e\d+/.test(page.url()));
  const span = await shown(page);
  assert.notEqual(span, whole);

  await page.locator("#tab-series").click();
  await lab.until(async () => page.url().includes("tseries"));
  await page.goBack();
  await lab.until(async () => await tab(page) === "tab-gantt");
  await page.goForward();
  await lab.until(async () => await tab(page) === "tab-series");
  await page.goBack();
  await lab.until(async () => await tab(page) === "tab-gantt");
  await lab.until(async () => await shown(page) === span); // drawn after the tab is shown

  const address = page.url(), digest = await lab.digest();
  const same = async (p) => {
    const other = new lab.constructor(p, lab.base);
    await other.ready();
    assert.equal(await other.digest(), digest);
    assert.equal(await tab(p), "tab-gantt");
    assert.equal(await other.value("tau"), "1m");
    assert.match(await other.text(), /mine\.swf/);
    await lab.until(async () => await shown(p) === span);
    await other.settled();
    assert.equal(p.url(), address, "opening it does not change it");
  };
  await page.reload();
  await same(page);
  const second = await context.newPage();
  await second.goto(address);
  await second.waitForFunction(() => document.documentElement.dataset.ready);
  const ready = new lab.constructor(second, lab.base);
  await ready.ready();
  await lab.until(async () => await shown(second) === span);
  assert.equal(await tab(second), "tab-gantt");
  await second.close();

  await page.goBack(); // an entry from before the reload
  await lab.until(async () => await tab(page) === "tab-overview");
  await lab.ready();

  // What was changed just before the page is left goes along, into a reload and behind another page.
  await page.locator("#tab-gantt").click();
  await lab.until(async () => page.url().includes("tgantt"));
  await page.locator("[data-island=gantt] canvas[data-drawn=true]").waitFor();
  for (const leave of [() => page.reload(), async () => { await page.goto("about:blank"); await page.goBack(); }]) {
    await page.evaluate(() => { // what waits for a moment of rest waits for ever
      const real = window.setTimeout;
      window.setTimeout = (f, ms, ...rest) => ms === 250 || ms === 350 ? 0 : real(f, ms, ...rest);
    });
    const written = page.url(), before = await shown(page);
    await page.locator("#panel-gantt canvas[tabindex]").first().focus();
    await page.keyboard.press("w");
    await lab.until(async () => await shown(page) !== before);
    const nearer = await shown(page);
    assert.equal(page.url(), written);
    await leave();
    await lab.ready();
    await lab.until(async () => await shown(page) === nearer);
  }
});
