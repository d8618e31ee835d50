// A walk over everything on the page that takes typing, by somebody who knows none of
// it: fields, lists, boxes, sliders, popovers, dialogs and tables are found on the page,
// used by keyboard and pointer at a person's pace, and looked at afterwards. A field
// that is new is walked over without a line here.
import assert from "node:assert/strict";
import { pace } from "./hand.mjs";

/** Runs in the page before anything else: window.eyes sees what a person sees. */
export function eyes() {
  const seen = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && el.getClientRects().length > 0 && !el.closest("[inert]");
  const layers = ".popover, .bl-menu, [role=dialog], [role=menu]";
  const kind = (text) => text.replace(/\d+/g, "#");
  const label = (el) => el.getAttribute("aria-label") || el.labels?.[0]?.innerText.trim() || el.title;
  const where = (el) => {
    const at = el.closest("[role=dialog], .popover, .side, [role=tabpanel], .place, header");
    return at?.id || at?.className || "";
  };
  // All waves open one popover, which differs by what its input takes.
  const takes = (el) => el && [el.tagName, el.type, el.nextElementSibling?.innerText ?? "", /[a-z]/.test(el.value) ? "words" : ""].join(" ");
  const key = (el) => el.dataset.add ? `row of ${el.dataset.add}` : el.matches(".segments button") ? `choice ${kind(where(el))} ${el.id || el.innerText}` : el.dataset.wave ? `wave of ${takes(document.getElementById(el.dataset.wave))}` : `${kind(where(el))} ${kind(el.dataset.cell || el.id || label(el) || el.className)}`;
  const field = (el) => el.matches("select, textarea, [contenteditable=true]") || el.matches("input") && !el.matches("[type=file], [type=hidden]");
  const tabbable = () => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]")]
    .filter((el) => el.tabIndex >= 0 && !el.disabled && seen(el));
  const same = (a, b) => a && b && (a === b || a.id !== "" && a.id === b.id);
  const eyes = window.eyes = {
    /** What takes typing within a root, each kind once. */
    fields(root) {
      return [...document.querySelectorAll(`:is(${root}) :is(input, select, textarea, [contenteditable=true])`)]
        .filter((el) => field(el) && !el.disabled && !el.readOnly && seen(el)).map(key).filter((k, i, all) => all.indexOf(k) === i);
    },
    /** Buttons within a root that open something above the page, each kind once. */
    openers(root) {
      return [...document.querySelectorAll(`:is(${root}) :is([aria-haspopup], [data-wave])`)].filter((el) => !el.disabled && seen(el)).map(key).filter((k, i, all) => all.indexOf(k) === i);
    },
    /** Buttons within a root of some kind, each kind once: those that add a row, choices that are not taken. */
    buttons(root, which) {
      return [...document.querySelectorAll(`:is(${root}) :is(${which})`)].filter((el) => !el.disabled && seen(el)).map(key).filter((k, i, all) => all.indexOf(k) === i);
    },
    /** Looks at the first field or button of a kind, and says how it stands. */
    take(root, k) {
      const el = [...document.querySelectorAll(`:is(${root}) :is(input, select, textarea, button, [contenteditable=true])`)].find((el) => !el.disabled && seen(el) && key(el) === k);
      if (!el) return null;
      el.scrollIntoView({ block: "center" });
      eyes.now = el;
      eyes.id = el.id;
      const r = el.getBoundingClientRect();
      return { ...eyes.look(), type: el.type || "text", box: [r.x, r.y, r.width, r.height], options: el.options && [...el.options].map((o) => !o.disabled), at: el.selectedIndex, lines: el.isContentEditable || el.matches("textarea"), editor: el.isContentEditable };
    },
    /** The field that is looked at, which may have been drawn anew. */
    it() {
      if (!eyes.now.isConnected && eyes.id) eyes.now = document.getElementById(eyes.id) || eyes.now;
      return eyes.now;
    },
    look() {
      const el = eyes.it(), active = document.activeElement, fault = el.getAttribute("aria-describedby");
      return {
        there: el.isConnected, value: el.isContentEditable ? [...el.children].filter((line) => line.isContentEditable).map((line) => line.innerText.trimEnd()).join("\n") : el.value,
        stated: el.dataset.value, checked: el.checked, pressed: el.getAttribute("aria-pressed"),
        wrong: el.getAttribute("aria-invalid") === "true", says: fault && document.getElementById(fault)?.innerText || "", empty: el.placeholder || "",
        focus: same(active, el), lost: active === document.body, on: active.id || `${active.tagName} ${label(active) || ""}`,
        tab: document.querySelector("[role=tab][aria-selected=true]")?.id, place: document.querySelector(".place:not([hidden])")?.ariaLabel, layers: [...document.querySelectorAll(layers)].filter(seen).length,
      };
    },
    /** Where Tab leads from the field, and later whether it has led there. */
    ahead(by) {
      const all = tabbable(), next = all[all.findIndex((el) => el === eyes.it()) + by];
      eyes.next = next;
      eyes.nextID = next?.id;
    },
    arrived() {
      const next = eyes.next?.isConnected ? eyes.next : eyes.nextID && document.getElementById(eyes.nextID);
      return !next || !seen(next) || next.disabled || same(document.activeElement, next);
    },
    /** The layer that was opened last, as a selector. */
    top() {
      const all = [...document.querySelectorAll(layers)].filter(seen), el = all.at(-1);
      if (!el) return "";
      el.id ||= "walked-layer";
      return `#${CSS.escape(el.id)}`;
    },
    /** Whether a layer ends in the window, so that a hand reaches all of it. */
    reached(root) {
      const r = document.querySelector(root).getBoundingClientRect();
      return r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight;
    },
    within(root) { return !!document.activeElement.closest(root); },
    /** Messages that show the inside of a document: workload.annotate.needs[0].gpus. */
    raw() {
      return [...document.querySelectorAll("[role=alert], .field-error, .fault-text, .hint")].filter(seen).map((el) => el.innerText)
        .filter((t) => /\b(workload|platform|schedulers|measures|vary)(\[\d+\])?\.[a-z_]+/.test(t) || /must be an array/.test(t));
    },
  };
}

