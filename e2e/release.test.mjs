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
const demo = "52dd3e0e8d238e07a4086f3070316e6887afa4916e8c73800bd5390c19102ca2"; // of EASY on it, as the README shows it
let folder, program, env, alone;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "batchlab-release-"));
  program = join(folder, "batchlab");
  execFileSync("go", ["build", "-trimpath", "-buildvcs=false", "-tags", "page", "-o", program, "./cmd/batchlab"], { cwd: root, env: { ...process.env, CGO_ENABLED: "0" } });
  mkdirSync(join(folder, "empty"));
  env = { PATH: join(folder, "empty"), HOME: join(folder, "empty") };
  // Where the system lets us, the program's folder is all that there is: no C library,
  // no tools, nothing but what the program brings along.
  alone = ["unshare", "-r", "chroot", folder];
  try {
    execFileSync(alone[0], [...alone.slice(1), "/batchlab", "version"], { env: { ...env, PATH: process.env.PATH } });
  } catch {
    alone = null;
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

// The program with the page in it, where there is nothing else (or at least in an empty
// folder and with an empty PATH): it reads a log, runs a document, says what it is, and
// serves the page, which then simulates.
test("the program alone serves the page, runs a document and reads a log", async ({ page }) => {
  const here = { cwd: join(folder, "empty"), env: alone ? { ...env, PATH: process.env.PATH } : env };
  const command = (...words) => (alone ? [alone[0], [...alone.slice(1), "/batchlab", ...words.map((w) => w.replace(folder, ""))]] : [program, words]);
  const object = async (...words) => JSON.parse((await run(...command(...words), here)).stdout);
  for (const tool of ["go", "node"]) await assert.rejects(run(tool, ["version"], { env }), { code: "ENOENT" }, `${tool} is hidden`);
  copyFileSync(join(root, "workloads/demo.swf.gz"), join(folder, "log.swf.gz"));
  const easy = await object("simulate", "--log", join(folder, "log.swf.gz"), "--algorithm", "easy");
  assert.equal(easy.digest, demo);
  writeFileSync(join(folder, "e.json"), JSON.stringify({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }] }));
  const ran = await object("run", join(folder, "e.json"), "--out", join(folder, "results"));
  assert.ok(readdirSync(join(folder, "results")).includes("CITATION.txt"), "results are written");
  const what = await object("--version");
  assert.equal(what.page, "inside");
  assert.equal(ran.version, what.version);
  const child = spawn(...command("serve", "--addr", "127.0.0.1:0", "--data", "none"), { ...here, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const url = await new Promise((resolve, reject) => {
      child.stdout.once("data", (d) => resolve(JSON.parse(d).url));
      child.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
    });
    const packed = await fetch(`${url}/app.wasm`, { headers: { "Accept-Encoding": "br" } });
    assert.equal(packed.headers.get("content-encoding"), "br");
    // Every file of the page, those too that are in the program only packed.
    for (const path of readdirSync(dist, { recursive: true }).filter((p) => /\w\.\w+$/.test(p) && !/^(bin\b|[._])|\.(br|gz)$/.test(p))) {
      const there = await fetch(`${url}/${path}`, { headers: { "Accept-Encoding": "identity" } });
      assert.equal(there.status, 200, path);
      assert.deepEqual(Buffer.from(await there.arrayBuffer()), readFileSync(join(dist, path)), path);
    }
    await page.goto(`${url}/${ran.link}`);
    await page.waitForSelector("text=reproduced", { timeout: 120_000 });
    await page.keyboard.press("?");
    const about = await page.textContent("#about");
    assert.ok(about.includes(`Batchlab ${what.version}, engine ${what.engine}`), about);
    // A link by a build of engine 1, under which Orig-BF with a depth was another.
    const link = readFileSync(join(root, "cmd/batchlab/testdata/engine1/link.txt"), "utf8").trim();
    await page.goto("about:blank");
    await page.goto(`${url}/${link}`);
    await page.waitForFunction(() => document.body.textContent.includes("The expected result was made by engine 1, not by engine"), null, { timeout: 120_000 });
    assert.match(await page.textContent("body"), /since then these have changed, and results may differ: [^.]*Orig-BF on machines of unequal speed, with a depth/);
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

// The wheel with the program in it is packed to the same bytes again, and once it is
// installed Python's client finds the program that came along, and runs by it.
plain("a wheel brings the program along", () => {
  const pack = (file) => {
    const out = mkdtempSync(join(folder, "wheel-"));
    execFileSync("python3", ["-B", "-c", "import sys; sys.path.insert(0, sys.argv[1]); import build_wheel; build_wheel.pack(sys.argv[2], 'py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64', sys.argv[3])",
      join(root, "clients/python"), out, file]);
    return join(out, readdirSync(out)[0]);
  };
  const small = join(folder, "small", "batchlab"); // packing 60 MB takes long and shows no more
  mkdirSync(join(folder, "small"));
  copyFileSync(join(root, "build.sh"), small);
  const wheels = [pack(small), pack(small)];
  assert.deepEqual(readFileSync(wheels[0]), readFileSync(wheels[1]));
  const out = join(folder, "there");
  execFileSync("python3", ["-c", "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); z.extractall(sys.argv[2]); i = z.getinfo('batchlab-1.0.0.data/scripts/batchlab'); assert i.external_attr >> 16 == 0o100755", wheels[0], out]);
  assert.deepEqual(readFileSync(join(out, "batchlab-1.0.0.data/scripts/batchlab")), readFileSync(small));
  assert.match(readFileSync(join(out, "batchlab-1.0.0.dist-info/WHEEL"), "utf8"), /Tag: py3-none-manylinux2014_x86_64\nTag: py3-none-musllinux_1_1_x86_64\n/);

  const venv = join(folder, "venv"), python = join(venv, "bin/python"), wheel = pack(program);
  execFileSync("python3", ["-m", "venv", "--without-pip", venv]);
  try { // the name says Linux on x86-64: elsewhere, and where there is no pip, it is unpacked as PEP 427 says
    execFileSync("python3", ["-m", "pip", "--python", python, "install", "--no-index", "--no-deps", "--quiet", wheel], { stdio: "ignore" });
  } catch {
    execFileSync(python, ["-c", `import os, shutil, sys, sysconfig, zipfile
zipfile.ZipFile(sys.argv[1]).extractall(sysconfig.get_path("purelib"))
there = shutil.copy(os.path.join(sysconfig.get_path("purelib"), "batchlab-1.0.0.data/scripts/batchlab"), sysconfig.get_path("scripts"))
os.chmod(there, 0o755)`, wheel]);
  }
  const said = JSON.parse(execFileSync(python, ["-c", `import json, sys, batchlab
program = sys.modules["batchlab.run"].program()
result = batchlab.run({"batchlab": 1, "workload": {"source": {"bundled": "demo"}}, "schedulers": [{"key": "easy"}]})
print(json.dumps([program, result.digest]))`], { env, encoding: "utf8" }));
  assert.deepEqual(said, [join(venv, "bin/batchlab"), demo]);
});

// What cannot be run here is read: a container and an image are made of files that the
// release has, and the workflow of steps that there are.
plain("the container, the image and the workflow name what there is", () => {
  const read = (path) => readFileSync(join(root, path), "utf8");
  const version = JSON.parse(execFileSync(program, ["version"], { encoding: "utf8" })).version;
  for (const [path, copies] of [["packaging/Containerfile", /^COPY (\S+) \S+$/gm], ["packaging/batchlab.def", /^%files\n {4}(\S+) \S+$/gm]]) {
    const text = read(path);
    assert.deepEqual([...text.matchAll(copies)].map((m) => m[1]), ["batchlab"], `${path} takes the program alone`);
    assert.ok(text.includes(`tar xf batchlab-${version}-linux-amd64.tar.gz && mv batchlab-${version}-linux-amd64/batchlab .`), `${path} says where it is`);
  }
  // The container's own command, but for the port, in a folder that has the program alone.
  const lines = new Map(read("packaging/Containerfile").split("\n").filter((l) => /^[A-Z]/.test(l)).map((l) => [l.split(" ")[0], l.slice(l.indexOf(" ") + 1)]));
  assert.deepEqual([lines.get("FROM"), JSON.parse(lines.get("ENTRYPOINT"))], ["scratch", ["/batchlab"]]);
  const words = JSON.parse(lines.get("CMD"));
  assert.ok(words.includes("0.0.0.0:8080"));
  assert.throws(() => execFileSync(program, [...words, "--no-such-flag"], { env, stdio: "pipe" }), (e) => /no flag --no-such-flag/.test(e.stderr), "the flags before it are known");

  const workflow = read(".github/workflows/release.yml");
  for (const [i, line] of workflow.split("\n").entries()) {
    assert.match(line, /^( {2})*((- )?[a-zA-Z_-]+:( \S.*)?|#.*|)$/, `line ${i + 1} of the workflow`);
  }
  const steps = [...workflow.matchAll(/^ +(?:- )?run: (.+)$/gm)].map((m) => m[1]);
  assert.equal(steps.length, 4);
  const tasks = read("build.sh");
  for (const [, task] of steps.join("\n").matchAll(/\.\/build\.sh (\w+)/g)) assert.match(tasks, new RegExp(`^${task}\\(\\) \\{`, "m"), `build.sh has ${task}`);
  const tag = (name) => execFileSync("bash", ["-c", steps[0]], { cwd: root, env: { ...process.env, GITHUB_REF_NAME: name }, stdio: "ignore" });
  tag(`v${version}`);
  assert.throws(() => tag("v0.0.0"), "another tag is refused");
  for (const file of [...workflow.matchAll(/(?:notes-file|go-version-file:) (\S+)/g)].map((m) => m[1])) assert.ok(existsSync(join(root, file)), file);
});
