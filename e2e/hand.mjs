// A hand is slower than a frame, and an eye sees whole frames: whatever a test does
// to a page, it looks at it, and does the next thing, once the page has drawn what
// came of it. No test has to wait between an action and an assertion for what the
// page does at once; for what workers, the network or a store have to do first, it
// waits itself.
import { calm, touch, touched } from "./watch.mjs";

const acts = {
  page: ["goto", "reload", "goBack", "goForward", "setViewportSize", "emulateMedia", "addStyleTag", "click"],
  locator: ["click", "dblclick", "tap", "clear", "press", "pressSequentially", "check", "uncheck", "setChecked", "setInputFiles", "dispatchEvent", "focus", "scrollIntoViewIfNeeded"],
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

/** What no hand does: all letters at once, or a choice that comes from nowhere. */
const magic = { page: ["fill", "selectOption", "type"], locator: ["fill", "selectOption", "type"] };

/** How long a key takes, in milliseconds: the page draws what came of one before the next. */
export const pace = 20;

/** Fills a field as a person does: a click, all that stands there marked, then key by key; several lines at once, as from a clipboard. */
export async function type(field, text) {
  const { keyboard } = field.page();
  await field.click();
  await keyboard.press("ControlOrMeta+a");
  await (text === "" ? keyboard.press("Delete") : /\n/.test(text) ? keyboard.insertText(text) : keyboard.type(text, { delay: pace }));
  await calm(field.page());
  const [on, now] = await field.evaluate((el) => [document.activeElement === el, el.value]);
  if (!on || now !== text) throw new Error(`"${text}" was typed into ${field}: "${now}" stands there, and the focus is ${on ? "" : "not "}in it`);
}

/** Chooses from a list by keyboard: it is opened, gone through, and left with Enter at the option of a value. */
export async function choose(list, value) {
  const { keyboard } = list.page();
  await (await list.elementHandle()).waitForElementState("enabled"); // what is read at that time says so
  await calm(list.page());
  const steps = await list.evaluate((el, v) => {
    const open = [...el.options].filter((o) => !o.disabled);
    return open.findIndex((o) => o.value === v) - open.indexOf(el.selectedOptions[0]);
  }, value);
  await list.focus();
  await keyboard.press("Alt+ArrowDown");
  for (let n = Math.abs(steps); n > 0; n--) await keyboard.press(steps < 0 ? "ArrowUp" : "ArrowDown", { delay: pace });
  await keyboard.press("Enter");
  const now = await list.evaluate((el) => el.value);
  if (now !== value) throw new Error(`"${value}" was to be chosen in ${list}: "${now}" stands there`);
}

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
  for (const [kind, names] of Object.entries(magic)) for (const name of names) {
    Object.getPrototypeOf(things[kind])[name] = () => { throw new Error(`no hand can ${name}: see type and choose in hand.mjs`); };
  }
  wrap(acts, act(false));
  wrap(moves, act(true));
  wrap(waits, async (page, does) => { const got = await does(); touch(page); return got; });
  wrap(looks, async (page, does) => { await rest(page); return does(); });
}
