// Settings: one place, with undo and redo, by keys and by the browser's back
// button; schedulers that are off; runs again; times and numbers.
import { assert, link, test, visit } from "./harness.mjs";

visit({ anew: true }, ({ lab }) => lab.begin(), {
  async "undo, redo and the back button walk over the settings"({ lab, page }) {
    const tau = () => lab.value("tau");
    await lab.setField("tau", "1 min");
    await lab.setField("tau", "2 min");
    assert.equal(await tau(), "2m");
    await lab.leaveFields();
    await page.keyboard.press("Control+z");
    await lab.until(async () => await tau() === "1m");
    await page.keyboard.press("Control+z");
    await lab.until(async () => await tau() === "10");
    await page.keyboard.press("Control+z"); // nothing before
    await page.keyboard.press("Control+Shift+Z");
    await lab.until(async () => await tau() === "1m");
    await page.goForward();
    await lab.until(async () => await tau() === "2m");
    await page.goBack();
    await page.goBack();
    await lab.until(async () => await tau() === "10");
    assert.ok(!(await lab.text()).includes("Settings changed"), "all changes are taken back");
    await lab.setField("seed", "2");
    await page.locator("#open-display").click();
    await page.locator("#reset").click();
    await lab.until(async () => await lab.value("seed") === "1");
  },
  async "a link that is followed is a step of its own"({ lab, page }) {
    const other = link({ batchlab: 1, seed: 77, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "fcfs" }] });
    await lab.running(() => page.evaluate((hash) => { location.hash = hash; }, other));
    assert.equal(await lab.value("seed"), "77");
    await page.goBack();
    await lab.until(async () => await lab.value("seed") === "1");
    await page.goForward();
    await lab.until(async () => await lab.value("seed") === "77");
  },
  async "a scheduler that is off keeps its options and does not run"({ lab, page }) {
    const digest = await lab.digest();
    await page.locator("#on-1").uncheck();
    await lab.run();
    assert.equal(await page.locator(".chip").count(), 2);
    assert.notEqual(await lab.digest(), digest);
    await page.locator("#off-0").check();
    await lab.run();
    assert.equal(await lab.digest(), digest, "on again, it runs as before");
    await page.locator("#on-0").uncheck();
    await page.locator("#on-0").uncheck();
    assert.ok(await page.locator("#on-0").isDisabled(), "the last one stays on");
  },
  async "by keyboard a scheduler is ticked off, renamed, copied and taken out; each keeps its letter and colour on the left, in the results and in a link"({ lab, page }) {
    const look = (at, head) => page.locator(at).evaluateAll((all, head) => all.map((el) => {
      const letter = el.querySelector(".letter")?.innerText;
      return letter && `${letter} ${getComputedStyle(el.querySelector("svg.swatch path")).stroke} ${el.querySelector(head).innerText}`;
    }).filter(Boolean), head);
    const list = () => look(".sched:not(.off) .sched-head", ".sched-name"), chips = () => look(".chip", ".chip-name span:not(:has(svg))");
    const first = await list();
    assert.deepEqual(await chips(), first);
    const press = async (key, selector) => {
      await page.locator(selector).focus();
      await page.keyboard.press(key);
      assert.ok(await page.evaluate(() => document.activeElement !== document.body), `${key} on ${selector} keeps the focus`);
    };
    await press("Space", "#on-1"); // B
    assert.deepEqual(await list(), [first[0], first[2]]);
    assert.deepEqual(await chips(), first, "the results are of before");
    await lab.run();
    assert.deepEqual([await list(), await chips()], [[first[0], first[2]], [first[0], first[2]]]);
    const address = await lab.copyLink();

    // A copy gets the first letter that is free; one that has been taken out leaves it.
    await press("Enter", "#sched-1");
    await press("Enter", ".sched-body .btn:has-text('Duplicate')");
    const copied = (await list()).at(-1);
    assert.match(copied, /^D /); // and stands open
    await lab.setField("sched.2.label", "mine");
    assert.match((await list()).at(-1), /^D .*mine$/);
    await press("Enter", "#sched-0");
    await press("Enter", ".sched-body .btn:has-text('Remove')");
    assert.deepEqual((await list()).map((t) => t[0]), ["C", "D"]);
    await press("Space", "#off-0");
    await lab.run();
    assert.deepEqual((await chips()).map((t) => t[0]), ["B", "C", "D"]);
    assert.deepEqual(await chips(), await list());

    await page.goto("about:blank");
    await page.goto(address);
    await lab.ready();
    assert.deepEqual([await list(), await chips()], [[first[0], first[2]], [first[0], first[2]]], "whoever gets the link sees the same letters");
  },
  async "durations are typed as people write them, faults stand at their field"({ lab, page }) {
    await lab.setField("measure-from", "2d 3h");
    assert.equal(await lab.value("measure-from"), "2d 3h");
    await lab.setField("measure-to", "soon");
    assert.match(await page.locator("#measure-to-error").innerText(), /soon is not a duration/);
    assert.equal(await page.locator("#run").getAttribute("aria-disabled"), "true");
    await lab.setField("measure-to", "");
    assert.equal(await page.locator("#measure-to-error").count(), 0);
  },
  async "every measure shows its formula and source at one click, and gives the focus back"({ lab, page }) {
    await page.locator("#open-metric-mean-wait").click();
    const dialog = page.getByRole("dialog");
    assert.match(await dialog.innerText(), /mean over jobs of WaitTime[\s\S]*Feitelson[\s\S]*EASY/);
    await page.keyboard.press("Escape");
    await lab.until(async () => await page.evaluate(() => document.activeElement.id) === "open-metric-mean-wait");
    const rows = page.locator(".measures .explain");
    assert.ok(await rows.count() > 30);
    await rows.last().click();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#differences").click();
    assert.match(await page.locator(".measures").innerText(), /[(,] ?[−+]?[\d.]+ to [−+]?[\d.]/);
  },
});

