// Schedulers that users write: the editor, the small case, the comparison, links
// with programs, and programs that mean no good.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agreeInPage, program } from "./agree.mjs";
import { hostile, tryInPage } from "./hostile.mjs";
import { assert, batchlab, link, test, unlink } from "./harness.mjs";
import { Lab } from "./lab.mjs";
import { watch } from "./watch.mjs";

const start = { batchlab: 1, workload: { source: { bundled: "demo" }, window: { to: 300000 } }, schedulers: [{ key: "easy" }] };

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
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(400);
      await page.screenshot({ path: `${process.env.SHOTS}/own-${name}-${width}-${dark ? "dark" : "light"}.png` });
    }
  }
  await page.evaluate(() => { delete document.documentElement.dataset.theme; });
  await page.setViewportSize(size);
}

test("a scheduler is written, tried, run, compared, and goes along in a link that runs after a click", async ({ lab, page }) => {
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
  await shots(page, "completion");
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
  assert.match(await page.locator(".own-holds").innerText(), /No job starves[\s\S]*Heads are never delayed[\s\S]*at another time/);
  await lab.until(async () => await page.locator(".own-count").count() > 1);
  await shots(page, "run");
  await page.locator(".own-same [data-do^=go]").click();
  await lab.until(async () => await page.locator("#tab-gantt").getAttribute("aria-selected") === "true");
  await page.locator("#tab-own").click();
  // Stepping through both begins at that instant.
  await page.locator(".own-same [data-do^=step]").click();
  await lab.until(async () => /[Ss]tep/.test(await page.locator("#panel-gantt").innerText()) && await page.locator("#panel-gantt .step-body").count() > 0);
  await page.locator("#tab-own").click();

  // EASY written out is EASY, with the digest of the command line. Ctrl+Enter takes
  // over what was typed a moment ago.
  await write(page, program("easy"));
  await lab.run();
  await lab.until(async () => await page.locator(".own-same h3").innerText() === "The same as EASY");
  assert.match(await page.locator(".own-same").innerText(), /Every one of the/);
  const digest = await lab.digest();
  const doc = { ...start, schedulers: [{ key: "easy" }, { key: "custom", params: { code: program("easy") } }] };
  const file = join(mkdtempSync(join(tmpdir(), "own-")), "experiment.json");
  writeFileSync(file, JSON.stringify(doc));
  assert.equal(digest, JSON.parse(await batchlab("run", file)).digest);

  // The link opens in a fresh profile, shows the program, and runs after a word, by
  // keyboard; the digest is the author's.
  const address = await lab.copyLink();
  const fresh = await page.context().browser().newContext({ viewport: { width: 1440, height: 900 } });
  fresh.setDefaultTimeout(120_000);
  const other = await fresh.newPage(), there = new Lab(other, lab.base);
  try {
    await other.addInitScript(watch);
    await there.open(`#${address.split("#")[1]}`);
    await other.locator(".own-alert").waitFor();
    assert.match(await other.locator(".own-alert").innerText(), /This link contains a program; it can only decide starts\./);
    assert.match(await editor(other).innerText(), /EASY backfilling, written out/);
    assert.equal(await there.started(), 0);
    assert.equal(await other.locator("#run").getAttribute("aria-disabled"), "true");
    await other.keyboard.press("Control+Enter");
    assert.equal(await there.started(), 0);
    await shots(other, "link");
    await other.locator(".own-alert b").focus();
    await other.keyboard.press("Tab");
    assert.equal(await other.evaluate(() => document.activeElement.innerText), "Do not run");
    await other.keyboard.press("Tab");
    await there.running(() => other.keyboard.press("Enter"));
    assert.equal(await there.digest(), digest);
    // Allowed for this tab, and for this program alone.
    await other.reload();
    await there.ready();
    assert.equal(await there.digest(), digest);
    await there.open(link({ ...doc, schedulers: [{ key: "easy" }, { key: "custom", params: { code: `${program("easy")}\n` } }] }));
    await other.locator(".own-alert").waitFor();
    // Left out, the rest runs.
    await there.running(() => other.locator("[data-do=out]").click());
    assert.equal(await other.locator("#tab-own").count(), 0);
  } finally {
    await fresh.close();
  }

  // The smallest case on which two part opens as a table of jobs, with both in step.
  await page.locator(".own-chip", { hasText: "Own reservation" }).click();
  await tried(lab, page);
  await lab.run();
  await lab.until(async () => await page.locator(".own-same [data-do=smallest]").count() > 0);
  await lab.running(() => page.locator(".own-same [data-do=smallest]").click());
  await lab.until(async () => await page.locator("#panel-gantt .step-body").count() > 0);
  const rows = unlink(page.url()).workload.source.inline.rows;
  assert.ok(rows.length > 0 && rows.length <= 12, `${rows.length} jobs`);
  await shots(page, "smallest");
});

test("programs that write out built-in schedulers start every job when these do, and hostile ones end, in the browser", async ({ lab, page }) => {
  await lab.openReady(link(start));
  const { compared, differ } = await agreeInPage(page, 60);
  assert.ok(compared >= 48, `${compared} compared`);
  assert.deepEqual(differ, []);
  // Programs that mean no good end with their line in the page's worker, too.
  for (const { code, line } of await tryInPage(page, hostile().filter((_, i) => i % 12 === 0))) assert.ok(line > 0, code);
  assert.equal(await page.evaluate(() => 1 + 1), 2);
});
