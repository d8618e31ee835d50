// A cluster's own files: jobs and what describes the machine, dropped together, with
// the report of how they were understood.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choose } from "./hand.mjs";
import { assert, batchlab, test, unlink } from "./harness.mjs";

const head = "JobIDRaw|JobID|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS|JobName\n";

/** sacct output of so many jobs, with names that nothing may carry on. */
function sacct(n = 200) {
  let text = head;
  const time = (s) => new Date((1795420800 + s) * 1000).toISOString().slice(0, 19);
  for (let i = 1; i <= n; i++) {
    const late = i > n / 2 ? 90_000 : 0; // nothing runs for a day
    const submit = i * 60, start = submit + 10 * (i % 7) + late, run = 300 + (i * 7919) % 1000;
    text += `${i}|${i}|zebrauser${i % 5}|zebraaccount|${i % 3 ? "zlong" : "zshort"}|${time(submit)}|${time(submit)}|${time(start)}|${time(start + run)}|${run}|60|COMPLETED|1|${1 + i % 4}|${1 + i % 4}|zebrajob\n`;
  }
  return text + "not|a|row\n";
}

const conf = "ClusterName=birch\nSchedulerParameters=bf_interval=30\nNodeName=zebranode[01-16] CPUs=8 RealMemory=64000 Gres=gpu:2\nPartitionName=zlong Nodes=ALL Default=YES MaxTime=1-0\nPartitionName=zshort Nodes=zebranode[01-04] MaxTime=60\n";

