import { deflateRawSync } from "node:zlib";
import { choose, type } from "./hand.mjs";
import { settled, touch } from "./watch.mjs";

// The rows of the left column that hold an input, a table or a section, by its id.
const folds = [
  [/^(seed|tau|repeats|draw)/, "repeats"],
  [/^measure-/, "measure"],
  [/^(book|bookings|booking|act-grid)\b/, "grid"],
  [/^(due|weights|setup|rules|eligible|needs|jobs)\./, "needs"],
  [/^processors$|^section-(nodes|machines|partitions|qos|accounts|guards)$/, "platform"],
  [/^(machine|clusters|groups|licences)\./, "platform", "machines"],
  [/^(fail|limit|outages|classes)\./, "platform", "guards"],
  [/^act-(source|bundled|generator|cases)\.|^section-(generator|filter|cases|predict|react|patience)$/, "workload"],
  [/^gen\./, "workload", "generator"],
  [/^(from|to|load|time|known|(min|max)-(procs|run)|(exclude-)?users|overrun|oversize|dependencies|withdrawn)$/, "workload", "filter"],
  [/^(react|patience)\./, "workload"],
  [/^open-(lines|header|jobs)$/, "glance"],
];

// What an address without an experiment opens, as a link.
const usual = `#x=${deflateRawSync('{"batchlab":1,"title":"Three schedulers on a generated workload","workload":{"source":{"generator":{"key":"daily"}}},"platform":{"processors":100},"schedulers":[{"key":"fcfs","repeat":5},{"key":"easy","repeat":5},{"key":"conservative","repeat":5}]}').toString("base64url")}`;

// The page as the tests see it. Selectors live here and nowhere else.
//
// The page says what it is doing on <html>: data-started and data-finished
// number the experiments, data-runs is "done" once results are drawn,
// data-digest is the digest of the last complete experiment, data-sweep and
// data-sweep-digest say the same of one that varies, data-loads counts
// the workloads read, data-loading those being read, data-keeping the files on
// their way to the browser's store, data-failed is set when the program ended.
export class Lab {
  constructor(page, base) {
    this.page = page;
    this.base = base;
  }

  /** Opens the page, with a link's hash if one is given. */
  async open(hash = "") {
    await this.page.goto(`${this.base}/${hash}`);
  }

  /** Waits until results are drawn and nothing runs; of an experiment that varies, all points. */
  async ready(timeout = 300_000) {
    await this.page.waitForFunction(() => {
      document.getElementById("much-go")?.click(); // a busy computer may take a minute, and is asked first
      const d = document.documentElement.dataset;
      return d.failed || (Number(d.started) > 0 ? d.started === d.finished && d.runs === "done" : d.sweep === "done");
    }, null, { timeout });
    if (await this.flag("failed")) throw new Error(`the page failed: ${await this.text()}`);
  }

  async openReady(hash = "") {
    await this.open(hash);
    await this.ready();
  }

  /** Drags over the measuring window of a panel's chart from one part of its width to another. */
  async dragWindow(panel, from, to, below) {
    const track = await this.page.locator(`#panel-${panel} .bl-mw`).boundingBox();
    const move = (part, how) => this.page.mouse.move(track.x + track.width * part, track.y + below, how);
    await move(from);
    await this.page.mouse.down();
    await move((from + to) / 2, { steps: 3 });
    await move(to, { steps: 3 });
    await this.page.mouse.up();
    await this.page.locator(".alert.warn", { hasText: "Settings changed" }).waitFor();
  }

  /** Copies the link to what is shown, and opens it as in another visit. */
  async reopen() {
    const hash = new URL(await this.copyLink()).hash;
    await this.page.goto("about:blank");
    await this.openReady(hash);
  }

  /** Opens an address, as openReady does; on a page that is open already it is gone to by a link, and nothing is loaded again. */
  async begin(hash = "") {
    if (!this.page.url().startsWith(this.base)) return this.openReady(hash);
    const to = `${hash || usual}&v=1_toverview`;
    await this.leaveFields();
    for (let n = 0; n < 3 && await this.page.locator("[role=dialog], [role=menu]").locator("visible=true").count(); n++) await this.page.keyboard.press("Escape");
    await this.settled();
    if (await this.page.evaluate(() => location.hash) !== to) await this.running(() => this.page.evaluate((to) => { location.hash = to; }, to));
  }

  flag(name) {
    return this.page.evaluate((n) => document.documentElement.dataset[n] || "", name);
  }

  async digest() {
    return await this.flag("digest") || this.flag("sweepDigest");
  }

  /** Lets n more results of workers through and holds back those behind them: a test is then in the middle of the work. */
  hold(n) {
    return this.page.evaluate((n) => window.hold(n), n);
  }

  /** Number of experiments started since the page was opened. */
  async started() {
    return Number(await this.flag("started"));
  }

  async loads() {
    return Number(await this.flag("loads"));
  }

  /** Does something that starts an experiment and waits for its results. */
  async running(action, timeout = 300_000) {
    await this.read(); // what is wrong with a workload, or was, is known then
    const before = await this.started();
    await action();
    await this.page.waitForFunction((n) => {
      document.getElementById("much-go")?.click();
      return Number(document.documentElement.dataset.started || 0) > n;
    }, before, { timeout });
    await this.ready(timeout);
  }

