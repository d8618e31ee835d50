// The Gantt chart: several runs on one axis, what is reserved or out of order,
// the measuring window, the reasons for a wait over time, finding jobs.
import { readFileSync } from "node:fs";
import { choose, type } from "./hand.mjs";
import { assert, link, test, visit } from "./harness.mjs";

/** Four schedulers, an announced outage and one that nobody knows of. */
const doc = { batchlab: 1, seed: 3, workload: { source: { generator: { key: "daily", params: { jobs: 500, load: 0.9 } } } },
  platform: { processors: 100, outages: [{ name: "maintenance", from: 186400, to: 230000, processors: 64, announced: true }, { name: "power cut", from: 90000, to: 110000, processors: 60 }] },
  schedulers: [{ key: "fcfs" }, { key: "easy" }, { key: "easy", params: { order: "saf" } }, { key: "easy", params: { order: "spf" } }] };

class Chart {
  constructor(lab, page) {
    this.lab = lab;
    this.page = page;
    this.island = page.locator("[data-island=gantt]");
    this.chart = page.getByRole("application", { name: /^Gantt chart/ });
    this.card = page.locator(".bl-hc:visible");
  }

  async open(document = doc) {
    await this.lab.begin(link(document));
    await this.page.locator("#tab-gantt").click();
    await this.drawn();
  }

  async drawn() {
    await this.page.locator("[data-island=gantt] canvas[data-drawn=true]").waitFor();
    await this.lab.settled(); // a span is told to the page once the reader pauses
  }

  pane(letter) {
    return this.island.getByRole("group", { name: /^Runs shown/ }).getByRole("button", { name: new RegExp(`^${letter} `) });
  }

  async save(item) {
    await this.island.getByRole("button", { name: "Save this chart" }).click();
    const [file] = await Promise.all([this.page.waitForEvent("download"), this.page.getByRole("menuitem", { name: item }).click()]);
    return readFileSync(await file.path());
  }

  async csv() {
    const [head, ...lines] = (await this.save(/^CSV: what/)).toString().trim().split("\r\n").map((l) => l.split(","));
    return lines.map((l) => Object.fromEntries(l.map((v, i) => [head[i], v])));
  }
}

