// How true it is: what is simulated beside what the log says happened.
import { assert, test } from "./harness.mjs";

/** A log of so many jobs, each of which waited; every third of them far longer than any scheduler makes it. */
export function waited(n = 400) {
  let text = "; Version: 2.2\n; UnixStartTime: 1000000000\n; MaxProcs: 64\n; MaxNodes: 64\n";
  for (let i = 1; i <= n; i++) {
    const submit = i * 300, wait = i % 3 ? 30 * (i % 7) : 7200 + i, run = 600 + (i * 7919) % 5000, procs = 1 + (i * 31) % 24;
    text += `${i} ${submit} ${wait} ${run} ${procs} -1 -1 ${procs} ${run * 2} -1 1 ${1 + i % 9} ${1 + i % 2} -1 ${i % 2} ${i % 4} -1 -1\n`;
  }
  return text;
}

test("a log with waits: the verdict, and how near each scheduler comes", async ({ lab, page }) => {
  await lab.openReady();
  assert.equal(await page.locator("#tab-truth").count(), 0, "generated jobs never waited");
  await lab.stage("waited.swf", waited());
  await lab.loading(() => lab.dropStaged());
  await lab.run();
  await page.locator("#tab-truth").click();
  const panel = page.locator("#panel-truth");
  await panel.locator("table").first().waitFor();
  await lab.until(async () => /logged\./.test(await panel.locator(".truth-verdict").innerText()));
});