/** What somebody might type instead of a value. */
function another(value, empty) {
  const plain = value.replace(/[,\s\u00a0]/g, "");
  if (/^\d+$/.test(plain)) return String(Number(plain) < 10 ? 12 : Number(plain) + 1);
  if (/^\d*\.\d+$/.test(plain)) return `${plain}5`;
  if (/^[\d.]+[a-z]+/.test(plain)) return "90 min"; // a duration
  if (value === "") return /\d/.test(empty) ? empty.replace(/\D.*$/, "") || "12" : "12";
  return `${value.slice(0, 12)} 12c`;
}

/** A walker over a lab: what it has found, and what was seen already, also by walkers before it. */
export class Walker {
  constructor(lab, seen) {
    Object.assign(this, { lab, page: lab.page, seen, taken: [], opened: [], faults: [] });
  }

  look() { return this.page.evaluate(() => window.eyes.look()); }

  /** Says what is wrong, and goes on: one walk finds all that there is. */
  expect(ok, what, where, at) {
    if (!ok) this.faults.push(`${where}: ${what}${at ? ` (${JSON.stringify(at)})` : ""}`);
    return ok;
  }

  /** Walks over the fields and popovers within a root. */
  async over(root, deep = true) {
    for (;;) {
      const key = (await this.page.evaluate((r) => window.eyes.fields(r), root)).find((k) => !this.seen.has(k));
      if (!key) break;
      this.seen.add(key);
      await this.field(root, key);
    }
    for (const key of deep ? await this.unseen(root, "[data-add]") : []) await this.row(root, key);
    for (const key of deep ? await this.page.evaluate((r) => window.eyes.openers(r), root) : []) {
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      await this.open(root, key);
    }
    const raw = await this.page.evaluate(() => window.eyes.raw());
    this.expect(raw.length === 0, `a message shows the inside of a document: ${raw[0]}`, root);
  }

  /** Kinds of buttons that were not met before. */
  async unseen(root, which) {
    return (await this.page.evaluate(([r, w]) => window.eyes.buttons(r, w), [root, which])).filter((k) => !this.seen.has(k));
  }

