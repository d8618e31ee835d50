// Foresight: predictions against the truth, and the order that rollouts chose.
import { assert, link, test } from "./harness.mjs";

test("predictions stand beside the truth, over time and by user, and rollouts show what they chose", async ({ lab, page }) => {
  await lab.openReady(link({
    batchlab: 1,
    workload: { source: { generator: { key: "daily", params: { jobs: 5000, processors: 100, load: 0.95 } } } },
    platform: { processors: 100 },
    schedulers: [{ key: "easy", label: "SAF", params: { order: "saf", backfill: "spf" } }, { key: "foresight-rollout", label: "F2" }],
  }));
  await lab.run();
  await page.locator("#tab-foresight").click();
  const panel = page.locator("#panel-foresight");
  await lab.until(async () => /half of the predictions are within a factor[^]*\d\schoices?:/.test(await panel.innerText()));
  const text = await panel.innerText();
  const choices = Number(/([\d,]+)\s+choices?:/.exec(text)[1].replace(/\D/g, ""));
  assert.ok(choices > 3, `${choices} choices: ${text}`);
  for (const title of ["Requested against run time", "Predicted against run time", "Slowdown week by week", "Error and bias over time", "Error by user", "One choice", "Queue order that the rollouts chose", "What each order would have cost"])
    assert.ok(text.includes(title), `${title} in ${text}`);
  assert.match(text, /B F2 .* A SAF over \d+.weeks of submissions: /);
  // Choices are gone through by keys, and each is told.
  const pick = panel.getByRole("slider", { name: "Choice" });
  await pick.focus();
  await page.keyboard.press("Home");
  assert.match(await pick.getAttribute("aria-valuetext"), /^Choice 1 of .*p̂ q/);
  await page.keyboard.press("ArrowRight");
  assert.match(await pick.getAttribute("aria-valuetext"), /^Choice 2 of /);
  assert.match(await panel.innerText(), /Choice 2 of [\d,]+, day \d+, \d+.jobs? waiting: /);
  // Each chart says in a sentence what it shows.
  await lab.until(async () => (await panel.locator("[aria-label]").count()) > 6);
  for (const [name, width, scheme] of [["wide-light", 1440, "light"], ["wide-dark", 1440, "dark"], ["narrow-light", 390, "light"]]) {
    if (!process.env.SHOTS) break;
    await page.setViewportSize({ width, height: width > 1000 ? 1500 : 844 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(900);
    await page.screenshot({ path: `${process.env.SHOTS}/foresight-${name}.png`, fullPage: true });
  }
  // The card of a job says what its prediction comes from.
  await page.locator("#tab-gantt").click();
  for (let i = 0; i < 40; i++) await page.keyboard.press(".");
  await lab.until(async () => /The prediction at its start, .*comes from/.test(await page.locator("#panel-gantt").innerText()));
});

test("a file of predictions is dropped, named by row where it is wrong, and used", async ({ lab, page }) => {
  await lab.openReady(link({
    batchlab: 1,
    workload: { source: { generator: { key: "daily", params: { jobs: 300, processors: 64, load: 0.9 } } } },
    platform: { processors: 64 },
    schedulers: [{ key: "conservative", params: { "plan-by": "prediction" } }],
  }));
  const rows = Array.from({ length: 300 }, (_, i) => `${i + 1},${60 + 7 * i}`).join("\n");
  await lab.drop("wrong.csv", `job,predicted\n${rows}\n301,5\n7,-3\n`);
  await lab.until(async () => (await page.locator("body").innerText()).includes("wrong.csv"));
  await page.locator("#run").click();
  await lab.until(async () => /line 302: job 301 is not among/.test(await page.locator("body").innerText()));
  await lab.drop("right.csv", `job,predicted\n${rows}\n`);
  await lab.until(async () => (await page.locator("body").innerText()).includes("right.csv"));
  await lab.run();
  await page.locator("#tab-foresight").click();
  await lab.until(async () => /300.*half of the predictions are within a factor/s.test(await page.locator("#panel-foresight").innerText()));
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/predictions-file.png` });
  await page.locator("[data-act='predict.last-two']").click();
  await lab.until(async () => !(await page.locator("body").innerText()).includes("right.csv"));
});

test("foresight against SAF is a preset", async ({ lab, page }) => {
  await lab.openReady();
  await lab.running(() => lab.preset(/Foresight against SAF/));
  assert.match(await page.locator("#panel-overview").innerText(), /clairvoyant SAF/);
});
