// Cases: typed, pasted, placed by hand; each schedule follows.
import { inflateRawSync } from "node:zlib";
import { assert, test } from "./harness.mjs";

test("a case is changed by hand, pasted over, placed by keyboard and pointer, and opens in the laboratory", async ({ lab, page }) => {
  await lab.openReady("");
  await page.locator("#place-cases").click();
  const boards = () => page.locator(".case-right svg.board").evaluateAll((all) => all.map((s) => s.getAttribute("aria-label")));
  const until = (pattern) => page.waitForFunction((p) => [...document.querySelectorAll(".case-right svg.board")].some((s) => new RegExp(p).test(s.getAttribute("aria-label"))), pattern);
  await until("^EASY, .*3 from 10 to 40");
  assert.match((await boards())[0], /^FCFS, .*3 from 120 to 150/);
  // Job 3 is dragged: longer by its end, wider by its upper edge; then by keys. The table follows.
  const cells = () => page.locator('[data-cell^="2/"]').evaluateAll((all) => all.map((el) => el.value).join(" "));
  const easy = page.locator(".case-right svg.board").nth(1);
  const drag = async (grip, dx, dy) => {
    const dot = await easy.locator(`[data-grip=${grip}] .grip-dot`).boundingBox();
    await page.mouse.move(dot.x + 5, dot.y + 5);
    await page.mouse.down();
    await page.mouse.move(dot.x + 5 + dx / 2, dot.y + 5 + dy / 2);
    await page.mouse.move(dot.x + 5 + dx, dot.y + 5 + dy);
    await page.mouse.up();
  };
  const became = (want) => lab.until(async () => await cells() === want);
  assert.equal(await cells(), "10m 1 30m 30m");
  await easy.locator('[data-j="3"]').first().click();
  const per = Number(await easy.getAttribute("data-per"));
  await drag("run", 1200 / per, 0);
  await became("10m 1 50m 50m");
  await until("^EASY, .*3 from 10 to 60");
  await drag("procs", 0, -26);
  await became("10m 2 50m 50m");
  await until("^EASY, .*3 from 120 to 170");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.at), "1/procs", "the grip keeps the focus");
  await page.keyboard.press("ArrowDown");
  await became("10m 1 50m 50m");
  await easy.locator("[data-grip=submit]").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await became("16m 1 50m 50m");
  await until("^EASY, .*3 from 120 to 170"); // it would end after 60 min
  assert.equal(await page.locator("#case-said").textContent(), "Job 3 is submitted at 16\u00a0min.");
  await page.keyboard.press("Control+z");
  await became("15m 1 50m 50m");
  for (let i = 0; i < 4; i++) await page.locator("[data-do=undo]").click();
  await became("10m 1 30m 30m");
  await page.evaluate(() => { navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }; });
  await page.locator("[data-do=random]").click();
  await until("^Conservative, .*1 from 0");
  assert.match(await page.locator(".case-middle h2").textContent(), /^Random case \d+$/);
  let doc;
  await lab.until(async () => { // it holds the digest once all have run
    await page.locator("[data-do=link]").click();
    doc = JSON.parse(inflateRawSync(Buffer.from(/#x=([\w-]+)$/.exec(await page.evaluate(() => window.copied))[1], "base64url")));
    return doc.expect;
  });
  assert.equal(`Random case ${doc.seed ?? 1}`, doc.title);
  assert.match(doc.expect.digest ?? doc.expect, /^[0-9a-f]{64}$/);
  await page.locator("#case-hole").click();
  await until("^EASY, .*3 from 10 to 40");
  const run = page.locator('[data-cell="2/3"]');
  await lab.type(page.locator('[data-cell="2/2"]'), "80m");
  await lab.type(run, "1:20:00");
  await run.press("Tab");
  await until("^EASY, .*3 from 120 to 200");
  await lab.type(run, "much");
  await run.press("Tab");
  await page.locator(".case-middle .fault-text", { hasText: "Job 3, Runs for: much is not a duration" }).waitFor();
  assert.equal(await run.inputValue(), "much", "what was typed stays");
  await page.locator("[data-do=paste]").click();
  await lab.type(page.locator("#case-text"), "submit\tprocs\trun\n0\t2\t1h\n10m\t2\t20m\n");
  await page.locator("[data-do=take]").click();
  await until("^EASY, .*1 from 0 to 60, 2 from 10 to 30");
  await page.locator("#case-promise, #case-everyone").first().click();
  await page.locator("[data-do=place]").click();
  await lab.until(async () => await page.evaluate(() => document.activeElement.className === "case-job here")); // the job in hand has the focus
  await page.keyboard.press("Enter"); // job 1 at 0
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
  await page.locator(".case-middle .lesson-table", { hasText: /You.*FCFS.*EASY.*Conservative.*Best there is/ }).waitFor();
  await page.locator("[data-do=table]").click();
  await page.locator("[data-do=lab]").click();
  await page.waitForFunction(() => document.getElementById("place").hidden);
  assert.equal((await lab.text()).includes("Nothing has run yet"), false);
});

test("placed in the order 3, 1, 2, 4, the job that breaks EASY's promise is named, and taken back", async ({ lab, page }) => {
  await lab.openReady("");
  await page.locator("#place-cases").click();
  await page.locator("#case-promise").click(); // the case of that name
  await page.evaluate(() => window.hold(0));
  await page.locator("[data-do=place]").click();
  // What the schedulers make of the case comes in while the key is down: the box is ticked all the same.
  await page.locator("input#case-promise").focus();
  await page.keyboard.down("Space");
  await page.evaluate(() => window.hold(Infinity));
  await page.locator(".case-middle .lesson-table", { hasText: "Conservative" }).waitFor();
  await page.keyboard.up("Space");
  assert.ok(await page.locator("input#case-promise").isChecked());
  const text = async (selector) => (await page.locator(selector).allTextContents()).join(" ").replaceAll("\u00a0", " ");
  await page.locator('[data-job="2"]').click();
  for (const key of ["Home", "Enter"]) await page.keyboard.press(key); // job 3 at 10 min
  assert.match(await text('[data-job="2"]'), /at 10 min$/);
  for (const key of ["Home", "Enter"]) await page.keyboard.press(key); // job 1 at 0: now job 2 is the head
  await page.locator(".case-no", { hasText: "Job 3 breaks the promise." }).waitFor();
  assert.match(await text(".case-no"), /The head, job 2, can start at 60 min; job 3 keeps it waiting until 100 min\./);
  for (const key of ["Home", "Enter", "Home", "Enter"]) await page.keyboard.press(key); // jobs 2 and 4
  assert.match(await text('[data-job="1"]'), /at 100 min$/);
  assert.match(await text('[data-job="2"]'), /breaks the promise/);
  await page.locator(".case-middle .lesson-table", { hasText: "Best found that keeps the promise" }).waitFor();
  for (const job of [2, 3, 1]) await page.locator(`[data-job="${job}"]`).click(); // back to the tray: now the head goes to 60
  for (const key of ["Home", "Enter", "Home", "Enter", "Home", "Enter"]) await page.keyboard.press(key);
  assert.match(await text('[data-job="1"]'), /at 60 min$/);
  assert.match(await text('[data-job="3"]'), /at 15 min$/);
  assert.match(await text('[data-job="2"]'), /at 120 min$/);
  assert.equal(await text(".case-no"), "");
});
