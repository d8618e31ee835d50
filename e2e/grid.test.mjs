// Grids: providers, jobs that are reserved, reservations in a list and drawn on
// the Gantt chart, and what they cost.
import { assert, link, test, visit } from "./harness.mjs";

const small = {
  batchlab: 1,
  workload: {
    source: { generator: { key: "two-level", params: { jobs: 80, interarrival: 900, "procs-max": 16, "procs-mean": 6 } } },
    clean: { oversize: "clamp" },
    annotate: { reservations: { share: 0.4, ready: "drawn", lead_min: 600, lead_max: 20000 } },
  },
  platform: {
    clusters: [{ name: "North", groups: [{ processors: 16 }] }, { name: "South", groups: [{ processors: 16 }] }],
    reservations: [{ name: "course", processors: 8, from: 30000, to: 40000, cluster: "South" }],
  },
  schedulers: [{ key: "grid" }, { key: "grid", params: { reservations: "priority", local: "easy" } }],
};

const cell = (page, row, key) => page.locator(`[id="bookings.${row}.${key}"]`);

visit({ anew: true }, ({ lab }) => lab.begin(link(small)), {
  async "reservations are edited in a list, and bad ones are named while the others stay"({ lab, page }) {
    await lab.section("grid");
    assert.equal(await page.locator('[id="book.share"]').inputValue(), "0.4");
    assert.equal(await cell(page, 0, "processors").inputValue(), "8");
    const digest = await lab.digest();
    await page.locator('[id="bookings.add"]').click();
    await lab.until(async () => await cell(page, 1, "name").count() === 1);
    await lab.type(cell(page, 1, "processors"), "17");
    await cell(page, 1, "processors").press("Enter");
    await lab.until(async () => /wants 17 processors; the largest provider that it may use has 16/.test(await page.locator("[data-sections=rows]").innerText()));
    await lab.run();
    assert.equal(await lab.digest(), digest, "what is refused changes nothing");
    await lab.type(cell(page, 1, "processors"), "16");
    await cell(page, 1, "processors").press("Enter");
    await lab.until(async () => !/wants 17/.test(await page.locator("[data-sections=rows]").innerText()));
    await lab.run();
    const changed = await lab.digest();
    assert.notEqual(changed, digest);
    await lab.reopen();
    assert.equal(await lab.digest(), changed);
  },
  async "a reservation is drawn on the Gantt chart with the mouse and with the keys"({ lab, page }) {
    await lab.section("grid");
    await page.getByRole("tab", { name: "Gantt" }).click();
    const chart = page.getByRole("application", { name: "Gantt chart" });
    await chart.waitFor();
    await page.getByRole("button", { name: /^Draw a reservation/ }).click();
    const box = await chart.boundingBox();
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.18);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.26, { steps: 5 });
    await page.mouse.up();
    await lab.until(async () => await cell(page, 1, "name").count() === 1);
    assert.ok(["North", "South"].includes(await cell(page, 1, "cluster").inputValue()));
    assert.ok(Number(await cell(page, 1, "processors").inputValue()) >= 1);
    // By the keys alone.
    await chart.focus();
    await page.keyboard.press("r");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowUp");
    await page.keyboard.press("Enter");
    await lab.until(async () => await cell(page, 2, "name").count() === 1);
    await chart.focus();
    await page.keyboard.press("r");
    await page.keyboard.press("Escape");
    assert.equal(await cell(page, 3, "name").count(), 0);
    await lab.run();
  },
  async "a grid is asked when a reservation could be had, with the keys, and an answer becomes a reservation"({ lab, page }) {
    await lab.section("grid");
    assert.match(await page.locator("#providers").innerText(), /whole grid/);
    await page.locator('[id="act-grid.ask"]').click();
    const field = (key) => page.locator(`#ask-${key}`);
    const ask = async (values) => {
      for (const [key, v] of Object.entries(values)) await lab.type(field(key), v);
      await field("procs").press("Enter");
    };
    await ask({ procs: "many" });
    assert.match(await page.locator("#ask-fault").innerText(), /Processors: a whole number/);
    assert.equal(await field("procs").getAttribute("aria-invalid"), "true");
    await ask({ procs: "17" });
    await lab.until(async () => /largest provider that may be asked has 16/.test(await page.locator("#ask-fault").innerText()));
    await ask({ procs: "6", length: "1h", at: "20000", from: "30000", to: "90000" });
    await lab.until(async () => /^6\sprocessors for .*could have been reserved from/.test(await page.locator("#ask-said").innerText()));
    const offers = await page.locator(".bl-ask tbody tr").count();
    assert.ok(offers >= 2, "windows and best efforts are listed");
    assert.match(await page.locator(".bl-ask tbody").innerText(), /the most processors/);
    assert.match(await page.locator(".bl-ask [role=img]").getAttribute("aria-label"), /feasible starts/);
    const digest = await lab.digest();
    await page.locator(".bl-ask tbody button").first().focus();
    await page.keyboard.press("Enter");
    await lab.until(async () => await cell(page, 1, "name").count() === 1);
    assert.equal(await cell(page, 1, "submit").inputValue(), "20,000");
    const typed = (await cell(page, 1, "from").inputValue()).replaceAll(",", "");
    const from = [...typed.matchAll(/(\d+)([dhm]?)/g)].reduce((sum, [, n, unit]) => sum + n * ({ d: 86400, h: 3600, m: 60 }[unit] ?? 1), 0);
    await lab.run();
    assert.notEqual(await lab.digest(), digest);
    await page.getByRole("tab", { name: "Gantt" }).click();
    const csv = await lab.download(async () => {
      await page.getByRole("button", { name: /^Save this chart|^Save/ }).first().click();
      await page.getByText("CSV: what is shown").click();
    });
    const lines = csv.toString().split("\r\n").map((l) => l.split(","));
    assert.ok(lines.some((l) => l[1] === "reserved" && Number(l[3]) === from && Number(l[4]) === from + 3600), "it starts when the answer said");
    assert.ok(lines.some((l) => l[1] === "idle-before"), "idle places before reservations stand in the file");
  },
});

test("two providers and three allocations are one click each", async ({ lab, page }) => {
  await lab.openReady(link({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "fcfs" }] }));
  await lab.section("grid");
  await page.locator('[id="act-grid.split"]').click();
  await page.locator('[id="act-grid.compare"]').click();
  await lab.type(page.locator('[id="book.share"]'), "0.3");
  await page.locator('[id="book.share"]').press("Enter");
  await lab.choose('[id="book.ready"]', "drawn");
  await lab.run();
  const text = await page.locator("main").innerText();
  assert.match(text, /AR resource priority/);
  assert.match(text, /static partition/);
});
