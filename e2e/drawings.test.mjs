// The islands: what is drawn answers to hand, keyboard and file.
import { readFileSync } from "node:fs";
import { assert, visit } from "./harness.mjs";
import { settled } from "./watch.mjs";

/** The drawings of the page as the tests see them. */
class Drawings {
  constructor(page) {
    this.page = page;
  }

  /** Opens a tab by its key and waits until its drawing stands. */
  async tab(key, island) {
    await this.page.evaluate(() => document.activeElement?.blur()); // a key in a field is a letter
    await this.page.keyboard.press(key);
    await this.page.locator(`[data-island=${island}] canvas, [data-island=${island}] .bl-stage svg, [data-island=${island}] [role=row]`).first().waitFor();
    await this.settle();
  }

  settle() {
    return settled(this.page);
  }

  /** A fingerprint of the Gantt chart's picture. */
  picture() {
    return this.page.evaluate(() => {
      const c = document.querySelector("[data-island=gantt] canvas");
      const data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
      let h = 7;
      for (let i = 0; i < data.length; i += 4) h = (h * 31 + data[i] * 3 + data[i + 1] * 5 + data[i + 2]) | 0;
      return h;
    });
  }

  chart() {
    return this.page.getByRole("application", { name: /^Gantt chart/ });
  }

  card() {
    return this.page.locator(".bl-hc:visible");
  }

  async save(island, item) {
    await this.page.locator(`[data-island=${island}]`).getByRole("button", { name: "Save this chart" }).first().click();
    const menu = await this.page.getByRole("menu").last().boundingBox();
    assert.ok(menu.y >= 0 && menu.y + menu.height <= this.page.viewportSize().height, `${island}: the menu ends in the window`);
    const [file] = await Promise.all([this.page.waitForEvent("download"), this.page.getByRole("menuitem", { name: item }).click()]);
    return readFileSync(await file.path());
  }
}

