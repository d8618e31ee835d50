// Starts the page: downloads and compiles the program while a bar counts its
// bytes, keeps the module for the workers as batchlabBoot.module, and runs it. Classic script, no inline
// code, no eval: the page lives under a strict content security policy.
"use strict";
(() => {
  const script = document.currentScript;
  const total = Number(script.dataset.bytes);

  function fail(text, error) {
    if (error) console.error(error);
    document.documentElement.dataset.failed = "1";
    let box = document.getElementById("boot-failure");
    if (!box) {
      box = document.createElement("div");
      box.id = "boot-failure";
      box.className = "boot";
      box.setAttribute("role", "alert");
      document.body.prepend(box);
    }
    const line = document.createElement("p");
    line.className = "boot-error";
    line.textContent = text;
    const again = document.createElement("button");
    again.textContent = "Load the page again";
    again.onclick = () => location.reload();
    box.replaceChildren(line, again);
    document.getElementById("boot-progress")?.remove();
    document.getElementById("boot-text")?.remove();
  }

  function progress(got) {
    const bar = document.getElementById("boot-progress"), text = document.getElementById("boot-text");
    if (!bar || !total) return;
    bar.value = Math.min(1, got / total);
    text.textContent = got < total
      ? `Loading ${(got / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`
      : "Starting";
  }

  // load compiles while it downloads. The clone counts bytes; the compiler
  // gets the response itself, so that the browser may cache compiled code.
  async function load(name, count) {
    // The page that is one file brings its programs along, see .ci/single.mjs.
    if (window.batchlabSingle) return WebAssembly.compile(await window.batchlabSingle.program(name));
    const response = await fetch(name, { credentials: "same-origin" });
    if (response.status === 404 && name !== "app.wasm") throw new Error("the server has another version by now, load the page again");
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    const reader = response.clone().body.getReader();
    (async () => {
      let got = 0;
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        count(got += value.byteLength);
      }
    })().catch(() => { /* the compiler reports it */ });
    return WebAssembly.compileStreaming(response);
  }

  // fetchStudies brings the second program, which only some experiments need.
  // Its name holds a hash: both programs are of one build.
  async function fetchStudies(count) {
    const { studies, studiesBytes } = script.dataset;
    if (boot.studiesModule) return;
    try {
      boot.studiesModule = await load(studies, (got) => count(got, Number(studiesBytes)));
    } catch (error) {
      throw error instanceof TypeError ? new Error("the server cannot be reached") : error;
    }
  }

  // annex shows a view in wish.root that the second program draws, beside the page's
  // own; that is started with the first of them.
  let annexed;
  const waiting = new Set();
  async function annex(wish) {
    waiting.add(wish.root);
    const say = (text) => { for (const root of waiting) root.textContent = text; };
    try {
      await (annexed ??= (async () => {
        const mb = (n) => (n / 1e6).toFixed(1);
        await fetchStudies((got, total) => say(`Loading more of Batchlab: ${mb(Math.min(got, total))} of ${mb(total)} MB`));
        const go = new Go();
        const instance = await WebAssembly.instantiate(boot.studiesModule, go.importObject);
        say("");
        go.run(instance); // until it waits for what is wished
      })());
      waiting.delete(wish.root);
      boot.show(wish);
    } catch (error) {
      annexed = undefined;
      const line = document.createElement("p"), again = document.createElement("button");
      line.className = "boot-error";
      line.textContent = `More of Batchlab could not be loaded: ${error.message}.`;
      again.className = "btn";
      again.textContent = "Try again";
      again.onclick = () => annex(wish);
      wish.root.replaceChildren(line, again);
    }
  }

  // papers brings what there is of the studies, as text: papers, or results.
  async function papers(what) {
    if (window.batchlabSingle) return window.batchlabSingle.papers(what);
    const response = await fetch(what + ".json", { credentials: "same-origin" }).catch(() => { throw new Error("the server cannot be reached"); });
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    return response.text();
  }

  // steps has every entry into the program watched. A browser that leaves a page may break
  // off what runs there, in the middle of the program (Firefox does; golang/go issue 35256),
  // and hand it events all the same until the page is gone: entered once more it would find
  // its own locks held, and end with the words of a fault that is none. A microtask runs
  // when nothing is under way any more: what has not ended by then never will.
  function steps(go) {
    const resume = go._resume.bind(go);
    let inside = 0, broken = false;
    const enter = (body) => {
      if (inside++ === 0) queueMicrotask(() => {
        if (inside === 0) return;
        broken = true;
        // A page that is being left need not say so.
        setTimeout(() => fail("The browser broke off the page's program. Your settings are in the address; load the page again to go on."), 2000);
      });
      try { return body(); } finally { inside--; }
    };
    go._resume = () => {
      if (broken) go._scheduledTimeouts.clear(); // else a timer asks for its event again and again
      else enter(resume);
    };
    return enter;
  }

  if (typeof WebAssembly !== "object" || typeof WebAssembly.compileStreaming !== "function" || typeof Worker !== "function") {
    fail("This browser has no WebAssembly or no workers, which Batchlab simulates with. A current Firefox, Chrome, Edge or Safari has both. Some hardened profiles switch WebAssembly off.");
    return;
  }

  // The renderer's script was loaded as a file; its attempt to eval a second
  // copy is answered with nothing, so that the policy needs no 'unsafe-eval'.
  const own = window.eval;
  window.eval = (text) => String(text).includes("window.vuguRender") ? undefined : own(text);

  // put makes what stands in an element some markup, see draw.Put, and says whether that was
  // another. It is no part of the program since each step there would be a call out of it.
  function put(el, html) {
    if (el.batchlabHTML === html && el.batchlabFirst === el.firstChild) return false;
    const held = document.activeElement, key = held !== el && el.contains(held) ? keyOf(held) : "";
    const next = el.cloneNode(false);
    next.innerHTML = html;
    children(el, next);
    el.batchlabHTML = html;
    el.batchlabFirst = el.firstChild; // another one comes from elsewhere
    fill(el);
    if (key && !(el.contains(document.activeElement) && document.activeElement.matches(key))) el.querySelector(key)?.focus({ preventScroll: true });
    return true;
  }

  // fill puts what markup states into the fields of an element, but for those of islands within.
  // A field that somebody types into keeps what was typed, unless another text is stated or it
  // has become another field.
  function fill(el) {
    const island = el.closest?.("[data-island]") ?? null;
    const mine = (selector) => [...el.querySelectorAll(selector)].filter((field) => field.closest("[data-island]") === island);
    for (const field of mine("[data-value]")) {
      const text = field.dataset.value, stated = `${field.id} ${text}`;
      if ((field !== document.activeElement || field.batchlabStated !== stated) && field.value !== text) field.value = text;
      field.batchlabStated = stated;
    }
    for (const box of mine("[data-checked]")) box.checked = box.dataset.checked === "true";
  }

  // keyOf is a selector of what has the focus: it stays there when that stands elsewhere.
  const keyOf = (el) => el.id ? `#${CSS.escape(el.id)}` : [...el.attributes].filter((a) => /^data-(?!value|checked)/.test(a.name)).map((a) => `[${a.name}="${CSS.escape(a.value)}"]`).join("");

  // children makes what stands in an element like what stands in another. What stays is left
  // where it is, also when something comes in before it or goes away: a field that comes in
  // must not take the place of the one in which somebody is.
  function children(from, to) {
    const a = from.childNodes, b = [...to.childNodes];
    for (let i = 0; i < b.length; i++) {
      const next = b[i];
      while (i < a.length && !alike(a[i], next) && !standsIn(b, i + 1, a[i]) && standsIn(a, i + 1, next)) a[i].remove();
      const now = a[i];
      if (!now) from.append(next);
      else if (!alike(now, next) && standsIn(b, i + 1, now)) now.before(next);
      else if (now.nodeName !== next.nodeName || drawn(now, next)) now.replaceWith(next);
      else if (!now.isEqualNode(next)) become(now, next);
    }
    while (a.length > b.length) a[b.length].remove();
  }

  // become makes a node like another of the same kind. What stands in islands and sections is their own.
  function become(from, to) {
    if (from.nodeType !== 1) {
      from.nodeValue = to.nodeValue;
      return;
    }
    const apart = from.hasAttribute("data-island") || from.hasAttribute("data-sections");
    for (const name of from.getAttributeNames()) if (!to.hasAttribute(name) && name !== "open") from.removeAttribute(name);
    for (const name of to.getAttributeNames()) if (from.getAttribute(name) !== to.getAttribute(name)) from.setAttribute(name, to.getAttribute(name));
    if (!apart) children(from, to);
  }

  // named gives the id of an element, or else the first one within it; "" if there is none.
  const named = (node) => node.nodeType === 1 ? node.id || node.querySelector("[id]")?.id || "" : "";
  // alike: two nodes are the same thing at two times.
  const alike = (a, b) => a.nodeName === b.nodeName && named(a) === named(b);
  // drawn: a picture that is another now, in which nobody is, is not worth the comparing.
  const drawn = (a, b) => a.nodeName === "svg" && !a.contains(document.activeElement) && !a.isEqualNode(b);
  // standsIn: a node with a name is among those of a list from i on.
  function standsIn(list, i, node) {
    if (named(node)) for (; i < list.length; i++) if (alike(list[i], node)) return true;
    return false;
  }

  const boot = window.batchlabBoot = {
    module: null, studiesModule: null, fetchStudies, annex, papers, put, fill, fail, commit: script.dataset.commit,
    worker: window.batchlabSingle ? window.batchlabSingle.worker() : "worker.js",
    qr: window.batchlabSingle ? window.batchlabSingle.script("qr") : "qr.js",
    editor: window.batchlabSingle ? window.batchlabSingle.script("editor") : "editor.js",
  };

  load("app.wasm", progress).then(async (module) => {
    boot.module = module;
    const go = new Go();
    go.env = { GOGC: "200" };
    const instance = await WebAssembly.instantiate(module, go.importObject);
    performance.mark("batchlab-start");
    const enter = steps(go);
    await enter(() => go.run(instance));
    fail("The page's program has ended. Your settings are in the address; load the page again to go on.");
  }).catch((error) => {
    fail(`Batchlab could not be loaded: ${error.message}. Check the connection and load the page again.`, error);
  });
})();
