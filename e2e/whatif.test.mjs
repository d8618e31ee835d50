// What if: a question is asked, told apart or not, printed, opened as a document with
// cases; and who pays for a reservation.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, cli, link, out, test } from "./harness.mjs";

const panel = "#panel-whatif";
const said = (page) => page.locator(`${panel} .whatif-said h2`);
const plain = async (locator) => (await locator.innerText()).replace(/\s+/g, " ");
/** Waits until an answer is there and nothing runs. */
const answered = async (lab, page, like) => lab.until(async () => await page.locator(`${panel} .whatif-run`).isHidden() && like.test(await plain(said(page)).catch(() => "")));

/** A log of 400 jobs of 14 users that says how long they waited. */
function waited() {
  let text = "; Version: 2.2\n; UnixStartTime: 1000000000\n; MaxProcs: 64\n; MaxNodes: 64\n";
  for (let i = 1; i <= 400; i++) {
    const run = 600 + (i * 7919) % 5000, procs = 1 + (i * 31) % 24;
    text += `${i} ${i * 800 + (i * 37) % 700} ${i % 3 ? 30 * (i % 7) : 2400 + i} ${run} ${procs} -1 -1 ${procs} ${run * 2} -1 1 ${1 + i % 14} ${1 + i % 2} -1 ${i % 2} ${i % 4} -1 -1\n`;
  }
  return text;
}

const booked = {
  batchlab: 1, workload: { source: { bundled: "demo" }, window: { to: 400_000 } }, schedulers: [{ key: "easy" }],
  platform: { reservations: [{ name: "course", processors: 60, from: 100_000, to: 130_000 }, { processors: 10, from: 200_000, to: 220_000 }] },
};

test("a question is typed and asked: nothing changed is said exactly, more processors are told with who gains, the page to print is one, and the document is one with cases", async ({ lab, page }) => {
  await lab.openReady();
  assert.equal(await page.locator("#tab-whatif").count(), 0, "there is no log, and no reservation");
  await lab.stage("waited.swf", waited());
  await lab.loading(() => lab.dropStaged());
  await lab.run();
  await page.locator("#tab-whatif").click();
  await page.locator(`${panel} .whatif-line`).waitFor();

  await lab.type("#whatif-count", "x");
  await lab.settled();
  assert.match(await plain(page.locator(`${panel} .whatif-fault`)), /is not a whole number/);
  assert.ok(await page.locator(`${panel} .whatif-go`).isDisabled());
  await lab.type("#whatif-count", "0");
  await page.keyboard.press("Enter");
  await answered(lab, page, /nothing changes, exactly: in \d+ pairs? of runs every job starts and ends at the same second/);
  await lab.type("#whatif-count", "16");
  await page.keyboard.press("Enter");
  await answered(lab, page, /With 16 processors more, jobs wait/);
  assert.match(await plain(page.locator(`${panel} .whatif-said > p`)), /processor hours: 16 processors for/);
  assert.match(await plain(page.locator(`${panel} .whatif-chips`)), /off the logged one|error of the model/);
  for (const heading of ["Who gains, who pays", "How many?", "Beside the other questions"]) assert.ok(await page.locator(`${panel} h3`, { hasText: heading }).isVisible(), heading);

  for (const question of ["rule", "limit", "outage", "load", "book", "both"]) {
    await page.locator(`[data-question=${question}]`).click();
    await lab.settled();
    await page.locator(`${panel} .whatif-go:enabled`).click();
    await answered(lab, page, { rule: /With .*, jobs wait/i, limit: /a user/, outage: /away on day/, load: /load × 1\.1/, book: /a reservation of/, both: / and load × 1\.1/ }[question]);
  }

  await page.locator(`${panel} button`, { hasText: "Print one page" }).click();
  const sheet = page.locator(".whatif-sheet");
  await sheet.locator(".whatif-qr").waitFor();
  const text = await plain(sheet);
  for (const has of [/What if\?/, /jobs wait/, /Again: batchlab run/, /digest [0-9a-f]{4}/, /How sure is this\?/]) assert.match(text, has);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1, "one page is printed");
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });

  // The document is one like any other: with the digest of the command line.
  const file = await lab.download(() => page.locator(`${panel} button`, { hasText: "Save document" }).click());
  const document = JSON.parse(file.toString());
  assert.equal(document.vary[0].cases.length, 4);
  const [name, log] = [join(out, "what-if.json"), join(out, "waited.swf")];
  writeFileSync(name, JSON.stringify(document));
  writeFileSync(log, waited());
  const digest = JSON.parse(execFileSync(cli, ["run", name, "--log", log], { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] })).digest;
  assert.ok(text.includes(digest.slice(0, 4)), `${digest} stands on the page`);

  await page.locator(`${panel} button`, { hasText: "Open in Vary" }).click();
  await page.waitForFunction(() => { document.getElementById("much-go")?.click(); return document.documentElement.dataset.sweep === "done"; });
  assert.equal(await lab.flag("sweepDigest"), digest);
  assert.match(await plain(page.locator(".side")), /Jobs ?4 cases/);
  await (await lab.unfold("act-cases.off")).click();
  await lab.settled();
  assert.equal(await page.locator("#act-cases\\.off").count(), 0);
});

test("a reservation in the left column has a way to who pays for it", async ({ lab, page }) => {
  await lab.openReady(link(booked));
  const act = page.locator("#act-grid\\.pays");
  await lab.section("grid");
  await act.click();
  await answered(lab, page, /The reservation course in place/);
  assert.match(await plain(page.locator(`${panel} .whatif-said > p`)), /500 processor hours are taken/);
  assert.match(await plain(page.locator(`${panel} .whatif-chips`)), /10 pairs on the same draws of users/);
  await page.locator("#whatif-which").waitFor();
  await lab.choose("#whatif-which", "1");
  await page.locator(`${panel} .whatif-go`).click();
  await answered(lab, page, /The reservation R2 in place/);
});
