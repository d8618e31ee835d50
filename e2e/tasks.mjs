// Five tasks as a newcomer tries them: node e2e/tasks.mjs
// Each goes by what can be read on the page; counts presses (and words typed),
// and takes a picture at each stop into e2e/out/tasks. docs/usability.md says
// what was found.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chrome, logs, out, serve } from "./common.mjs";
import { Lab } from "./lab.mjs";
import { watch } from "./watch.mjs";

const folder = join(out, "tasks");
mkdirSync(folder, { recursive: true });
const { server, base } = await serve();
const browser = await chromium.launch(chrome);
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
context.setDefaultTimeout(15_000);

async function task(name, body, hash = "") {
  const page = await context.newPage(), lab = new Lab(page, base);
  await page.addInitScript(watch);
  let clicks = 0, typed = 0, stops = 0;
  const stop = async (what) => {
    await lab.settled().catch(() => {});
    await page.screenshot({ path: join(folder, `${name.replace(/\W+/g, "-")}-${++stops}.png`) });
    console.log(`  ${stops}. ${what} (${clicks} presses so far)`);
  };
  const press = async (locator, what) => { clicks++; await locator.first().click(); await stop(what); };
  const type = async (locator, text) => { clicks++; typed++; await lab.type(locator.first(), text); await page.keyboard.press("Enter"); await lab.settled(); };
  console.log(name);
  try {
    await lab.openReady(hash);
    await body({ page, lab, press, type, stop, count: () => { clicks++; } });
    console.log(`  done: ${clicks} presses, ${typed} words typed`);
  } catch (e) {
    console.log(`  stuck after ${clicks} presses: ${e.message.split("\n").slice(0, 3).join(" ")}`);
    await stop("stuck");
  }
  await page.close();
}

let link = "";
await task("compare two schedulers on a log", async ({ page, lab, stop, press, count }) => {
  await lab.running(() => lab.drop("KTH-SP2.swf.gz", readFileSync(join(logs, "KTH-SP2-1996-2.1-cln.swf.gz"))));
  count();
  await stop("the log is dropped; " + (await page.innerText(".verdict-line").catch(() => "no sentence")));
  await press(page.getByRole("button", { name: "Compare these two" }), "compared; " + (await page.innerText(".verdict-line").catch(() => "")));
  console.log("  says:", await page.innerText(".verdict-line"), "|", await page.innerText(".verdict-more").catch(() => ""));
});
await task("why one job waited", async ({ page, press, stop, type }) => {
  await press(page.getByRole("tab", { name: "Gantt" }), "the Gantt chart");
  await type(page.getByPlaceholder("Find a job"), "500");
  await stop("found by its number");
  console.log("  says:", (await page.locator(".bl-hc").innerText()).replace(/\s+/g, " ").slice(0, 300));
});
await task("book 40 processors next Tuesday and see who pays", async ({ page, lab, press, type, stop }) => {
  await press(page.getByRole("button", { name: "Reservations" }), "the section of reservations");
  await press(page.locator('[data-add="bookings"]'), "a row of its own");
  console.log("  fields:", (await page.locator('#side [id^="bookings.0"]').evaluateAll((l) => l.map((e) => `${e.id}=${e.value ?? ""}`).join(" "))));
  await type(page.locator('[id="bookings.0.procs"], [id="bookings.0.processors"]'), "40");
  await stop("40 processors");
  await type(page.locator('[id="bookings.0.ready"], [id="bookings.0.from"]'), "next Tuesday 09:00");
  await stop("from Tuesday: " + (await page.locator("#side .fault-text:visible, #side .field-error:visible").allInnerTexts()).join(" "));
  await lab.running(() => press(page.locator("#run"), "run"));
  await stop("after the run");
  console.log("  says:", await page.innerText(".verdict-line").catch(() => ""), "|", (await page.locator(".card-name").allInnerTexts()).join(", "));
});
await task("reproduce one table of one paper", async ({ page, press }) => {
  await press(page.locator("#open-presets"), "the menu of presets");
  await press(page.getByRole("button", { name: /All studies/ }), "the studies");
  await press(page.locator("#open-klusacek2016, .papers-card button, footer button[data-open]"), "one of them");
  await press(page.locator(".papers-item").nth(1), "a table or figure");
  await press(page.locator("#study-run"), "run");
  await page.locator(".plain").first().waitFor();
  console.log("  says:", (await page.locator("#place").innerText()).replace(/\s+/g, " ").slice(0, 300));
});
await task("send the result and open it there", async ({ page, lab, press }) => {
  await press(page.getByRole("button", { name: "Share" }), "the link stands there");
  await press(page.locator("#copy-link"), "copied");
  link = await page.evaluate(() => navigator.clipboard.readText());
  console.log(`  link of ${link.length} characters`);
});
await task("open it there", async ({ page, stop }) => {
  await stop("opened");
  console.log("  says:", await page.innerText("#verdict").catch(() => ""));
}, link.slice(link.indexOf("#")));
await browser.close();
server.kill();
