// Ten tasks as a newcomer tries them, by what can be read on the page, on a first visit. docs/usability.md says how many
// presses and typed words each takes, at 1,440 and at 390 px, and what was mended on the way.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, root, test } from "./harness.mjs";

/** The rows of docs/usability.md: presses, words typed, and presses on a phone, by task. */
const counted = [...readFileSync(join(root, "docs/usability.md"), "utf8").matchAll(/^\| (.+?) \| (\d+) \| (\d+) \| (\d+) \|/gm)].map((m) => [m[1], ...m.slice(2).map(Number)]);
const demo = readFileSync(join(root, "workloads/demo.swf.gz"));
let handed = ""; // what three students handed in: made once

/** What somebody does on the page, counted. */
class Newcomer {
  constructor({ lab, page, narrow }) {
    Object.assign(this, { lab, page, narrow, presses: 0, words: 0 });
  }

  async press(what) {
    this.presses++;
    await (typeof what === "string" ? this.page.locator(what) : what).first().click();
    await this.lab.settled();
  }

  async type(what, text) {
    this.presses++;
    this.words++;
    await this.lab.type((typeof what === "string" ? this.page.locator(what) : what).first(), text);
    await this.page.keyboard.press("Enter");
    await this.lab.settled();
  }

  button(name) { return this.page.getByRole("button", { name }); }

  cell(id) { return this.page.locator(`[id="${id}"]`); }

  /** Opens the settings, which a phone keeps behind a button, and a first visit behind another. */
  async settings() {
    if (this.narrow) await this.press("#open-drawer");
    if (await this.page.locator("#more-settings").isVisible()) await this.press("#more-settings");
  }

  async section(name) { await this.press(this.page.locator("#side").getByRole("button", { name })); }

  async tab(name) {
    if (await this.page.locator("#see-all").isVisible()) await this.press("#see-all");
    await this.press(this.page.getByRole("tab", { name }));
  }

  /** Goes to one of the places at the top; a phone has them in a menu. */
  async place(name) {
    if (this.narrow) {
      await this.press("#open-display");
      await this.press(this.page.locator("#menu-display button", { hasText: name }));
    } else await this.press(this.page.locator("header").getByRole("button", { name, exact: true }));
  }

  async drop() {
    this.presses++;
    await this.lab.running(() => this.lab.drop("mine.swf.gz", demo));
  }

  async run() { await this.lab.running(() => this.press("#run")); }
}

