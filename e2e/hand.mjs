// A hand is slower than a frame, and an eye sees whole frames: whatever a test does
// to a page, it looks at it, and does the next thing, once the page has drawn what
// came of it. No test has to wait between an action and an assertion for what the
// page does at once; for what workers, the network or a store have to do first, it
// waits itself.
import { calm, touch, touched } from "./watch.mjs";

const acts = {
  page: ["goto", "reload", "goBack", "goForward", "setViewportSize", "emulateMedia", "addStyleTag", "click", "fill"],
  locator: ["click", "dblclick", "tap", "fill", "clear", "press", "pressSequentially", "check", "uncheck", "setChecked", "selectOption", "setInputFiles", "dispatchEvent", "focus", "scrollIntoViewIfNeeded"],
  keyboard: ["down", "up", "press", "type", "insertText"],
};
/** What the browser hands to the page no sooner than in its next frame. */
const moves = { locator: ["hover"], mouse: ["move", "down", "up", "click", "dblclick", "wheel"] };
/** What ends when something came about, which need not be drawn in full. */
const waits = { page: ["waitForFunction", "waitForURL"], locator: ["waitFor"] };
const looks = {
  page: ["evaluate", "$eval", "$$eval", "content", "title", "textContent", "innerText", "innerHTML", "getAttribute", "inputValue", "isChecked", "isDisabled", "isEnabled", "isHidden", "isVisible", "screenshot"],
  locator: ["evaluate", "evaluateAll", "boundingBox", "count", "all", "allInnerTexts", "allTextContents", "getAttribute", "innerHTML", "innerText", "inputValue", "textContent", "isChecked", "isDisabled", "isEnabled", "isHidden", "isVisible", "screenshot"],
};

/** Waits until a page has drawn what was done to it. */
async function rest(page) {
  if (!touched.has(page)) return;
  const frame = touched.get(page);
  touched.delete(page);
  await calm(page, frame);
}

let given = false;

/** Gives all pages of a browser such a hand and eye; page is any of them. */
export function lendHand(page) {
  if (given) return;
  given = true;
  const things = { page, locator: page.locator("body"), keyboard: page.keyboard, mouse: page.mouse };
  const of = { page: (t) => t, locator: (t) => t.page(), keyboard: (t) => t._page, mouse: (t) => t._page };
  const wrap = (table, around) => {
    for (const [kind, names] of Object.entries(table)) {
      const type = Object.getPrototypeOf(things[kind]);
      for (const name of names) {
        const plain = type[name];
        type[name] = function (...args) { return around(of[kind](this), () => plain.apply(this, args)); };
      }
    }
  };
  const act = (frame) => async (page, does) => {
    await rest(page);
    try {
      return await does();
    } finally {
      touch(page, frame);
    }
  };
  wrap(acts, act(false));
  wrap(moves, act(true));
  wrap(waits, async (page, does) => { const got = await does(); touch(page); return got; });
  wrap(looks, async (page, does) => { await rest(page); return does(); });
}
