// Everything on the page that takes typing is used as hands do. What there is to use
// is found on the page itself, see walk.mjs; each kind of field once in all tests.
import { link, test } from "./harness.mjs";
import { Walker, eyes } from "./walk.mjs";

/** Presets that differ in what the page shows of them, and what no preset opens. */
const presets = ["A farm", "Reacting users", "Foresight"];
const demo = { source: { bundled: "demo" } };
const more = {
  "a grid": { batchlab: 1, workload: { ...demo, annotate: { reservations: { share: 0.3 } } }, schedulers: [{ key: "grid" }, { key: "grid", params: { reservations: "priority", local: "easy" } }],
    platform: { clusters: [64, 36].map((n, i) => ({ name: `p${i}`, packing: "processors", groups: [{ count: 1, processors: n, speed: 1 }] })) } },
  "a plan of named nodes": { batchlab: 1, workload: { ...demo, window: { to: 300_000 }, filter: { max_procs: 40 } }, schedulers: [{ key: "orig-bf" }, { key: "plan-rs", params: { iterations: 50 }, repeat: 2 }],
    platform: { clusters: [{ name: "big", packing: "nodes", groups: [{ count: 5, processors: 10 }] }, { name: "flat", groups: [{ count: 50, processors: 1 }] }],
      outages: [{ name: "service", from: 40_000, to: 60_000, cluster: "big", nodes: [0], announced: true }] } },
  "an experiment that varies": { batchlab: 1, workload: { ...demo, window: { to: 300_000 } }, schedulers: [{ key: "easy" }], vary: [{ path: "workload.scale.load", values: [0.8, 1] }, { path: "seed", values: [1, 2] }] },
};
const seen = new Set();
const walks = (name, body, least = 0) => test(name, async ({ lab, page }) => {
  await page.addInitScript(eyes);
  const walker = new Walker(lab, seen);
  await body({ lab, page, walker });
  walker.end(least);
});

/** Walks over the left column, all groups opened by keyboard, and with each scheduler's settings. */
async function column({ page, walker }) {
  const shut = page.locator(".side [aria-expanded=false]:not([aria-haspopup], [disabled], .sched-head):visible");
  for (let n = 0; n < 40 && await shut.count() > 0; n++) {
    const id = await shut.first().evaluate((el) => { el.focus(); return el.innerText; });
    await page.keyboard.press("Enter");
    walker.expect(await page.evaluate(() => document.activeElement.getAttribute("aria-expanded") === "true"), "Enter did not open it, or took the focus away", id);
  }
  await walker.over(".side");
  const heads = page.locator(".side .sched-head:not([disabled])");
  for (let n = 0; n < await heads.count(); n++) {
    await heads.nth(n).focus();
    if (await heads.nth(n).getAttribute("aria-expanded") === "false") await page.keyboard.press("Enter");
    await walker.over(".side");
  }
}

/** Walks over all tabs, and what stands above them. */
async function tabs({ lab, page, walker }) {
  for (const tab of await page.locator("[role=tab]").all()) {
    await tab.focus();
    await page.keyboard.press("Enter");
    await lab.settled();
    await walker.over("main");
  }
}

for (const [what, part] of [["field, list, table and popover of the left column", column], ["tab", tabs]]) walks(`every ${what} takes typing from a hand, and keeps it`, async (all) => {
  await all.lab.openReady();
  await part(all);
}, part === column ? 90 : 0);

for (const name of presets) walks(`the preset "${name}" takes typing from a hand, and keeps it`, async (all) => {
  const { lab, page } = all;
  await lab.openReady();
  await press(all, "#open-presets");
  await page.locator("#menu-presets > .preset", { hasText: name }).focus();
  await page.keyboard.press("Enter");
  await lab.read();
  await lab.ready();
  await lab.settled();
  await column(all);
  await tabs(all);
});

for (const [name, document] of Object.entries(more)) walks(`${name} takes typing from a hand, and keeps it`, async (all) => {
  await all.lab.openReady(link(document));
  await column(all);
  await tabs(all);
});

/** Presses a button by keyboard, and waits for what comes of it. */
async function press({ lab, page }, button) {
  await page.locator(button).first().focus();
  await page.keyboard.press("Enter");
  await lab.settled();
}

walks("every question of What if takes typing from a hand, and keeps it", async (all) => {
  const { lab, page, walker } = all;
  await lab.openReady(link({ batchlab: 1, workload: { ...demo, window: { to: 300_000 } }, schedulers: [{ key: "easy" }, { key: "fcfs" }], platform: { reservations: [{ processors: 20, from: 90_000, to: 100_000 }] } }));
  await press(all, "#tab-whatif");
  await page.locator(".whatif-line").waitFor(); // the second program comes
  for (const question of await page.locator("[data-question]").all()) {
    await question.focus();
    await page.keyboard.press("Enter");
    await lab.settled();
    await walker.over("#panel-whatif");
  }
});

walks("the editor of schedulers takes typing from a hand, and keeps it", async (all) => {
  const { lab, page, walker } = all;
  await lab.openReady(link({ batchlab: 1, workload: { ...demo, window: { to: 300_000 } }, schedulers: [{ key: "easy" }] }));
  for (let n = 0; n < 2; n++) { // of two there is one to choose
    await press(all, "#write-own");
    await page.locator("#own-code").waitFor();
  }
  await walker.over("main");
});

walks("menus, dialogs and places take keys, and give the focus back", async (all) => {
  const { lab, page, walker } = all;
  await lab.openReady();
  await walker.over("header.top");
  await walker.over(".runbar");
  for (const [place, ...further] of [["#place-papers", "#open-kurowski2011", "[data-open=kurowski2011-table6]"], ["#place-lessons", "#lesson-promise"], ["#place-cases", "[data-do=paste]"]]) {
    for (const at of [place, ...further]) {
      await press(all, at);
      await walker.over("#place");
      if (at !== "#lesson-promise") continue;
      while (await page.locator("#lesson-name").count() === 0) { // a lesson asks for a name at its end
        if (await page.locator("[data-do=show]").count() === 0) await page.keyboard.press("ArrowRight");
        else {
          await page.keyboard.press("1");
          await page.locator("[data-do=show]:enabled").waitFor();
          await page.keyboard.press("Enter");
          await page.keyboard.press("ArrowRight");
        }
      }
      await walker.over("#place");
    }
  }
});
