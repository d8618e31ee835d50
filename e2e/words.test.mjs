// Words of the trade open their entries where they stand.
import { assert, test } from "./harness.mjs";

test("a term opens its entry by a press and by the keyboard, and the focus comes back", async ({ lab, page }) => {
  const asked = [];
  page.on("request", (r) => { if (r.url().includes("glossary")) asked.push(r.url()); });
  await lab.openReady();
  const terms = () => page.evaluate(() => window.batchlabWords?.() || []);
  await lab.until(async () => (await terms()).length > 3);
  assert.deepEqual(asked, [], "the entries are fetched when one is asked for");
  // A press where it stands.
  let spot;
  await lab.until(async () => (spot = await page.evaluate(() => {
    for (const r of CSS.highlights.get("words")) {
      const b = r.getBoundingClientRect();
      if (b.width && document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2) === r.startContainer.parentElement) return { term: r.term, x: b.x + b.width / 2, y: b.y + b.height / 2 };
    }
    return null;
  })));
  await page.mouse.click(spot.x, spot.y);
  const box = page.locator("#words");
  await box.waitFor({ state: "visible" });
  assert.equal((await box.locator("h2").innerText()).toLowerCase(), spot.term.toLowerCase());
  assert.ok((await box.innerText()).length > spot.term.length + 20, "it says something");
  assert.equal(asked.length, 1);
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "hidden" });
  // By the keyboard: H lists what is in view, Enter opens an entry, Esc goes back.
  await page.locator("#open-share").focus();
  await page.keyboard.press("h");
  await box.waitFor({ state: "visible" });
  assert.equal(await box.locator(".words-list button").count(), (await terms()).filter((t, i, all) => all.indexOf(t) === i).length);
  assert.equal(await page.evaluate(() => document.activeElement.closest("#words")?.getAttribute("role")), "dialog");
  const first = await page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press("Enter");
  await lab.until(async () => (await box.locator("h2").innerText()).toLowerCase() === first.toLowerCase());
  await page.keyboard.press("Escape");
  await lab.until(() => page.evaluate(() => document.activeElement.id === "open-share"));
  assert.equal(await lab.flag("runs"), "done", "Esc was for the glossary alone");
});
