// What every browser test shares: one server for the built page, one Chromium, one
// Firefox, a fresh profile for each test. Tests import { test, lab, ... } from here.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test as nodeTest } from "node:test";
import { promisify } from "node:util";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";
import { chrome, cli, dist, jitter, logs, out, serve } from "./common.mjs";
import { launchFirefox, missing } from "./firefox.mjs";
import { lendHand } from "./hand.mjs";
import { Lab } from "./lab.mjs";
import { watch } from "./watch.mjs";

export { assert };
export * from "./common.mjs";
let server, base;
const launch = { Chromium: () => chromium.launch(chrome), Firefox: launchFirefox };
/** The browsers that tests asked for, by name, as promises. */
const started = {};

before(async () => {
  assert.ok(existsSync(join(dist, "app.wasm")), "dist/ is missing: run ./build.sh build");
  mkdirSync(out, { recursive: true });
  ({ server, base } = await serve());
});

after(async () => {
  for (const browser of Object.values(started)) await (await browser).close();
  server?.kill();
});

/**
 * A browser test in a fresh profile: test("what it shows", async ({ lab, page, base }) => …),
 * in Chromium, and with { firefox: true } in Firefox as well; browser says in which.
 * It fails also when the page logs an error or throws. Options: width, height,
 * dark, scale (of pixels), locale, forced (colours), still (less motion), offline (with the service worker, which
 * otherwise would keep all files in each test's profile), fresh (nobody has been told
 * yet what this is: the first screen), skip (a reason), errors (a RegExp of messages that belong to the test).
 */
export function test(name, options, body) {
  if (typeof options === "function") [options, body] = [{}, options];
  run(name, options, body, "Chromium");
  if (options.firefox) run(`${name}, in Firefox`, { ...options, skip: missing || options.skip }, body, "Firefox");
}

/**
 * Several things to see on one page, which is opened once: visit(options, open, { "what it shows": async ({ lab, page }) => … }).
 * Each is a test with a name of its own, in their order, on the page as the one before it left it, or with { anew: true }
 * as open makes it once more, see begin in lab.mjs; behind one that fails the page is opened anew.
 */
export function visit(options, open, tests) {
  let at; // the page, while it is open
  const names = Object.keys(tests);
  for (const name of names) nodeTest(name, { timeout: options.timeout || 600_000 }, async () => {
    const first = !at;
    at ??= await enter(options, "Chromium");
    const { context } = at;
    try {
      await seen(name, at, async () => {
        if (first || options.anew) await open(at);
        await tests[name](at);
      });
      if (name === names.at(-1)) await context.close();
    } catch (error) {
      at = undefined;
      await context.close();
      throw error;
    }
  });
}

function run(name, options, body, browser) {
  nodeTest(name, { skip: options.skip || false, timeout: options.timeout || 600_000 }, async () => {
    const at = await enter(options, browser);
    try {
      await seen(name, at, body);
    } finally {
      await at.context.close();
    }
  });
}

/** Opens a page in a fresh profile. */
async function enter(options, browser) {
  const context = await (await (started[browser] ??= launch[browser]())).newContext({
    viewport: { width: options.width || 1440, height: options.height || 900 },
    colorScheme: options.dark ? "dark" : "light",
    deviceScaleFactor: options.scale || 1,
    locale: options.locale,
    forcedColors: options.forced ? "active" : "none",
    reducedMotion: options.still ? "reduce" : "no-preference",
    acceptDownloads: true,
  });
  if (browser === "Chromium") await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
  context.setDefaultTimeout(120_000); // other programs may run beside the tests
  if (!options.offline) await context.addInitScript(() => { delete Navigator.prototype.serviceWorker; });
  if (!options.fresh) await context.addInitScript(() => { try { localStorage.setItem("batchlab-hints", "off"); } catch { /* not kept */ } });
  await context.addInitScript(watch, jitter);
  const page = await context.newPage();
  lendHand(page);
  if (jitter && browser === "Chromium") await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 1 + jitter % 3 });
  const faults = [];
  page.on("console", (m) => {
    // Go's last words come line by line, and not as errors.
    if (/^(panic|fatal error):|^\t.*\.go:\d+ /.test(m.text()) && faults.length < 30) faults.push(m.text());
    if (m.type() === "error" && !options.errors?.test(m.text())) faults.push(`${m.text()} (${m.location().url})`);
  });
  page.on("pageerror", (e) => { if (!options.errors?.test(e.message)) faults.push(`page: ${e.message}`); });
  return { lab: new Lab(page, base), page, base, context, browser, faults };
}

/** Looks at a page, and fails also when it reported errors. */
async function seen(name, at, body) {
  const { page, faults } = at;
  try {
    await body(at);
    assert.deepEqual(faults, [], "the page reported errors");
  } catch (error) {
    await page.screenshot({ path: join(out, `${name.replace(/[^a-z0-9]+/gi, "-").slice(0, 60)}.png`) }).catch(() => {});
    if (faults.length && !String(error.message).includes("reported errors")) error.message += `\nthe page reported: ${faults.join("; ")}`;
    throw error;
  }
}

/** Runs the command line and returns what it printed on standard output. */
export async function batchlab(...args) {
  const { stdout } = await promisify(execFile)(cli, args, { maxBuffer: 1 << 28 });
  return stdout;
}

/** A reason to skip a test that needs a real log, false when it is there. */
export function needsLog(name) {
  if (!logs) return "BATCHLAB_LOGS is not set";
  return existsSync(join(logs, name)) ? false : `${name} is not in BATCHLAB_LOGS`;
}

/** The hash of a link that holds a document, or any text in its place. */
export function link(document) {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  return `#x=${deflateRawSync(text).toString("base64url")}`;
}

/** The document that a link holds. */
export function unlink(address) {
  const hash = new URL(address).hash;
  return JSON.parse(inflateRawSync(Buffer.from(hash.slice(3).split("&")[0], "base64url")));
}

/** The files of a .zip, by its central directory. */
export function unzip(zip) {
  const files = new Map();
  let at = zip.readUInt32LE(zip.lastIndexOf("PK\x05\x06", undefined, "latin1") + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [packed, , name, extra, comment] = [zip.readUInt32LE(at + 20), 0, zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)];
    const from = zip.readUInt32LE(at + 42);
    const data = from + 30 + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28);
    const raw = inflateRawSync(zip.subarray(data, data + packed));
    assert.equal(raw.length, zip.readUInt32LE(at + 24));
    files.set(zip.toString("utf8", at + 46, at + 46 + name), raw);
    at += 46 + name + extra + comment;
  }
  return files;
}