visit({}, () => {}, {
  async "of two that are compared the chart shows these two, and opens on the day on which they differ most"({ lab, page }) {
    const c = new Chart(lab, page), day = page.locator("[data-island=gantt] .bl-days b");
    const long = { ...doc, platform: { processors: 100 }, workload: { source: { generator: { key: "daily", params: { jobs: 4500, load: 0.9 } } } } };
    const pin = async (letter) => {
      await page.locator(`.chip:has(.letter:text-is("${letter}")) .pin`).focus();
      await page.keyboard.press("Enter");
    };
    await lab.begin(link({ ...long, schedulers: [doc.schedulers[2], doc.schedulers[1]] }));
    await page.locator("#tab-gantt").click();
    await c.drawn();
    const most = await day.innerText();
    assert.match(most, /\w/);

    await page.goto("about:blank");
    await lab.begin(link({ ...long, schedulers: doc.schedulers.slice(0, 3) }));
    await page.locator("#only-two").focus();
    await page.keyboard.press("Enter");
    await pin("C");
    await page.locator("#tab-gantt").click();
    await c.drawn();
    assert.match(await c.chart.getAttribute("aria-label"), /of B EASY above C /);
    assert.deepEqual([await c.pane("A").getAttribute("aria-pressed"), await day.innerText()], ["false", most]);
    await pin("A"); // the chart goes along, and back
    await c.drawn();
    assert.match(await c.chart.getAttribute("aria-label"), /of B EASY above A FCFS/);
    assert.ok(await page.getByRole("button", { name: "The day before it by difference" }).isDisabled(), "the day on which these differ most is shown");
    await pin("C");
    await c.drawn();
    assert.equal(await day.innerText(), most);
  },

  async "two to four runs stand on one axis, and a link shows the same ones"({ lab, page }) {
    const c = new Chart(lab, page);
    await c.open();
    assert.match(await c.chart.getAttribute("aria-label"), /of B EASY above A FCFS,/);
    await c.pane("C").click();
    await c.pane("D").click();
    await c.drawn();
    assert.match(await c.chart.getAttribute("aria-label"), /of B .* above A .* above C .* above D /);
    const rows = await c.csv();
    assert.deepEqual([...new Set(rows.map((r) => r.run))], ["B", "A", "C", "D"]);
    await c.pane("A").click();
    await c.drawn();
    assert.equal(await c.pane("A").getAttribute("aria-pressed"), "false");
    await lab.reopen();
    await c.drawn();
    assert.match(await c.chart.getAttribute("aria-label"), /of B .* above C .* above D /);
    // Both panes show the same span after a zoom: what is in view starts before its end in each run.
    const box = await c.chart.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 80);
    for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -120);
    await c.drawn();
    const shown = await c.csv();
    assert.ok(shown.length > 5 && shown.length < rows.length, `${shown.length} of ${rows.length} rectangles`);
  },

  async "outages are drawn, named in legend, card and table, and in the file"({ lab, page }) {
    const c = new Chart(lab, page);
    await c.open();
    const text = await c.island.innerText();
    assert.ok(/outage/.test(text) && /failure/.test(text) && /stopped, ran again/.test(text), text.slice(0, 200));
    const away = (await c.csv()).filter((r) => r.kind === "outage" && r.run === "B");
    assert.equal(away.reduce((n, r) => n + Number(r.processors), 0), 64);
    assert.ok(away.every((r) => r.start_s === "186400" && r.end_s === "230000"));
    await c.island.getByRole("button", { name: "Reservations and outages as a table" }).click();
    const table = c.island.getByRole("region", { name: "Reservations and outages" });
    assert.match(await table.innerText(), /maintenance[\s\S]*64\s*processors[\s\S]*|power cut/);
    await c.island.getByRole("button", { name: "Reservations and outages as a table" }).click();
    // The card of what is out of order, under the pointer.
    const box = await c.chart.boundingBox();
    let found = "";
    for (let x = box.x + 150; x < box.x + box.width - 70 && !/Outage/.test(found); x += 9) {
      await page.mouse.move(x, box.y + 60);
      await lab.settled();
      found = await c.card.count() ? await c.card.innerText() : "";
    }
    assert.match(found, /Outage maintenance[\s\S]*Known ahead/);
    await c.island.getByText("Reserved", { exact: true }).click();
    await c.drawn();
    assert.ok((await c.csv()).every((r) => r.kind !== "outage"));
    const svg = (await c.save("SVG")).toString();
    assert.ok(!svg.includes("maintenance"), "what is left out is not in the file");
  },

  async "the measuring window is dragged on the axis, moved by keys, undone, and typed as before"({ lab, page }) {
    const c = new Chart(lab, page);
    await c.open();
    const start = page.getByRole("slider", { name: "Measuring window starts" }), end = page.getByRole("slider", { name: "Measuring window ends" });
    const whole = [await start.getAttribute("aria-valuenow"), await end.getAttribute("aria-valuenow")];
    await lab.dragWindow("gantt", 0.2, 0.6, 6);
    const from = Number(await start.getAttribute("aria-valuenow")), to = Number(await end.getAttribute("aria-valuenow"));
    const part = (t) => (t - whole[0]) / (whole[1] - whole[0]);
    assert.ok(Math.abs(part(from) - 0.2) < 0.01 && Math.abs(part(to) - 0.6) < 0.01, `${part(from)} to ${part(to)}`);
    await lab.run();
    await start.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.locator(".alert.warn", { hasText: "Settings changed" }).waitFor();
    assert.ok(Number(await start.getAttribute("aria-valuenow")) > from);
    await lab.leaveFields();
    await page.keyboard.press("Control+z");
    await lab.until(async () => Number(await start.getAttribute("aria-valuenow")) === from);
    await page.keyboard.press("Control+z");
    await lab.until(async () => await end.getAttribute("aria-valuenow") === whole[1]);
    await lab.setField("measure-to", "2d");
    await lab.until(async () => await end.getAttribute("aria-valuenow") === "172800");
  },

  async "why a job waited is shown over time, on its card and in words"({ lab, page }) {
    const c = new Chart(lab, page);
    await c.open();
    await page.locator("#tab-table").click();
    await lab.type(page.locator("[data-island=table]").getByRole("searchbox"), "wait>4h");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await c.card.locator(".past").waitFor();
    const list = await c.card.locator(".past li").allTextContents();
    assert.ok(list.length >= 1, "no stretch");
    assert.match(list.join("; "), /Processors busy|delay the first|out of order|first/);
    const shares = await c.card.locator(".pb i").evaluateAll((all) => all.map((i) => Number(i.style.flexGrow)).reduce((a, b) => a + b, 0));
    const hours = shares / 3600;
    assert.ok(hours >= 4, `the strip is ${hours} h long`);
  },

  async "a job is found by its number, and its neighbours on the same processors by keys"({ lab, page }) {
    const c = new Chart(lab, page);
    await c.open();
    await page.keyboard.press("/");
    await page.keyboard.type("250");
    await page.keyboard.press("Enter");
    await c.card.waitFor();
    assert.match(await c.card.locator("h3").innerText(), /^Job 250/);
    await lab.leaveFields();
    await page.keyboard.press("]");
    await c.drawn();
    const next = await c.card.locator("h3").innerText();
    assert.doesNotMatch(next, /^Job 250/);
    await page.keyboard.press("[");
    await c.drawn();
    assert.doesNotMatch(await c.card.locator("h3").innerText(), new RegExp(`^${next.split(" ").slice(0, 2).join(" ")}\\b`));
    await lab.type(page.locator("[data-island=gantt] input[type=search]"), "99999");
    await page.keyboard.press("Enter");
    await page.locator("[data-island=gantt] [aria-live]", { hasText: "There is no job 99999" }).waitFor({ state: "attached" });
  },

  async "a box that is dragged is zoomed to, and the minimap moves the view"({ lab, page }) {
    const c = new Chart(lab, page);
    await page.goto("about:blank"); // the rows that the one before zoomed to stay
    await c.open();
    const label = () => c.chart.getAttribute("aria-label");
    const whole = await label();
    const box = await c.chart.boundingBox();
    await page.keyboard.down("Shift");
    await page.mouse.move(box.x + 300, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 120, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await c.drawn();
    const boxed = await label();
    assert.notEqual(boxed, whole);
    const mini = await page.locator("[data-island=gantt] .bl-mini").boundingBox();
    await page.mouse.move(mini.x + mini.width * 0.7, mini.y + 20);
    await page.mouse.down();
    await page.mouse.up();
    await c.drawn();
    assert.notEqual(await label(), boxed);
    await page.keyboard.press("0");
    await c.drawn();
    assert.equal(await label(), whole);
  },

  async "the files of the chart open again: SVG, PNG of twice the size, CSV of what is shown"({ lab, page }) {
    const c = new Chart(lab, page);
    await c.open({ ...doc, platform: { processors: 100 } });
    const extra = [];
    for (let round = 0; round < 2; round++) {
      const svg = (await c.save("SVG")).toString();
      assert.equal(await page.evaluate((s) => new DOMParser().parseFromString(s, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", svg), "");
      extra.push(svg.split("<rect ").length - (await c.csv()).length);
      await c.chart.focus();
      for (let i = 0; i < 4; i++) await page.keyboard.press("w");
      await c.drawn();
    }
    assert.equal(extra[0], extra[1], "a rectangle for each line, whatever is shown");
    const png = await c.save(/^PNG/), box = await c.chart.boundingBox();
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(Math.abs(png.readUInt32BE(16) - 2 * box.width) <= 2 && Math.abs(png.readUInt32BE(20) - 2 * box.height) <= 2, `${png.readUInt32BE(16)} × ${png.readUInt32BE(20)}`);
  },
});

test("on a phone two fingers zoom the chart, and one moves it", { width: 390, height: 844 }, async ({ lab, page, context }) => {
  const c = new Chart(lab, page);
  await c.open({ ...doc, schedulers: doc.schedulers.slice(0, 1) });
  const shown = async () => (await c.csv()).map((r) => Number(r.start_s));
  const span = (times) => Math.max(...times) - Math.min(...times);
  const whole = await shown();
  const box = await c.chart.boundingBox();
  const [middle, y] = [box.x + box.width * 0.55, box.y + 60];
  const cdp = await context.newCDPSession(page);
  const touch = (type, ...xs) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x, id) => ({ x, y, id })) });
  await touch("touchStart", middle - 20);
  await touch("touchStart", middle - 20, middle + 20);
  for (const d of [30, 50, 80]) await touch("touchMove", middle - d, middle + d);
  await touch("touchEnd");
  await c.drawn();
  const near = await shown();
  assert.ok(span(near) < span(whole) / 2, `${span(near)} s of ${span(whole)} s are shown`);
  await touch("touchStart", middle);
  for (const d of [20, 60, 90]) await touch("touchMove", middle - d);
  await touch("touchEnd");
  await c.drawn();
  const moved = await shown();
  assert.ok(Math.max(...moved) > Math.max(...near), "what comes later is shown");
});

