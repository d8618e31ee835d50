// Writes .br and .gz siblings of what dist/ serves: node .ci/compress.mjs DIST CACHE
// Brotli at its best quality takes seconds a megabyte, so results are kept in
// CACHE by the content's SHA-256; the last 60 are kept. Prints the sizes.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";

const brotli = promisify(zlib.brotliCompress), gzip = promisify(zlib.gzip);
const [dist, cache] = process.argv.slice(2);
// BATCHLAB_FAST=1 packs everything fast, =second what is not in the first load, whose size is held by a test.
const fast = process.env.BATCHLAB_FAST || "";
const quality = (file) => (fast && (fast !== "second" || /studies-/.test(file)) ? 5 : 11);
const types = new Set([".wasm", ".js", ".css", ".html", ".svg", ".json", ".webmanifest", ".swf", ".txt"]);
mkdirSync(cache, { recursive: true });

async function kept(name, make) {
  const path = join(cache, name);
  try {
    const data = readFileSync(path);
    utimesSync(path, new Date(), new Date());
    return data;
  } catch {
    const data = await make();
    writeFileSync(path, data);
    return data;
  }
}

const files = readdirSync(dist, { recursive: true }).map((f) => join(dist, f))
  .filter((f) => types.has(extname(f)) && statSync(f).isFile());
const rows = await Promise.all(files.map(async (file) => {
  const data = readFileSync(file);
  if (data.length < 200) return { file, raw: data.length, br: data.length };
  const hash = createHash("sha256").update(data).digest("hex");
  const q = quality(file), params = {
    [zlib.constants.BROTLI_PARAM_QUALITY]: q,
    [zlib.constants.BROTLI_PARAM_LGWIN]: 24,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: data.length,
  };
  // Eight distances that are written out, and four classes of the others: half a per cent less of a program.
  if (extname(file) === ".wasm") Object.assign(params, { [zlib.constants.BROTLI_PARAM_NPOSTFIX]: 2, [zlib.constants.BROTLI_PARAM_NDIRECT]: 8 });
  const [br, gz] = await Promise.all([
    kept(`${hash}-${Object.values(params).join("-")}.br`, () => brotli(data, { params })),
    kept(`${hash}.gz`, () => gzip(data, { level: 9 })),
  ]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gz);
  return { file, raw: data.length, br: br.length };
}));
for (const old of readdirSync(cache).map((f) => join(cache, f))
  .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs).slice(60)) rmSync(old);

let total = 0;
for (const { file, raw, br } of rows.sort((a, b) => b.br - a.br)) {
  if (/\.(wasm|js)$/.test(file)) total += br;
  if (raw >= 1e5) console.log(`  ${relative(dist, file)}: ${(raw / 1e6).toFixed(2)} MB, ${(br / 1e6).toFixed(3)} MB with brotli`);
}
console.log(`  wasm and scripts: ${(total / 1e6).toFixed(3)} MB with brotli`);
