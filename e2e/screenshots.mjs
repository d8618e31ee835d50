// Pictures of the page: node e2e/screenshots.mjs [FOLDER]   (./build.sh shots)
// Takes every view in light and dark, at 1440 × 900 and 390 × 844, into a
// folder (e2e/out/shots); with --docs also the few small ones of docs/img; with
// --only=step,cases only views and states of these names; with --firefox as
// Firefox shows them.
// Runs on the built page; what stands in the pictures is what the page shows.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync, deflateSync } from "node:zlib";
import { out, root, serve } from "./common.mjs";
import { launchAsked } from "./firefox.mjs";
import { type } from "./hand.mjs";
import { Lab } from "./lab.mjs";

const wanted = process.argv.slice(2).filter((a) => !a.startsWith("--"));
const folder = wanted[0] || join(out, "shots");
const docs = process.argv.includes("--docs");
const only = process.argv.find((a) => a.startsWith("--only="))?.slice(7).split(",");
const picked = (name) => !only || only.includes(name);
const sizes = { "1440x900": { width: 1440, height: 900 }, "390x844": { width: 390, height: 844 } };
const tabs = ["overview", "gantt", "series", "distributions", "users", "search", "table", "plan"];

/** The links of the small cases, by their keys. */
const cases = new Map([...readFileSync(join(root, "docs", "cases.md"), "utf8").matchAll(/^## (\S+)\n[\s\S]*?\n`(#x=\S+)`$/gm)].map((m) => [m[1], m[2]]));

/** Goes to a place beside the laboratory, from the menu where there is no room for its button. */
async function place(p, key) {
  if (await p.locator(`#place-${key}`).isVisible()) return p.locator(`#place-${key}`).click();
  await p.locator("#open-display").click();
  await p.locator("#menu-display button", { hasText: new RegExp(`^${key}`, "i") }).click();
}

/** States besides the tabs: a name and how to come there. */
const states = {
  presets: (p) => p.locator("#open-presets").click(),
  panes: async (p) => { await p.locator("#tab-gantt").click(); await p.locator(".bl-panes [data-i='2']").click(); },
  share: (p) => p.locator("#open-share").click(),
  display: (p) => p.locator("#open-display").click(),
  help: (p) => p.keyboard.press("?"),
  boxes: async (p) => { await p.locator("#tab-distributions").click(); await p.locator(".bl-boxes").scrollIntoViewIfNeeded(); },
  papers: async (p) => { await p.locator("#open-presets").click(); await p.locator("#open-studies").click(); await p.locator(".papers-cards").waitFor(); },
  study: async (p) => { await p.locator("#open-presets").click(); await p.locator("#study-kurowski2011").click(); await p.locator('[id="paper-kurowski2011-table6"]').click(); await p.locator("#study-card").waitFor(); },
  window: async (p) => {
    await p.locator("#tab-series").click();
    const start = p.locator("#panel-series").getByRole("slider", { name: "Measuring window starts" });
    await start.focus();
    await p.keyboard.press("Shift+ArrowRight");
    await p.waitForTimeout(900);
  },
  metric: async (p) => { await p.locator("#tab-overview").click(); await p.locator("#open-metric-mean-wait").click(); },
  foresight: async (p) => { // the tab is there with its scheduler
    const document = { batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }, { key: "foresight" }] };
    await p.evaluate((hash) => { location.hash = hash; }, `#x=${deflateRawSync(JSON.stringify(document)).toString("base64url")}`);
    await p.locator("#tab-foresight").click();
  },
  shared: async (p, narrow) => { // partitions, QOS and accounts in the left column
    const document = { batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "fcfs" }, { key: "easy" }], platform: {
      clusters: [{ name: "birch", packing: "nodes", groups: [{ count: 60, processors: 2 }, { count: 4, processors: 4, gpus: 4 }] }],
      partitions: [{ name: "normal", max_time: 259200, default_time: 3600, nodes: [{ group: 0 }] }, { name: "gpu", tier: 2, qos: "gpu", nodes: [{ group: 1 }] }],
      qos: [{ name: "normal", limits: { user_jobs: 20 } }, { name: "gpu", priority: 100, limits: { processors: 12, user_processors: 8 } }],
      accounts: [{ number: 1, shares: 60, limits: { processors: 64 } }, { number: 2, parent: 1 }] } };
    await p.evaluate((hash) => { location.hash = hash; }, `#x=${deflateRawSync(JSON.stringify(document)).toString("base64url")}`);
    if (narrow) await p.locator("#open-drawer").click();
    for (const key of ["partitions", "qos"]) await new Lab(p, base).section(key);
    await p.locator("#section-partitions").scrollIntoViewIfNeeded();
  },
  settings: async (p, narrow) => { if (narrow) await p.locator("#open-drawer").click(); await p.locator("#glance").click(); },
  step: async (p) => { await p.evaluate((hash) => { location.hash = hash; }, `${cases.get("beside")}&v=1_tgantt_a1_s600`); await p.locator(".bl-step[data-step='600']").waitFor(); },
  pair: async (p) => { await p.evaluate((hash) => { location.hash = hash; }, `${cases.get("beside")}&v=1_tgantt_a1_b0_s600_g1`); await p.locator(".bl-step[data-two=true][data-step='600']").waitFor(); },
  lanes: async (p) => { await p.evaluate((hash) => { location.hash = hash; }, `${cases.get("grid")}&v=1_tgantt_a0_s720`); await p.locator(".bl-step[data-step='720']").waitFor(); },
  cases: async (p) => { await place(p, "cases"); await p.locator(".case-right [data-j='3']").first().waitFor(); await p.locator("[data-cell='2/3']").focus(); },
  place: async (p) => { await place(p, "cases"); await p.locator(".case-right [data-j='3']").first().waitFor(); await p.locator("[data-do=place]").click(); await p.keyboard.press("Enter"); },
  lesson: async (p) => { await place(p, "lessons"); await p.locator("#lesson-promise").click(); await p.locator(".lesson-board svg").first().waitFor(); },
  stale: async (p, narrow) => {
    if (narrow) await p.locator("#open-drawer").click();
    await type(await new Lab(p, base).unfold("tau"), "60");
    await p.keyboard.press("Enter");
    if (narrow) await p.keyboard.press("Escape"), await p.keyboard.press("Escape");
  },
};

