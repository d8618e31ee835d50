// Outages, failures and limits, and what jobs are: in tables, in files, in links.
import { assert, link, test } from "./harness.mjs";

const cell = (page, sheet, row, key) => page.locator(`[id="${sheet}.${row}.${key}"]`);

test("outages, failures and limits are edited in tables, refused at their place, drawn, and go along in a link", async ({ lab, page }) => {
  const doc = {
    batchlab: 1,
    workload: { source: { generator: { key: "node-jobs", params: { jobs: 60, interarrival: 60, "nodes-max": 2, "ppn-max": 4 } } } },
    platform: { clusters: [{ name: "big", packing: "nodes", groups: [{ count: 4, processors: 4 }] }] },
    schedulers: [{ key: "orig-bf" }, { key: "plan-rs", params: { iterations: 20 } }],
  };
  await lab.openReady(link(doc));
  await lab.section("guards");
  const set = async (sheet, row, key, text) => {
    await lab.type(cell(page, sheet, row, key), text);
    await cell(page, sheet, row, key).press("Enter");
  };
  const fault = (id) => page.locator(`[id="${id}-error"]`).innerText();
  await page.locator('[id="outages.add"]').click();
  await cell(page, "outages", 0, "nodes").waitFor();
  await set("outages", 0, "nodes", "big5");
  await lab.until(async () => /there is no machine big5: big has 4/.test(await fault("outages.0.nodes")));
  await set("outages", 0, "nodes", "big1-2");
  await set("outages", 0, "from", "600");
  await set("outages", 0, "to", "500");
  await lab.until(async () => /must be later than from/.test(await fault("outages.0.to")));
  await set("outages", 0, "to", "1h");
  // A limit below what a job needs is said before anything runs.
  const started = await lab.started();
  await lab.loading(() => page.locator('[id="classes.add"]').click());
  await lab.loading(() => set("classes", 0, "longer_than", "10m"));
  await lab.loading(() => set("classes", 0, "share", "0.1"));
  await lab.until(async () => /jobs ask for more than they allow a single job/.test(await page.locator("[data-sections=rows]").innerText()));
  await page.keyboard.press("Control+Enter");
  assert.equal(await lab.started(), started, "nothing ran");
  await lab.loading(() => set("classes", 0, "share", "0.5"));
  // A file fills a table, a platform by itself takes the place of what it speaks of.
  await lab.loading(() => lab.drop("outages.csv", "nodes;from;to;announced\nbig1-2;10m;1h;yes\nbig4;2h;3h;no\n"));
  await lab.until(async () => await cell(page, "outages", 1, "nodes").inputValue() === "big4");
  await lab.loading(() => lab.drop("limits.json", '{"limits":{"user_processors":16,"classes":[{"longer_than":600,"share":0.75}]}}'));
  await lab.until(async () => await page.locator('[id="limit.user"]').inputValue() === "16");
  await lab.run();
  const digest = await lab.digest();
  await page.locator("#tab-gantt").click();
  await page.locator("#panel-gantt").getByText("outage", { exact: true }).waitFor();
  await page.locator("#panel-gantt").getByText("failure", { exact: true }).waitFor();
  await lab.reopen();
  assert.equal(await lab.digest(), digest);
  await lab.section("guards");
  assert.equal(await cell(page, "outages", 0, "nodes").inputValue(), "big1-2");
  assert.equal(await cell(page, "classes", 0, "share").inputValue(), "0.75");
});

test("jobs have weights, set-up times, eligibility, and due dates at which they are stopped", async ({ lab, page }) => {
  const doc = {
    batchlab: 1,
    workload: {
      source: { generator: { key: "node-jobs", params: { jobs: 40, interarrival: 100, "nodes-max": 2, "ppn-max": 2 } } },
      annotate: { deadlines: { share: 0.9, margin_min: 0, margin_max: 300, on_due: "kill" } },
    },
    platform: { clusters: [{ name: "big", packing: "nodes", groups: [{ count: 3, processors: 2, properties: ["x86"] }, { count: 2, processors: 2 }] }] },
    schedulers: [{ key: "fcfs" }, { key: "hill-climbing", params: { objective: "tardiness" } }],
  };
  await lab.openReady(link(doc));
  await lab.section("needs");
  await lab.loading(() => lab.setField("weights.max", "5"));
  await lab.loading(() => lab.setField("setup.max", "2m"));
  await lab.loading(() => page.locator('[id="eligible.add"]').click());
  await lab.loading(async () => { await lab.type(cell(page, "eligible", 0, "on"), "x68"); await cell(page, "eligible", 0, "on").press("Enter"); });
  await lab.until(async () => /no cluster, machine or property is called "x68"; did you mean "x86"/.test(await page.locator("[data-sections=rows]").innerText()));
  await lab.loading(async () => { await lab.type(cell(page, "eligible", 0, "on"), "x86"); await cell(page, "eligible", 0, "on").press("Enter"); });
  await lab.run();
  const csv = await lab.download(async () => { await page.locator("#open-export").click(); await page.locator("#menu-export").getByText("All measures").click(); });
  const rows = csv.trim().split("\n").map((r) => r.split(","));
  const of = (key) => rows.slice(1).map((r) => Number(r.at(rows[0].indexOf(key) - rows[0].length))); // labels hold commas
  assert.ok(of("stopped-at-deadline").some((n) => n > 0), csv.slice(0, 400));
  assert.ok(of("max-lateness").every((n) => n <= 0), "nothing runs beyond its due date");
  assert.equal(of("weighted-tardiness").length, 2);
});
