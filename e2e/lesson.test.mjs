// Lessons: read by keyboard alone, on a phone, offline; handed in as a link that is judged anew where it is opened.
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { assert, test } from "./harness.mjs";

test("a lesson by keyboard, on a phone, without a network; its answers are judged where their link is opened", { offline: true }, async ({ lab, page, context }) => {
  await lab.openReady("");
  const digest = await lab.digest();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForFunction(() => document.documentElement.dataset.offline === "ready");
  await context.setOffline(true);
  await page.locator("#open-display").press("Enter");
  await page.locator("#menu-display button", { hasText: "Lessons" }).press("Enter");
  await page.locator("#lesson-promise").press("Enter");
  const board = page.locator(".lesson-board svg").first();
  await board.waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "lesson-text", "the lesson has the focus");
  assert.match(await board.getAttribute("aria-label"), /^EASY at 5 min, 4 processors\. Running: job 1 on 3\. Waiting: job 2\.$/);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.id), "lesson-text", "the new text has the focus");
  await page.keyboard.press("ArrowRight"); // a question cannot be passed
  assert.match(await board.getAttribute("aria-label"), /at 10 min.*Waiting: jobs 2, 3\.$/, "nothing later is shown or said");
  await page.keyboard.press("2");
  assert.equal(await page.locator(".lesson-option[aria-pressed=true] .lesson-what").textContent(), "At 60 min".replace("0 m", "0\u00a0m"));
  await page.locator("[data-do=show]:enabled").waitFor(); // the laboratory has computed it
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".lesson-broke").textContent(), /You said at 60\smin.*job 2, which needs 4, was promised its start at 60\smin: it would start 90\smin late/, "what it would break");
  assert.equal(await page.locator(".lesson-after, .lesson-option.right").count(), 0, "and not what is right");
  assert.match(await board.innerHTML(), /step-breach/, "the breach is drawn");
  await page.keyboard.press("Enter"); // no second try
  assert.match(await page.locator(".lesson-after").textContent(), /^At 120 min\./);
  assert.match(await page.locator(".lesson-option.right").textContent(), /120.*what happens/);
  assert.equal(await board.getAttribute("aria-label"), "EASY at 120 min, 4 processors. Running: job 3 on 1. Ended: jobs 1, 2.", "and of the next question nothing");
  for (const key of ["ArrowRight", "2", "Enter", "ArrowRight", "1", "Enter", "3", "Enter", "ArrowRight", "1", "Enter", "ArrowRight", "ArrowRight"]) {
    if (key === "Enter") await page.locator("[data-do=show]:enabled").waitFor();
    await page.keyboard.press(key);
    await page.locator(".lesson-board svg, .lesson-hand").first().waitFor();
  }
  await page.locator(".lesson-text", { hasText: "3 of 4 agree with what the laboratory computed." }).waitFor();
  await page.evaluate(() => { navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }; });
  await page.locator("#lesson-name").click();
  await page.keyboard.type("Ada <b>Lovelace</b>", { delay: 20 });
  await page.locator("[data-do=copy]").click();
  const link = await page.evaluate(() => window.copied);
  assert.match(link, /#a=[\w-]+$/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  assert.equal(await lab.digest(), digest, "what was in the laboratory stayed as it was");
  await context.setOffline(false);
  await page.goto("about:blank");
  await page.goto(link);
  await page.locator(".lesson-text", { hasText: "Ada <b>Lovelace</b>: 3 of 4 agree with what the laboratory computed." }).waitFor();
  assert.equal(await page.locator(".lesson-hand").count(), 0, "nobody answers for others");
});

test("a lesson of somebody's own whose question is not decided is refused with the step; one that is opens", async ({ lab, page }) => {
  const link = (options) => "#l=" + deflateRawSync(JSON.stringify({
    "batchlab-lesson": 1, title: "Mine", steps: [
      { text: "Look.", case: "hole" },
      { text: "Now say.", ask: { prompt: "Who waits less?", kind: "job", of: "wait", against: 0, options, scheduler: 1 } },
    ],
  })).toString("base64url");
  await lab.openReady("");
  const open = (hash) => page.evaluate((h) => { location.hash = h; }, hash);
  await open(link([1, 2])); // neither gains
  await page.locator(".fault-text li", { hasText: "Step 2, “Who waits less?”: two options are equally right: 1 and 2." }).waitFor();
  assert.equal(await page.locator(".lesson-option, #lesson-text, .lesson-board").count(), 0, "nothing of it can be read");
  await page.locator("[data-do=list]").click();
  await open(link([1, 2, 3]));
  await page.locator("#lesson-text", { hasText: "Look." }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "lesson-text", "the lesson has the focus");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("3");
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".lesson-option.right").textContent(), /Job 3.*right, your answer/);
});