mkdirSync(folder, { recursive: true });
const { server, base } = await serve();
let browser, count = 0;
try {
  for (const scheme of ["light", "dark"]) {
    await browser?.close();
    browser = await launchAsked({ dark: scheme === "dark" });
    for (const [size, viewport] of Object.entries(sizes)) {
      const open = async () => {
        const context = await browser.newContext({ viewport, colorScheme: scheme, reducedMotion: "reduce" });
        const page = await context.newPage();
        await page.addInitScript(() => { try { localStorage.setItem("batchlab-hints", "off"); } catch { /* not kept */ } });
        const lab = new Lab(page, base);
        await lab.openReady();
        await page.waitForTimeout(500);
        return { context, page };
      };
      const take = async (page, name) => {
        await page.waitForTimeout(700);
        await page.screenshot({ path: join(folder, `${name}-${scheme}-${size}.png`) });
        count++;
      };
      const chosen = tabs.filter(picked);
      const { context, page } = await open();
      for (const tab of chosen) {
        await page.locator(`#tab-${tab}`).click();
        if (tab === "plan") { // conservative backfilling makes one
          await page.locator(".chip-name").nth(2).click();
          await page.locator('.bl-plan[data-plan]:not([data-plan=""])').waitFor();
        }
        await page.mouse.move(0, 0);
        await take(page, tab);
      }
      await context.close();
      for (const [name, act] of Object.entries(states).filter(([name]) => picked(name))) {
        const { context, page } = await open();
        await act(page, viewport.width < 600);
        await page.mouse.move(0, 0);
        await take(page, name);
        await context.close();
      }
    }
  }
  console.log(`${count} pictures in ${folder}`);
  if (docs) await forDocs();
} finally {
  await browser?.close();
  server.kill();
}