  /** Does something that reads a workload and waits for its end, good or bad, and until a log is kept for the next visit. */
  async loading(action, timeout = 300_000) {
    await this.read(timeout);
    const before = await this.loads();
    await action();
    await this.page.waitForFunction((n) => Number(document.documentElement.dataset.loads || 0) > n, before, { timeout });
    await this.read(timeout);
    await this.settled();
  }

  /** Waits until no workload is being read and no file is on its way to the browser's store. */
  read(timeout = 300_000) {
    return this.page.waitForFunction(() => ["loading", "keeping"].every((k) => !Number(document.documentElement.dataset[k])), null, { timeout });
  }

  /** Names of colours that a picture uses and that are not defined where it stands: they would be black. */
  undefinedColours(selector) {
    return this.page.locator(`${selector} :is([fill^="var("], [stroke^="var("])`).evaluateAll((list) => [...new Set(list.flatMap((e) =>
      ["fill", "stroke"].map((a) => /^var\((--[\w-]+)/.exec(e.getAttribute(a) ?? "")?.[1]).filter((name) => name && !getComputedStyle(e).getPropertyValue(name))))]);
  }

  /** Waits until nothing more is to come of what the page was asked to do. */
  settled() {
    return settled(this.page);
  }

  run() {
    return this.running(() => this.page.keyboard.press("Control+Enter"));
  }

  /** Brings a file into the page, to be dropped later. */
  async stage(name, data) {
    await this.page.evaluate(({ name, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      window.staged = new File([bytes], name);
    }, { name, base64: Buffer.from(data).toString("base64") });
  }

  /** Drops the staged file on the page as a hand would. */
  dropStaged() {
    return this.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(window.staged);
      for (const type of ["dragenter", "dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    });
  }

  async drop(name, data) {
    await this.stage(name, data);
    await this.dropStaged();
  }

  /** Chooses a preset by its name. */
  async preset(name) {
    await this.page.locator("#open-presets").click();
    await this.page.locator("#menu-presets").getByRole("menuitemradio", { name }).or(this.page.locator("#menu-presets").getByRole("button", { name })).first().click();
  }

  /** Types into a field, a locator or a selector, as a person does. */
  type(field, text) {
    return type(typeof field === "string" ? this.page.locator(field) : field, text);
  }

  /** Chooses from a list, a locator or a selector, by keyboard. */
  choose(list, value) {
    return choose(typeof list === "string" ? this.page.locator(list) : list, value);
  }

  /** Opens the rows of the left column in which something stands, and returns it: an input, a table's cell, a button or a section, by its id. */
  async unfold(id) {
    const bare = id.replace(/^wave-/, ""), sched = /^sched\.(\d+)\./.exec(bare);
    const [, ...rows] = folds.find(([of]) => of.test(bare)) || [];
    const kind = /^(react|patience)\./.exec(bare);
    for (const row of [...rows.map((key) => key === "glance" ? key : `section-${key}`), ...kind ? [`section-${kind[1]}`] : [], ...sched ? [`sched-${sched[1]}`] : []]) {
      const button = this.page.locator(`#${row}`);
      if (await button.getAttribute("aria-expanded") === "false") await button.click();
    }
    return this.page.locator(`[id="${id}"]`);
  }

  /** Opens a section of the left column, by its key. */
  async section(key) {
    const button = await this.unfold(`section-${key}`);
    if (await button.getAttribute("aria-expanded") === "false") await button.click();
  }

  /** What stands in a field of the left column. */
  async value(id) {
    return (await this.unfold(id)).inputValue();
  }

  setProcessors(n) {
    return this.setField("processors", String(n));
  }

  /** Types into a field of the left column and takes it over. */
  async setField(id, text) {
    const input = await this.unfold(id);
    await this.type(input, text);
    await input.press("Enter");
    await this.settled();
  }

  /** Takes the focus out of fields, so that keys belong to the page. */
  leaveFields() {
    return this.page.evaluate(() => document.activeElement?.blur());
  }

  /** Waits until a condition holds. */
  async until(condition, timeout = 120_000) {
    const end = Date.now() + timeout;
    while (!await condition()) {
      if (Date.now() > end) throw new Error(`waited ${timeout} ms for ${condition}`);
      await this.page.waitForTimeout(30);
    }
    touch(this.page); // the rest of what came about with it may not be drawn yet
  }

  /** Does something that saves a file and returns its text. */
  async download(action) {
    const [file] = await Promise.all([this.page.waitForEvent("download"), action()]);
    let text = "";
    for await (const chunk of await file.createReadStream()) text += chunk;
    return text;
  }

  /** Opens the list of damaged lines. */
  async openLines() {
    await (await this.unfold("open-lines")).click();
    await this.page.getByRole("dialog").waitFor();
  }

  /** Copies the link by the share dialog and returns it. */
  async copyLink() {
    await this.page.locator("#open-share").click();
    const text = await this.page.inputValue("#link");
    await this.page.locator("#copy-link").click();
    await this.page.waitForFunction(async (t) => await navigator.clipboard.readText() === t, text);
    await this.page.keyboard.press("Escape");
    return text;
  }

  /** Everything that can be read on the page, on one line. */
  async text() {
    return (await this.page.innerText("body")).replace(/\s+/g, " ");
  }

  /** The long tasks (50 ms and more) of the page's thread since a time. */
  tasks(since = 0) {
    return this.page.evaluate((t) => window.longTasks.filter((e) => e.start >= t), since);
  }

  now() {
    return this.page.evaluate(() => performance.now());
  }
}
