// Five tasks as a newcomer tries them, by what can be read on the page. docs/usability.md says how many presses
// and typed words each takes, and what was mended on the way.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, root, test } from "./harness.mjs";

/** The rows of docs/usability.md: presses and words typed by task. */
const counted = new Map([...readFileSync(join(root, "docs/usability.md"), "utf8").matchAll(/^\| (.+?) \| (\d+) \| (\d+) \|/gm)].map((m) => [m[1], [Number(m[2]), Number(m[3])]]));

test("five tasks take a newcomer the presses and words that docs/usability.md tells", { firefox: true }, async ({ lab, page, browser }) => {
  let presses, words;
  const press = async (locator) => { presses++; await locator.first().click(); };
  const type = async (locator, text) => {
    presses++;
    words++;
    await lab.type(locator.first(), text);
    await page.keyboard.press("Enter");
    await lab.settled();
  };
  const done = [];
  const task = async (name, body) => {
    [presses, words] = [0, 0];
    await page.goto("about:blank");
    await lab.openReady();
    await body();
    assert.deepEqual([presses, words], counted.get(name), name);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `task-${done.length + 1}-${browser}.png`) });
    done.push(name);
  };

  await task("compare two schedulers on a log", async () => {
    presses++;
    await lab.running(() => lab.drop("mine.swf.gz", readFileSync(join(root, "workloads/demo.swf.gz"))));
    await press(page.getByRole("button", { name: "Compare these two" }));
    assert.match(await page.innerText(".verdict-line"), /\d/);
  });
  await task("find why one job waited", async () => {
    await press(page.getByRole("tab", { name: "Gantt" }));
    await type(page.getByPlaceholder("Find a job"), "504");
    assert.match(await page.locator(".bl-hc").innerText(), /504[^]*Waited/i);
  });
  await task("book 40 processors next Tuesday and see who pays", async () => {
    await press(page.getByRole("button", { name: /^Reservations/ })); // the section, not the option of EASY
    await press(page.locator('[data-add="bookings"]'));
    await type(page.locator('[id="bookings.0.procs"], [id="bookings.0.processors"]'), "40");
    await type(page.locator('[id="bookings.0.ready"], [id="bookings.0.from"]'), "next Tuesday 09:00");
    assert.deepEqual(await page.locator("#side [aria-invalid=true]").count(), 0);
    await lab.running(() => press(page.locator("#run")));
    assert.match(await lab.text(), /reservation/i);
  });
  await task("reproduce one table of one paper", async () => {
    await press(page.locator("#open-presets"));
    await press(page.getByRole("button", { name: /All studies/ }));
    await press(page.locator("#open-klusacek2016, .papers-card button, footer button[data-open]"));
    await press(page.locator(".papers-item").nth(1));
    await press(page.locator("#study-run"));
    await page.locator(".plain").first().waitFor();
  });
  await task("send the result to somebody and open it there", async () => {
    await press(page.getByRole("button", { name: "Share" }));
    await press(page.locator("#copy-link"));
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto("about:blank");
    await page.goto(link);
    await lab.ready();
    assert.match(await page.innerText("#verdict"), /reproduced: 15\sruns, digest equal/);
  });
  assert.deepEqual(done, [...counted.keys()]);
});
