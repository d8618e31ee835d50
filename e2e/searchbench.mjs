// How fast searches are in the page: simulations of a week a second on one and
// two workers, and a uniform coverage of 5,186 weights over 100 weeks.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { logs } from "./common.mjs";
import { Lab } from "./lab.mjs";
import { Searching } from "./searching.mjs";
import { watch } from "./watch.mjs";

const name = "SDSC-SP2-1998-4.2-cln.swf.gz";

/** Searches the weeks of the study with so many points a dimension. */
async function search(browser, base, workers, points) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    const lab = new Lab(page, base);
    await page.goto(`${base}/?workers=${workers}`);
    await lab.ready();
    await lab.loading(() => lab.drop(name, readFileSync(join(logs, name))));
    const s = new Searching(lab);
    await s.open();
    await lab.loading(() => page.click("#search-studied"));
    await s.set({ points: String(points), method: "coverage" });
    await s.run(600_000);
    return { simulations: Number(await s.flag("simulations")), seconds: Number(await s.flag("seconds")), fingerprint: await s.fingerprint() };
  } finally {
    await context.close();
  }
}

/** Prints a Markdown table. */
export async function searches(browser, base) {
  const rate = (r) => r.simulations / r.seconds;
  const best = {};
  for (let i = 0; i < (Number(process.env.BATCHLAB_ROUNDS) || 3); i++) {
    for (const workers of [1, 2]) {
      const r = await search(browser, base, workers, 40);
      if (!best[workers] || rate(r) > rate(best[workers])) best[workers] = r;
    }
  }
  const cover = await search(browser, base, 2, 72);
  console.log(`| ${name}, searches in the page | |\n|---|---|`);
  for (const workers of [1, 2]) console.log(`| weeks simulated a second, ${workers} worker${workers > 1 ? "s" : ""} | ${rate(best[workers]).toFixed(0)} |`);
  console.log(`| two workers over one | ${(rate(best[2]) / rate(best[1])).toFixed(2)} × |`);
  console.log(`| uniform coverage of 5,186 weights over 100 weeks, two workers | ${cover.seconds.toFixed(0)} s, ${rate(cover).toFixed(0)} a second |`);
  console.log(`| the same results on one and two workers | ${best[1].fingerprint === best[2].fingerprint ? "yes" : "NO"} |`);
}
