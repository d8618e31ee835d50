// Nothing on the page is cut or lies on something else: a short round of what
// looks.mjs measures everywhere, at a phone's width, in between and wide.
import { assert, test } from "./harness.mjs";
import { looks, watchText } from "./looking.mjs";

test("no text is cut or lies on another, from a phone to a wide window", { still: true }, async ({ lab, page }) => {
  await page.addInitScript(watchText);
  await lab.openReady();
  const found = [], at = async (where) => { await lab.settled(); found.push(...(await page.evaluate(looks)).map((f) => `${where}: ${f}`)); };
  const press = (id) => page.evaluate((s) => document.getElementById(s).click(), id);
  for (const [width, height] of [[390, 844], [768, 1024], [1920, 1000]]) {
    await page.setViewportSize({ width, height });
    for (const tab of ["overview", "gantt", "distributions", "table"]) await press(`tab-${tab}`), await at(`${tab}, ${width}`);
    for (const menu of ["presets", "export", "display"]) await press(`open-${menu}`), await at(`${menu}, ${width}`), await page.keyboard.press("Escape");
    for (const dialog of ["share", "help"]) await press(`open-${dialog}`), await at(`${dialog}, ${width}`), await page.keyboard.press("Escape");
  }
  assert.deepEqual(found, []);
  // The measure sees what is wrong: a word that is cut, one that lies on another.
  // By a style sheet: the page writes the attributes of its elements anew.
  await page.addStyleTag({ content: `.brand b{display:block!important;width:9px!important;overflow:hidden!important;white-space:nowrap!important}
    #tab-gantt{position:relative!important;left:-70px!important}` });
  await at("spoilt");
  assert.ok(found.some((f) => /spoilt: cut: "Batchlab"/.test(f)) && found.some((f) => /spoilt: overlap: "(Overview|Gantt)"/.test(f)), found.join("\n"));
});

test("at 240 pixels no button covers another, or the name", { width: 240, height: 700 }, async ({ lab, page }) => {
  await lab.openReady();
  const over = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".top button, .top .brand")].map((e) => [e.id || e.className, e.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
    const list = boxes.filter(([, r]) => r.right > innerWidth).map(([name]) => `${name} is outside`);
    boxes.forEach(([a, r], i) => boxes.slice(i + 1).forEach(([b, q]) => {
      if (r.left < q.right && q.left < r.right && r.top < q.bottom && q.top < r.bottom) list.push(`${b} covers ${a}`);
    }));
    return list;
  });
  assert.deepEqual(over, []);
  assert.ok(await page.locator(".preset-name").evaluate((e) => e.getBoundingClientRect().width > 30), "the name is seen");
  await page.screenshot({ path: "e2e/out/240.png" });
});
