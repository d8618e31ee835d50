// Fills in what the service worker keeps: node .ci/offline.mjs DIST
// The version is a hash over the names and contents of all files; each file
// stands there with its own SHA-256.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const dist = process.argv[2];
const files = readdirSync(dist, { recursive: true }).map((f) => join(dist, f)).filter((f) => statSync(f).isFile())
  .map((f) => relative(dist, f).replaceAll("\\", "/"))
  .filter((f) => !f.startsWith("bin/") && !f.startsWith("_") && !f.split("/").some((p) => p.startsWith(".")) && f !== "sw.js").sort();
const hash = createHash("sha256");
for (const f of files) hash.update(f + "\0").update(readFileSync(join(dist, f)));
const version = hash.digest("hex").slice(0, 16);
const sw = join(dist, "sw.js");
const text = readFileSync(sw, "utf8");
const sum = (f) => createHash("sha256").update(readFileSync(join(dist, f))).digest("hex");
const list = files.map((f) => `${JSON.stringify(f === "index.html" ? "./" : f)}:"${sum(f)}"`).join(",");
const done = text.replace("@VERSION@", version).replace(/"@FILES@":\s*""/, list);
if (done.includes("@FILES@") || done.includes("@VERSION@") || !list) throw new Error("sw.js has no place for its files");
writeFileSync(sw, done);
console.log(`  offline: version ${version}, ${files.length} files`);