test("a long log opens on the day on which runs differ most; days are walked; empty space says why it is idle", async ({ lab, page }) => {
  await lab.openReady(link({ batchlab: 1, seed: 4, workload: { source: { generator: { key: "daily", params: { jobs: 6000 } } } },
    schedulers: [{ key: "fcfs" }, { key: "easy" }] }));
  await page.locator("#tab-gantt").click();
  await page.locator("[data-island=gantt] canvas[data-drawn=true]").waitFor();
  const shown = () => page.locator("#panel-gantt .bl-mini canvas[role=img]").getAttribute("aria-label");
  const days = page.locator("#panel-gantt .bl-days");
  await days.getByText(/differs most: [\d,]+\sjobs start/).waitFor();
  const first = await shown();
  assert.match(first, /, 1\sd\s10\sh of \d+\sd/);
  await days.getByRole("button", { name: "The next day by difference" }).click();
  await days.getByText(/differs 2nd most/).waitFor();
  await days.getByRole("button", { name: "The day before it by difference" }).click();
  await lab.until(async () => await shown() === first);

  await page.keyboard.press("i");
  const card = page.locator("#panel-gantt .bl-hc");
  await card.getByText("Why is this idle?").waitFor();
  assert.match(await card.innerText(), /of \d+\sprocessors idle[\s\S]*\d+\sjobs? waited/);
  await lab.until(async () => !/finding out/.test(await card.innerText()));
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "hidden" });
  await page.keyboard.press("0");
  await lab.until(async () => !/1\sd\s10\sh of/.test(await shown()));
  await page.locator("#tab-overview").click();
  await page.locator("#tab-gantt").click();
  await lab.settled();
  assert.doesNotMatch(await shown(), /1\sd\s10\sh of/, "it opens by itself once only");
});

