// Words of the trade: where a term of the glossary stands on the page it is
// underlined by dots, and a press on it opens its entry there. What is pressed for
// something else (buttons, tabs, the heads of tables, words in drawings) gets a
// small ? beside it while the pointer rests there or the focus is on it, and opens
// by a long touch. H opens the entry of what has the focus, else lists the terms
// that are in view, for the keyboard and for screen readers. terms.js and
// glossary.json are made from docs/glossary.md; the entries are fetched when one
// is asked for. Nothing is put into the page's own elements: what is underlined
// are ranges of a CSS highlight.
"use strict";
(() => {
  if (!window.Highlight || !CSS.highlights || !HTMLElement.prototype.showPopover) return;
  const fold = new Map(batchlabTerms.map((t) => [t.toLowerCase(), t]));
  const plain = (t) => t.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // Short ones and those in capitals are told apart from other words by their case.
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${[...fold.values()].sort((a, b) => b.length - a.length)
    .map((t) => t.length < 4 || t === t.toUpperCase() ? plain(t) : plain(t).replace(/\p{L}/gu, (c) => `[${c.toLowerCase()}${c.toUpperCase()}]`) + "s?").join("|")})(?![\\p{L}\\p{N}_-])`, "gu");
  const places = "#side label, #side .hint, #side .label, .panel-head, .verdict, .look, .bl-ph, .bl-msg, .bl-note, .bl-hc, .hint, .soft, .sub, .alert, .story, .place, .step-left, .vary-pop, .dialog-body";
  const leave = "button, a, input, textarea, select, svg, canvas, tbody, pre, code, kbd, [role=grid], .bl-vh, .visually-hidden, #words";
  const controls = "button, a, summary, th, [role=tab], [role=columnheader], label, legend, .card-name, svg text";
  const highlight = new Highlight();
  const forced = matchMedia("(forced-colors: active)"); // there a highlight is a box of its own colours: not for every term
  const underline = () => forced.matches ? CSS.highlights.delete("words") : CSS.highlights.set("words", highlight);
  underline();
  forced.addEventListener("change", underline);
  let marked = new Map(), due = 0, box, entries, back, ask, asked, hold = 0, held = false;

  const termOf = (word) => fold.get(word.toLowerCase()) || fold.get(word.toLowerCase().replace(/s$/, ""));
  /** The text of an element, its pieces apart. */
  const apart = (el) => {
    const pieces = [], walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) pieces.push(walker.currentNode.data);
    return pieces.join(" ");
  };
  /** The terms that stand in a text. */
  const termsIn = (words) => [...new Set([...words.matchAll(pattern)].map((m) => termOf(m[0])).filter(Boolean))];

  /** Underlines each term where it stands first within a panel. */
  function mark() {
    due = 0;
    if (asked && !asked.el.checkVisibility()) offer(null);
    highlight.clear();
    marked = new Map();
    const seen = new Set();
    for (const place of document.querySelectorAll(places)) {
      if (!place.checkVisibility()) continue;
      const walker = document.createTreeWalker(place, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (n) =>
        n.nodeType === 1 && n.matches(leave) ? NodeFilter.FILTER_REJECT : n.nodeType === 1 || n.data.length < 2 ? NodeFilter.FILTER_SKIP : NodeFilter.FILTER_ACCEPT);
      for (let node; (node = walker.nextNode());) {
        const panel = node.parentElement.closest(".panel, .bl, .field, .place section, .dialog-body, .bl-hc") || document.body;
        for (const m of node.data.matchAll(pattern)) {
          const term = termOf(m[0]);
          if (!term || seen.has(node) && marked.get(node.parentElement)?.some((r) => r.startContainer === node && r.startOffset === m.index)) continue;
          const once = panel.wordsSeen?.at === mark.round ? panel.wordsSeen : panel.wordsSeen = { at: mark.round, has: new Set() };
          if (once.has.has(term)) continue;
          once.has.add(term);
          seen.add(node);
          const range = new Range();
          range.setStart(node, m.index);
          range.setEnd(node, m.index + m[0].length);
          range.term = term;
          highlight.add(range);
          const list = marked.get(node.parentElement) || [];
          marked.set(node.parentElement, [...list, range]);
        }
      }
    }
    mark.round++;
  }
  mark.round = 1;

  /** The term at a point of the window. */
  function at(e) {
    for (const r of marked.get(e.target) || []) {
      for (const b of r.getClientRects()) {
        if (e.clientX >= b.left && e.clientX <= b.right && e.clientY >= b.top - 2 && e.clientY <= b.bottom + 2) return { term: r.term, box: b };
      }
    }
    return null;
  }

  const text = (tag, words, name = "") => Object.assign(document.createElement(tag), { textContent: words, className: name });

  /** Shows the entry of a term at a place, and the other terms that are in view. */
  async function open(term, where) {
    if (!box) {
      box = text("div", "");
      box.id = "words";
      box.popover = "auto";
      box.tabIndex = -1;
      box.setAttribute("role", "dialog");
      box.setAttribute("aria-label", "Glossary");
      box.addEventListener("toggle", (e) => { // a press elsewhere has moved the focus already
        const now = document.activeElement;
        if (e.newState === "closed" && (!now || now === document.body || box.contains(now))) back?.focus();
      });
      document.body.append(box);
    }
    if (!box.matches(":popover-open")) back = document.activeElement === document.body ? null : document.activeElement;
    try {
      entries ||= window.batchlabSingle ? JSON.parse(batchlabSingle.glossary) : await (await fetch("glossary.json")).json();
    } catch {
      entries = null;
    }
    const same = (w) => w.toLowerCase() === term?.toLowerCase(), entry = entries?.find((e) => e.words.some(same));
    const others = [...new Set([...marked.values()].flat().map((r) => r.term))].filter((t) => t !== term).sort((a, b) => a.localeCompare(b));
    const list = text("p", "", "words-list");
    for (const t of others) {
      const b = text("button", t, "link-button");
      b.type = "button";
      b.addEventListener("click", () => open(t, where));
      list.append(b, " ");
    }
    const also = entry?.words.filter((w) => !same(w)).join(", ");
    box.replaceChildren(...[
      text("h2", term || "Words in view"),
      also && text("p", `also: ${also}`, "faint"),
      ...(entry ? entry.is.split("\n").map((l) => text("p", l)) : term ? [text("p", entries ? "It has no entry." : "The glossary could not be loaded.")] : []),
      others.length && text("p", term ? "Also in view" : "Choose a word", "menu-title"), others.length && list,
      !others.length && !term && text("p", "No word of the glossary is in view."),
    ].filter(Boolean));
    box.showPopover();
    const w = box.offsetWidth, h = box.offsetHeight, left = where ? where.left : (innerWidth - w) / 2, below = where ? where.bottom + 6 : 60;
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - w - 8))}px`;
    box.style.top = `${Math.max(8, below + h > innerHeight - 8 && where ? where.top - h - 6 : below)}px`;
    (term ? box : box.querySelector("button") || box).focus({ preventScroll: true });
  }

  // The ? beside what is pressed for something else.
  const control = (e) => {
    const c = e instanceof Element && !e.closest("#words, #ask-word, input, select, textarea") ? e.closest(controls) : null;
    const term = c && c.textContent.length < 120 && !marked.get(e)?.length ? termsIn(apart(c))[0] : "";
    return term ? { el: c, term } : null;
  };
  function offer(hit) {
    clearTimeout(hold);
    if (hit && hit.el === asked?.el) return;
    asked = hit;
    if (!hit) return ask?.matches(":popover-open") && ask.hidePopover();
    if (!ask) {
      ask = text("button", "?");
      ask.id = "ask-word";
      ask.type = "button";
      ask.popover = "manual";
      ask.tabIndex = -1; // H does the same for the keyboard
      ask.addEventListener("mousedown", (e) => e.preventDefault()); // the focus stays where it is
      ask.addEventListener("click", () => {
        const { term, el } = asked;
        offer(null);
        open(term, el.getBoundingClientRect());
      });
      document.body.append(ask);
    }
    const b = hit.el.getBoundingClientRect();
    ask.title = `What is ${hit.term}? (H)`;
    ask.setAttribute("aria-label", ask.title);
    if (!ask.matches(":popover-open")) ask.showPopover();
    ask.style.left = `${Math.max(2, Math.min(b.right - 7, innerWidth - 20))}px`;
    ask.style.top = `${Math.max(2, b.top - 9)}px`;
  }
  addEventListener("pointerover", (e) => {
    if (e.pointerType === "touch" || e.target === ask) return;
    const hit = control(e.target);
    if (hit && hit.el === asked?.el) return;
    clearTimeout(hold);
    hold = setTimeout(() => offer(hit), hit ? 500 : 250);
  }, { passive: true });
  addEventListener("focusin", (e) => {
    const hit = e.target !== ask && e.target.matches(":focus-visible") && control(e.target);
    clearTimeout(hold);
    if (hit) hold = setTimeout(() => { if (document.activeElement === e.target) offer(hit); }, 150); // not while another popover opens
  });
  addEventListener("focusout", () => offer(null));
  addEventListener("scroll", () => offer(null), { capture: true, passive: true });
  addEventListener("pointerdown", (e) => {
    if (e.target === ask) return;
    offer(null);
    held = false;
    const hit = e.pointerType === "touch" && control(e.target);
    if (hit) hold = setTimeout(() => { held = true; open(hit.term, hit.el.getBoundingClientRect()); }, 600);
  }, { passive: true });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => clearTimeout(hold), { passive: true });

  addEventListener("click", (e) => {
    if (held) return held = false, e.preventDefault(), e.stopPropagation();
    const hit = at(e);
    if (!hit || getSelection()?.toString()) return;
    e.preventDefault();
    e.stopPropagation();
    open(hit.term, hit.box);
  }, true);
  let over = null;
  addEventListener("pointermove", (e) => {
    const hit = marked.has(e.target) && at(e) ? e.target : null;
    if (hit === over) return;
    over?.style.removeProperty("cursor");
    (over = hit)?.style.setProperty("cursor", "help");
  }, { passive: true });
  addEventListener("keydown", (e) => {
    if (box?.matches(":popover-open")) {
      if (e.key === "Escape") box.hidePopover(), e.preventDefault();
      e.stopImmediatePropagation(); // the page's own keys rest meanwhile
    } else if (e.key.toLowerCase() === "h" && !e.ctrlKey && !e.metaKey && !e.altKey && !e.target.closest?.("input, textarea, select, [contenteditable]")) {
      e.preventDefault();
      mark();
      const hit = control(document.activeElement);
      offer(null);
      open(hit?.term || "", hit && hit.el.getBoundingClientRect());
    }
  }, true);
  window.batchlabWords = () => [...marked.values()].flat().map((r) => r.term);

  const idle = window.requestIdleCallback || ((f) => setTimeout(f, 300)); // Safari has none
  const soon = () => { due ||= idle(mark, { timeout: 1500 }); };
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ["hidden"] });
  soon();
})();
