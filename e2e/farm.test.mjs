// The farm: machines and licences one by one, deadlines, and what becomes of
// them in the drawings.
import { assert, link, test, visit } from "./harness.mjs";

const small = {
  batchlab: 1,
  workload: {
    source: { generator: { key: "farm", params: { jobs: 60, interarrival: 40, "procs-max": 4 } } },
    annotate: { deadlines: { share: 0.7 }, licences: [{ licence: "cad", share: 0.4 }] },
  },
  platform: {
    clusters: [{ name: "farm", packing: "machine", groups: [{ count: 2, processors: 4, licences: ["cad", "mesh"] }, { count: 3, processors: 2, speed: 2, licences: ["cad"] }] }],
    licences: [{ name: "cad", copies: 2 }],
  },
  schedulers: [{ key: "fcfs" }, { key: "bf-unmod" }],
};

const cell = (page, sheet, row, key) => page.locator(`[id="${sheet}.${row}.${key}"]`);

visit({ anew: true }, ({ lab }) => lab.begin(link(small)), {
  async "machines and licences are edited in tables, and a link brings them back"({ lab, page }) {
    await lab.section("machines");
    assert.equal(await cell(page, "groups", 1, "speed").inputValue(), "2");
    // By keyboard alone: a row is added, filled, and left with Enter.
    await page.locator('[id="groups.add"]').focus();
    await page.keyboard.press("Enter");
    await lab.until(async () => await page.evaluate(() => document.activeElement.id) === "groups.2.count");
    await page.keyboard.type("4");
    await page.keyboard.press("Tab");
    await page.keyboard.type("8");
    await page.keyboard.press("Enter");
    await lab.until(async () => await page.evaluate(() => document.activeElement.id) === "groups.add");
    await page.keyboard.press("Shift+Tab"); // nothing is lost on the way
    await lab.type(cell(page, "licences", 0, "name"), "solver");
    await cell(page, "licences", 0, "name").press("Enter");
    await lab.until(async () => await cell(page, "groups", 2, "licences").inputValue() === "solver");
    await lab.run();
    const digest = await lab.digest();
    await lab.reopen();
    await lab.section("machines");
    assert.equal(await cell(page, "groups", 2, "count").inputValue(), "4");
    assert.equal(await cell(page, "groups", 2, "processors").inputValue(), "8");
    assert.equal(await cell(page, "licences", 0, "name").inputValue(), "solver");
    assert.equal(await lab.digest(), digest);
    await cell(page, "groups", 2, "count").focus();
    await page.keyboard.press("Control+Delete");
    await lab.until(async () => await cell(page, "groups", 2, "count").count() === 0);
  },
  async "a file of needs is kept like a log, and its faults name the row before anything runs"({ lab, page }) {
    const drop = (name, text) => lab.loading(() => lab.drop(name, text));
    const section = () => page.locator("[data-sections=rows]").innerText();
    const started = await lab.started();
    for (const [rows, says] of [
      ["5,,cad\n99,7,", /needs\.csv: row 3: there is no job 99/],
      ["5,0,", /row 2: the deadline 0 of job 5 is not after its submission/],
      ["5,,cad:9", /row 2: job 5 needs 9 copies of licence "cad", of which there are 2/],
      ["5,,x", /row 2: job 5 needs a licence that is not there: nobody has licence "x"/],
    ]) {
      await drop("needs.csv", `job,due,licences\n${rows}\n`);
      await lab.until(async () => says.test(await section()));
      assert.ok(await page.locator("#run").isDisabled() || await page.locator("#run").getAttribute("aria-disabled") === "true");
      await page.keyboard.press("Control+Enter");
    }
    await drop("needs.json", '[{"job":5,"licences":["cad:2"]},{"job":6,"due":90000}]');
    assert.equal(await lab.started(), started, "nothing ran on the way");
    await lab.run();
    const digest = await lab.digest();
    await lab.reopen(); // from the browser's own storage
    assert.equal(await lab.digest(), digest);
  },
  async "what rules and machines say wrong stands at its cell before the run"({ lab, page }) {
    await lab.section("machines");
    await lab.section("needs");
    const set = async (sheet, row, key, text) => {
      await lab.type(cell(page, sheet, row, key), text);
      await cell(page, sheet, row, key).press("Enter");
    };
    await lab.loading(() => set("rules", 0, "licence", "nix"));
    await lab.until(async () => /nobody has licence "nix"/.test(await page.locator('[id="rules.0.licence-error"]').innerText()));
    await lab.loading(() => set("rules", 0, "licence", "cad"));
    await lab.loading(() => set("rules", 0, "copies", "3"));
    await lab.until(async () => /3 copies of licence "cad", of which there are 2/.test(await page.locator("[data-sections=rows]").innerText()));
    await lab.loading(() => set("rules", 0, "copies", "1"));
    await set("licences", 0, "copies", "0");
    assert.match(await page.locator('[id="licences.0.copies-error"]').innerText(), /between 1 and/);
    assert.equal(await cell(page, "licences", 0, "copies").getAttribute("aria-invalid"), "true");
  },
  async "weights have sliders, and a small workload runs again by itself"({ lab, page }) {
    const digest = await lab.digest();
    await lab.unfold("sched.1.wait");
    const slider = page.locator('[id="sched.1.wait-slide"]');
    await slider.focus();
    await lab.running(() => page.keyboard.press("End"));
    assert.equal(await page.locator('[id="sched.1.wait"]').inputValue(), "20");
    assert.notEqual(await lab.digest(), digest);
    assert.ok(!(await lab.text()).includes("Settings changed"));
    assert.match(await page.locator(".ran-with").innerText(), /BF_UNMOD.*aging.0\.01.*wait.20.*deadline-min.0\.1.*deadline-max.20.*k.1\.3/);
    await page.keyboard.press("Control+z");
  },
});

