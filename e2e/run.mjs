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

// Three files at once, those that take long first, so that none is left alone at the end: a file waits often enough
// for timers, frames and files that two leave a core idle.
const long = ["hands", "tasks", "access", "lesson", "studies", "search", "large", "offline", "files", "farm", "link", "share", "drawings", "gantt", "settings", "worker", "workload"];
const rank = (f) => (long.findIndex((l) => f.endsWith(`/${l}.test.mjs`)) + 100) % 100;
files.sort((a, b) => rank(a) - rank(b));
if (files.length) { // no files would stand for all that there are
  await new Promise((done) => {
    const stream = run({ files, concurrency: 3, timeout: 3_600_000 });
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
    // What the page reported was added to the message after the stack was taken.
    const stack = String(cause?.stack ?? ""), message = String(cause?.message ?? cause);
    console.log((stack.includes(message) ? stack : `${message}\n${stack}`).split("\n").slice(0, 30).map((l) => `     ${l}`).join("\n"));
  });
  stream.on("test:diagnostic", () => {});
  stream.on("test:stdout", (e) => process.stdout.write(e.message));
  stream.on("test:stderr", (e) => process.stderr.write(e.message));
}

function isFile(e) {
  return e.name.endsWith(".test.mjs");
}
