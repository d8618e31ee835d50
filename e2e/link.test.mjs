// Links: an experiment in the address, and damaged ones.
import { assert, link, test } from "./harness.mjs";

const document = { batchlab: 1, seed: 3, workload: { source: { bundled: "demo" } },
  schedulers: [{ key: "fcfs" }, { key: "easy", params: { order: "saf", backfill: "spf" } }] };

test("a copied link opens in another profile with the same digest", async ({ lab, page }) => {
  await lab.openReady(link(document));
  const digest = await lab.digest();
  const copied = await lab.copyLink();
  assert.match(copied, /#.*x=/);
  const hash = new URL(copied).hash;
  await page.goto("about:blank");
  await lab.openReady(hash);
  assert.equal(await lab.digest(), digest);
  assert.match(await lab.text(), /reproduced/i);
});

test("a link with another expected digest says that it differs", async ({ lab }) => {
  await lab.openReady(link({ ...document, expect: { digest: "0".repeat(64) } }));
  assert.match(await lab.text(), /differ|not reproduced/i);
});

test("damaged links end in a message and the default preset", async ({ lab, page }) => {
  const good = link(document);
  const hostile = [
    "#x=", "#x=!!!!", good.slice(0, 30), `${good.slice(0, 20)}AAAA${good.slice(24)}`,
    link("[".repeat(10_000)), link({ ...document, oops: 1 }), link({ ...document, seed: "one" }),
    `#x=${"A".repeat(70_000)}`,
  ];
  for (const hash of hostile.slice(0, 2)) {
    await page.goto("about:blank");
    await lab.openReady(hash);
    assert.match(await lab.text(), /link could not be opened/i, hash.slice(0, 40));
    assert.match(await lab.digest(), /^[0-9a-f]{64}$/, "the default preset runs");
  }
  const digest = await lab.digest();
  for (const hash of hostile.slice(2)) { // the others while the page is open
    await page.locator(".notice").getByRole("button", { name: "Close" }).click();
    await page.locator(".notice").waitFor({ state: "detached" });
    await page.evaluate((h) => { location.hash = h; }, hash);
    await page.locator(".notice").waitFor();
    assert.match(await lab.text(), /link could not be opened/i, hash.slice(0, 40));
    assert.equal(await lab.digest(), digest, "the results stay");
  }
});

test("no request carries the experiment", async ({ lab, page }) => {
  const urls = [];
  page.on("request", (r) => urls.push(r.url() + (r.postData() || "")));
  const hash = link(document);
  await lab.openReady(hash);
  assert.ok(urls.length > 3);
  for (const u of urls) assert.ok(!u.includes(hash.slice(3, 40)), u);
});

test("a link that is followed again while its address stands there opens what it says", async ({ lab, page }) => {
  await lab.openReady(link(document));
  const seed = await lab.unfold("seed"), hash = await page.evaluate(() => location.hash);
  await lab.type(seed, "none"); // is no seed: the address stays
  await page.keyboard.press("Enter");
  await lab.settled();
  assert.equal(await page.evaluate(() => location.hash), hash);
  await page.evaluate(() => Object.assign(globalThis.document.body.appendChild(globalThis.document.createElement("a")), { href: location.hash }).click());
  await lab.until(async () => await seed.inputValue() === "3");
});
