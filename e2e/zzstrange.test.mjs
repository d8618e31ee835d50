// Foresight on logs that lack things.
import { readdirSync, readFileSync } from "node:fs";
import { assert, test } from "/work/wt-fore/e2e/harness.mjs";
const dir = "/tmp/b/fore/logs";
test("strange logs under foresight against SAF", async ({ lab, page }) => {
  await lab.openReady();
  page.on("pageerror", (e) => console.log("PAGEERROR", e.message));
  for (const f of readdirSync(dir).filter((f) => f.endsWith(".swf"))) {
    try {
      await lab.drop(f, readFileSync(`${dir}/${f}`, "utf8"));
      await page.waitForTimeout(700);
      const text0 = (await page.locator("body").innerText());
      if (!/allfailed|nojobs/.test(f)) {
        await lab.running(() => lab.preset(/Foresight against SAF/));
      }
      const tab = page.locator("#tab-foresight");
      let text = "no tab";
      if (await tab.count() && await tab.isVisible()) { await tab.click(); await page.waitForTimeout(1500); text = (await page.locator("#panel-foresight").innerText()).slice(0, 700).replace(/\n/g, " | "); }
      console.log("==", f, ":", text);
      if (/allfailed|nojobs/.test(f)) console.log(text0.slice(0, 600).replace(/\n/g, " | "));
    } catch (e) { console.log("==", f, "FAILED", e.message.slice(0, 300)); }
  }
});