/** Drops several files at once. */
async function dropAll(page, files) {
  await page.evaluate((list) => {
    const data = new DataTransfer();
    for (const [name, text] of list) data.items.add(new File([text], name));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, files);
}

test("jobs and slurm.conf, dropped together, become a workload and its machine", async ({ lab, page }) => {
  await lab.openReady();
  await lab.running(() => dropAll(page, [["jobs.psv", sacct()], ["slurm.conf", conf]]));
  const panel = page.locator(".intake");
  await panel.waitFor();
  const text = (await panel.innerText()).replace(/\u00a0/g, " ");
  assert.match(text, /200 jobs of .*read whole but for 1 row/);
  assert.match(text, /On 16 nodes with 128 processors and 32 GPUs/);
  assert.match(text, /zlong[\s\S]*zshort/);
  assert.match(text, /Never more in use than the machine has: at most \d+ of 128 processors/);
  assert.match(text, /Line 202/);
  assert.match(text, /What no scheduler here goes by/);
  // The pause becomes an outage, in one step.
  await page.locator("#import-outages").click();
  await page.locator("#import-outages").waitFor({ state: "detached" });
  assert.match(await panel.innerText(), /Outages of the platform now/);
  // Another zone moves the times; a name that nobody knows is said at its field.
  const zone = page.locator("#import-zone");
  await lab.type(zone, "Nowhere/Land");
  await page.keyboard.press("Tab");
  assert.match(await page.locator("#import-zone-fault").innerText(), /No zone is called so/);
  await lab.loading(async () => {
    await lab.type(zone, "Europe/Prague");
    await page.keyboard.press("Tab");
  });
  await lab.until(async () => /as you said/.test(await panel.innerText()));
  for (const shot of process.env.SHOTS ? ["light", "dark"] : []) {
    await page.emulateMedia({ colorScheme: shot });
    await page.screenshot({ path: `${process.env.SHOTS}/import-${shot}.png` });
    await page.locator(".intake").screenshot({ path: `${process.env.SHOTS}/import-whole-${shot}.png` });
  }
  // No name of a user, account, job or node is in the page's document or link; Run with
  // all of it gives results.
  await lab.run();
  assert.match(await lab.digest(), /^[0-9a-f]{64}$/);
  const held = JSON.stringify(unlink(await lab.copyLink()));
  assert.match(held, /"zone":"Europe\/Prague"/);
  assert.match(held, /"outages"/);
  assert.ok(!/zebra/.test(held), held);
  assert.ok(!/zebra/.test(await page.evaluate(() => document.body.innerText)));
});

test("the files of several months, packed or not, become one log, and what stands in two counts once", async ({ lab, page }) => {
  const rows = sacct(300).replace("not|a|row\n", "").trim().split("\n");
  const month = (from, to) => `${[rows[0], ...rows.slice(from, to)].join("\n")}\n`;
  const list = [["2026-02.psv", month(101, 201)], ["2026-03.psv", month(191, 301)], ["2026-01.psv", month(1, 111)]];
  await lab.openReady();
  const panel = page.locator(".intake");
  const seen = async (name) => {
    await panel.waitFor();
    const said = (await panel.innerText()).replace(/\u00a0/g, " ");
    assert.match(said, /^300 jobs of /);
    assert.match(said, /20\s+the same job again: left out/);
    assert.equal(unlink(await lab.copyLink()).workload.source.log.name, name);
    return lab.digest();
  };
  await lab.running(() => dropAll(page, list));
  const plain = await seen("2026-01.psv and 2 more");
  await lab.openReady();
  await lab.running(() => page.evaluate(async (list) => {
    const data = new DataTransfer();
    for (const [name, text] of list) {
      const packed = await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
      data.items.add(new File([packed], `${name}.gz`));
    }
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, list));
  assert.equal(await seen("2026-01.psv.gz and 2 more"), plain, "packed files give the same jobs");
});

test("a configuration alone asks for its jobs, and the view holds on a phone", async ({ lab, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await lab.openReady();
  await lab.loading(() => lab.drop("slurm.conf", conf));
  const panel = page.locator(".intake");
  await panel.waitFor();
  assert.match((await panel.innerText()).replace(/\u00a0/g, " "), /A machine of 128 processors, and no jobs of it yet/);
  await lab.running(() => lab.drop("jobs.psv", sacct(40).replace("not|a|row\n", "")));
  if (process.env.SHOTS) await panel.screenshot({ path: `${process.env.SHOTS}/import-390.png` });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390));
  assert.ok(await panel.evaluate((el) => el.scrollWidth <= el.clientWidth));
});

test("extra.csv is dropped beside its log: jobs wait for others when that is asked for, as on the command line", async ({ lab, page }) => {
  const log = `; MaxProcs: 4\n${[[1, 0, 4, 600], [2, 10, 1, 60], [3, 20, 2, 60], [4, 30, 4, 60]].map(([n, at, procs, run]) => `${n} ${at} 0 ${run} ${procs} -1 -1 ${procs} ${run} -1 1 1 1 -1 1 -1 -1 -1`).join("\n")}\n`;
  const extra = "job,after,withdrawn\n2,3,\n4,,100\n";
  await lab.openReady();
  await lab.running(() => lab.drop("chain.swf", log));
  assert.equal(await page.locator("#dependencies").count(), 0, "nothing says that a job waits for another");
  await lab.loading(() => lab.drop("extra.csv", extra));
  await choose(page.locator("#dependencies"), "keep");
  await choose(page.locator("#withdrawn"), "keep");
  await lab.run();
  const dir = mkdtempSync(join(tmpdir(), "batchlab-extra-"));
  writeFileSync(join(dir, "chain.swf"), log);
  writeFileSync(join(dir, "extra.csv"), extra);
  const document = unlink(await lab.copyLink());
  assert.equal(document.workload.extra.name, "extra.csv");
  assert.equal(document.workload.dependencies, "keep");
  writeFileSync(join(dir, "experiment.json"), JSON.stringify(document));
  const report = JSON.parse(await batchlab("run", join(dir, "experiment.json"), "--log", join(dir, "chain.swf"), "--extra", join(dir, "extra.csv")));
  assert.equal(await lab.digest(), report.digest);
});
