// An experiment that varies, from the wave beside an input to the point that is opened, and back.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, cli, link, out, test, unlink } from "./harness.mjs";

const doc = {
  batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 250 } } } },
  schedulers: [{ key: "easy", repeat: 4 }, { key: "easy", params: { order: "saf" }, repeat: 4 }],
};
const sweep = (page, state) => page.waitForFunction((s) => {
  document.getElementById("much-go")?.click(); // a busy computer may take a minute, and is asked first
  return document.documentElement.dataset.sweep === s;
}, state);

/** The digest that the command line gives for a document. */
const native = (document, ...flags) => {
  const file = join(out, "vary.json");
  writeFileSync(file, JSON.stringify(document));
  return JSON.parse(execFileSync(cli, ["run", file, ...flags], { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] })).digest;
};

test("a setting is varied, run, stopped and gone on with; a point is opened, and the way back leads to what was there", { firefox: true }, async ({ lab, page }) => {
  await lab.openReady(link(doc));
  await (await lab.unfold("wave-load")).click();
  await lab.type("#vary-in-from", "0.5");
  await lab.type("#vary-in-to", "0.4");
  await lab.settled();
  assert.match(await page.locator("#vary-error-to").innerText(), /above from/);
  assert.ok(await page.locator("#vary-run").isDisabled());
  await lab.type("#vary-in-to", "1.4");
  await lab.type("#vary-in-step", "0.02");
  await lab.settled();
  await page.locator("#vary-runs", { hasText: /368\sruns/ }).waitFor();
  await lab.hold(0);
  await page.locator("#vary-run").click();

  // Stopped in the middle: what is done stays, and going on does the rest. What comes
  // of the workers is a run, a few or many points, by how fast the computer is: let
  // through one by one, until the first point is told of.
  for (let swept = 0; !/So far/.test(await page.locator(".vary-say").innerText().catch(() => "")); ) {
    await lab.hold(1);
    await page.waitForFunction((swept) => {
      document.getElementById("much-go")?.click();
      return Number(document.documentElement.dataset.swept) > swept;
    }, swept);
    await lab.settled();
    swept = Number(await lab.flag("swept"));
  }
  await lab.leaveFields();
  await page.keyboard.press("Escape");
  await sweep(page, "cancelled");
  await lab.settled();
  const done = Number(await lab.flag("swept"));
  await lab.hold(Infinity);
  assert.ok(done > 0 && done < 368, `${done} runs are done`);
  assert.match(await page.locator(".vary-say").innerText(), /So far, \d+ of 46\spoints/);
  await page.locator("#sweep-on").click();
  await sweep(page, "done");
  const digest = await lab.flag("sweepDigest");
  const values = Array.from({ length: 46 }, (_, i) => Math.round((0.5 + 0.02 * i) * 100) / 100);
  assert.equal(digest, native({ ...doc, vary: [{ path: "workload.scale.load", values }] }), "the command line's digest");
  assert.match(await page.locator("#load").innerText(), /0\.5 … 1\.4\s*46\svalues/);
  assert.match(await page.locator(".vary-say h2").innerText(), /mean wait/);

  // Files and table hold all points.
  const csv = await lab.download(() => page.locator("#vary-csv").click());
  assert.equal(csv.trim().split("\r\n").length, 1 + 46 * 2);
  assert.match(csv, /^workload\.scale\.load,scheduler,label,mean-wait,/);
  await page.locator(".vary-lines").getByRole("button", { name: "Show as table" }).click();
  await page.locator(".vary-lines tbody tr").nth(91).waitFor();
  assert.equal(await page.locator(".vary-lines tbody tr").count(), 92);
  await page.locator(".vary-lines").getByRole("button", { name: "Show as table" }).click();

  // Points by pointer and keys.
  const plot = page.locator("#vary-plot");
  const box = await plot.boundingBox();
  await plot.click({ position: { x: box.width / 2, y: 60 } });
  await lab.settled();
  const middle = await page.locator("#vary-at").innerText();
  await plot.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await lab.settled();
  assert.notEqual(await page.locator("#vary-at").innerText(), middle);
  assert.equal(await page.locator("#vary-at").innerText(), "load 1.38");
  assert.match(await plot.getAttribute("aria-valuetext"), /load 1\.38\. Mean wait, EASY /);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "vary-open");
  await lab.running(() => page.keyboard.press("Enter"));
  assert.equal(await lab.flag("digest"), native({ ...doc, workload: { ...doc.workload, scale: { load: 1.38 } } }), "the point is that experiment");
  assert.match(await page.locator("#point").innerText(), /Load × 1\.38\. One of 46\spoints/);
  await page.locator("#tab-table").click();
  await lab.until(async () => (await page.locator("#panel-table").innerText()).length > 200);
  await page.locator("#all-points").click();
  await lab.settled();
  assert.equal(await lab.flag("sweepDigest"), digest);
  assert.equal(await page.locator("#vary-at").innerText(), "load 1.38");

  // The link holds what varies, the digest and the point that is looked at.
  const address = await lab.copyLink();
  assert.deepEqual(unlink(address).vary[0].values.length, 46);
  await page.goto("about:blank");
  await page.goto(address);
  await sweep(page, "done");
  assert.match(await page.locator("#verdict").innerText(), /reproduced: 368\sruns/);
  await lab.settled();
  assert.equal(await page.locator("#vary-at").innerText(), "load 1.38");
});