const tasks = {
  async "compare two schedulers on a log"(me) {
    await me.drop();
    await me.press(me.button("Compare these two"));
    assert.match(await me.page.innerText(".verdict-line"), /\d/);
  },
  async "find why one job waited"(me) {
    await me.tab("Gantt");
    await me.type(me.page.getByPlaceholder("Find a job"), "504");
    assert.match(await me.page.locator(".bl-hc").innerText(), /504[^]*Waited/i);
  },
  async "book 40 processors next Tuesday and see who pays"(me) {
    await me.settings();
    await me.section(/^Reservations/); // the section, not the option of EASY
    await me.press('[data-add="bookings"]');
    await me.type('[id="bookings.0.procs"], [id="bookings.0.processors"]', "40");
    await me.type('[id="bookings.0.ready"], [id="bookings.0.from"]', "next Tuesday 09:00");
    assert.deepEqual(await me.page.locator("#side [aria-invalid=true]").count(), 0);
    await me.run();
    assert.match(await me.lab.text(), /reservation/i);
  },
  async "reproduce one table of one paper"(me) {
    await me.place("Papers");
    await me.press("#open-klusacek2016, .papers-card button, footer button[data-open]");
    await me.press(me.page.locator(".papers-item").nth(1));
    await me.press("#study-run");
    await me.page.locator(".plain").first().waitFor();
  },
  async "send the result to somebody and open it there"(me) {
    await me.press("#open-share");
    await me.press("#copy-link");
    const link = await me.page.evaluate(() => navigator.clipboard.readText());
    await me.page.goto("about:blank");
    await me.page.goto(link);
    await me.lab.ready();
    assert.match(await me.page.innerText("#verdict"), /reproduced: 15\sruns, digest equal/);
  },
  async "say what backfilling is"({ page }) { // it plays by itself
    await page.locator(".bl-start[data-moment='4']").waitFor();
    assert.match(await page.innerText(".bl-start"), /Both start 50 min earlier, and nobody starts later/);
  },
  async "hand out a lesson and mark three answers"(me) {
    await me.place("Lessons");
    await me.press(me.button("Hand out a lesson"));
    await me.press(me.button("Solve all its boards, and make the link"));
    await me.press(me.page.locator(".lesson-link").getByRole("button", { name: "Copy" }));
    const link = await me.page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#h=/);
    for (const name of handed ? [] : ["Ann", "Ben", "Cem"]) handed += `${name}: ${await answered(me, link, name)}\n`;
    await me.page.goto("about:blank");
    await me.lab.openReady();
    await me.place("Lessons");
    await me.press(me.button("Mark answers"));
    me.presses += 1; // pasted
    await me.page.locator("#mark-text").click();
    await me.page.keyboard.insertText(handed);
    await me.page.locator(".lesson-class p", { hasText: /3\sanswers to/ }).waitFor();
  },
  async "find the week in which SAF is worst"(me) {
    await me.drop();
    await me.tab("Search");
    await me.press("#search-start");
    await me.page.locator("#search-worst", { hasText: /SAF is worst in week 1: 67\.7, 68\s% above the best that was tried, 40\.2/ }).waitFor();
  },
  async "three kinds of nodes, two licences, an outage, a reservation and deadlines under four schedulers"(me) {
    await me.settings();
    await me.section(/^Platform/);
    await me.section(/^Machines and licences/);
    await me.press(me.button("Listed"));
    for (const n of [1, 2]) await me.press(me.button("Add a group of equal machines"));
    for (const [n, count, processors] of [[0, 4, 16], [1, 2, 8], [2, 1, 20]]) {
      await me.type(me.cell(`groups.${n}.count`), String(count));
      await me.type(me.cell(`groups.${n}.processors`), String(processors));
    }
    for (const n of [1, 2]) await me.press(me.button("Add a licence"));
    await me.section(/^Outages/);
    await me.press(me.button("Add an outage"));
    await me.section(/^Reservations/);
    await me.press(me.button("Add a reservation"));
    await me.section(/^Deadlines, licences/);
    await me.type(me.cell("due.share"), "0.5");
    await me.press(me.button("Add a rule", { exact: true }));
    await me.press(me.button("Add a scheduler"));
    await me.press(me.page.locator("#menu-add button", { hasText: "BF_MOD" }));
    assert.equal(await me.page.locator("#side :is([aria-invalid=true], .field-error)").count(), 0, "nothing is wrong on the way");
    await me.run();
    assert.match(await me.page.innerText(".cards, .tiles, main"), /Jobs out of deadline/);
    assert.equal(await me.page.locator(".sched input:checked").count(), 4);
  },
  async "say who pays for a booking"(me) {
    await me.settings();
    await me.section(/^Reservations/);
    await me.press(me.button("Add a reservation"));
    await me.type('[id="bookings.0.processors"]', "40");
    await me.press(me.button("See who pays"));
    await me.page.locator("#panel-whatif .whatif-said h2", { hasText: /The reservation R1 in place/ }).waitFor();
    await me.page.locator("#panel-whatif h3", { hasText: "Who gains, who pays" }).waitFor();
  },
};

/** Somebody answers an assignment, one question wrongly, and hands in. */
async function answered({ lab, page }, link, name) {
  await page.goto("about:blank");
  await page.goto(link);
  for (;;) {
    await page.locator("[data-do=next], [data-do=show], #lesson-name").first().waitFor();
    if (await page.locator("#lesson-name").count()) break;
    if (await page.locator("[data-do=show]").count()) {
      await page.keyboard.press("2");
      await page.locator("[data-do=show]:enabled").click();
    } else await page.locator("[data-do=next]").click();
  }
  await lab.type(page.locator("#lesson-name"), name);
  await page.locator("[data-do=copy]").click();
  let text = "";
  await lab.until(async () => /#a=/.test(text = await page.evaluate(() => navigator.clipboard.readText())));
  return text;
}

for (const [width, height] of [[1440, 900], [390, 844]]) {
  const narrow = width < 600;
  test(`ten tasks at ${width} px take a newcomer the presses and words that docs/usability.md tells`, { width, height, fresh: true, firefox: !narrow }, async ({ lab, page }) => {
    await page.addInitScript(() => { try { localStorage.clear(); } catch { /* not kept */ } }); // each task is a first visit
    const took = [];
    for (const [name, body] of Object.entries(tasks)) {
      await page.goto("about:blank");
      await lab.openReady();
      const me = new Newcomer({ lab, page, narrow });
      await body(me);
      took.push([name, me.presses, me.words]);
      if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `task-${took.length}-${width}.png`) });
    }
    assert.deepEqual(took, counted.map(([name, presses, words, small]) => [name, narrow ? small : presses, words]));
  });
}