test("a lesson's board is the step view's, and each answer leads to its instant and back", async ({ lab, page }) => {
  await lab.openReady("#p=lessons.promise");
  await page.locator("[data-do=next]").click();
  await page.locator(".lesson-right .step-g").waitFor();
  const board = () => page.innerText(".lesson-right");
  assert.deepEqual(await lab.undefinedColours(".lesson-right"), []);
  assert.match(await board(), /Job 2, the head[\s\S]*60\smin at the latest/, "the promise is drawn beside the question");
  assert.equal(await page.locator(".lesson-right rect[data-j='3']").count(), 0, "the job that is asked about stands nowhere yet");
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await page.locator("[data-do=retry]").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".lesson-step a").waitFor();
  assert.match(await page.innerText(".lesson-why"), /^Job 3 needs 1/);
  await page.locator(".lesson-step a").click();
  await page.locator(".bl-step[data-step='7200']").waitFor();
  await page.goBack();
  await page.locator(".lesson-step a").waitFor();
  assert.match(await page.innerText(".lesson-option.right"), /At 120\smin/, "the answer stands there as it was given");
});

test("a lecturer pastes what was handed in, and has it marked and as a file", async ({ lab, page }) => {
  const answer = async (name, options) => { // as a student does
    await lab.openReady("#p=lessons.hole");
    await page.evaluate(() => localStorage.removeItem("batchlab.lesson.hole"));
    await page.reload();
    await lab.ready();
    for (let i = 0; ; i++) {
      if (await page.locator("[data-do=next]").isVisible()) {
        if (await page.locator("#lesson-name").count()) break;
        await page.locator("[data-do=next]").click();
      } else if (await page.locator(".lesson-ask").isVisible()) {
        await page.keyboard.press(String(options[i % options.length]));
        await page.locator("[data-do=show]:enabled").click();
      } else if (await page.locator("#lesson-name").count()) break;
    }
    await lab.type(page.locator("#lesson-name"), name);
    await page.locator("[data-do=copy]").click();
    let link = "";
    await lab.until(async () => /#a=/.test(link = await page.evaluate(() => navigator.clipboard.readText())));
    return link;
  };
  const ann = await answer("Ann", [1]), ben = await answer("Ben", [2]);
  assert.notEqual(ann, ben);
  await lab.openReady("#p=lessons");
  await page.locator("#mark-answers").click();
  await page.locator("#mark-text").click();
  await page.keyboard.insertText(`Ann: ${ann}\nBen: <${ben}> again ${ben}\nbroken ${ann.slice(0, -9)}`);
  await page.locator(".lesson-class").waitFor();
  const text = (await page.innerText(".lesson-marking")).replaceAll("\u00a0", " ");
  assert.match(text, /2 answers to “The hole before a wide job”/);
  assert.match(text, /the same link 2 times/);
  assert.match(text, /1 link that cannot be judged/);
  // Projected: what was said at first, what a wrong answer would break, and only then what happens.
  await page.locator("[data-do=project]").first().click();
  const wall = page.locator("dialog.lesson-wall");
  await wall.locator(".wall-board svg").waitFor();
  assert.equal(await wall.locator(".wall-answer.right").count(), 0);
  await wall.locator("[data-say]").first().click();
  assert.equal(await wall.locator("[data-say='0']").getAttribute("aria-pressed"), "true");
  await wall.locator("[data-reveal]").click();
  assert.match(await wall.locator(".wall-answer.right").innerText(), /what happens/);
  assert.deepEqual(await lab.undefinedColours(".lesson-wall"), []);
  await page.keyboard.press("ArrowRight");
  await wall.locator("header", { hasText: "question 2 of" }).waitFor();
  assert.equal(await wall.locator(".wall-answer.right").count(), 0, "nor is the next one answered");
  await page.keyboard.press("Escape");
  await wall.waitFor({ state: "detached" });
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("[data-do=marks]").click()]);
  const rows = readFileSync(await file.path(), "utf8").trim().split("\n");
  assert.match(rows[0], /^lesson,name,right,of,step,question/);
  assert.ok(rows.some((r) => r.includes(",Ben,")) && rows.some((r) => r.includes(",Ann,")));
  await page.setViewportSize({ width: 390, height: 844 });
  const cut = await page.locator(".lesson-marking :is(p, textarea, .lesson-table)").evaluateAll((list) => list.filter((e) => e.getBoundingClientRect().right > innerWidth).length);
  assert.equal(cut, 0, "nothing is cut at the right of a phone; tables scroll by themselves");
  await page.locator("[data-do=list]").click();
  await page.locator("#lesson-hole").waitFor();
});