/** The pictures of the documentation, with few colours, so that they are small. */
async function forDocs() {
  const img = join(root, "docs", "img");
  mkdirSync(img, { recursive: true });
  const pick = {
    "overview.png": "overview-light-1440x900", "gantt.png": "gantt-light-1440x900", "series.png": "series-light-1440x900",
    "distributions.png": "distributions-light-1440x900", "table.png": "table-light-1440x900", "presets.png": "presets-light-1440x900",
    "workload.png": "settings-light-1440x900", "step.png": "step-light-1440x900", "metric.png": "metric-light-1440x900", "dark.png": "overview-dark-1440x900", "phone.png": "overview-light-390x844",
  };
  const page = await browser.newPage();
  for (const [name, from] of Object.entries(pick).filter(([, from]) => picked(from.split("-")[0]))) {
    const data = readFileSync(join(folder, `${from}.png`)).toString("base64");
    // The browser draws the picture at most 1200 wide and gives its pixels.
    const { width, height, pixels } = await page.evaluate(async (data) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const scale = Math.min(1, 1200 / image.width), w = Math.round(image.width * scale), h = Math.round(image.height * scale);
      const canvas = new OffscreenCanvas(w, h), context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, w, h);
      const raw = context.getImageData(0, 0, w, h).data;
      let text = "";
      for (let i = 0; i < raw.length; i += 32768) text += String.fromCharCode(...raw.subarray(i, i + 32768));
      return { width: w, height: h, pixels: btoa(text) };
    }, data);
    writeFileSync(join(name === "overview.png" ? join(root, "docs") : img, name), palettePNG(Buffer.from(pixels, "base64"), width, height));
  }
  await page.close();
  const total = [join(root, "docs", "overview.png"), ...readdirSync(img).map((f) => join(img, f))].filter(existsSync).map((f) => statSync(f).size).reduce((a, b) => a + b, 0);
  console.log(`docs: ${(total / 1e6).toFixed(2)} MB`);
  if (total > 1.5e6) throw new Error("the pictures of the documentation are larger than 1.5 MB");
}

/** Writes RGBA pixels as a PNG of at most 256 colours: the most frequent of
 *  those rounded to 5 bits a channel, others as the nearest of them. */
function palettePNG(rgba, width, height) {
  const n = width * height, key = (i) => (rgba[4 * i] >> 3) << 10 | (rgba[4 * i + 1] >> 3) << 5 | rgba[4 * i + 2] >> 3;
  const sums = new Map();
  for (let i = 0; i < n; i++) {
    const k = key(i);
    let s = sums.get(k);
    if (!s) sums.set(k, s = [0, 0, 0, 0]);
    s[0]++;
    for (let c = 0; c < 3; c++) s[c + 1] += rgba[4 * i + c];
  }
  const palette = [...sums.values()].sort((a, b) => b[0] - a[0]).slice(0, 256).map((s) => [1, 2, 3].map((c) => Math.round(s[c] / s[0])));
  const index = new Map();
  for (const [k, s] of sums) {
    const at = [1, 2, 3].map((c) => s[c] / s[0]);
    let best = 0, least = Infinity;
    palette.forEach((p, i) => {
      const d = (p[0] - at[0]) ** 2 + (p[1] - at[1]) ** 2 + (p[2] - at[2]) ** 2;
      if (d < least) [best, least] = [i, d];
    });
    index.set(k, best);
  }
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = index.get(key(y * width + x));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flat())), chunk("IDAT", deflateSync(lines, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type, data) {
  const head = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const b = Buffer.alloc(8 + data.length + 4);
  b.writeUInt32BE(data.length, 0);
  head.copy(b, 4);
  b.writeUInt32BE(crc(head), 8 + data.length);
  return b;
}

function crc(data) {
  let c = 0xffffffff;
  for (const byte of data) {
    c ^= byte;
    for (let k = 0; k < 8; k++) c = c & 1 ? c >>> 1 ^ 0xedb88320 : c >>> 1;
  }
  return (c ^ 0xffffffff) >>> 0;
}
