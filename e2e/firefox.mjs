// Firefox beside Chromium: the one that FIREFOX names, as it is handed out (Debian's firefox-esr), over WebDriver BiDi.
import { chromium, firefox } from "playwright-core";
import { chrome, light } from "./common.mjs";

/** False when FIREFOX names a Firefox, else why there is none to test in. */
export const missing = process.env.FIREFOX ? false : "there is no Firefox (FIREFOX=PATH names it)";

/** Starts Firefox. Its colours are the whole browser's: dark or light. */
export async function launchFirefox({ dark = false } = {}) {
  const browser = await firefox.launch({
    channel: "moz-firefox",
    executablePath: process.env.FIREFOX,
    timeout: 120_000, // other programs may run beside it
    firefoxUserPrefs: {
      "browser.download.alwaysOpenPanel": false, // which would take the keyboard from the page
      "dom.events.testing.asyncClipboard": true, // it has no permission for it that could be granted
      "javascript.options.wasm_optimizingjit": !light, // see light
      "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1,
    },
  });
  // What Firefox 153 says otherwise than Playwright expects: it has no command for the colours of one page,
  // which Playwright gives unasked, and a download that is no navigation has no name there but its address.
  const wire = browser._connection.toImpl(browser)._connection._transport, { onmessage } = wire;
  wire.onmessage = (message) => {
    if (message.error === "unknown command" && message.message === "emulation.setMediaFeaturesOverride") Object.assign(message, { type: "success", error: undefined, result: {} });
    if (/^browsingContext\.download/.test(message.method)) message.params.navigation ??= message.params.url;
    onmessage(message);
  };
  return browser;
}

/** Starts Chromium, or Firefox where the command line says --firefox. */
export function launchAsked(options) {
  return process.argv.includes("--firefox") ? launchFirefox(options) : chromium.launch(chrome);
}