test("two axes make a map; a fault in what varies stands at its place", { width: 390, height: 844, dark: true }, async ({ lab, page }) => {
  const vary = [{ path: "workload.scale.load", values: [0.8, 1, 1.2] }, { path: "schedulers[1].params.threshold", values: [null, 86400] }];
  await lab.open(link({ ...doc, vary }));
  await sweep(page, "done");
  assert.equal(await lab.flag("sweepDigest"), native({ ...doc, vary }));
  assert.equal(await page.locator("#vary-map-plot svg rect").count() > 6, true);
  await page.locator("#vary-map-plot").scrollIntoViewIfNeeded();
  await page.locator("#vary-map-plot").focus();
  await page.keyboard.press("ArrowDown");
  await lab.settled();
  assert.match(await page.locator("#vary-at").innerText(), /threshold of B 1d/);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");

  await page.goto("about:blank");
  await lab.open(link({ ...doc, vary: [{ path: "workload.scale.lod", values: [1] }] }));
  assert.match(await page.locator(".notice").innerText(), /"workload\.scale\.lod" is no place of this document; did you mean "workload\.scale\.load"/);
});

test("logs that only points name come from the browser's store, or are asked for by name before anything runs", async ({ lab, page }) => {
  const swf = (apart) => `; MaxProcs: 8\n${Array.from({ length: 60 }, (_, i) => `${i + 1} ${i * apart} -1 300 ${1 + i % 6} -1 -1 ${1 + i % 6} 400 -1 1 1 1 1 1 1 -1 -1`).join("\n")}\n`;
  const logs = [["kept.swf", swf(90)], ["asked.swf", swf(150)]].map(([name, text]) => {
    writeFileSync(join(out, name), text);
    return { name, text, log: { name, sha256: createHash("sha256").update(text).digest("hex"), size: text.length } };
  });
  const varied = {
    batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "fcfs" }, { key: "easy" }],
    vary: [{ path: "workload.source", values: [{ bundled: "demo" }, ...logs.map(({ log }) => ({ log }))] }],
  };
  await lab.openReady();
  await lab.running(() => lab.drop(logs[0].name, logs[0].text));
  await page.goto("about:blank");
  await lab.open(link(varied));
  await page.getByRole("heading", { name: "This experiment needs a log" }).waitFor();
  assert.match(await page.locator("#main").innerText(), /asked\.swf/);
  assert.equal(await lab.flag("sweep"), "none", "nothing runs yet");
  await lab.drop(logs[1].name, logs[1].text);
  await sweep(page, "done");
  assert.equal(await lab.flag("sweepDigest"), native(varied, ...logs.flatMap(({ name }) => ["--log", join(out, name)])));
  await lab.settled();
  assert.match(await page.locator("#panel-vary").innerText(), /demo[^]*kept\.swf[^]*asked\.swf/);

  // A point of another log opens as an experiment on that log.
  await page.locator("#vary-plot").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await lab.running(() => page.keyboard.press("Enter"));
  const { vary, ...plain } = varied;
  assert.equal(await lab.flag("digest"), native({ ...plain, workload: { source: { log: logs[1].log } } }, "--log", join(out, logs[1].name)));
});

test("over seeds nothing crosses: how often each wins is said, with boxes, by keyboard and on a phone, too", { width: 390, height: 844 }, async ({ lab, page }) => {
  const seeds = { batchlab: 1, workload: { source: { generator: { key: "daily", params: { jobs: 200 } } } },
    schedulers: [{ key: "easy" }, { key: "easy", params: { order: "saf" } }], vary: [{ path: "seed", values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] }] };
  await lab.openReady(link(seeds));
  await sweep(page, "done");
  await lab.settled();
  const said = await page.locator(".vary-say h2").innerText();
  assert.match(said, /^EASY.* mean wait is below .* at \d+ of 12\svalues of seed, above at \d+/);
  assert.doesNotMatch(await page.locator(".vary-say").innerText(), /cross/);
  const plot = page.locator("#vary-plot");
  assert.ok(await plot.locator("svg rect").count() >= 3, "boxes of two schedulers and of the differences");
  await plot.focus();
  const before = await plot.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowRight");
  await lab.settled();
  const after = await plot.getAttribute("aria-valuetext");
  assert.notEqual(after, before);
  assert.match(after, /^seed \d+\. Mean wait/);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the phone");
});
