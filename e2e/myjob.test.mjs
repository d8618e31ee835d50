// When would my job start: the page's answer is what the command line prints.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { assert, dist, test } from "./harness.mjs";

/** A log of so many jobs over some days, with a queue by day. */
function busy(n = 500) {
  let text = "; Version: 2.2\n; UnixStartTime: 1000000000\n; MaxProcs: 64\n; MaxNodes: 64\n";
  for (let i = 1; i <= n; i++) {
    const submit = i * 700 + (i * 7919) % 600, run = 600 + (i * 7919) % 9000, procs = 1 + (i * 31) % 24;
    text += `${i} ${submit} 0 ${run} ${procs} -1 -1 ${procs} ${run + (i * 613) % 9000} -1 1 ${1 + i % 9} ${1 + i % 2} -1 ${i % 2} 1 -1 -1\n`;
  }
  return text;
}

/** What squeue prints of a machine that is full, with one job held. */
const queue = `JOBID|USER|STATE|TIME|TIME_LIMIT|CPUS|NODES|SUBMIT_TIME|START_TIME|REASON
11|nobody-here|RUNNING|1:30:00|3:00:00|40|2|2026-07-02T08:00:00|2026-07-02T10:00:00|None
12|nobody-here|RUNNING|0:20:00|2:00:00|24|2|2026-07-02T08:00:00|2026-07-02T11:10:00|None
13|nobody-here|PENDING|0:00|4:00:00|48|1|2026-07-02T11:00:00|N/A|Resources
14|nobody-here|PENDING|0:00|1:00:00|16|1|2026-07-02T11:20:00|N/A|Priority
15|nobody-here|PENDING|0:00|1:00:00|16|1|2026-07-02T09:00:00|N/A|Dependency
`;

/** Asks, and waits until the record is complete. */
async function ask(lab, panel) {
  await panel.getByRole("button", { name: "When would it start?" }).click();
  await lab.until(async () => /Your job would start|would start at/.test(await panel.locator(".job-answer h2").innerText()));
  await lab.until(async () => await panel.getByRole("button", { name: "When would it start?" }).count() === 1);
}

test("a dropped log: asked on the page, the sentence says what batchlab when prints", async ({ lab, page }) => {
  await lab.openReady();
  await lab.stage("busy.swf", busy());
  await lab.loading(() => lab.dropStaged());
  await lab.run();
  await page.locator("#tab-job").click();
  const panel = page.locator("#panel-job");
  await lab.type(panel.locator("#job-procs"), "40");
  await lab.type(panel.locator("#job-limit"), "2h");
  await lab.type(panel.locator("#job-user"), "3");
  await ask(lab, panel);
  assert.match(await panel.locator(".job-answer h2").innerText(), /Your job would start at about .*, 8 times in 10 between .* and .*\./);
  assert.ok(await panel.locator(".job-dots svg circle, .job-dots svg path").count() > 10, "dots are drawn");
  const told = async () => {
    await panel.locator(".job-dots").getByRole("button", { name: "Save this chart" }).click();
    const csv = await lab.download(() => page.getByRole("menuitem", { name: "CSV" }).click());
    return csv.trim().split(/\r?\n/).slice(1).map((row) => row.split(",").map(Number));
  };
  const asked = [[await panel.locator(".job-command").innerText(), await told()]];
  const document = inflateRawSync(Buffer.from(/#x=([\w-]+)/.exec(await lab.copyLink())[1], "base64url"));

  // On top of what squeue prints, which no link holds.
  await panel.getByRole("button", { name: "squeue" }).click();
  await panel.getByRole("button", { name: "When would it start?" }).click();
  assert.match(await panel.getByRole("alert").innerText(), /paste/);
  await panel.locator("#job-paste").focus();
  await page.keyboard.insertText("JOBID|STATE|TIME\n1|RUNNING|0:10\n");
  await panel.getByRole("button", { name: "When would it start?" }).click();
  await lab.until(async () => /time limits/.test(await panel.locator(".job-answer h2").innerText()));
  await panel.locator("#job-paste").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(queue);
  await ask(lab, panel);
  assert.match(await panel.locator(".job-chips").innerText(), /held jobs left out: 1; of users that the log does not name: 4/);
  asked.push([await panel.locator(".job-command").innerText(), await told()]);
  assert.doesNotMatch(await lab.copyLink() + await page.url(), /nobody-here/);
  await panel.getByRole("button", { name: "The log's jobs" }).click();

  const dir = mkdtempSync(join(tmpdir(), "myjob-"));
  try {
    const put = { "EXPERIMENT.json": ["experiment.json", document], LOG: ["busy.swf", busy()], FILE: ["squeue.txt", queue] };
    for (const [name, text] of Object.values(put)) writeFileSync(join(dir, name), text);
    for (const [command, numbers] of asked) {
      const args = command.split(" ").slice(1).map((word) => put[word] ? join(dir, put[word][0]) : word);
      const out = JSON.parse(execFileSync(join(dist, "bin/batchlab"), args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
      assert.deepEqual(numbers, out.waits_s.map((w, i) => [out.levels[i], out.at + w, w]), command);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  await lab.until(async () => await panel.locator(".job-cell").count() > 20);
  const cell = panel.locator(".job-cell").last();
  const procs = await cell.getAttribute("data-procs");
  await cell.click();
  assert.equal(await panel.locator("#job-procs").inputValue(), procs, "a click fills the form");
  await lab.type(panel.locator("#job-procs"), "1000");
  await panel.getByRole("button", { name: "When would it start?" }).click();
  assert.match(await panel.getByRole("alert").innerText(), /Processors/);
});
