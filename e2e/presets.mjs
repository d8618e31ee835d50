// Every figure and table of the studies that is one experiment, opened in the
// page: BATCHLAB_LOGS=DIR node e2e/presets.mjs [--full] [NAME]...   (./build.sh presets)
// Each goes by its own button, "Open as experiment", runs in the page, and must
// come to the digest that the command line has for the preset; with --full to that
// of docs/results.json and docs/verdicts.json, on the logs that these name.
// With names, only presets whose key holds one of them. Prints a Markdown table,
// writes it to e2e/out/presets.md, and fails where a digest differs.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { chrome, cli, logs, out, root, serve } from "./common.mjs";
import { Lab } from "./lab.mjs";
import { watch } from "./watch.mjs";

const full = process.argv.includes("--full"), names = process.argv.slice(2).filter((a) => !a.startsWith("--"));
const studies = ["kurowski2011", "techiouba2008", "klusacek2016", "skrinarova2013"];
const batchlab = async (...args) => JSON.parse((await promisify(execFile)(cli, args, { maxBuffer: 1 << 28 })).stdout);
const { presets } = await batchlab("paper");
const known = ["results", "verdicts"].map((n) => JSON.parse(readFileSync(join(root, "docs", `${n}.json`), "utf8")));

/** What is to be opened: [{ key, log, file }], file being "" where the stand-in or a generator is enough. */
const wanted = presets.filter((p) => p.document === "whole" && studies.includes(p.study) && (!names.length || names.some((n) => p.key.includes(n))))
  .flatMap((p) => !full ? [{ key: p.key, log: "" }] : Object.entries(Object.assign({}, ...known)).filter(([k, v]) => k.split("@")[0] === p.key && !v.log.includes(","))
    .map(([, v]) => ({ key: p.key, log: v.log, digest: v.digest })))
  .map((w) => ({ ...w, file: w.log && logs ? readdirSync(logs).find((f) => f.startsWith(w.log)) || "" : "" }));

const { server, base } = await serve();
const browser = await chromium.launch(chrome);
const lines = [];
let faults = 0;
mkdirSync(out, { recursive: true });
try {
  for (const w of wanted) {
    if (w.log && !w.file) {
      lines.push([w.key, w.log, "", "", "left out: the log is not here"]);
      continue;
    }
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    let said;
    try {
      const want = w.digest || (await batchlab("paper", w.key, "--quick")).digest;
      const got = await opened(context, w);
      if (got.digest !== want) faults++;
      said = [w.key, w.log, got.points, got.runs, got.digest === want ? `\`${want.slice(0, 12)}\` in both` : `DIFFERS: ${got.digest || "none"} here, ${want} there`];
    } catch (error) {
      faults++;
      said = [w.key, w.log, "", "", `FAILS: ${String(error.message).split("\n")[0]}`];
    } finally {
      await context.close();
    }
    lines.push(said);
    console.log(`| ${said.join(" | ")} |`);
    write();
  }
} finally {
  await browser.close().catch(() => {}); // on a busy computer it may be too slow to say goodbye
  server.kill();
}
write();
console.log(`${lines.length} opened, ${faults} faults`);
process.exitCode = faults || !lines.length ? 1 : 0;

function write() {
  const table = ["| preset | log | points | runs | digest of the page and of the command line |", "|---|---|---:|---:|---|", ...lines.map((l) => `| ${l.join(" | ")} |`)];
  writeFileSync(join(out, full ? "presets-full.md" : "presets.md"), table.join("\n") + "\n");
}

/** Opens a preset as an experiment in a page that knows nothing yet, and runs it. */
async function opened(context, { key, file }) {
  context.setDefaultTimeout(120_000);
  const page = await context.newPage(), lab = new Lab(page, base);
  const reported = [];
  page.on("pageerror", (e) => reported.push(e.message));
  page.on("console", (m) => { if (m.type() === "error" || /^(panic|fatal error):/.test(m.text())) reported.push(m.text()); });
  await page.addInitScript(watch);
  if (file) {
    await lab.openReady();
    await lab.stage(file, readFileSync(join(logs, file)));
    await lab.loading(() => lab.dropStaged());
    await lab.settled();
    await page.evaluate((k) => { location.hash = `#p=papers.${k}`; }, key);
  } else {
    await lab.open(`#p=papers.${key}`);
  }
  const button = page.locator("#study-document");
  await button.waitFor();
  if (full) await page.locator("#study-quick").uncheck().catch(() => {}); // some have no smaller version
  if (await button.innerText() !== "Open as experiment") throw new Error(`the button says "${await button.innerText()}"`);
  const before = await page.evaluate(() => Number(document.documentElement.dataset.started || 0));
  await button.click();
  await page.waitForFunction((n) => {
    document.getElementById("much-go")?.click(); // what takes a minute is asked first
    const d = document.documentElement.dataset;
    return d.failed || d.sweep === "done" && d.sweepDigest || Number(d.started || 0) > n && d.started === d.finished && d.runs === "done";
  }, before, { timeout: 3_600_000 });
  if (reported.length) throw new Error(`the page reported ${reported[0]}`);
  const sweep = await lab.flag("sweepDigest");
  const [points, runs] = sweep ? [await page.locator("#tab-vary .count").innerText(), await lab.flag("swept")] : ["1", ""];
  return { digest: sweep || await lab.flag("digest"), points, runs };
}