test("a cancelled scheduler runs again alone, and the digest is whole", async ({ lab, page }) => {
  const doc = { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 20000, load: 1.1 } } } },
    schedulers: [{ key: "fcfs" }, { key: "conservative" }] };
  await page.addInitScript(() => window.hold(0));
  await lab.open(link(doc));
  await page.locator('[data-run="1"] .stop').click();
  await page.locator("#again-1").waitFor();
  await lab.hold(Infinity);
  await page.waitForFunction(() => document.documentElement.dataset.runs === "done");
  assert.equal(await lab.digest(), "");
  await lab.running(() => page.locator("#again-1").click());
  const digest = await lab.digest();
  assert.match(digest, /^[0-9a-f]{64}$/);
  await lab.run();
  assert.equal(await lab.digest(), digest, "all at once gives the same digest");
});

test("times and units are switched, remembered, and change no file", async ({ lab, page }) => {
  await lab.openReady();
  const csv = await lab.download(async () => {
    await page.locator("#open-export").click();
    await page.getByRole("button", { name: /All measures/ }).click();
  });
  await page.locator("#open-display").click();
  await page.getByRole("button", { name: "h", exact: true }).click();
  await page.getByRole("button", { name: "From the start" }).click();
  await page.keyboard.press("Escape");
  assert.match(await page.locator(".card-value").first().innerText(), /^\d+\.\d\d\sh/);
  await page.reload();
  await lab.ready();
  assert.match(await page.locator(".card-value").first().innerText(), /^\d+\.\d\d\sh/);
  const again = await lab.download(async () => {
    await page.locator("#open-export").click();
    await page.getByRole("button", { name: /All measures/ }).click();
  });
  assert.equal(again, csv);
});

test("numbers are in the reader's style, files with a point", { locale: "de-DE" }, async ({ lab, page }) => {
  await lab.openReady();
  assert.match(await lab.text(), /2\.000\sjobs/);
  assert.match(await page.locator(".card-value").nth(2).innerText(), /\d,\d\s%/);
  await lab.loading(() => lab.setField("gen.load", "0,5"));
  assert.equal(await lab.value("gen.load"), "0,5");
  const csv = await lab.download(async () => {
    await page.locator("#open-export").click();
    await page.getByRole("button", { name: /All measures/ }).click();
  });
  assert.match(csv, /,\d+\.\d+,/); // a point, and commas only between cells
  assert.equal(new Set(csv.trim().split(/\r?\n/).map((line) => line.split(",").length)).size, 1);
  const doc = JSON.parse(await lab.download(async () => {
    await page.locator("#open-export").click();
    await page.getByRole("button", { name: /Experiment/ }).click();
  }));
  assert.equal(doc.workload.source.generator.params.load, 0.5);
});

test("two tabs side by side do each other no harm", async ({ lab, page, context, base }) => {
  await lab.openReady();
  const digest = await lab.digest();
  const other = await context.newPage();
  await other.goto(`${base}/${link({ batchlab: 1, seed: 5, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }] })}`);
  await other.waitForFunction(() => document.documentElement.dataset.digest);
  assert.notEqual(await other.evaluate(() => document.documentElement.dataset.digest), digest);
  await new lab.constructor(other, base).setField("tau", "99");
  await other.goBack();
  assert.equal(await lab.value("tau"), "10");
  await lab.run();
  assert.equal(await lab.digest(), digest);
});

test("a tour is offered to whoever comes by a link, taken over the results that are there, and not offered again", { fresh: true }, async ({ lab, page }) => {
  await lab.openReady(link({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "fcfs" }, { key: "easy" }] }));
  const digest = await lab.digest();
  await page.locator("#start-tour").click();
  for (const [i, tab] of ["overview", "overview", "gantt", "gantt", "distributions", "overview"].entries()) {
    await page.waitForFunction((n) => document.querySelector(".story-step")?.textContent === `${n} of 6`, i + 1);
    assert.equal(await page.getAttribute(`#tab-${tab}`, "aria-selected"), "true", `step ${i + 1}`);
    if (i === 3) await page.locator("#step-say").waitFor({ state: "attached" });
    await lab.settled();
    await page.locator("#demo-next").click();
  }
  await page.locator("#story").waitFor({ state: "detached" });
  assert.equal(await lab.digest(), digest);
  await page.keyboard.press("l"); // large type stands in the address
  await lab.until(() => page.evaluate(() => /[&#]v=[^&]*_z/.test(location.hash) && document.querySelector("#app").classList.contains("large")));
  await page.reload();
  await lab.ready();
  assert.equal(await page.locator("#hint").count(), 0);
  assert.ok(await page.evaluate(() => document.querySelector("#app").classList.contains("large")));
});
