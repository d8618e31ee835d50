// Users who react: the switch, what is found of them, acceptable waits and
// complaints, and the way from a complaint to the job on the Gantt chart.
import { assert, link, test } from "./harness.mjs";

const small = {
  batchlab: 1,
  workload: { source: { bundled: "overload" } },
  schedulers: [{ key: "easy" }, { key: "fcfs" }],
};
const section = (page) => page.locator("[data-sections=rows]");

test("users are made to react, and the results say so", async ({ lab, page }) => {
  await lab.openReady(link(small));
  const replayed = await lab.digest();
  await lab.section("react");
  await lab.loading(() => page.locator('[id="act-react.on"]').click());
  await lab.until(async () => /30\susers, [\d,]+\ssessions, [\d,]+\sbatches/.test(await section(page).innerText()));
  assert.match(await section(page).innerText(), /schedule by EASY, not from the log/);
  await lab.run();
  const reacting = await lab.digest();
  assert.notEqual(reacting, replayed);
  assert.match(await page.locator(".comparison").innerText(), /Same users, same seed/);
  // Another rhythm, another result; a link brings both settings back.
  await lab.loading(() => lab.choose('[id="react.rhythm"]', "daily"));
  await lab.run();
  const daily = await lab.digest();
  assert.notEqual(daily, reacting);
  await lab.reopen();
  assert.equal(await lab.digest(), daily);
  await lab.section("react");
  assert.equal(await page.locator('[id="react.rhythm"]').inputValue(), "daily");
  await lab.loading(() => page.locator('[id="act-react.off"]').click());
  await lab.run();
  assert.equal(await lab.digest(), replayed, "replayed as before");
});

test("complaints lead to jobs on the Gantt chart, and their formula can be changed", async ({ lab, page }) => {
  await lab.openReady(link({ ...small, workload: { ...small.workload, react: {} } }));
  await page.locator("#tab-users").click();
  const users = page.locator("#panel-users");
  await lab.until(async () => await users.locator("button[data-i]").count() > 0);
  const complaints = () => users.getByRole("region", { name: "The loudest users" }).innerText();
  const before = await complaints();
  for (const name of ["Who complains", "How loudly", "Acceptable wait", "Throughput", "What was found of users"]) {
    assert.equal(await users.getByRole("heading", { name, exact: true }).count(), 1, name);
  }
  const label = await users.locator("button[data-i]").first().getAttribute("aria-label");
  const job = /Job (\d+) of user/.exec(label)[1];
  await users.locator("button[data-i]").first().click();
  await lab.until(async () => await page.locator("#tab-gantt").getAttribute("aria-selected") === "true");
  await lab.until(async () => (await page.locator("#panel-gantt").innerText()).includes(`Job ${job}`));
  // Users who put up with a hundred times less complain more often.
  await lab.section("patience");
  await lab.type(page.locator('[id="patience.factor-1"]'), "100");
  await page.locator('[id="patience.factor-1"]').press("Enter");
  await lab.run();
  await page.locator("#tab-users").click();
  await lab.until(async () => await users.locator("button[data-i]").count() > 0);
  assert.notEqual(await complaints(), before);
});
