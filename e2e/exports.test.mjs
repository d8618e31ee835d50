// What leaves the page as files: the same as the command line's, enough to work
// every measure out anew, and nothing in it that a spreadsheet would compute.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, batchlab, link, root, test, unzip } from "./harness.mjs";

const farm = {
  batchlab: 1, seed: 5, title: "=a farm",
  workload: {
    source: { generator: { key: "farm", params: { jobs: 200, interarrival: 40 } } },
    annotate: { deadlines: { share: 0.6 }, weights: { min: 1, max: 3 }, licences: [{ licence: "*", share: 0.1 }] },
  },
  platform: { generator: { key: "farm-machines", params: { machines: 30, licences: 4 } }, failures: { key: "exponential", params: { mtbf: 20000, repair: 600 } } },
  schedulers: [{ key: "fcfs", repeat: 2 }, { key: "easy", label: "=1+1" }],
};
const grid = {
  batchlab: 1,
  workload: { source: { bundled: "demo" }, clean: { oversize: "clamp" }, annotate: { reservations: { share: 0.4, part: 0.5, ready: "drawn", factor_max: 3 } } },
  platform: { clusters: [{ name: "North", groups: [{ count: 60 }] }, { name: "South", groups: [{ count: 40 }] }] },
  schedulers: [{ key: "grid", params: { end: "suspend", running: "suspend" } }],
};
const users = { batchlab: 1, workload: { source: { bundled: "demo" }, react: {} }, schedulers: [{ key: "easy" }, { key: "orig-bf" }] };

for (const [name, doc] of Object.entries({ farm, grid, users })) {
  test(`the .zip of a comparison (${name}) holds what the command line writes, and its measures can be recomputed`, async ({ lab, page }) => {
    await lab.openReady(link(doc));
    await page.locator("#open-export").click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#export-bundle").click()]);
    const folder = mkdtempSync(join(tmpdir(), "batchlab-exports-"));
    try {
      const zip = join(folder, "all.zip"), out = join(folder, "out");
      await download.saveAs(zip);
      const files = unzip(readFileSync(zip));
      writeFileSync(join(folder, "x.json"), JSON.stringify(doc));
      await batchlab("run", join(folder, "x.json"), "--out", out);
      const theirs = readdirSync(out).filter((n) => n !== "experiment.json");
      assert.deepEqual([...files.keys()].filter((n) => /\.(csv|json)$|^CITATION\.txt$/.test(n) && n !== "experiment.json").sort(), theirs.sort());
      for (const n of theirs) {
        assert.equal(String(files.get(n)), readFileSync(join(out, n), "utf8"), n);
      }
      const python = ["/usr/bin/python3", "/usr/local/bin/python3"].find((p) => existsSync(p));
      if (python) {
        const said = execFileSync(python, [join(root, "docs/recompute.py"), zip], { encoding: "utf8" });
        assert.equal(said.match(/measures agree/g).length, String(files.get("summary.csv")).trim().split("\n").length - 1, said);
        assert.match(said, /comparison\.csv: \d+ lines agree/);
      } else {
        console.log("     python3 is missing: the measures are not recomputed");
      }
      if (doc === farm) {
        assert.match(String(files.get("summary.csv")), /,'=1\+1,/);
        assert.ok(files.has("platform-1.json") && files.has("needs-1.csv"), "the second draw is missing");
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

test("what was drawn runs elsewhere: drawn.json and needs.csv dropped on a page give the digest, hundreds of failures with them", async ({ lab, page }) => {
  const doc = structuredClone(farm);
  doc.schedulers = [{ key: "fcfs" }, { key: "easy" }];
  doc.platform.failures.params = { mtbf: 900, repair: 60 };
  const folder = mkdtempSync(join(tmpdir(), "batchlab-drawn-"));
  try {
    writeFileSync(join(folder, "x.json"), JSON.stringify(doc));
    const { digest } = JSON.parse(await batchlab("run", join(folder, "x.json"), "--out", folder));
    const file = (n) => readFileSync(join(folder, n), "utf8");
    const drawn = JSON.parse(file("drawn.json"));
    assert.ok(drawn.platform.outages.length > 200 && drawn.platform.clusters[0].groups.length === 30);
    await lab.openReady();
    await lab.loading(() => lab.drop("drawn.json", file("drawn.json")));
    await lab.section("needs");
    await lab.until(async () => /needs the file needs\.csv/.test(await page.locator("[data-sections=rows]").innerText()));
    await lab.loading(() => lab.drop("needs.csv", file("needs.csv")));
    await lab.run();
    assert.equal(await lab.digest(), digest);
    // The machines alone, on the experiment that draws others.
    const other = structuredClone(doc);
    other.seed = 6;
    await page.goto("about:blank");
    await lab.openReady(link(other));
    await lab.loading(() => lab.drop("platform.json", file("platform.json")));
    await lab.section("machines");
    assert.equal(await page.locator('[id="groups.29.processors"]').inputValue(), String(drawn.platform.clusters[0].groups[29].processors ?? 1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("jobs ask for GPUs and memory by rule: settings, refusals, table, filter, card", async ({ lab, page }) => {
  const doc = {
    batchlab: 1,
    workload: { source: { generator: { key: "farm", params: { jobs: 120, interarrival: 40, "procs-max": 4 } } } },
    platform: { clusters: [{ name: "gpu", packing: "machine", groups: [{ count: 2, processors: 8, gpus: 4, memory: 64e9 }] }, { name: "cpu", packing: "machine", groups: [{ count: 6, processors: 8, memory: 32e9 }] }] },
    schedulers: [{ key: "fcfs" }, { key: "easy" }],
  };
  await lab.openReady(link(doc));
  const digest = await lab.digest();
  const cell = (row, key) => page.locator(`[id="needs.${row}.${key}"]`);
  const set = async (row, key, text) => { await lab.type(cell(row, key), text); await cell(row, key).press("Enter"); };
  await lab.section("needs");
  await lab.loading(() => page.locator('[id="needs.add"]').click());
  assert.equal(await cell(0, "gpus").inputValue(), "1");
  await lab.loading(() => set(0, "gpus", "5"));
  await lab.until(async () => /no machine has 5 GPUs; the most is 4/.test(await page.locator("[data-sections=rows]").innerText()));
  await lab.loading(() => set(0, "gpus", "2"));
  await lab.loading(() => set(0, "memory", "48"));
  await lab.run();
  assert.notEqual(await lab.digest(), digest);
  await page.locator("#tab-table").click();
  const head = () => page.locator('#panel-table [role="columnheader"]').allInnerTexts();
  await lab.until(async () => (await head()).some((t) => t.startsWith("GPUs")) && (await head()).some((t) => t.startsWith("Memory")) && !(await head()).some((t) => t.startsWith("Disk")));
  await lab.type(page.locator("#panel-table input").first(), "gpus>=2 memory>40GB");
  await lab.until(async () => /\b\d+ of 120.jobs/.test(await lab.text()));
  const row = page.locator('#panel-table [role="row"][data-j]').first();
  assert.match(await row.innerText(), /48\.0.GB/);
  await row.click();
  await page.locator("#tab-gantt").click();
  const card = page.locator("#panel-gantt .bl-hc");
  await card.waitFor();
  await lab.until(async () => /On each machine\s+2.GPUs, 48\.0.GB of memory/.test(await card.innerText()));
});
