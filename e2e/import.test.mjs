// A cluster's own files: jobs and what describes the machine, dropped together, with
// the report of how they were understood.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conf, dropAll, sacct } from "./cluster.mjs";
import { choose } from "./hand.mjs";
import { assert, batchlab, test, unlink, visit } from "./harness.mjs";

visit({ anew: true }, ({ lab }) => lab.begin(), {
  async "jobs and slurm.conf, dropped together, become a workload and its machine"({ lab, page }) {
    await lab.running(() => dropAll(page, [["jobs.psv", sacct()], ["slurm.conf", conf]]));
    const panel = page.locator(".intake");
    await panel.waitFor();
    const text = (await panel.innerText()).replace(/\u00a0/g, " ");
    assert.match(text, /200 jobs of .*read whole but for 1 row/);
    assert.match(text, /On 16 nodes with 128 processors and 32 GPUs/);
    assert.match(text, /zlong[\s\S]*zshort/);
    assert.match(text, /Never more in use than the machine has: at most \d+ of 128 processors/);
    assert.match(text, /Line 202/);
    assert.match(text, /What no scheduler here uses/);
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
  },
  async "the files of several months, packed or not, become one log, and what stands in two counts once"({ lab, page }) {
    const rows = sacct(300).replace("not|a|row\n", "").trim().split("\n");
    const month = (from, to) => `${[rows[0], ...rows.slice(from, to)].join("\n")}\n`;
    const list = [["2026-02.psv", month(101, 201)], ["2026-03.psv", month(191, 301)], ["2026-01.psv", month(1, 111)]];
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
  },
  async "extra.csv is dropped beside its log: jobs wait for others when that is asked for, as on the command line"({ lab, page }) {
    const log = `; MaxProcs: 4\n${[[1, 0, 4, 600], [2, 10, 1, 60], [3, 20, 2, 60], [4, 30, 4, 60]].map(([n, at, procs, run]) => `${n} ${at} 0 ${run} ${procs} -1 -1 ${procs} ${run} -1 1 1 1 -1 1 -1 -1 -1`).join("\n")}\n`;
    const extra = "job,after,withdrawn\n2,3,\n4,,100\n";
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
  },
  async "a table whose columns have names of their own is asked about, and read by what is said; its link holds that"({ lab, page }) {
    const rows = Array.from({ length: 60 }, (_, i) => `${i + 1};zebra${i % 4};${1795420800 + i * 60};${1795420800 + i * 61};${300 + (i * 7919) % 1000};${1 + i % 4};3600`);
    const table = ["Ticket;Wer;Eingang;Beginn;Dauer;Kerne;Grenze", ...rows].join("\n") + "\n";
    await lab.drop("mine.csv", table);
    const panel = page.locator(".intake-columns");
    await panel.waitFor();
    assert.match(await panel.innerText(), /No column looks like the time of submission, nor like the run time \(or start and end\)[\s\S]*zebra1/);
    for (const shot of process.env.SHOTS ? [["light", 1440], ["dark", 390]] : []) {
      await page.emulateMedia({ colorScheme: shot[0] });
      await page.setViewportSize({ width: shot[1], height: 900 });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await page.screenshot({ path: `${process.env.SHOTS}/columns-${shot[1]}.png`, fullPage: true });
      await page.setViewportSize({ width: 1440, height: 900 });
    }
    const set = (key, name) => choose(page.locator(`select[data-column="${key}"]`), name);
    await set("submit", "Eingang");
    await set("run", "Dauer");
    await lab.loading(() => page.locator("#import-columns").click());
    await lab.until(async () => /nor like|processors or nodes among/.test(await panel.innerText())); // one thing is still missing
    assert.equal(await page.locator('select[data-column="run"]').inputValue(), "Dauer", "what was chosen stays");
    await set("procs", "Kerne");
    await set("start", "Beginn");
    await set("requested", "Grenze");
    await set("user", "Wer");
    await lab.running(() => page.locator("#import-columns").click());
    assert.match((await page.locator(".intake").innerText()).replace(/\u00a0/g, " "), /60 jobs of .*read whole\./);
    const document = unlink(await lab.copyLink());
    assert.deepEqual(document.workload.source.log.columns, { procs: "Kerne", requested: "Grenze", run: "Dauer", start: "Beginn", submit: "Eingang", user: "Wer" });
    assert.ok(!/zebra/.test(JSON.stringify(document)));
    await page.locator("#import-ask-columns").click(); // and otherwise
    await set("user", "Ticket");
    await lab.loading(() => page.locator("#import-columns").click());
    await lab.run();
    const dir = mkdtempSync(join(tmpdir(), "batchlab-table-"));
    writeFileSync(join(dir, "mine.csv"), table);
    writeFileSync(join(dir, "experiment.json"), JSON.stringify(unlink(await lab.copyLink())));
    const report = JSON.parse(await batchlab("run", join(dir, "experiment.json"), "--log", join(dir, "mine.csv")));
    assert.equal(await lab.digest(), report.digest);
  },
  async "two tables of one kind and slurm.conf, dropped together, become one log by one answer"({ lab, page }) {
    const table = (from, to) => ["Ticket;Wer;Eingang;Beginn;Dauer;Kerne", ...Array.from({ length: to - from }, (_, k) => from + k).map((i) => `${i + 1};zebra${i % 4};${1795420800 + i * 60};${1795420800 + i * 61};${300 + (i * 7919) % 1000};${1 + i % 4}`)].join("\n") + "\n";
    await dropAll(page, [["march.csv", table(0, 60)], ["slurm.conf", conf], ["april.csv", table(60, 150)]]);
    await page.locator(".intake-columns").waitFor();
    const set = (key, name) => choose(page.locator(`select[data-column="${key}"]`), name);
    for (const [key, name] of [["submit", "Eingang"], ["start", "Beginn"], ["run", "Dauer"], ["procs", "Kerne"], ["user", "Wer"]]) await set(key, name);
    await lab.running(() => page.locator("#import-columns").click());
    const said = (await page.locator(".intake").innerText()).replace(/\u00a0/g, " ");
    assert.match(said, /^150 jobs of /);
    const document = unlink(await lab.copyLink());
    assert.equal(document.workload.source.log.columns.submit, "Eingang");
    assert.equal(document.platform.partitions.length, 2, "the configuration is kept");
    assert.ok(!/zebra/.test(JSON.stringify(document)));
  },
  async "accounts of a configuration count with the names of the jobs, whatever comes first, and none goes out"({ lab, page }) {
    const files = [["jobs.psv", sacct(300).replace("not|a|row\n", "").replace(/zebraaccount/g, (_, at) => `zebra${at % 3}`)],
      ["slurm.conf", `${conf}AccountingStorageEnforce=limits\n`],
      ["assoc.psv", "Cluster|Account|User|Share|ParentName|GrpTRES|\nc|root||1|||\nc|zebra2||5|root||\nc|zebra0||1|root|cpu=6|\nc|zebra1||1|root||\nc|zebra0|zebrauser3|4|||\n"]];
    const seen = [];
    for (const order of [[0, 1, 2], [2, 1, 0]]) {
      await lab.openReady();
      for (const i of order) {
        await lab.drop(...files[i]);
        await lab.until(async () => [/300 jobs/, /16 nodes|128 processors/, /Accounts, by number/][i].test((await page.locator(".intake").innerText().catch(() => "")).replace(/\u00a0/g, " ")));
        await lab.settled();
      }
      await lab.run();
      const document = unlink(await lab.copyLink());
      assert.ok(!/zebra[0-9u]/.test(JSON.stringify(document)), JSON.stringify(document.platform));
      seen.push([JSON.stringify(document.platform.accounts), await lab.digest(), document]);
    }
    assert.equal(seen[0][0], seen[1][0]);
    assert.equal(seen[0][1], seen[1][1]);
    assert.match(seen[0][0], /"processors":6/);
    const dir = mkdtempSync(join(tmpdir(), "batchlab-accounts-"));
    for (const [name, text] of [...files, ["page.json", JSON.stringify(seen[0][2])]]) writeFileSync(join(dir, name), text);
    await batchlab("import", join(dir, "jobs.psv"), "--conf", join(dir, "slurm.conf"), "--accounts", join(dir, "assoc.psv"), "--out", dir);
    assert.deepEqual(JSON.parse(seen[0][0]).map((a) => ({ shares: 1, ...a })), JSON.parse(readFileSync(join(dir, "experiment.json"), "utf8")).platform.accounts);
    assert.equal(seen[0][1], JSON.parse(await batchlab("run", join(dir, "page.json"), "--log", join(dir, "jobs.psv"))).digest);
  },
  async "the page shows what batchlab import prints, and saves the same log without names"({ lab, page }) {
    const dir = mkdtempSync(join(tmpdir(), "batchlab-import-"));
    writeFileSync(join(dir, "jobs.psv"), sacct());
    const report = JSON.parse(await batchlab("import", join(dir, "jobs.psv"), "--out", dir));
    await lab.running(() => lab.drop("jobs.psv", sacct()));
    await page.locator("#import-save").waitFor();
    const text = (await page.innerText(".intake")).replace(/[\u00a0,]/g, " ").replace(/\s+/g, " ").toLowerCase();
    const says = (what) => assert.ok(text.includes(what.replace(/,/g, " ").replace(/\s+/g, " ").toLowerCase()), what);
    for (const f of report.became) says(`${f.count} ${f.what}`);
    for (const c of report.checks) says(c.what);
    for (const m of report.missing) says(`no ${m.what} ${m.costs}`);
    for (const p of report.problems) says(`line ${p.line}`);
    for (const a of report.assumed) says(a.taken);
    says(`${report.jobs} jobs of`);
    assert.equal(await page.locator(".intake-partitions tbody tr").count(), report.partitions.length);
    for (const p of report.partitions) assert.ok((await page.locator(".intake-partitions tbody td:nth-child(2)").allInnerTexts()).includes(String(p.jobs)), `${p.jobs} jobs`);
    const saved = new Map();
    page.on("download", (d) => saved.set(d.suggestedFilename(), d));
    await page.locator("#import-save").click();
    await lab.until(() => saved.size === 2);
    for (const [name, download] of saved) {
      await download.saveAs(join(dir, "page"));
      assert.equal(readFileSync(join(dir, "page"), "utf8"), readFileSync(join(dir, name), "utf8"), name);
    }
    assert.match(await page.innerText("#import-saved"), /log\.swf and extra\.csv are saved/);
    await page.locator("#import-shift").click();
    saved.clear();
    await page.locator("#import-save").click();
    await lab.until(() => saved.size === 2);
    await saved.get("log.swf").saveAs(join(dir, "page"));
    assert.match(readFileSync(join(dir, "page"), "utf8"), /UnixStartTime: 978336060\n/, "a Monday, a minute past eight, stays one");
  },
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
