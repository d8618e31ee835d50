// Loading: what a first and a second visit get, and how much of it.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { assert, dist, link, test } from "./harness.mjs";
import { studies } from "./node-worker.mjs";

test("a cold load shows what it is waiting for, and then results without a click", { firefox: true }, async ({ lab, page }) => {
  await page.addInitScript(() => {
    window.seen = [];
    new MutationObserver(() => {
      const text = document.getElementById("boot-text")?.textContent;
      if (text && !window.seen.includes(text)) window.seen.push(text);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  let come;
  const held = new Promise((ok) => { come = ok; });
  await page.route("**/app.wasm", async (route) => { await held; await route.continue(); });
  await lab.open();
  // The program is not there yet, and there is something to see.
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0 && document.getElementById("boot-text")?.textContent);
  assert.equal(await lab.flag("started"), "");
  come();
  await lab.ready();
  assert.match(await lab.digest(), /^[0-9a-f]{64}$/);
  assert.match((await page.evaluate(() => window.seen)).join("\n"), /Loading \d+\.\d of \d+\.\d MB/, "the bytes that have come are counted");
});

test("a preset is run and its Gantt chart drawn without another click; a second visit gives the same", { offline: true }, async ({ lab, page }) => {
  await lab.openReady();
  const digest = await lab.digest();
  await page.reload();
  await lab.ready();
  assert.equal(await lab.digest(), digest);
  for (const name of [/EASY against conservative/, /generated workload/]) {
    await lab.running(() => lab.preset(name));
    await page.locator("#tab-gantt").click();
    await page.locator("[data-island=gantt] canvas[data-drawn=true]").waitFor();
    const colours = await page.evaluate(() => {
      const c = document.querySelector("[data-island=gantt] canvas"), data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
      return new Set(new Uint32Array(data.buffer)).size;
    });
    assert.ok(colours > 10, `the chart has ${colours} colours`);
    await page.locator("#tab-overview").click();
  }
});

test("a first load fetches at most 2.5 MB of wasm and scripts, and not the studies' program", { offline: true }, async ({ lab, page, base }) => {
  const sizes = new Map();
  page.on("response", async (r) => {
    if (!/\.(wasm|js)$/.test(new URL(r.url()).pathname)) return;
    sizes.set(r.url(), Number(r.headers()["content-length"] || 0));
    assert.equal(r.headers()["content-encoding"], r.url().startsWith(base) ? "br" : "", r.url());
  });
  await lab.openReady();
  await page.waitForLoadState("networkidle");
  const second = studies(dist);
  const total = [...sizes.values()].reduce((a, b) => a + b, 0);
  assert.ok(![...sizes.keys()].some((url) => url.endsWith("/qr.js")), "the library of QR codes waits for the first code");
  const size = (f) => statSync(join(dist, `${f}.br`)).size;
  const built = readdirSync(dist).filter((f) => /\.(wasm|js)$/.test(f) && f !== second && f !== "qr.js" && f !== "editor.js").map(size).reduce((a, b) => a + b, 0);
  const mb = (n) => (n / 1e6).toFixed(2);
  console.log(`     first load: ${mb(total)} MB in ${sizes.size} files; built for it: ${mb(built)} MB; the studies' program: ${mb(size(second))} MB`);
  assert.ok(total > 100_000, "nothing was loaded");
  assert.ok(![...sizes.keys()].some((url) => url.includes("studies")), "the studies' program was fetched");
  assert.ok(Math.max(total, built) <= 2.5e6, `${Math.max(total, built)} bytes`);
});

test("charts need nothing more; the library of QR codes is loaded once, by the first code", async ({ lab, page }) => {
  await lab.openReady();
  const loaded = () => page.evaluate(() => performance.getEntriesByType("resource").filter((e) => e.name.endsWith(".js")).map((e) => e.name.split("/").pop()));
  const first = await loaded();
  for (const tab of ["series", "distributions", "users"]) {
    await page.locator(`#tab-${tab}`).click();
    await page.locator(`#panel-${tab} .bl-stage svg`).first().waitFor();
  }
  assert.deepEqual(await loaded(), first);
  for (let i = 0; i < 2; i++) {
    await page.locator("#open-share").click();
    await page.locator("#qr").waitFor();
    await page.keyboard.press("Escape");
  }
  assert.deepEqual((await loaded()).filter((f) => !first.includes(f)), ["qr.js"]);
});

test("without the library of QR codes a link is shared all the same", { errors: /qr\.js|ERR_FAILED/ }, async ({ lab, page }) => {
  await page.addInitScript(() => { delete Navigator.prototype.serviceWorker; }); // it would have the file
  await page.route("**/qr.js", (route) => route.abort());
  await lab.openReady();
  await page.locator("#open-share").click();
  assert.match(await page.inputValue("#link"), /#x=/);
  await lab.settled();
  assert.equal(await page.locator("#qr").count(), 0);
});

test("without WebAssembly the page says what is missing", { errors: /./ }, async ({ lab, page }) => {
  await page.addInitScript(() => { delete window.WebAssembly; });
  await lab.open();
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").innerText(), /WebAssembly/);
});

// Firefox breaks off what runs in a page that is left and goes on handing it events; the
// program, entered once more, ended with "self deadlock" and other words of its own fault.
test("a program that the browser breaks off is not entered again, and the page says so", async ({ lab, page, context }) => {
  await lab.openReady("");
  const browser = await context.newCDPSession(page);
  await browser.send("Emulation.setCPUThrottlingRate", { rate: 20 }); // else a step is over before it can be broken off
  for (let n = 0; await lab.flag("failed") === ""; n++) {
    assert.ok(n < 300, "the program was never broken off");
    const step = page.keyboard.press(n % 2 ? "2" : "1"); // another tab: what takes the program longest
    await new Promise((done) => setTimeout(done, n % 60));
    await browser.send("Runtime.terminateExecution");
    await step;
  }
  await browser.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  assert.match(await page.locator("#boot-failure").innerText(), /broke off the page's program[\s\S]*Load the page again/);
  await page.locator("#boot-failure button").click();
  await lab.ready();
});

test("a failed download says so and offers to load again", { errors: /./ }, async ({ lab, page }) => {
  await page.route("**/app.wasm", (route) => route.abort());
  await lab.open();
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").innerText(), /could not be loaded/);
  await page.getByRole("button", { name: "Load the page again" }).waitFor();
});

test("when the studies' program cannot be fetched, its runs say so and the next try works", { errors: /Failed to load|ERR_/ }, async ({ lab, page }) => {
  await page.route("**/studies-*.wasm", (route) => route.abort());
  const document = { batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }, { key: "bf-mod" }] };
  await lab.open(link(document));
  await page.getByText("the second half of Batchlab could not be loaded: the server cannot be reached").first().waitFor();
  await page.unroute("**/studies-*.wasm");
  await lab.run();
  assert.match(await lab.digest(), /^[0-9a-f]{64}$/);
});
