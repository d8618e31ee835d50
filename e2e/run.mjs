// Runs the browser tests: node e2e/run.mjs [FILE or part of a name]...
// Prints one line a test, faults in full, and last "N passed, N failed".
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(here).filter((f) => f.endsWith(".test.mjs"))
  .filter((f) => !wanted.length || wanted.some((w) => f.includes(w.replace(/^e2e\//, "")))).sort().map((f) => join(here, f));
let passed = 0, failed = 0, skipped = 0;

// What computes much has the computer to itself, and Chromium as people have it. Of the others two run at once, without the second compiler
// of WebAssembly: it costs each page a second and changes no result.
const alone = (f) => /(digest|large|link|load|plan|search|studies|worker)\.test\.mjs$/.test(f);
for (const [group, concurrency] of [[files.filter((f) => !alone(f)), 2], [files.filter(alone), 1]]) {
  if (!group.length) continue; // no files would stand for all that there are
  process.env.BATCHLAB_FLAGS = concurrency > 1 ? "--js-flags=--liftoff-only" : "";
  await new Promise((done) => {
    const stream = run({ files: group, concurrency, timeout: 3_600_000 });
    listen(stream);
    stream.on("end", done);
    stream.resume();
  });
}
if (passed + failed + skipped === 0) {
  console.log("no browser test ran");
  failed++;
}
if (skipped) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

function listen(stream) {
  stream.on("test:pass", (e) => {
    if (isFile(e)) return;
    if (e.skip !== undefined) {
      skipped++;
      console.log(`skip ${e.name}: ${e.skip}`);
      return;
    }
    passed++;
    console.log(`ok   ${e.name} (${(e.details.duration_ms / 1000).toFixed(1)} s)`);
  });
  stream.on("test:fail", (e) => {
    const cause = e.details.error?.cause ?? e.details.error;
    if (isFile(e) && /subtest/.test(String(e.details.error?.message))) return;
    failed++;
    console.log(`FAIL ${e.name} (${(e.details.duration_ms / 1000).toFixed(1)} s)`);
    console.log(String(cause?.stack || cause?.message || cause).split("\n").slice(0, 30).map((l) => `     ${l}`).join("\n"));
  });
  stream.on("test:diagnostic", () => {});
  stream.on("test:stdout", (e) => process.stdout.write(e.message));
  stream.on("test:stderr", (e) => process.stderr.write(e.message));
}

function isFile(e) {
  return e.name.endsWith(".test.mjs");
}