test("the same lesson with other numbers, and a job placed by hand, by keys and by a number", async ({ lab, page }) => {
  await lab.openReady("#p=lessons.promise");
  await page.locator("#lesson-text", { hasText: "until 60 min" }).waitFor();
  await page.locator("#other-numbers").click();
  await page.waitForFunction(() => location.hash.includes("p=lessons.promise.1"));
  await page.locator(".lesson-course", { hasText: "numbers 1 of 200" }).waitFor();
  await page.locator("[data-do=next]").click();
  await page.locator(".lesson-right .step-g").waitFor();
  assert.equal(await page.locator(".lesson-option .lesson-small").count(), 3, "options are drawn to scale");
  await page.locator("[data-do=placing]").click();
  const job = page.locator("[data-place]");
  await job.waitFor();
  const at = async () => Number(await job.getAttribute("aria-valuenow"));
  const first = await at();
  await job.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.ok(await at() > first, "keys move it");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.place), "1", "and it keeps the focus");
  const box = await job.locator("rect").boundingBox(), before = await at();
  await page.mouse.move(box.x + 10, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 10, { steps: 4 });
  await page.mouse.up();
  await lab.until(async () => await at() > before);
  await lab.type(page.locator("#lesson-time"), "77");
  await page.locator("#lesson-time").press("Enter");
  await lab.until(async () => await at() === 77 * 60);
  assert.deepEqual(await lab.undefinedColours(".lesson"), []);
  await page.locator("[data-do=show]:enabled").click();
  await page.locator("[data-do=retry]").click();
  await lab.type(page.locator("#lesson-time"), "77");
  await page.locator("#lesson-time").press("Enter");
  assert.equal(await job.getAttribute("aria-valuetext").then((t) => /, placed$/.test(t)), false, "the same wrong time again is no answer");
  await lab.type(page.locator("#lesson-time"), "78");
  await page.locator("#lesson-time").press("Enter");
  await page.locator("[data-do=show]:enabled").click();
  await page.locator(".faint", { hasText: /^Try 2$/ }).waitFor();
  await page.locator(".lesson-move [data-do=show]").click();
  await page.locator(".lesson-after").waitFor();
  assert.match(await page.innerText(".lesson-ask"), /At 78\smin\s*your answer/);
  assert.match(await page.innerText(".lesson-option.right"), /what happens/);
});

test("a lecturer hands out a lesson with numbers for everybody, a word and seals, and sees what was changed", async ({ lab, page }) => {
  await lab.openReady("#p=lessons.hand-out");
  const field = (key) => page.locator(`[data-give=${key}]`);
  await lab.choose(field("key"), "hole");
  await lab.type(field("course"), "Systems, week 6");
  await lab.type(field("word"), "heron");
  await lab.type(field("phrase"), "tall ships");
  await lab.choose(field("numbers"), "seed");
  await lab.type(field("seed"), "7");
  await page.locator("[data-do=prove]").click();
  await page.locator("#given-qr").waitFor();
  assert.match(await page.innerText(".lesson-proof"), /The board was solved/);
  const same = await page.inputValue("#given-link");
  await lab.choose(field("tries"), "2");
  await lab.choose(field("numbers"), "name");
  assert.equal(await field("seed").isVisible(), false);
  await page.locator("[data-do=prove]").click();
  await page.locator("#given-link").waitFor({ timeout: 120_000 });
  assert.match(await page.innerText(".lesson-proof"), /All 200 boards were solved/);
  const link = await page.inputValue("#given-link");
  assert.match(link, /#h=[\w-]+$/);
  await page.goto("about:blank");
  await page.goto(same);
  await page.locator(".lesson-course", { hasText: /Systems, week 6.*numbers 7 of 200/s }).waitFor();
  await page.goto("about:blank");
  await page.goto(link);
  await page.locator("#lesson-who").waitFor();
  await lab.type(page.locator("#lesson-who"), "Ada");
  await page.locator("[data-do=begin]").click();
  await page.locator(".lesson-course", { hasText: /Systems, week 6.*numbers \d+ of 200/s }).waitFor();
  for (;;) {
    await page.locator("[data-do=next], [data-do=show], #lesson-name").first().waitFor();
    if (await page.locator("#lesson-name").count()) break;
    if (await page.locator("[data-do=show]").count()) {
      await page.keyboard.press("1");
      await page.locator("[data-do=show]:enabled").click();
    } else await page.locator("[data-do=next]").click();
  }
  assert.equal(await page.inputValue("#lesson-name"), "Ada");
  await page.locator("[data-do=copy]").click();
  let mine = "";
  await lab.until(async () => /#a=/.test(mine = await page.evaluate(() => navigator.clipboard.readText())));
  await page.goto("about:blank");
  await lab.openReady("#p=lessons.mark");
  await lab.type(page.locator("#mark-word"), "heron");
  await lab.type(page.locator("#mark-phrase"), "tall ships");
  await page.locator("#mark-text").click();
  await page.keyboard.insertText(mine);
  await page.locator(".lesson-class td", { hasText: "as made" }).waitFor();
  assert.match(await page.innerText("[aria-label='Questions']"), /First answers that were wrong/);
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("[data-do=statistics]").click()]);
  assert.match(readFileSync(await file.path(), "utf8"), /^lesson,step,question,what_happens,handed_in,right_at_once,right_later,wrong,none,tells_apart/);
  await lab.type(page.locator("#mark-phrase"), "small ships");
  await page.locator(".lesson-class td", { hasText: /^changed$/ }).waitFor();
  await lab.type(page.locator("#mark-word"), "egret");
  await page.locator(".lesson-class td", { hasText: "the word is “heron”" }).waitFor();
});

