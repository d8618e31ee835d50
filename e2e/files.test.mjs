// Files that people drop: logs, and what they take for logs.
import { gzipSync } from "node:zlib";
import { assert, visit } from "./harness.mjs";

/** A small log of n jobs on a machine of 64 processors. */
function smallLog(n = 200, { header = "; MaxProcs: 64\n; Note: terms of use stand here\n" } = {}) {
  let text = header;
  for (let i = 1; i <= n; i++) {
    const run = 60 + (i * 7919) % 7200, procs = 1 + (i * 31) % 48;
    text += `${i} ${i * 97} 5 ${run} ${procs} -1 -1 ${procs} ${2 * run} -1 1 ${1 + i % 9} 1 -1 1 -1 -1 -1\n`;
  }
  return text;
}

visit({ anew: true }, ({ lab }) => lab.begin(), {
  async "a dropped log is read, run, and its header shown"({ lab, page }) {
    await lab.loading(() => lab.drop("small.swf", smallLog()));
    assert.match(await lab.text(), /small\.swf/);
    assert.match(await lab.text(), /200 jobs/);
    await lab.run();
    const plain = await lab.digest();
    assert.match(plain, /^[0-9a-f]{64}$/);
    await lab.loading(() => lab.drop("small.swf.gz", gzipSync(smallLog())));
    await lab.run();
    assert.equal(await lab.digest(), plain, "packed and plain are the same log");
  },
  async "a packed log of more than is unpacked at once is read whole"({ lab }) {
    const text = smallLog() + `;${" ".repeat(1 << 20)}\n`.repeat(40) + "201 20000 5 60 1 -1 -1 1 120 -1 1 1 1 -1 1 -1 -1 -1\n"; // 42 MB
    await lab.loading(() => lab.drop("large.swf.gz", gzipSync(text)));
    assert.match(await lab.text(), /201 jobs/);
  },
  async "what is no log: a message names it, and what was loaded stays"({ lab }) {
    const digest = await lab.digest();
    for (const [name, data, message] of bad) {
      await lab.loading(() => lab.drop(name, data));
      const text = await lab.text();
      assert.ok(text.includes(name), `the page does not name ${name}`);
      assert.match(text, message);
      assert.match(text, /2,000 jobs/, `${name}: the workload of before is gone`);
    }
    await lab.run();
    assert.equal(await lab.digest(), digest, "the workload of before runs as before");
  },
  async "a log without header and machine size: the page asks for it"({ lab, page }) {
    await lab.loading(() => lab.drop("bare.swf", smallLog(100, { header: "" })));
    assert.match(await lab.text(), /processors/i);
    await lab.loading(() => lab.setProcessors(64));
    await lab.run();
    const bare = await lab.digest();
    await lab.loading(() => lab.drop("stated.swf", smallLog(100)));
    await lab.run();
    assert.equal(bare, await lab.digest(), "64 processors asked for and 64 stated are the same machine");
  },
  async "a few damaged lines are left out and listed with their numbers"({ lab }) {
    const lines = smallLog(500).split("\n");
    lines[100] = lines[100].replace(/ -1$/, ""); // 17 fields
    lines[200] = lines[200].replace(/^(\d+ \d+ \d+) \d+/, "$1 99999999999999999999");
    lines[300] = lines[300].replace(/^(\d+) \d+/, "$1 -50");
    await lab.loading(() => lab.drop("damaged.swf", lines.join("\n")));
    await lab.openLines();
    const text = await lab.text();
    for (const line of [101, 201, 301]) assert.match(text, new RegExp(`line ${line}|\\b${line}\\b`, "i"), `line ${line}`);
  },
  async "a log of which much is damaged is used only after a question"({ lab, page }) {
    const lines = smallLog(200).split("\n");
    for (let i = 20; i < 60; i++) lines[i] = "these are no numbers";
    const digest = await lab.digest();
    await lab.loading(() => lab.drop("half.swf", lines.join("\n")));
    await page.getByRole("button", { name: /Go on with/ }).waitFor();
    assert.equal(await lab.digest(), digest, "results of before stay while it asks");
    await page.getByRole("button", { name: /Go on with/ }).click();
    await lab.run();
    assert.notEqual(await lab.digest(), digest);
  },
  async "how far the reading of a long file is stands in the bar below; Escape gives it up, and what was there stays"({ lab, page }) {
    const digest = await lab.digest(), bar = page.locator("#run-read");
    await lab.loading(async () => {
      await page.evaluate(() => {
        const row = "7|zoe|2026-11-23T08:00:00|2026-11-23T08:00:10|2026-11-23T08:01:00|60|COMPLETED|2\n";
        const part = new Blob([row.repeat(12_000)]), data = new DataTransfer();
        data.items.add(new File(["JobID|User|Submit|Start|End|TimelimitRaw|State|NCPUS\n", ...Array(3000).fill(part)], "long.psv"));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      });
      await bar.waitFor();
      assert.match(await bar.innerText(), /^\d+\.\d of \d{4}\.\d\sMB/);
      await page.keyboard.press("Escape");
    });
    assert.match(await lab.text(), /long\.psv: reading was stopped/);
    assert.equal(await bar.count(), 0);
    assert.equal(await lab.digest(), digest);
    await lab.drop("short.swf", "; MaxProcs: 4\n1 0 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1\n");
    await lab.until(async () => /short\.swf/.test(await lab.text()));
  },
});

const bad = [
  ["empty.swf", "", /empty/i],
  ["binary.swf", Buffer.from([1, 2, 0, 0, 255, 254, 3, 0, 9]), /binary/i],
  ["table.csv", "job,submit,run\n1,0,60\n2,5,90\n", /csv/i],
  ["page.html", "<!doctype html><html><body>404</body></html>", /html/i],
  ["cut.swf.gz", gzipSync(smallLog(2000)).subarray(0, 4000), /ends early|damaged/i],
  ["batsim.swf", JSON.stringify({ jobs: [], profiles: {} }), /batsim/i],
];