  /** Adds a row to a table, types into its first cell, where the focus is then, and into the others, and takes the row out again. */
  async row(root, key) {
    const { page } = this;
    this.seen.add(key);
    const id = key.split(" ").pop(), rows = () => page.locator(`[data-remove^="${id}/"]`).count();
    const was = await page.evaluate(([r, k]) => window.eyes.take(r, k), [root, key]), before = await rows();
    if (!was) return;
    for (let n = 1; n <= 2; n++) { // a second one, so that there is one to go to when it goes
      await page.locator(`[id="${id}.add"]`).focus();
      await page.keyboard.press("Enter");
      if (!this.expect(await rows() === before + n, "Enter added no row", key)) return;
      const on = await page.evaluate(() => document.activeElement.dataset.cell ?? document.activeElement.tagName);
      this.expect(on.startsWith(`${id}/${before + n - 1}/`), `the focus is on ${on}, not in the new row`, key);
    }
    await this.over(root, false);
    await page.locator(`[id="${id}.${before + 1}.remove"]`).focus();
    await page.keyboard.press("Enter");
    this.expect(await rows() === before + 1, "Enter took no row out", key);
    this.expect(await page.evaluate(([i, n]) => document.activeElement.id === `${i}.${n}.remove`, [id, before]), "the focus is not at the row that is left", key);
    await page.locator(`[id="${id}.${before}.remove"]`).focus();
    await page.keyboard.press("Enter");
    this.expect(await rows() === before && await page.evaluate((i) => document.activeElement.id.startsWith(`${i}.`), id), "the focus is not at the table when its row has gone", key);
  }

  /** Uses one field, and puts it back to what it was. */
  async field(root, key) {
    const was = await this.page.evaluate(([r, k]) => window.eyes.take(r, k), [root, key]);
    if (!was) return;
    const stays = (now, what) => {
      this.expect(now.tab === was.tab && now.place === was.place && now.layers === was.layers, `${what} had the page go elsewhere`, key, now);
      return this.expect(now.there && now.focus, `${what} took the focus away`, key, now);
    };
    if (was.type === "range") return this.slide(key, was, stays);
    if (was.type === "checkbox" || was.type === "radio") return this.tick(key, was, stays);
    if (was.options) return this.choose(key, was, stays);
    await this.type(key, was, stays);
  }

  async type(key, was, stays) {
    const { page } = this, text = another(was.value, was.empty);
    // A field keeps what it took: the next one begins there.
    const write = async (t) => {
      await page.keyboard.press("Control+a");
      await (t === "" ? page.keyboard.press("Delete") : /\n/.test(t) ? page.keyboard.insertText(t) : page.keyboard.type(t, { delay: pace }));
    };
    await page.mouse.click(was.box[0] + was.box[2] / 2, was.box[1] + was.box[3] / 2);
    await write(text);
    let now = await this.look();
    if (!stays(now, "typing")) return;
    if (!this.expect(now.value === text, `"${now.value}" stands there, not "${text}" as typed`, key)) return;
    await page.evaluate(() => window.eyes.ahead(1));
    if (was.editor) for (const key of ["Escape", "Escape"]) await page.keyboard.press(key); // completion closes, and the Tab behind leads on instead of indenting
    await page.keyboard.press("Tab");
    now = await this.look();
    // What an editor says of a text comes in behind it, with buttons of its own.
    this.expect(was.editor ? !now.focus && !now.lost : await page.evaluate(() => window.eyes.arrived()), "Tab did not lead on", key, now);
    if (!now.there) return; // the place of a table that asks for more, or less
    if (was.stated !== undefined) {
      const took = !now.wrong && now.stated !== was.stated && now.value === now.stated;
      this.expect(took || now.wrong && now.says !== "" && now.value === text, `"${text}" was neither taken nor refused in words`, key, now);
      if (took) this.taken.push(key);
    }
    if (!now.wrong && was.stated !== undefined) return; // it was taken
    await page.keyboard.press("Shift+Tab");
    now = await this.look();
    if (!this.expect(now.focus, "Shift+Tab did not lead back", key, now)) return;
    await write(was.value);
    if (!was.lines) await page.keyboard.press("Enter");
    now = await this.look();
    this.expect(!now.there || now.value === was.value, `"${was.value}" was not to be had again: "${now.value}"`, key, now);
    this.expect(!now.there || !now.wrong || was.wrong, `what was right before is wrong now: ${now.says}`, key);
    this.expect(!now.lost, "Enter lost the focus", key, now);
  }

