// Foresight: predictions against the truth, and the order that rollouts chose.
import { assert, link, test } from "./harness.mjs";

test("predictions stand beside the truth, over time and by user, and rollouts show what they chose", async ({ lab, page }) => {
  await lab.openReady(link({
    batchlab: 1,
    workload: { source: { generator: { key: "daily", params: { jobs: 1200, processors: 100, load: 0.95 } } } },
    platform: { processors: 100 },
    schedulers: [{ key: "foresight-rollout", label: "F2" }],
  }));
  await lab.run();
  await page.locator("#tab-foresight").click();
  const panel = page.locator("#panel-foresight");
  await lab.until(async () => /half of the predictions are within a factor/.test(await panel.innerText()));
  const text = await panel.innerText();
  const choices = Number(/([\d,]+)\s+choices?:/.exec(text)[1].replace(/\D/g, ""));
  assert.ok(choices > 3, `${choices} choices: ${text}`);
  for (const title of ["Requested against run time", "Predicted against run time", "Error and bias over time", "Error by user", "Queue order that the rollouts chose", "What each order would have cost"])
    assert.ok(text.includes(title), `${title} in ${text}`);
  // Each chart says in a sentence what it shows.
  await lab.until(async () => (await panel.locator("[aria-label]").count()) > 6);
  for (const [name, width, scheme] of [["wide-light", 1440, "light"], ["wide-dark", 1440, "dark"], ["narrow-light", 390, "light"]]) {
    if (!process.env.SHOTS) break;
    await page.setViewportSize({ width, height: width > 1000 ? 1500 : 844 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(900);
    await page.screenshot({ path: `${process.env.SHOTS}/foresight-${name}.png`, fullPage: true });
  }
});

test("foresight against SAF is a preset", async ({ lab, page }) => {
  await lab.openReady();
  await lab.running(() => lab.preset(/Foresight against SAF/));
  assert.match(await page.locator("#panel-overview").innerText(), /clairvoyant SAF/);
});
