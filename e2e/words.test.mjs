// Words of the trade open their entries where they stand.
import { assert, test } from "./harness.mjs";

/** Terms of batch scheduling, simulation and statistics, as papers and manuals have them. */
const field = `advance reservation|age|aging|archive|area|arrival|backfill|backfilling|backfill order|baseline|batch|batsim|best effort|bootstrap|bounded slowdown|box plot|burst|
checkpoint|clairvoyant|class|cleaning|clamp|cluster|complaint|compression|confidence interval|conservative|contiguous|core|correction|coverage|cumulative distribution|daily cycle|
deadline|decay|digest|distribution|draw|due date|easy|eligibility|estimate|event|expansion factor|extra processor|failure|fair share|fairness|fcfs|flow time|flurry|foresight|
fragmentation|gantt chart|gap|generator|grid|half life|head|heat map|hill climbing|histogram|identity|idle|interarrival|iteration|job|kernel|killed job|laf|lateness|laxity|lcfs|lead time|
lexp|licence|limit|load|load balancing|local search|log|lpf|lqf|lublin feitelson|machine scheduler|makespan|malleable|mean wait|measuring window|median|metaheuristic|minimum completion time|
moldable|mtbf|node|offered load|off line|on line|order|orig bf|outage|overestimate|overload|packing|paired|partition|penalty|percentile|plan|plan rs|policy|preemption|predictability|prediction|predictor|
priority|processor|profile|quantile|queue|queue order|random search|reaction|ready time|rejected job|repair time|repeat|requested time|resampling|reservation|response time|rigid|rollout|run time|
saf|scheduler|seed|set up time|sexp|shadow time|simulated annealing|site|sjf|slowdown|spf|sqf|standard deviation|starvation|steady state|submission|suspend|swf|tabu search|tardiness|think time|
threshold|throughput|tie|trace|trial|turnaround|user|utilization|wait|walltime|warm up|weekly cycle|weight|window|work|worker|workload|xnes`.replace(/\n/g, "").split("|");

test("a term opens its entry by a press and by the keyboard, and the focus comes back", async ({ lab, page }) => {
  const asked = [];
  page.on("request", (r) => { if (r.url().includes("glossary")) asked.push(r.url()); });
  await lab.openReady();
  const terms = () => page.evaluate(() => window.batchlabWords?.() || []);
  await lab.until(async () => (await terms()).length > 3);
  assert.deepEqual(asked, [], "the entries are fetched when one is asked for");
  // A press where it stands.
  let spot;
  await lab.until(async () => (spot = await page.evaluate(() => {
    for (const r of CSS.highlights.get("words")) {
      const b = r.getBoundingClientRect();
      if (b.width && document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2) === r.startContainer.parentElement) return { term: r.term, x: b.x + b.width / 2, y: b.y + b.height / 2 };
    }
    return null;
  })));
  await page.mouse.click(spot.x, spot.y);
  const box = page.locator("#words");
  await box.waitFor({ state: "visible" });
  assert.equal((await box.locator("h2").innerText()).toLowerCase(), spot.term.toLowerCase());
  assert.ok((await box.innerText()).length > spot.term.length + 20, "it says something");
  assert.equal(asked.length, 1);
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "hidden" });
  // By the keyboard: H lists what is in view, Enter opens an entry, Esc goes back.
  await page.locator("#open-share").focus();
  await page.keyboard.press("h");
  await box.waitFor({ state: "visible" });
  assert.equal(await box.locator(".words-list button").count(), (await terms()).filter((t, i, all) => all.indexOf(t) === i).length);
  assert.equal(await page.evaluate(() => document.activeElement.closest("#words")?.getAttribute("role")), "dialog");
  const first = await page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press("Enter");
  await lab.until(async () => (await box.locator("h2").innerText()).toLowerCase() === first.toLowerCase());
  await page.keyboard.press("Escape");
  await lab.until(() => page.evaluate(() => document.activeElement.id === "open-share"));
  assert.equal(await lab.flag("runs"), "done", "Esc was for the glossary alone");

  // What is pressed for something else: a small ? beside it, and H where the focus is.
  const chip = page.locator(".chip-name", { hasText: "EASY" }).first();
  await chip.hover();
  await page.locator("#ask-word").click();
  await lab.until(async () => await box.locator("h2").innerText().catch(() => "") === "EASY");
  await page.keyboard.press("Escape");
  await page.mouse.move(5, 5);
  await chip.focus();
  await page.keyboard.press("h");
  await lab.until(async () => await box.locator("h2").innerText().catch(() => "") === "EASY");
  await page.keyboard.press("Escape");
  await lab.until(() => page.evaluate(() => document.activeElement.textContent.includes("EASY")));

  // All that can be read on the page: terms of the field that stand there have their entries.
  const read = new Set();
  const walk = async () => {
    await lab.settled();
    const words = await page.evaluate(() => [document.body.innerText, ...[...document.querySelectorAll("[title], [aria-label]")].filter((e) => e.checkVisibility()).map((e) => `${e.title} ${e.getAttribute("aria-label") || ""}`)].join("\n").toLowerCase().replace(/[\u00a0\s-]+/g, " "));
    for (const t of field) if (new RegExp(`(?<![\\p{L}])${t}s?(?![\\p{L}])`, "u").test(words)) read.add(t);
  };
  for (let i = 0; i < 3; i++) await page.evaluate(() => document.querySelectorAll("#side [aria-expanded=false]:not([aria-haspopup])").forEach((b) => b.click())), await lab.settled();
  await walk();
  for (const id of await page.locator("[role=tab]").evaluateAll((l) => l.map((e) => e.id))) await page.evaluate((i) => document.getElementById(i).click(), id), await walk();
  for (const id of ["presets", "export", "display", "add", "share", "help", "jobs", "metric-mean-wait"]) await page.evaluate((i) => document.getElementById(`open-${i}`)?.click(), id), await walk(), await page.keyboard.press("Escape");
  for (const id of ["papers", "lessons", "cases"]) await page.evaluate((i) => document.getElementById(`place-${i}`).click(), id), await walk();
  const entries = await page.evaluate(async () => (await (await fetch("glossary.json")).json()).flatMap((e) => e.words).map((w) => w.toLowerCase().replace(/[\s-]+/g, " ")));
  assert.ok(read.size > 60, `${read.size} terms of the field are read`);
  assert.deepEqual([...read].filter((t) => !entries.some((w) => w === t || w === `${t}s` || `${w}s` === t)), [], "terms without an entry");
});
