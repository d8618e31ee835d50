// The Search tab as the tests see it: its selectors live here.
import { choose, type } from "./hand.mjs";

export class Searching {
  constructor(lab) {
    this.lab = lab;
    this.page = lab.page;
  }

  async open() {
    await this.page.click("#tab-search");
  }

  /** Opens the settings if they are put aside. */
  async settings() {
    if (!await this.page.isVisible("#search-controls")) await this.page.click("#search-settings");
  }

  field(key) {
    return this.page.locator(`[id="search.${key}"]`);
  }

  /** Sets inputs by their key. */
  async set(values) {
    await this.settings();
    for (const [key, value] of Object.entries(values)) {
      const field = this.field(key);
      if (await field.evaluate((e) => e.tagName) === "SELECT") await choose(field, value);
      else {
        await type(field, value);
        await field.press("Enter");
      }
    }
  }

  /** What an input has against its text, "" nothing. */
  async fault(key) {
    const p = this.page.locator(`[id="search.${key}-error"]`);
    return await p.count() ? p.innerText() : "";
  }

  async start() {
    await this.page.click("#search-start");
  }

  stop() {
    return this.page.click("#search-stop");
  }

  flag(name) {
    return this.lab.flag(name);
  }

  /** Waits for the end of a search and returns how it ended. */
  async ended(timeout = 600_000) {
    await this.page.waitForFunction(() => ["done", "cancelled", "failed"].includes(document.documentElement.dataset.search), null, { timeout });
    return this.flag("search");
  }

  async run(timeout) {
    await this.start();
    return this.ended(timeout);
  }

  fingerprint() {
    return this.flag("fingerprint");
  }

  state() {
    return this.page.innerText("#search-state");
  }

  get map() {
    return this.page.locator("[data-island=search-maps] canvas.bl-top");
  }

  /** How many colours the maps have. */
  mapColours() {
    return this.page.evaluate(() => {
      const c = document.querySelector("[data-island=search-maps] canvas");
      const data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4) if (data[i + 3]) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
      return seen.size;
    });
  }

  /** Points at maps until something stands there; returns the place and the words. */
  async pointAtMap() {
    const box = await this.map.boundingBox();
    const tip = this.page.locator("[data-island=search-maps] .bl-tipbox");
    for (let y = 60; y < box.height; y += 12) {
      for (let x = 120; x < box.width; x += 40) {
        await this.page.mouse.move(box.x + x, box.y + y);
        await this.lab.settled();
        if (await tip.isVisible()) return { x: box.x + x, y: box.y + y, text: await tip.innerText() };
      }
    }
    throw new Error("nothing stands on the maps");
  }

  /** The rows of a table: [["SAF", "1,630.75", …], …]. */
  table(island) {
    return this.page.$$eval(`[data-island=${island}] tbody tr`, (rows) => rows.map((r) => [...r.children].map((c) => c.innerText.trim())));
  }

  /** Saves a card's numbers and returns them as rows. */
  async csv(island) {
    await this.page.locator(`[data-island=${island}] [aria-label="Save this chart"]`).click();
    const text = await this.lab.download(() => this.page.getByRole("menuitem", { name: "CSV" }).click());
    return text.trim().split("\r\n").map((l) => l.split(","));
  }

  /** Runs the n-th policy of the list of the best. */
  runBest(n) {
    return this.page.locator("[data-island=search-best] button[data-i]").nth(n - 1).click();
  }
}