test("an experiment asks for its file of needs, and takes no other for it", async ({ lab, page }) => {
  const text = "job,due,licences\n5,,cad\n";
  const { createHash } = await import("node:crypto");
  const doc = structuredClone(small);
  doc.workload.annotate.file = { name: "mine.csv", sha256: createHash("sha256").update(text).digest("hex"), size: text.length };
  await lab.loading(() => lab.open(link(doc)));
  await lab.section("needs");
  const section = () => page.locator("[data-sections=rows]").innerText();
  await lab.until(async () => /needs the file mine\.csv/.test(await section()));
  await lab.drop("other.csv", "job,due,licences\n6,,cad\n");
  await lab.until(async () => /other\.csv is not the file mine\.csv/.test(await section()));
  await lab.loading(() => lab.drop("copy.csv", text));
  await lab.run();
  assert.match(await lab.digest(), /^[0-9a-f]{64}$/);
});

visit({}, ({ lab }) => lab.openReady(link(small)), {
  "cards show deadlines and licences where the workload has some": async ({ lab, page }) => {
    const cards = await page.locator(".cards").innerText();
    for (const name of ["Jobs out of deadline", "Mean tardiness", "Licence usage"]) assert.ok(cards.includes(name), cards);
    const late = Number(/Jobs out of deadline\s+([\d.]+).%/.exec(cards)[1]);
    assert.ok(late > 0 && late <= 100, cards);
  },

  "licences have time lines with a sentence, a table and files": async ({ lab, page }) => {
    await page.locator("#tab-series").click();
    const card = page.locator("[data-island=licences]");
    await lab.until(async () => /^Licences in B BF_UNMOD: of \w+ most is in use/.test(await card.locator(".bl-stage").getAttribute("aria-label").catch(() => "")));
    // Curves and licences are one: what is pointed at in one is said in the other, and both show one span.
    const plot = page.getByRole("application", { name: /^From / }), span = () => plot.getAttribute("aria-label");
    await plot.hover({ position: { x: 400, y: 100 } });
    await card.locator(".bl-tipbox:visible", { hasText: /cad/ }).waitFor();
    await card.locator(".bl-stage").hover({ position: { x: 300, y: 20 } });
    await page.locator("[data-island=series] .bl-tipbox:visible", { hasText: /busy/ }).waitFor();
    const whole = await span();
    await page.mouse.wheel(0, -240);
    await lab.until(async () => await span() !== whole);
    await plot.focus();
    await page.keyboard.press("0");
    await lab.until(async () => await span() === whole);
    await card.getByRole("button", { name: "Show as table" }).click();
    const table = await card.locator("table").innerText();
    assert.match(table, /cad\s+2\s+[\d.]+.%/);
    await card.getByRole("button", { name: "Save this chart" }).click();
    const csv = await lab.download(() => page.getByRole("menuitem", { name: "CSV" }).click());
    const rows = csv.trim().split("\r\n");
    assert.equal(rows[0], "licence,copies,at_s,copies_in_use,blocked_jobs");
    assert.ok(rows.length > 10 && rows.slice(1).every((r) => Number(r.split(",")[3]) <= Number(r.split(",")[1] || 1e9)), "never more copies than there are");
  },

  "the table lists the jobs that missed their deadline": async ({ lab, page }) => {
    await page.locator("#tab-table").click();
    const panel = page.locator("#panel-table");
    await panel.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("menuitem", { name: "Missed its deadline" }).click();
    await panel.getByText(/^\d+ of 60.jobs$/).waitFor();
    const csv = await lab.download(() => panel.getByRole("button", { name: "CSV" }).click());
    const [head, ...rows] = csv.trim().split("\r\n").map((r) => r.split(","));
    const at = head.indexOf("lateness_s");
    assert.ok(at > 0 && rows.length > 0 && rows.every((r) => Number(r[at]) > 0), csv.slice(0, 300));
  },

  "missed deadlines are coloured and marked, and the card says by how much": async ({ lab, page }) => {
    await page.locator("#tab-gantt").click();
    const chart = page.locator("#panel-gantt");
    await chart.getByText("missed its deadline").waitFor();
    await lab.choose(chart.getByLabel("Colour jobs by"), "deadline");
    await chart.getByText("deadline missed").waitFor();
    const pixels = () => page.evaluate(() => {
      const swatch = [...document.querySelectorAll("#panel-gantt .bl-sw")].find((e) => e.nextElementSibling?.textContent === "deadline missed");
      const want = getComputedStyle(swatch).backgroundColor.match(/\d+/g).map(Number);
      let n = 0;
      for (const canvas of document.querySelectorAll("#panel-gantt .bl-gw canvas")) { // each layer has its own
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        for (let i = 0; i < data.length; i += 4) if (data[i] === want[0] && data[i + 1] === want[1] && data[i + 2] === want[2]) n++;
      }
      return n;
    });
    await lab.until(async () => await pixels() > 500);
    await lab.choose(chart.getByLabel("Colour jobs by"), "wait");
    await lab.until(async () => await pixels().catch(() => 0) === 0);
    await page.locator("#panel-gantt canvas.bl-top").first().focus();
    for (let i = 0; i < 30; i++) await page.keyboard.press(".");
    await chart.locator(".bl-hc").getByText("Deadline").first().waitFor();
  },

  "a waiting job's priority is taken apart at any instant of its wait": async ({ lab, page }) => {
    await page.locator("#tab-gantt").click();
    await page.locator(".chip-name").nth(1).click();
    await page.locator("#panel-gantt canvas.bl-top").first().focus();
    const terms = page.locator("#panel-gantt .bl-terms");
    for (let i = 0; i < 60 && await terms.count() === 0; i++) {
      await page.keyboard.press(".");
      await lab.settled();
    }
    const said = () => terms.innerText();
    await lab.until(async () => /of \d+.waiting job/.test(await said()));
    for (const term of ["Aging", "Deadline", "Licences", "Shortness"]) assert.ok((await said()).includes(term));
    const before = await said();
    await terms.locator("input").focus();
    await page.keyboard.press("Home"); // when it was submitted: it had not aged yet
    await lab.until(async () => /Aging\s+0\.00/.test(await said()));
    assert.notEqual(await said(), before);
  },
});