// One after the other on one page: each begins with its tab, and leaves the charts as it found them where the next one looks at all of them.
visit({}, ({ lab }) => lab.openReady(), {
  "charts over time follow the reader in each other": async ({ lab, page }) => {
    const over = page.locator("[data-island=overtime]"), hairs = page.locator(".spark .bl-hair:visible");
    await over.locator(".bl-stage > svg").scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await over.locator(".bl-tipbox:visible").waitFor();
    await lab.until(async () => await hairs.count() >= 4);
    await page.mouse.move(5, 5);
    await lab.until(async () => await hairs.count() === 0);
  },

  "charts are saved as they are seen": async ({ lab, page }) => {
    const d = new Drawings(page);
    const inks = (selector) => page.evaluate((s) => [...new Set([...document.querySelectorAll(s)].map((t) => getComputedStyle(t).fill))].sort(), selector);
    assert.deepEqual((await inks("[data-island=classes] text.on0, [data-island=classes] text.on1")).filter((c) => !/^rgb\((0, 0, 0|255, 255, 255)\)$/.test(c)), [], "words on marks are black or white");
    const well = (svg) => page.evaluate((s) => new DOMParser().parseFromString(s, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", svg);
    for (const island of ["bars", "cdf", "classes", "overtime"]) {
      const svg = (await d.save(island, "SVG")).toString();
      assert.equal(await well(svg), "", island);
      assert.match(svg, /<desc>[^<]{20,}<\/desc>/, `${island} says what it shows`);
      assert.ok(!svg.includes("var("), `${island}: colours are written out`);
      assert.equal((await d.save(island, "PNG, twice the size")).subarray(1, 4).toString(), "PNG");
      assert.ok((await d.save(island, "CSV")).toString().split("\r\n").length > 2, island);
    }
    for (const [key, island] of [["3", "series"], ["4", "dist"], ["5", "users"]]) {
      await d.tab(key, island);
      const svg = (await d.save(island, "SVG")).toString();
      assert.equal(await well(svg), "", island);
      assert.match(svg, /<desc>[^<]{20,}<\/desc>/, `${island} says what it shows`);
      assert.ok(!svg.includes("var("), `${island}: colours are written out`);
      const { width, height, ink } = await page.evaluate(async (s) => {
        const image = new Image();
        image.src = URL.createObjectURL(new Blob([s], { type: "image/svg+xml" }));
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const data = context.getImageData(0, 0, image.width, image.height).data;
        let ink = 0;
        for (let i = 0; i < data.length; i += 4) ink += data[i] < 200;
        return { width: image.width, height: image.height, ink };
      }, svg);
      assert.ok(ink > 500, `${island}: the file shows something, ${ink} dark pixels`);
      const png = await d.save(island, "PNG, twice the size");
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * width, 2 * height], `${island}: size of the PNG`);
    }
    await d.tab("2", "gantt");
    assert.equal(await well((await d.save("gantt", "SVG")).toString()), "");
    assert.equal((await d.save("gantt", "PNG, twice the size")).subarray(1, 4).toString(), "PNG");
  },

  "what the files of a chart say is what it plots": async ({ lab, page }) => {
    const d = new Drawings(page);
    await d.tab("4", "dist");
    // Read the first curve back from the picture: its ends are those of the file.
    const lines = (await d.save("dist", "CSV")).toString().trim().split("\r\n").map((l) => l.split(","));
    assert.deepEqual(lines[0], ["series", "wait_s", "share_of_jobs"]);
    const svg = (await d.save("dist", "SVG")).toString();
    for (const name of new Set(lines.slice(1).map((l) => l[0]))) {
      const points = lines.filter((l) => l[0] === name).map((l) => l.slice(1).map(Number));
      assert.equal(points.length, 401);
      const curves = await page.evaluate((s) => [...new DOMParser().parseFromString(s, "image/svg+xml").querySelectorAll("path[fill=none]")]
        .map((p) => [...p.getAttribute("d").matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map((m) => [Number(m[1]), Number(m[2])])).filter((c) => c.length > 50), svg);
      assert.equal(curves.length, 3);
      const fits = curves.some((c) => {
        const [x0, x1] = [c[0][0], c.at(-1)[0]], [v0, v1] = [points[0][0], points.at(-1)[0]];
        const at = (x) => Math.exp(Math.log(v0) + (x - x0) / (x1 - x0) * Math.log(v1 / v0));
        const share = (v) => points.reduce((a, b) => Math.abs(Math.log(b[0] / v)) < Math.abs(Math.log(a[0] / v)) ? b : a)[1];
        const [top, bottom] = [Math.min(...c.map((p) => p[1])), c[0][1]], [most, least] = [Math.max(...points.map((p) => p[1])), points[0][1]];
        return most > least && c.every(([x, y]) => Math.abs((bottom - y) / (bottom - top) * (most - least) + least - share(at(x))) < .02);
      });
      assert.ok(fits, `${name} is drawn as it is saved`);
    }
  },

  "charts say what is under the pointer, and zoom by keys": async ({ lab, page }) => {
    const d = new Drawings(page);
    await d.tab("3", "series");
    const plot = page.getByRole("application", { name: /^From / });
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await page.locator("[data-island=series] .bl-tipbox", { hasText: /busy[\s\S]*A FCFS/ }).waitFor();
    assert.ok(await page.locator("[data-island=series] .bl-hair").isVisible());
    const before = await plot.getAttribute("aria-label");
    await plot.focus();
    await page.keyboard.press("ArrowUp");
    await d.settle();
    assert.notEqual(await plot.getAttribute("aria-label"), before);
    await page.keyboard.press("0");
    await d.settle();
    assert.equal(await plot.getAttribute("aria-label"), before);
    await d.tab("5", "users");
    const dots = page.getByRole("img", { name: /^Mean wait of/ }).locator("[data-mark]");
    const dot = await dots.last().boundingBox();
    await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
    await page.locator("[data-island=users] .bl-users .bl-tipbox", { hasText: /user \d+[\s\S]*mean wait/ }).waitFor();
  },

  "the measuring window stands on the axis of Series, too: dragged, moved by keys, the same as in the Gantt chart": async ({ lab, page }) => {
    const d = new Drawings(page);
    await d.tab("3", "series");
    const ends = (panel) => ["starts", "ends"].map((w) => page.locator(`#panel-${panel}`).getByRole("slider", { name: `Measuring window ${w}` }));
    const values = (panel) => Promise.all(ends(panel).map(async (l) => Number(await l.getAttribute("aria-valuenow"))));
    const whole = await values("series"), part = (t) => (t - whole[0]) / (whole[1] - whole[0]);
    const track = await page.locator("#panel-series .bl-mw").boundingBox(), plot = await page.getByRole("application", { name: /^From / }).boundingBox();
    assert.ok(track.y > plot.y + plot.height / 2 && track.y + track.height <= plot.y + plot.height + 1, "it stands below the curves");
    await lab.dragWindow("series", 0.25, 0.75, 14);
    const [from, to] = await values("series");
    assert.ok(Math.abs(part(from) - 0.25) < 0.01 && Math.abs(part(to) - 0.75) < 0.01, `${part(from)} to ${part(to)}`);
    await d.settle(); // the note has made the chart smaller
    // One end by the mouse, the other by keys.
    const end = await ends("series")[1].boundingBox();
    await page.mouse.move(end.x + end.width / 2, end.y + 4);
    await page.mouse.down();
    await page.mouse.move(end.x - track.width * 0.1, end.y + 4, { steps: 4 });
    await page.mouse.up();
    await lab.until(async () => (await values("series"))[1] < to);
    await ends("series")[0].focus();
    await page.keyboard.press("ArrowRight");
    await lab.until(async () => (await values("series"))[0] > from);
    await d.settle(); // one change for a row of key presses
    const moved = await values("series");
    await d.tab("2", "gantt");
    assert.deepEqual(await values("gantt"), moved);
    await lab.leaveFields();
    for (let i = 0; i < 3; i++) await page.keyboard.press("Control+z");
    await lab.until(async () => (await values("gantt")).join() === whole.join());
  },

  "the Gantt chart zooms, comes back, and names the job under the pointer": async ({ lab, page }) => {
    const d = new Drawings(page);
    await d.tab("2", "gantt");
    const whole = await d.picture();
    const box = await d.chart().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 120);
    for (let i = 0; i < 8; i++) await page.mouse.wheel(0, -120);
    await d.settle();
    assert.notEqual(await d.picture(), whole, "the wheel changes the picture");

    // Look for a job on a line through the first pane, which is as high as there is room, then select it.
    let x = box.x + 150;
    for (; x < box.x + box.width - 80 && !(await d.card().count()); x += 12) {
      await page.mouse.move(x, box.y + 80);
      await d.settle();
    }
    const hovered = await d.card().locator("h3").innerText();
    assert.match(hovered, /^Job \d+/);
    await page.mouse.down();
    await page.mouse.up();
    await page.locator("[data-island=gantt] [aria-live]", { hasText: hovered.match(/^Job \d+/)[0] + " in " }).waitFor({ state: "attached" });
    await page.mouse.move(box.x + 20, box.y + 20);
    assert.equal(await d.card().locator("h3").innerText(), hovered, "a selected job keeps its card");

    await page.keyboard.press(".");
    await d.settle();
    assert.notEqual(await d.card().locator("h3").innerText(), hovered, "the next job is another");
    await page.keyboard.press("Escape");
    await page.keyboard.press("0");
    await d.settle();
    assert.equal(await d.card().count(), 0);
    assert.equal(await d.picture(), whole, "0 brings the whole picture back");
  },

  "series and Gantt chart look at the same span": async ({ lab, page }) => {
    const d = new Drawings(page);
    await d.tab("3", "series");
    const plot = page.getByRole("application", { name: /^From / });
    const whole = await plot.getAttribute("aria-label");
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -120);
    await d.settle();
    const shown = (await plot.getAttribute("aria-label")).match(/^From (.*?) to (.*?):/);
    assert.notEqual(shown[0], whole.match(/^From (.*?) to (.*?):/)[0]);
    await d.tab("2", "gantt");
    const label = await d.chart().getAttribute("aria-label");
    assert.ok(label.includes(shown[1]) && label.includes(shown[2]), `${label} is not ${shown[0]}`);
  },

  "box plots by class are what their file says, and that is what the table of jobs gives": async ({ lab, page }) => {
    const d = new Drawings(page);
    await d.tab("4", "dist");
    const card = page.locator(".bl-boxes");
    const files = async (item) => {
      await card.getByRole("button", { name: "Save this chart" }).click();
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: item }).click()]);
      return readFileSync(await file.path());
    };
    const rows = (data) => {
      const [head, ...lines] = data.toString().trim().split("\r\n").map((l) => l.split(","));
      return lines.map((l) => Object.fromEntries(l.map((v, i) => [head[i], v])));
    };
    await card.getByRole("img", { name: /^Box plots of wait by processors/ }).waitFor();
    const boxes = rows(await files("CSV")).filter((r) => r.scheduler === "B EASY");
    assert.ok(boxes.length >= 4, `${boxes.length} classes`);
    const svg = (await files("SVG")).toString();
    assert.equal(await page.evaluate((t) => new DOMParser().parseFromString(t, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", svg), "");
    assert.match(svg, /<desc>Box plots of wait[^<]{20,}<\/desc>/);
    await page.locator("#tab-table").click();
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator("[data-island=table]").getByRole("button", { name: "CSV" }).click()]);
    const jobs = rows(readFileSync(await file.path()));
    for (const b of boxes) {
      const [from, to] = b.size.split("–").map((t) => Number(t.replaceAll(",", "")));
      const waits = jobs.filter((j) => Number(j.processors) >= from && Number(j.processors) <= (to || from)).map((j) => Number(j.wait_s)).sort((x, y) => x - y);
      assert.equal(waits.length, Number(b.jobs), `jobs of ${b.size}`);
      const at = (p) => { const k = p * (waits.length - 1), i = Math.floor(k); return waits[i] + ((waits[i + 1] ?? waits[i]) - waits[i]) * (k - i); };
      assert.deepEqual([b.q1_wait_s, b.median_wait_s, b.q3_wait_s, b.greatest_wait_s].map(Number), [at(0.25), at(0.5), at(0.75), waits.at(-1)], b.size);
    }
    await page.locator("#tab-distributions").click();
    await card.getByRole("button", { name: "Run time" }).click();
    await page.locator("[data-island=dist]").getByRole("button", { name: "Slowdown", exact: true }).click();
    await card.getByRole("img", { name: /^Box plots of bounded slowdown by run time/ }).waitFor();
    await card.getByRole("button", { name: "Show as table" }).click();
    await card.locator("td", { hasText: "≤ 10" }).first().waitFor();
  },

  "the table filters, sorts, and saves what it shows": async ({ lab, page }) => {
    const d = new Drawings(page);
    await d.tab("/", "table"); // from where nothing can be searched
    assert.equal(await page.evaluate(() => document.activeElement.type), "search", "what is typed next is searched for");
    const rows = page.locator("[data-island=table] .bl-tb > [role=row]");
    assert.ok((await rows.count()) < 80, "only rows in view are in the document");
    await page.locator("[data-island=table] .bl-tf .bl-key").first().waitFor(); // the legend comes with the reasons
    await lab.type(page.getByRole("searchbox"), "wait>30m procs>=4");
    await page.keyboard.press("Enter");
    await page.getByRole("columnheader", { name: /^Wait/ }).getByRole("button").click();
    const count = Number((await page.locator("[data-island=table] [role=status]").innerText()).match(/^([\d,]+) of/)[1].replace(",", ""));
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator("[data-island=table]").getByRole("button", { name: "CSV" }).click()]);
    const lines = readFileSync(await file.path(), "utf8").trim().split("\r\n").map((l) => l.split(","));
    assert.equal(lines.length - 1, count);
    const head = lines[0], jobs = lines.slice(1).map((l) => Object.fromEntries(l.map((v, i) => [head[i], v])));
    for (const [i, j] of jobs.entries()) {
      assert.ok(Number(j.wait_s) > 1800 && Number(j.processors) >= 4, `line ${i + 2}: ${JSON.stringify(j)}`);
      assert.equal(Number(j.wait_s), Number(j.start_s) - Number(j.submit_s));
      if (i) assert.ok(Number(j.wait_s) <= Number(jobs[i - 1].wait_s), `line ${i + 2} waits longer than the one before`);
    }
    assert.equal(await rows.first().getByRole("gridcell").first().innerText(), jobs[0].job);
  },

  "the Gantt chart learns why a job waited": async ({ lab, page }) => {
    await page.locator("#tab-overview").click();
    // Words in coloured cells have the ink that can be read there.
    const inks = await page.evaluate(() => [...document.querySelectorAll("text.on0, text.on1")].map((t) => `${t.getAttribute("class")} ${getComputedStyle(t).fill}`));
    assert.deepEqual([...new Set(inks)].sort(), ["on0 rgb(0, 0, 0)", "on1 rgb(255, 255, 255)"]);
    const d = new Drawings(page);
    await d.tab("7", "table");
    await lab.type(page.getByRole("searchbox"), "wait>1h");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown"); // to the rows
    await page.keyboard.press("End");
    await page.keyboard.press("Enter"); // opens the job in the chart
    await d.card().waitFor();
    assert.match(await d.card().innerText(), /Waited [\s\S]*because [\s\S]*\d+\s*%/);
  },
});