// Intent: a lecturer who walks through a run, asks at an instant and writes no answer gets a
// lesson that its readers can answer; what is missing is said, and nothing is handed on before.
test("a lesson is written beside its run, proved, read and kept", async ({ lab, page }) => {
  await lab.openReady("#p=lessons");
  await page.locator("#write-lesson").click();
  await lab.until(async () => await page.locator("[data-do=walk-on]:enabled").count() === 1);
  await lab.type(page.locator("#write-title"), "Who passes?");
  await lab.type(page.locator("#write-summary"), "One wide job waits.");
  const still = () => page.locator(".lesson-walk [role=status]").innerText();
  for (const at of [/still at 0\smin/, /still at 5\smin/]) {
    await page.locator("[data-do=walk-on]").click();
    await lab.until(async () => at.test(await still()));
  }
  await page.locator("[data-do=ask-here]").click();
  await lab.until(async () => /Answer: at 60\smin/.test(await page.locator("#write-known").innerText()));
  await page.locator(".lesson-proof", { hasText: "Every question has one answer." }).waitFor();
  await lab.type(page.locator("#write-options"), "60");
  await page.locator(".fault-text", { hasText: "Step 1, options" }).waitFor();
  assert.equal(await page.locator("[data-do=write-out]").count(), 0, "nothing is handed on while something is missing");
  await lab.type(page.locator("#write-options"), "5, 20, 60");
  await lab.type(page.locator("#write-after"), "Nobody may pass under FCFS.");
  await page.locator(".lesson-proof", { hasText: "Every question has one answer." }).waitFor();
  const drawn = () => page.locator(".lesson-side svg.board").first().getAttribute("viewBox").then((v) => Number(v.split(" ")[2]));
  const wide = await drawn();
  await page.setViewportSize({ width: 390, height: 844 });
  await lab.until(async () => await drawn() <= 390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await lab.until(async () => await drawn() === wide);
  // A second step, with another question, by the keyboard.
  await page.locator("[data-do=add-step]").focus();
  await page.keyboard.press("Enter");
  await lab.until(async () => await page.locator("[data-step]").count() === 2);
  await lab.type(page.locator("#write-text"), "And in all?");
  await lab.choose(page.locator("#write-kind"), "scheduler");
  await lab.type(page.locator("#write-prompt"), "Under which scheduler do jobs wait least?");
  await lab.choose(page.locator("#write-of"), "mean-wait");
  await lab.type(page.locator("#write-after"), "Who backfills waits less.");
  await page.locator(".lesson-proof", { hasText: /Step 1: .*Step 2: / }).waitFor();
  // It is kept for another day, and read as its readers will.
  await page.reload();
  await lab.ready();
  await lab.until(async () => await page.locator("#write-title").count() === 1 && await page.locator("#write-title").inputValue() === "Who passes?");
  await page.locator("[data-do=write-read]").click();
  await page.locator(".lesson-ask", { hasText: "When does job 2 start under FCFS?" }).waitFor();
  await page.locator(".lesson-option", { hasText: /60\s*min/ }).click();
  await page.locator("[data-do=show]:enabled").click();
  await page.locator(".lesson-after", { hasText: "Nobody may pass under FCFS." }).waitFor();
  assert.deepEqual(await lab.undefinedColours(".lesson"), []);
});