/** A cluster of three partitions, with a reservation: of two runs. */
const parts = { batchlab: 1, seed: 3, workload: { source: { generator: { key: "daily", params: { jobs: 3000, load: 0.8, processors: 512 } } } },
  platform: { clusters: [{ name: "fat", groups: [{ count: 1, processors: 256 }] }, { name: "thin", groups: [{ count: 4, processors: 64 }] }],
    reservations: [{ name: "course", cluster: "fat", from: 604800, to: 640800, processors: 128 }] },
  schedulers: [{ key: "fcfs" }, { key: "easy" }] };

test("rows of the machine are zoomed by wheel, keys, bar and list; a job that is looked for is seen", async ({ lab, page }) => {
  const c = new Chart(lab, page);
  await c.open(parts);
  const rows = async () => (await c.chart.getAttribute("aria-label")).replace(/.*?\d+ \w+ of [^,]*, /, "").replaceAll("\u00a0", " ");
  const box = await c.chart.boundingBox();
  assert.match(await rows(), /all 512 processors/);
  await choose(c.island.getByLabel("Rows", { exact: true }), "1");
  await lab.until(async () => /cluster thin$/.test(await rows()));
  await c.drawn();
  // What is closed stands as a band beside it, and is opened by a press; a link shows the same rows.
  let y = box.y + 60;
  for (; y < box.y + box.height; y += 4) {
    await page.mouse.move(box.x + 300, y);
    if (await c.chart.evaluate((el) => el.style.cursor) === "pointer") break;
  }
  await page.mouse.click(box.x + 300, y + 3);
  await lab.until(async () => /cluster fat$/.test(await rows()));
  await choose(c.island.getByLabel("Rows", { exact: true }), "1");
  await lab.until(async () => /cluster thin$/.test(await rows()));
  await c.drawn();
  await c.chart.focus();
  await page.keyboard.press("Shift+ArrowUp");
  await lab.until(async () => /processors \d+ to \d+ of 512$/.test(await rows()));
  const [low, high] = (await rows()).match(/processors (\d+) to (\d+)/).slice(1).map(Number);
  assert.ok(low > 256 && high < 511, `${low} to ${high}`);
  await page.keyboard.press("PageDown");
  await lab.until(async () => Number((await rows()).match(/processors (\d+)/)[1]) < low);
  await page.keyboard.press("0");
  await lab.until(async () => /all 512 processors/.test(await rows()));
  // The wheel over the names zooms rows, over the jobs time.
  await page.mouse.move(box.x + 60, box.y + 120);
  await page.mouse.wheel(0, -400);
  await lab.until(async () => /processors \d+ to/.test(await rows()));
  await page.keyboard.press("0");
  // A press on the bar shows a part there, and the frame can be dragged.
  const bar = { x: box.x + box.width - 64 + 14, y: box.y + 28 + 8 + 22 };
  await page.mouse.move(bar.x, bar.y + 20);
  await page.mouse.down();
  await lab.until(async () => /processors \d+ to/.test(await rows()));
  const above = Number((await rows()).match(/processors (\d+)/)[1]);
  await page.mouse.move(bar.x, bar.y + 60, { steps: 4 });
  await lab.until(async () => Number((await rows()).match(/processors (\d+)/)[1]) < above);
  await page.mouse.up();
  await c.drawn();

  // Jobs that are looked for are in view, and others are not.
  await page.keyboard.press("0");
  await c.drawn();
  const all = (await c.csv()).filter((l) => l.kind === "job" && l.run === "B");
  for (const { job } of [all[17], all.at(-17)]) {
    await type(c.island.getByLabel("Find a job"), job);
    await page.keyboard.press("Enter");
    await c.card.locator("h3", { hasText: `Job ${job}` }).waitFor();
    await c.drawn();
    const near = await c.csv();
    assert.ok(near.some((l) => l.job === job) && near.length < all.length / 2, `job ${job} among ${near.length}`);
  }
});

test("a long log with a reservation opens on it", async ({ lab, page }) => {
  const c = new Chart(lab, page);
  await c.open({ ...parts, workload: { source: { generator: { key: "daily", params: { jobs: 12000, load: 0.8, processors: 512 } } } } });
  await c.island.getByText(/opened on course/).waitFor();
});