test("a workload without deadlines and licences says nothing of them", async ({ lab, page }) => {
  await lab.openReady();
  assert.ok(!(await page.locator(".cards").innerText()).includes("deadline"));
  await page.locator("#tab-gantt").click();
  await page.locator("#panel-gantt canvas.bl-top").first().waitFor();
  assert.ok(await page.locator("#panel-gantt option[value=deadline]").evaluate((e) => getComputedStyle(e).display === "none" && !e.checkVisibility()));
  await page.locator("#tab-series").click();
  assert.ok(await page.locator("[data-island=licences]").isHidden());
  await page.locator("#tab-table").click();
  const head = page.locator("#panel-table .bl-th");
  await head.locator("[role=columnheader]").first().waitFor();
  assert.ok(!(await head.innerText()).includes("Late"));
});

test("a spreadsheet is pasted into a table, and drawn machines can be listed", async ({ lab, page }) => {
  const doc = structuredClone(small);
  doc.platform = { generator: { key: "farm-machines", params: { machines: 6, licences: 2 } } };
  doc.workload.annotate.licences = [{ licence: "*", share: 0.4 }];
  await lab.openReady(link(doc));
  await lab.section("machines");
  const digest = await lab.digest();
  await page.getByRole("button", { name: "List these machines" }).click();
  await cell(page, "groups", 0, "count").waitFor();
  await lab.run();
  assert.equal(await lab.digest(), digest, "listed one by one they are the same machines");
  await cell(page, "groups", 0, "count").focus();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "7\t16\t1.5\r\n5\tx\t2\r\n");
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await lab.until(async () => await cell(page, "groups", 0, "processors").inputValue() === "16");
  assert.equal(await cell(page, "groups", 1, "count").inputValue(), "5");
  assert.match(await page.locator('[id="groups.1.processors-error"]').innerText(), /x is not a whole number/);
});

test("a scheduler that cannot run is named at its row or its input, and nothing runs; the log's own schedule runs on machines", async ({ lab, page }) => {
  const doc = structuredClone(small);
  doc.schedulers = [{ key: "as-logged" }, { key: "bf-mod", params: { "deadline-min": 30 } }];
  await lab.loading(() => lab.open(link(doc)));
  const side = page.locator(".side");
  await lab.until(async () => /deadline-max is 20, less than deadline-min, which is 30/.test(await page.locator("main").innerText() + await side.innerText()));
  assert.equal(await page.locator("#run").getAttribute("aria-disabled"), "true");
  await page.keyboard.press("Control+Enter");
  await lab.unfold("sched.1.wait");
  assert.match(await page.locator('[id="sched.1.deadline-max-error"]').innerText(), /less than deadline-min/);
  assert.equal(await lab.started(), 0, "nothing ran on the way");
  await lab.type(page.locator('[id="sched.1.deadline-min"]'), "1");
  await page.locator('[id="sched.1.deadline-min"]').press("Tab");
  await lab.run();
  assert.match(await lab.digest(), /^[0-9a-f]{64}$/);
});
