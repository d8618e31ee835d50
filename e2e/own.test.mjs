// Schedulers that users write: the editor, the small case, the comparison, links
// with programs, and programs that mean no good.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, batchlab, link, test } from "./harness.mjs";

const start = { batchlab: 1, workload: { source: { bundled: "demo" }, window: { to: 300000 } }, schedulers: [{ key: "easy" }] };
const program = (name) => readFileSync(new URL(`../examples/schedulers/${name}.star`, import.meta.url), "utf8");

/** The text of the page's editor. */
const editor = (page) => page.locator("#own-code");
const foot = (page) => page.locator(".own-foot");

/** Replaces the whole program, as somebody does who pastes. */
async function write(page, code) {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(code);
}
const tried = (lab, page) => lab.until(async () => /Tried on the small case|fault/.test(await foot(page).innerText()));

/** Pictures of the view, light and dark, wide and narrow. */
async function shots(page, name) {
  if (!process.env.SHOTS) return;
  const size = page.viewportSize();
  for (const dark of [false, true]) {
    await page.evaluate((theme) => { document.documentElement.dataset.theme = theme; }, dark ? "dark" : "light");
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(400);
      await page.screenshot({ path: `${process.env.SHOTS}/own-${name}-${width}-${dark ? "dark" : "light"}.png` });
    }
  }
  await page.evaluate(() => { delete document.documentElement.dataset.theme; });
  await page.setViewportSize(size);
}

test("a scheduler is written, tried, run, compared, and goes along in a link that runs after a click", async ({ lab, page, browser }) => {
  const asked = [];
  page.on("request", (r) => asked.push(r.url()));
  await lab.openReady(link(start));
  assert.ok(!asked.some((u) => /editor\.js/.test(u)), "the editor is not part of the first load");
  assert.equal(await page.locator("#tab-own").count(), 0);

  // The first one in a minute: the button opens the editor with a program that runs.
  await page.locator("#write-own").click();
  await editor(page).waitFor();
  await tried(lab, page);
  assert.match(await page.locator(".own-small").innerText(), /does what EASY does/);
  assert.ok(asked.some((u) => /editor\.js/.test(u)));

  // A fault stands under its line while one types, with the nearest name; the
  // results of the small case before stay.
  await page.locator(".own-chip", { hasText: "FCFS" }).click();
  await tried(lab, page);
  assert.match(await page.locator(".own-small").innerText(), /does what FCFS does/);
  await write(page, "def decide(s):\n    return s.quue\n");
  await lab.until(async () => /Line 2/.test(await page.locator(".cm-fault").innerText().catch(() => "")));
  assert.match(await page.locator(".cm-fault").innerText(), /quue/);
  assert.equal(await page.locator(".own-small svg").count(), 1);
  await shots(page, "error");

  // Completion knows the names that there are.
  await write(page, "def decide(s):\n    s.ear");
  await page.keyboard.type("l");
  await lab.until(async () => /earliest/.test(await page.locator(".cm-tooltip-autocomplete").innerText().catch(() => "")));
  await page.keyboard.press("Escape");

  // Programs that mean no good end with their line, and the page lives on.
  for (const [code, want] of [
    ["def decide(s):\n    while True:\n        pass\n", /steps/],
    ["def decide(s):\n    x = []\n    for i in range(1000000000):\n        x.append('a' * 1000000)\n", /./],
    ["def decide(s):\n    return [1, 2.5, None]\n", /list of jobs/],
    ["def decide(s):\n    return s.queue + s.queue\n", /./],
    ["load('os', 'x')\ndef decide(s):\n    return []\n", /./],
    ["def order(job, s):\n    return float('nan')\n", /./],
  ]) {
    await write(page, code);
    await tried(lab, page);
    assert.match(await page.locator(".cm-fault").first().innerText(), want, code);
  }

  // Beside EASY on the workload: the first job at which they part, and what holds.
  await page.locator(".own-chip", { hasText: "Largest first" }).click();
  await tried(lab, page);
  await lab.running(() => page.locator("[data-do=run]").click());
  await lab.until(async () => /The same as EASY up to job [\d,]+/.test(await page.locator(".own-same").innerText()));
  assert.match(await page.locator(".own-holds").innerText(), /Nobody waits longer[\s\S]*Jobs that start at another time/);
  await lab.until(async () => await page.locator(".own-count").count() > 1);
  await shots(page, "run");
  await page.locator(".own-same [data-do^=go]").click();
  await lab.until(async () => await page.locator("#tab-gantt").getAttribute("aria-selected") === "true");
  await page.locator("#tab-own").evaluate((tab) => tab.click()); // a hint may lie over it

  // EASY written out is EASY, with the digest of the command line.
  await write(page, program("easy"));
  await tried(lab, page);
  await lab.run();
  await lab.until(async () => await page.locator(".own-same h3").innerText() === "The same as EASY");
  assert.match(await page.locator(".own-same").innerText(), /Every one of the/);
  const digest = await lab.digest();
  const doc = { ...start, schedulers: [{ key: "easy" }, { key: "custom", params: { code: program("easy") } }] };
  const file = join(mkdtempSync(join(tmpdir(), "own-")), "experiment.json");
  writeFileSync(file, JSON.stringify(doc));
  assert.equal(digest, JSON.parse(await batchlab("run", file)).digest);

  // The link opens in a fresh profile, shows the program, and runs after a click.
  const address = await lab.copyLink();
  await page.goto("about:blank"); // else only what is behind # would change
  await lab.open(`#${address.split("#")[1]}`);
  await page.locator(".own-alert").waitFor();
  assert.match(await page.locator(".own-alert").innerText(), /This link contains a program[\s\S]*only decide starts/);
  assert.match(await editor(page).innerText(), /EASY backfilling, written out/);
  assert.equal(await lab.started(), 0);
  assert.equal(await page.locator("#run").getAttribute("aria-disabled"), "true");
  await shots(page, "link");
  await lab.running(() => page.locator("[data-do=allow]").click());
  assert.equal(await lab.digest(), digest);
});
