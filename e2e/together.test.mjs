// Everything at once: licences, deadlines, an outage, a failure, reservations,
// limits and eligibility under every scheduler, in the page as on the command line.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { assert, dist, link, test } from "./harness.mjs";

const document = (schedulers) => ({
  batchlab: 1,
  seed: 7,
  workload: {
    source: { generator: { key: "daily", params: { jobs: 150, processors: 8, load: 0.9 } } },
    annotate: {
      licences: [{ licence: "cad", share: 0.5 }],
      deadlines: { share: 0.6, on_due: "kill" },
      reservations: { share: 0.2, ready: "drawn", lead_min: 600, lead_max: 9000 },
      eligible: [{ on: ["fast"], share: 0.3 }],
    },
  },
  platform: {
    clusters: [{ name: "a", packing: "nodes", groups: [{ count: 2, processors: 8, licences: ["cad", "mesh"], properties: ["fast"] }, { count: 1, processors: 8, licences: ["cad"] }] }],
    licences: [{ name: "cad", copies: 2 }],
    outages: [
      { from: 90000, to: 130000, announced: true, cluster: "a", nodes: [1] },
      { from: 50000, to: 60000, cluster: "a", nodes: [0] },
    ],
    limits: { user_processors: 12 },
    reservations: [{ processors: 3, from: 150000, to: 190000 }],
  },
  schedulers,
});

test("licences, deadlines, an outage, a failure, reservations and limits run together under every scheduler", async ({ lab, page }) => {
  const batchlab = (args, input) => execFileSync(join(dist, "bin/batchlab"), args, { encoding: "utf8", input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "pipe"] });
  let keys = "";
  try {
    batchlab(["simulate", "--log", "none", "--algorithm", "none"]);
  } catch (e) {
    keys = /it is one of ([a-z0-9, -]+)/.exec(e.stderr)[1];
  }
  const all = keys.split(", ").filter((k) => k !== "exec" && k !== "custom").map((key) => ({ key }));
  assert.ok(all.length > 15, keys);
  for (let i = 0; i < all.length; i += 8) {
    const doc = document(all.slice(i, i + 8));
    const native = JSON.parse(batchlab(["run", "-"], JSON.stringify(doc)));
    await lab.openReady(link(doc));
    await lab.until(async () => await lab.digest() !== "");
    assert.equal(await page.locator(".alert.bad").count(), 0, (await page.locator(".alert.bad").allInnerTexts()).join("\n"));
    assert.equal(await lab.digest(), native.digest, keys);
  }
});
