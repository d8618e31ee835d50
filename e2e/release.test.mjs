// What a release hands out, used as on a computer without Go, Node and the sources.
import { execFile, execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test as plain } from "node:test";
import { promisify } from "node:util";
import { licence, packages } from "../.ci/shipped.mjs";
import { assert, dist, root, test } from "./harness.mjs";

const run = promisify(execFile);
let folder, program, env;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "batchlab-release-"));
  program = join(folder, "batchlab");
  execFileSync("go", ["build", "-trimpath", "-buildvcs=false", "-tags", "page", "-o", program, "./cmd/batchlab"], { cwd: root, env: { ...process.env, CGO_ENABLED: "0" } });
  mkdirSync(join(folder, "empty"));
  env = { PATH: join(folder, "empty"), HOME: join(folder, "empty") };
});
after(() => rmSync(folder, { recursive: true, force: true }));

// The program with the page in it, in an empty folder and with an empty PATH: it reads
// a log, runs a document, says what it is, and serves the page, which then simulates.
test("the program alone serves the page, runs a document and reads a log", async ({ page }) => {
  const here = { cwd: join(folder, "empty"), env };
  for (const tool of ["go", "node"]) await assert.rejects(run(tool, ["version"], here), { code: "ENOENT" }, `${tool} is hidden`);
  copyFileSync(join(root, "workloads/demo.swf.gz"), join(folder, "log.swf.gz"));
  const easy = JSON.parse((await run(program, ["simulate", "--log", join(folder, "log.swf.gz"), "--algorithm", "easy"], here)).stdout);
  assert.equal(easy.digest, "52dd3e0e8d238e07a4086f3070316e6887afa4916e8c73800bd5390c19102ca2", "as the README shows it");
  writeFileSync(join(folder, "e.json"), JSON.stringify({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }] }));
  const ran = JSON.parse((await run(program, ["run", join(folder, "e.json")], here)).stdout);
  const what = JSON.parse((await run(program, ["--version"], here)).stdout);
  assert.equal(what.page, "inside");
  assert.equal(ran.version, what.version);
  const child = spawn(program, ["serve", "--addr", "127.0.0.1:0", "--data", "none"], { ...here, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const url = await new Promise((resolve, reject) => {
      child.stdout.once("data", (d) => resolve(JSON.parse(d).url));
      child.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
    });
    const packed = await fetch(`${url}/app.wasm`, { headers: { "Accept-Encoding": "br" } });
    assert.equal(packed.headers.get("content-encoding"), "br");
    for (const path of ["/", "/licences.txt", "/sw.js", "/lessons/index.json"].filter((p) => p === "/" || existsSync(join(dist, p)))) assert.equal((await fetch(url + path)).status, 200, path);
    await page.goto(`${url}/${ran.link}`);
    await page.waitForSelector("text=reproduced", { timeout: 120_000 });
    await page.keyboard.press("?");
    const about = await page.textContent("#about");
    assert.ok(about.includes(`Batchlab ${what.version}, engine ${what.engine}`), about);
  } finally {
    child.kill();
  }
});

// Nothing is shipped without its licence: every module that the linker put into the
// program, and every package of the bundles, stands in licences.txt, and so do ours
// and Go's; a part that has none stops the build.
plain("licences are complete", () => {
  const text = readFileSync(join(dist, "licences.txt"), "utf8");
  const linked = execFileSync("go", ["version", "-m", program], { encoding: "utf8" }).split("\n").filter((l) => l.startsWith("\tdep\t")).map((l) => l.split("\t"));
  assert.ok(linked.length >= 3, "the program names its modules");
  for (const [, , name, version] of linked) assert.ok(text.includes(`==== ${name} ${version}, LICENSE`), `${name} ${version}`);
  for (const name of ["github.com/vugu/vugu", "github.com/vugu/vjson", "github.com/vugu/xxhash", "github.com/tidwall/gjson", "github.com/tidwall/match", "github.com/tidwall/pretty", "Go", "Batchlab"]) assert.ok(text.includes(`==== ${name} `), name);
  for (const name of Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).dependencies)) assert.ok(text.includes(`==== ${name} `), name);
  assert.ok(text.includes("Apache License"), "our own");
  const bare = mkdtempSync(join(folder, "bare-"));
  writeFileSync(join(bare, "README.md"), "x");
  assert.throws(() => licence(bare, "bare"), /bare is shipped and has no licence/);
  assert.deepEqual(packages([{ inputs: { "node_modules/@a/b/c.js": {}, "../x/node_modules/qr/i.js": {}, "wasm/q.js": {} } }]), ["@a/b", "qr"]);
});

// The wheel with the program in it is packed to the same bytes again, and holds what
// pip needs to put the command beside python.
plain("a wheel brings the program along", () => {
  const small = join(folder, "small", "batchlab"); // packing 60 MB takes long and shows no more
  mkdirSync(join(folder, "small"));
  copyFileSync(join(root, "build.sh"), small);
  const wheels = [1, 2].map((n) => {
    const out = mkdtempSync(join(folder, `wheel${n}-`));
    execFileSync("python3", ["-B", "-c", "import sys; sys.path.insert(0, sys.argv[1]); import build_wheel; build_wheel.pack(sys.argv[2], 'py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64', sys.argv[3])",
      join(root, "clients/python"), out, small]);
    return join(out, readdirSync(out)[0]);
  });
  assert.deepEqual(readFileSync(wheels[0]), readFileSync(wheels[1]));
  const out = join(folder, "there");
  execFileSync("python3", ["-c", "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); z.extractall(sys.argv[2]); i = z.getinfo('batchlab-1.0.0.data/scripts/batchlab'); assert i.external_attr >> 16 == 0o100755", wheels[0], out]);
  assert.deepEqual(readFileSync(join(out, "batchlab-1.0.0.data/scripts/batchlab")), readFileSync(small));
  assert.match(readFileSync(join(out, "batchlab-1.0.0.dist-info/WHEEL"), "utf8"), /Tag: py3-none-manylinux2014_x86_64\nTag: py3-none-musllinux_1_1_x86_64\n/);
});
