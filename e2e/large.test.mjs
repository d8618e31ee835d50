// A log of a million jobs in the page: read, run, drawn, sorted, with the digest
// of the command line. How fast that is, ./build.sh bench says; here it is shown
// that the page's thread does it in pieces, whatever else the computer does.
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, batchlab, cli, link, test } from "./harness.mjs";

const jobs = 1_000_000, step = 12_000; // jobs that a frame draws at least

/** Writes a log of so many jobs. */
async function write(path) {
  const to = openSync(path, "w");
  const code = await new Promise((end) => spawn(cli, ["generate", "daily", "--jobs", String(jobs)], { stdio: ["ignore", to, "ignore"] }).on("exit", end));
  closeSync(to);
  assert.equal(code, 0);
}

test("a log of a million jobs is read, run, drawn and sorted in pieces, with the command line's digest", async ({ lab, page }) => {
  const folder = mkdtempSync(join(tmpdir(), "batchlab-large-"));
  try {
    const file = join(folder, "million.swf");
    await write(file);
    await lab.openReady(link({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "fcfs" }, { key: "easy" }] }));
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "choose a file" }).click();
    await lab.loading(async () => (await chosen).setFiles(file));
    assert.match(await lab.text(), /1,000,000\sjobs/);
    await page.evaluate(() => work.begin());
    await lab.run();
    // Workload and two runs came into the page's memory, never more than a few
    // pieces of 1 MiB in one turn of its thread.
    const copied = await page.evaluate(() => ({ ...work }));
    assert.ok(copied.bytes > 60e6 && copied.pieces > 60 && copied.most <= 4 << 20, JSON.stringify(copied));

    // A clock that says after every look that the time is up: a frame then draws
    // the least it can, and the picture comes out as with all the time there is.
    const picture = () => page.evaluate(() => {
      const c = document.querySelector("[data-island=gantt] canvas");
      let h = 7;
      for (const v of new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)) h = (h * 31 + v) | 0;
      return h;
    });
    /** Has everything drawn anew: jobs this narrow look the same without gaps. */
    const anew = () => page.evaluate(() => [...document.querySelectorAll(".bl-tog")].find((l) => l.textContent === "Gaps").querySelector("input").click());
    const drawn = page.locator("[data-island=gantt] canvas[data-drawn=true]");
    await page.locator("#tab-gantt").click(); // which opens on a day
    await drawn.waitFor();
    await page.keyboard.press("0"); // the whole
    await lab.settled();
    await drawn.waitFor();
    await lab.settled();
    const calm = await picture();
    await page.evaluate(() => {
      window.hurry = 12;
      window.parts = 0; // frames that end with a picture that does not stand yet
      const look = () => { if (hurry) { window.parts += document.querySelector("[data-island=gantt] canvas[data-drawn=false]") !== null; requestAnimationFrame(look); } };
      requestAnimationFrame(look);
    });
    await anew();
    await page.locator("[data-island=gantt] canvas[data-drawn=false]").waitFor({ state: "attached" });
    await drawn.waitFor();
    const parts = await page.evaluate(() => { window.hurry = 0; return window.parts; });
    await lab.settled();
    assert.ok(parts >= jobs / step / 2, `the picture was drawn in ${parts} parts`);
    assert.equal(await picture(), calm, "drawn in parts and at once are the same picture");

    // While the reader turns the wheel, frames do not wait for the picture.
    const box = await drawn.boundingBox();
    await page.mouse.move(box.x + box.width * 0.55, box.y + 90);
    for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -100);
    await lab.settled();
    assert.notEqual(await picture(), calm);
    await page.keyboard.press("0");
    await lab.settled();
    assert.equal(await picture(), calm);

    // The table holds the rows in view alone, in the order that was asked for.
    await page.locator("#tab-table").click();
    const rows = page.locator("[data-island=table] .bl-tb > [role=row]");
    await rows.first().waitFor();
    await page.getByRole("columnheader", { name: /^Wait/ }).getByRole("button").click();
    await lab.settled();
    const waits = () => page.evaluate(() => [...document.querySelectorAll("[data-island=table] .bl-tb > [role=row]")].map((r) => [Number(r.getAttribute("aria-rowindex")), r.innerText]).sort((a, b) => a[0] - b[0]).map((r) => r[1]));
    const top = await waits();
    assert.ok(top.length > 5 && top.length < 100, `${top.length} rows`);
    await page.evaluate(() => { const g = document.querySelector("[data-island=table] [role=grid]"); g.scrollTop = g.scrollHeight; });
    await lab.settled();
    const bottom = await waits();
    assert.ok(bottom.length < 100 && bottom[0] !== top[0]);
    for (const tab of ["series", "distributions", "users", "overview"]) {
      await page.locator(`#tab-${tab}`).click();
      await lab.settled();
    }
    const said = JSON.parse(await batchlab("run", await lab.copyLink(), "--log", file));
    assert.equal(await lab.digest(), said.digest);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
