// What comes from strangers: damaged links and documents by the thousand, each of
// which ends in a message. What they cost is measured by ./build.sh bench.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, root, test } from "./harness.mjs";

const golden = JSON.parse(readFileSync(join(root, "core/experiment/testdata/links.json"), "utf8"));

test("10,000 damaged links: always a message, never a hang", async ({ lab, page }) => {
  await lab.openReady(golden[0].hash);
  await page.evaluate((hashes) => {
    // Entries of this visit are not followed; these come from outside.
    Object.defineProperty(history, "state", { get: () => null, configurable: true });
    let seed = 12345;
    const random = (n) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % n;
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_&=#%";
    for (let i = 0; i < 10_000; i++) {
      let h = hashes[i % hashes.length];
      for (let k = 0; k <= random(3); k++) {
        const at = 3 + random(h.length - 3);
        h = [h.slice(0, at), h.slice(0, at) + letters[random(letters.length)] + h.slice(at + 1), h.slice(0, at) + h.slice(at + 1 + random(5)), h.slice(0, at) + h.slice(3)][random(4)];
      }
      window.dispatchEvent(new HashChangeEvent("hashchange", { newURL: location.href.split("#")[0] + h }));
    }
    delete history.state;
  }, golden.filter((l) => l.digest).map((l) => l.hash));
  await page.getByText(/could not be opened/).first().waitFor();
  await page.locator("#open-log").click();
  const said = (await page.innerText(".dialog pre")).split("\n").filter((l) => l.includes("could not be opened"));
  assert.ok(said.length > 100, `only ${said.length} of the last messages are of links`);
  await page.keyboard.press("Escape");
  await page.evaluate(() => { location.hash = "#x=AAAA"; });
  await page.getByText(/could not be opened/).first().waitFor();
  await lab.running(() => page.evaluate((h) => { location.hash = h; }, golden[2].hash));
  assert.equal(await lab.digest(), golden[2].digest, "the page works as before");
});

test("1,000 damaged documents dropped on the page: always a message, never a hang", async ({ lab, page }) => {
  await lab.openReady(golden[0].hash);
  await page.evaluate(async (good) => {
    let seed = 777;
    const random = (n) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % n;
    const letters = '{}[]",:0123456789eE-+.\\u00e9';
    const drop = (text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "e.json"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    };
    for (let i = 0; i < 1000; i++) {
      let t = good;
      for (let k = 0; k <= random(3); k++) {
        const at = random(t.length);
        t = [t.slice(0, at), t.slice(0, at) + letters[random(letters.length)] + t.slice(at + 1), t.slice(0, at) + t.slice(at + 1 + random(9)), t.slice(0, at) + t.slice(at >> 1)][random(4)];
      }
      drop(t.slice(0, -1 - random(3))); // never whole: a whole one would run
      if (i % 10 === 9) await new Promise((r) => setTimeout(r, 10));
    }
  }, JSON.stringify({ batchlab: 1, seed: 3, workload: { source: { bundled: "demo" }, filter: { users: [1, 2, 3] } }, schedulers: [{ key: "easy", label: "Ours", params: { order: "saf" } }] }));
  await page.getByText(/e\.json could not be opened/).first().waitFor();
  await lab.settled();
  await lab.running(() => lab.drop("good.json", JSON.stringify({ batchlab: 1, workload: { source: { bundled: "demo" } }, schedulers: [{ key: "easy" }] })));
  assert.equal(await lab.digest(), golden[0].digest);
});
