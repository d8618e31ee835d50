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

/** Walks over all tabs. */
async function tabs({ lab, page, walker }) {
  for (const tab of await page.locator("[role=tab]").all()) {
    const id = await tab.getAttribute("id");
    await tab.focus();
    await page.keyboard.press("Enter");
    await lab.settled();
    await walker.over(`#${id.replace("tab-", "panel-")}`);
  }
}

for (const [what, part] of [["field, list, table and popover of the left column", column], ["tab", tabs]]) walks(`every ${what} takes typing from a hand, and keeps it`, async (all) => {
  await all.lab.openReady();
  await part(all);
}, part === column ? 90 : 0);

for (const name of presets) walks(`the preset "${name}" takes typing from a hand, and keeps it`, async (all) => {
  const { lab, page } = all;
  await lab.openReady();
  await page.locator("#open-presets").focus();
  await page.keyboard.press("Enter");
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

walks("menus, dialogs and places take keys, and give the focus back", async ({ lab, page, walker }) => {
  await lab.openReady();
  await walker.over("header.top");
  await walker.over(".runbar");
  for (const [place, ...further] of [["#place-lessons", "#lesson-promise"], ["#place-cases", "[data-do=paste]"]]) {
    await page.locator(place).focus();
    await page.keyboard.press("Enter");
    await lab.settled();
    await walker.over("#place");
    for (const at of further) {
      await page.locator(at).first().focus();
      await page.keyboard.press("Enter");
      await lab.settled();
      await walker.over("#place");
    }
  }
});
