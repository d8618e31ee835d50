// What administrators with files and no documents do on a first visit, by what can be read on the page. docs/usability.md
// says how many presses and typed words each task takes, and what was mended on the way.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { choose } from "./hand.mjs";
import { assert, root, test } from "./harness.mjs";

/** The rows of docs/usability.md about them: presses and words typed by task. */
const told = new Map([...readFileSync(join(root, "docs/usability.md"), "utf8").split("## An administrator")[1]
  .matchAll(/^\| (.+?) \| (\d+) \| (\d+) \|/gm)].map((m) => [m[1], [Number(m[2]), Number(m[3])]]));

const at = (s) => new Date((1795420800 + s) * 1000).toISOString().slice(0, 19);
/** A cluster of 16 nodes that was down for a day, as its administrator has it. */
const accounting = () => `JobIDRaw|JobID|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|NNodes|NCPUS|ReqCPUS\n${Array.from({ length: 400 }, (_, i) => {
  const submit = i * 60, start = submit + 10 * (i % 7) + (i > 200 ? 90_000 : 0), run = 300 + (i * 7919) % 1000, n = 1 + i % 4;
  return `${i + 1}|${i + 1}|u${i % 5}|a|${i % 3 ? "long" : "short"}|${at(submit)}|${at(start)}|${at(start + run)}|${run}|60|COMPLETED|1|${n}|${n}\n`;
}).join("")}`;
const conf = "ClusterName=birch\nNodeName=n[01-16] CPUs=8 RealMemory=64000\nPartitionName=long Nodes=ALL Default=YES MaxTime=1-0\nPartitionName=short Nodes=n[01-04] MaxTime=60\n";

test("administrators bring a cluster with the presses and words that docs/usability.md tells", { fresh: true }, async ({ lab, page }) => {
  let presses, words;
  const press = async (locator) => { presses++; await locator.first().click(); };
  const type = async (locator, text) => {
    presses++;
    words++;
    await lab.type(locator.first(), text);
    await page.keyboard.press("Enter");
    await lab.settled();
  };
  const drop = async (...files) => {
    presses++;
    await page.evaluate((list) => {
      const data = new DataTransfer();
      for (const [name, text] of list) data.items.add(new File([text], name));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, files);
  };
  const done = [];
  const task = async (name, act, open = () => lab.openReady()) => {
    [presses, words] = [0, 0];
    await page.goto("about:blank");
    await open();
    await act();
    assert.deepEqual([presses, words], told.get(name), name);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `administrator-${done.length + 1}.png`) });
    done.push(name);
  };
  const read = async (what) => assert.match((await page.innerText(".intake")).replace(/\u00a0/g, " "), what);
  await task("find the command that writes my jobs, and copy it", async () => {
    await press(page.locator("#open-bring"));
    await press(page.getByRole("button", { name: "Copy the command" }));
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^SLURM_TIME_FORMAT=%s sacct -a -X/);
    assert.match(await page.innerText("#dialog-bring"), /What stays here[^]*All of it/);
  }, () => lab.open());
  await task("have it ask for last year's jobs", async () => {
    await press(page.locator("#open-help"));
    await press(page.getByRole("button", { name: "Bring my own cluster" }));
    await type(page.locator("#bring-from"), "2025-01-01");
    await type(page.locator("#bring-to"), "2026-01-01");
    await press(page.getByRole("button", { name: "Copy the command" }));
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), / -S 2025-01-01 -E 2026-01-01 /);
  });
  await task("see whether my files were understood", async () => {
    await lab.running(() => drop(["jobs.psv", accounting()], ["slurm.conf", conf]));
    await read(/400 jobs of .*read whole.[^]*On 16 nodes with 128 processors/);
  });
  await task("say which zone the cluster keeps, and that it was down for a day", async () => {
    await lab.running(() => drop(["jobs.psv", accounting()], ["slurm.conf", conf]));
    await type(page.getByLabel("Which time zone does the cluster keep?"), "Europe/Prague");
    await press(page.getByRole("button", { name: "Make it an outage" }));
    await lab.running(() => press(page.locator("#run")));
    await read(/Outages of the platform now/);
  });
  await task("set another scheduler beside what happened", async () => {
    await lab.running(() => drop(["jobs.psv", accounting()], ["slurm.conf", conf]));
    await press(page.getByRole("button", { name: "See the results" }));
    assert.match(await page.innerText("#panel-overview"), /As logged/i);
  });
  await task("give my jobs to somebody who must not see names", async () => {
    await lab.running(() => drop(["jobs.psv", accounting()]));
    const saved = [];
    page.on("download", (d) => saved.push(d));
    await press(page.getByRole("button", { name: "Anonymised log" }));
    await lab.until(() => saved.length === 2);
    for (const d of saved) assert.doesNotMatch(readFileSync(await d.path(), "utf8"), /u[0-4]\b|long|short/);
  });
  await task("have a table of my own read, whose columns nobody knows", async () => {
    await drop(["liste.csv", `Auftrag;Eingang;Beginn;Dauer;Kerne\n${Array.from({ length: 50 }, (_, i) => `${i};${at(i * 60)};${at(i * 70)};${60 + i};${1 + i % 3}\n`).join("")}`]);
    for (const [label, column] of [["Submitted", "Eingang"], ["Started", "Beginn"], ["Ran", "Dauer"], ["Processors", "Kerne"]]) {
      const list = page.locator(".intake-map label", { hasText: new RegExp(`^${label}( \\(|–)`) }).locator("select");
      await list.waitFor();
      await press(list);
      await page.keyboard.press("Escape");
      await choose(list, column);
    }
    await lab.running(() => press(page.getByRole("button", { name: "Read it so" })));
    await read(/50 jobs of .*read whole/);
  });
  assert.deepEqual(done, [...told.keys()]);
});
