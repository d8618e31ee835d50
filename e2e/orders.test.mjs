// Orders of every kind on machines with licences, deadlines and an outage: chosen
// in the page, run, and searched for.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { assert, batchlab, link, out, test } from "./harness.mjs";
import { Searching } from "./searching.mjs";

const farm = {
  batchlab: 1,
  workload: {
    source: { generator: { key: "farm", params: { jobs: 600, interarrival: 25, "procs-max": 4 } } },
    annotate: { deadlines: { share: 0.7 }, licences: [{ licence: "cad", share: 0.4 }] },
  },
  platform: {
    clusters: [{ name: "farm", packing: "machine", groups: [{ count: 2, processors: 4, licences: ["cad", "mesh"] }, { count: 3, processors: 2, speed: 2, licences: ["cad"] }] }],
    licences: [{ name: "cad", copies: 2 }],
    outages: [{ cluster: "farm", nodes: [1], from: 2000, to: 5000, announced: true }],
  },
  schedulers: [{ key: "fcfs" }, { key: "easy" }, { key: "conservative" }],
};

const shots = join(out, "shots");

test("orders by formula, by weights and by area are chosen on a farm, and the command line gives the same digest", async ({ lab, page }) => {
  mkdirSync(shots, { recursive: true });
  await lab.openReady(link(farm));
  const plain = await lab.digest();
  await lab.unfold("sched.1.order");
  assert.equal(await page.locator('[id="sched.1.formula"]').count(), 0, "what means nothing now is not asked for");
  await lab.choose('[id="sched.1.order"]', "formula");
  await lab.setField("sched.1.formula", "-due");
  await lab.choose('[id="sched.1.backfill"]', "mixed");
  await lab.setField("sched.1.backfill-weights", "0, -1, 0");
  await page.screenshot({ path: join(shots, "orders-easy.png") });
  await lab.unfold("sched.2.order");
  await lab.choose('[id="sched.2.order"]', "saf");
  await lab.choose('[id="sched.2.ties"]', "newest");
  await page.locator('[id="sched.2.order"]').scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(shots, "orders-conservative.png") });
  await lab.run();
  const digest = await lab.digest();
  assert.notEqual(digest, plain, "the orders change something");
  assert.match(await lab.text(), /EASY formula\/mixed/);
  assert.match(await lab.text(), /Conservative SAF, newest first/);
  assert.equal(JSON.parse(await batchlab("run", await lab.copyLink())).digest, digest);
  await page.screenshot({ path: join(shots, "orders-run.png") });
});

test("a formula without a value says so on a farm, in the words of the command line", async ({ lab, page }) => {
  const doc = structuredClone(farm);
  doc.schedulers = [{ key: "easy", params: { backfill: "formula", "backfill-formula": "1 / (q - 1)" } }];
  await lab.open(link(doc));
  await lab.until(async () => /formula "1 \/ \(q - 1\)" has no value for job \d+/.test(await lab.text()));
});

for (const look of [{ width: 1440, height: 900 }, { width: 390, height: 844, dark: true }]) {
  test(`a search on a farm ends, and the best of it runs with the value that it is listed with, ${look.width} wide`, look, async ({ lab, page }) => {
    mkdirSync(shots, { recursive: true });
    await lab.openReady(link(farm));
    const s = new Searching(lab);
    await s.open();
    await s.set({ length: "2h", threshold: "", method: "both", points: "4", budget: "12", formula: "-due" });
    assert.equal(await s.run(), "done", await s.state());
    const rows = await s.table("search-orders");
    assert.equal(rows.length, 13, "12 pure orders and the own one");
    await page.screenshot({ path: join(shots, `orders-search-${look.width}.png`), fullPage: true });
    if (look.dark) return;
    const best = await s.csv("search-best");
    await lab.running(() => s.runBest(1));
    await page.click("#open-export");
    const summary = await lab.download(() => page.getByRole("button", { name: /All measures/ }).click());
    const value = String(Number(best[1][1]));
    assert.ok(summary.includes(value.slice(0, 12)), `${value} is not among the measures:\n${summary}`);
  });
}