  async tick(key, was, stays) {
    await this.page.evaluate(() => window.eyes.it().focus());
    for (const want of [!was.checked, was.checked]) {
      await this.page.keyboard.press("Space");
      const now = await this.look();
      if (!now.there || !stays(now, "Space")) return;
      if (!this.expect(now.checked === want || was.type === "radio", "Space did not tick it", key, now)) return;
    }
    this.taken.push(key);
  }

  async choose(key, was, stays) {
    const on = was.options.indexOf(true, was.at + 1), up = was.options.lastIndexOf(true, was.at - 1);
    if (on < 0 && (up < 0 || was.at === 0)) return; // there is nothing to choose
    await this.page.evaluate(() => window.eyes.it().focus());
    const [there, back] = on >= 0 ? ["ArrowDown", "ArrowUp"] : ["ArrowUp", "ArrowDown"];
    await this.page.keyboard.press(there);
    let now = await this.look();
    if (!now.there || !stays(now, there)) return;
    this.expect(now.value !== was.value, "the arrow key chose nothing", key, now);
    if (now.stated !== undefined) this.expect(now.stated === now.value, "the choice was not taken", key, now);
    await this.page.keyboard.press(back);
    now = await this.look();
    if (now.there) this.expect(now.value === was.value, `"${was.value}" was not to be had again`, key, now);
    this.taken.push(key);
  }

  async slide(key, was, stays) {
    const { page } = this, [x, y, w, h] = was.box;
    await page.mouse.move(x + w / 4, y + h / 2);
    await page.mouse.down();
    await page.mouse.move(x + w * 3 / 4, y + h / 2, { steps: 6 });
    await page.mouse.up();
    await this.lab.settled();
    let now = await this.look();
    if (!now.there || !stays(now, "dragging")) return;
    this.expect(now.value !== was.value, "dragging moved nothing", key, now);
    const before = now.value;
    await page.keyboard.press("ArrowLeft");
    await this.lab.settled();
    now = await this.look();
    stays(now, "ArrowLeft");
    this.expect(now.value !== before, "the arrow key moved nothing", key, now);
    this.taken.push(key);
  }

  /** Opens what a button opens, walks over it, and closes it by Escape. */
  async open(root, key) {
    const { page } = this, was = await page.evaluate(([r, k]) => window.eyes.take(r, k), [root, key]);
    if (!was) return;
    await page.evaluate(() => window.eyes.it().focus());
    const opener = await page.evaluateHandle(() => window.eyes.now);
    await page.keyboard.press("Enter");
    const top = await page.evaluate(() => window.eyes.top());
    if (!this.expect(top !== "", "nothing opened", key)) return;
    this.opened.push(key);
    this.expect(await page.evaluate((t) => window.eyes.within(t), top), "the focus is not in what was opened", key, await this.look());
    this.expect(await page.evaluate((t) => window.eyes.reached(t), top), "what opened goes on outside the window", key);
    for (let n = 0; n < 6; n++) {
      await this.over(top, false);
      const more = page.locator(`${top} .segments button[aria-pressed=false]:not([disabled])[id^=vary-]`);
      if (n >= await more.count()) break;
      await more.nth(n).focus();
      await page.keyboard.press("Enter");
      this.expect(await page.evaluate((t) => window.eyes.within(t), top), "a button lost the focus", key);
    }
    await page.keyboard.press("Escape");
    if (await page.evaluate((t) => !!document.querySelector(t)?.checkVisibility(), top)) await page.keyboard.press("Escape"); // the first left a field
    this.expect(!await page.evaluate((t) => !!document.querySelector(t)?.checkVisibility(), top), "Escape did not close it", key);
    const back = await opener.evaluate((el) => document.activeElement === el || !el.isConnected && document.activeElement !== document.body || !!el.id && document.activeElement.id === el.id
      || !!el.dataset.wave && document.activeElement.dataset.wave === el.dataset.wave); // of two buttons for one popover, the one that is always there
    this.expect(back, "the focus did not come back to the button", key, await this.page.evaluate(() => document.activeElement.id || document.activeElement.tagName));
  }

  /** Fails with all that was found wrong, or if fewer than so many kinds were found at all. */
  end(least) {
    assert.deepEqual(this.faults, []);
    assert.ok(this.taken.length + this.opened.length >= least, `only ${this.taken.length} fields took something, ${this.opened.length} buttons opened something`);
  }
}
