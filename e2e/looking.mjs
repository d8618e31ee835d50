// What is wrong with how the page looks, measured in a real browser: text that
// is cut or that lies on other text, buttons that break into lines, a page
// wider than its window; targets that are too small, and headings out of order. Used by looks.mjs for all of the page, and in tests.

/** Runs in the page before anything else: canvases remember the text drawn on them. */
export function watchText() {
  const proto = CanvasRenderingContext2D.prototype, { fillText, clearRect } = proto;
  proto.fillText = function (text, x, y, ...rest) {
    const m = this.getTransform(), size = this.measureText(text), left = { center: size.width / 2, right: size.width }[this.textAlign] || 0;
    (this.canvas.texts ||= []).push({ text: String(text), width: this.canvas.width,
      x: m.a * (x - left) + m.e, y: m.d * (y - size.actualBoundingBoxAscent) + m.f, w: m.a * size.width, h: m.d * (size.actualBoundingBoxAscent + size.actualBoundingBoxDescent) });
    return fillText.call(this, text, x, y, ...rest);
  };
  proto.clearRect = function (x, y, w, h) {
    const m = this.getTransform();
    if (m.a * w >= this.canvas.width - 1 && m.d * h >= this.canvas.height - 1) this.canvas.texts = [];
    return clearRect.call(this, x, y, w, h);
  };
}

/** Runs in the page and returns the faults that can be seen now, a line each. */
export function looks() {
  const found = [], seen = new Set();
  const say = (kind, text, el, more = "") => {
    const path = [];
    for (let e = el; e && e !== document.body && path.length < 4; e = e.parentElement) {
      path.unshift(e.id ? `#${e.id}` : e.localName + [...e.classList].slice(0, 2).map((c) => `.${c}`).join(""));
      if (e.id) break;
    }
    const line = `${kind}: "${text.trim().replace(/\s+/g, " ").slice(0, 60)}" in ${path.join(" > ")}${more}`;
    if (!seen.has(line)) seen.add(line), found.push(line);
  };
  const styles = new Map(), boxes = new Map();
  const styleOf = (e) => styles.get(e) || styles.set(e, getComputedStyle(e)).get(e);
  const boxOf = (e) => boxes.get(e) || boxes.set(e, e.getBoundingClientRect()).get(e);
  if (document.scrollingElement.scrollWidth > innerWidth + 1) say("too wide", `${document.scrollingElement.scrollWidth - innerWidth} px`, document.body);

  /** What is left of a box after all that clips it; faults are said of what cannot be scrolled to. */
  const clip = (r, el, text, tell) => {
    let { left, right, top, bottom } = r, goneX = false, goneY = false, fixed = false;
    for (let e = el; e; e = e.parentElement) {
      const s = styleOf(e), root = e === document.documentElement || e === document.body;
      if (s.position === "fixed") fixed = true;
      if (root || s.display === "inline" || s.display === "contents") continue;
      const svg = e instanceof SVGElement;
      if (svg && e.localName !== "svg") continue;
      const x = s.overflowX, y = s.overflowY;
      if (x === "visible" && y === "visible") continue;
      const b = boxOf(e), z = e.currentCSSZoom || 1; // client sizes are those before a zoom
      const inner = svg ? b : { left: b.left + z * e.clientLeft, top: b.top + z * e.clientTop, right: b.left + z * (e.clientLeft + e.clientWidth), bottom: b.top + z * (e.clientTop + e.clientHeight) };
      if (x !== "visible") {
        const scrolls = x === "auto" || x === "scroll", over = right - inner.right, under = inner.left - left;
        if (tell && !goneX && !scrolls && (over > 1.5 || under > 1.5)) {
          const told = s.textOverflow === "ellipsis" || s.webkitLineClamp !== "none";
          const name = e.closest("[title]")?.title || el.closest("[title]")?.title || "";
          if (!told) say("cut", text, el, ` by ${Math.round(Math.max(over, under))} px, at ${e.id || e.getAttribute("class") || e.localName}`);
          else if (!name) say("shortened without a title", text, el);
        }
        if (tell && !goneX && scrolls && under > 1.5 && e.scrollLeft <= 0 && s.direction === "ltr") say("cut", text, el, ` by ${Math.round(under)} px before the start of what scrolls`);
        goneX ||= scrolls;
        left = Math.max(left, inner.left); right = Math.min(right, inner.right);
      }
      if (y !== "visible") {
        const scrolls = y === "auto" || y === "scroll", over = bottom - inner.bottom, under = inner.top - top;
        // Glyphs are lower than their line: a fifth of it may be cut.
        const slack = 1.5 + (r.bottom - r.top) / 5;
        if (tell && !goneY && !scrolls && (over > slack || under > slack) && s.webkitLineClamp === "none") say("cut", text, el, ` by ${Math.round(Math.max(over, under))} px in height, at ${e.id || e.getAttribute("class") || e.localName}`);
        goneY ||= scrolls;
        top = Math.max(top, inner.top); bottom = Math.min(bottom, inner.bottom);
      }
    }
    if (tell && !goneX && (right > innerWidth + 1.5 || left < -1.5)) say("cut", text, el, ` by ${Math.round(Math.max(right - innerWidth, -left))} px at the window's edge`);
    if (tell && !goneY && fixed && (bottom > innerHeight + 1.5 || top < -1.5)) say("cut", text, el, ` by ${Math.round(Math.max(bottom - innerHeight, -top))} px at the window's ${top < 0 ? "top" : "bottom"}`);
    return { left: Math.max(left, 0), right: Math.min(right, innerWidth), top: Math.max(top, 0), bottom: Math.min(bottom, innerHeight) };
  };

  // What is for screen readers alone is clipped away.
  const unseen = (el) => { for (let e = el; e; e = e.parentElement) if (styleOf(e).clipPath === "inset(50%)") return true; return false; };
  const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  const dialog = document.querySelector("[role=dialog][aria-modal=true]");
  for (let node; (node = walker.nextNode());) {
    const el = node.parentElement;
    if (!node.data.trim() || el.closest(".skip:not(:focus), option, title, style, script, [data-unseen]") || !el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (dialog && !dialog.contains(el) || unseen(el)) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((r) => r.width > 1 && r.height > 1);
    const bar = el.closest(".btn, .segments button, [role=tab], .tag, kbd, .chip-name, .chip button");
    if (bar && rects.length > 1 && rects[rects.length - 1].top > rects[0].top + rects[0].height / 2) say("broken into lines", bar.textContent, bar);
    for (const r of rects) {
      const v = clip(r, el, node.data, true), h = (r.bottom - r.top) / 6;
      if (v.right - v.left > 2 && v.bottom - v.top > 4) texts.push({ el, text: node.data, left: v.left + 1, right: v.right - 1, top: Math.max(v.top, r.top + h), bottom: Math.min(v.bottom, r.bottom - h) });
    }
  }
  for (const input of document.querySelectorAll("input:not([type=checkbox], [type=radio], [type=range], [readonly]), select")) {
    if (!input.checkVisibility() || dialog && !dialog.contains(input)) continue;
    if (input.localName === "input" && input.scrollWidth > input.clientWidth + 1 && !input.title) say("cut", input.value || input.placeholder, input, ` in its field by ${input.scrollWidth - input.clientWidth} px`);
  }
  for (const c of dialog ? [] : document.querySelectorAll("canvas")) {
    if (!c.texts?.length || !c.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const b = boxOf(c), k = b.width / c.width;
    for (const t of c.texts) {
      if (t.width !== c.width) continue;
      const r = { left: b.left + t.x * k, right: b.left + (t.x + t.w) * k, top: b.top + t.y * k, bottom: b.top + (t.y + t.h) * k };
      if (r.left < b.left - 1.5 || r.right > b.right + 1.5) say("cut", t.text, c, ` by ${Math.round(Math.max(b.left - r.left, r.right - b.right))} px on a canvas`);
      const v = clip(r, c, t.text, false);
      if (v.right - v.left > 2 && v.bottom - v.top > 4) texts.push({ el: c, text: t.text, left: v.left + 1, right: v.right - 1, top: v.top + 1, bottom: v.bottom - 1 });
    }
  }

  // Two texts on one another, unless the upper one has a ground of its own.
  const force = document.createElement("style");
  force.textContent = "* { pointer-events: auto !important }";
  document.head.append(force);
  const covers = (e) => {
    const s = styleOf(e);
    if (e instanceof SVGElement) return !["svg", "g", "text", "tspan"].includes(e.localName) && s.fill !== "none" && Number(s.fillOpacity) * Number(s.opacity) > 0.8;
    const alpha = /rgba\(.*, ([\d.]+)\)/.exec(s.backgroundColor);
    return (!alpha || Number(alpha[1]) > 0.8) && Number(s.opacity) > 0.8;
  };
  texts.sort((a, b) => a.top - b.top);
  for (let i = 0; i < texts.length; i++) {
    for (let k = i + 1; k < texts.length && texts[k].top < texts[i].bottom; k++) {
      const a = texts[i], b = texts[k];
      const left = Math.max(a.left, b.left), right = Math.min(a.right, b.right), top = Math.max(a.top, b.top), bottom = Math.min(a.bottom, b.bottom);
      if (right - left < 1.5 || bottom - top < 1.5 || a.el === b.el && a.el.localName !== "canvas") continue;
      if (a.el !== b.el) {
        const stack = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2), ia = stack.indexOf(a.el), ib = stack.indexOf(b.el);
        if (ia < 0 || ib < 0) continue;
        const lower = ia > ib ? a.el : b.el;
        if (stack.slice(0, Math.max(ia, ib)).some((e) => !e.contains(lower) && covers(e))) continue;
      }
      say("overlap", a.text, a.el, ` with "${b.text.trim().slice(0, 40)}"`);
    }
  }
  force.remove();
  return found;
}

/** What is too small to be hit, and headings that leave out a level, among what can be seen. */
export const measured = (least) => {
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
  const levels = [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].filter(seen);
  const jumps = levels.flatMap((e, i) => i && +e.tagName[1] > +levels[i - 1].tagName[1] + 1 ? [`${levels[i - 1].textContent} > ${e.textContent}`] : []);
  // Links in a line of text and in the rows of a table are as high as their line.
  const small = [...document.querySelectorAll("button,select,summary,input:not([type=checkbox]):not([type=radio]):not([type=range]),[role=tab]")]
    .filter((e) => seen(e) && !e.closest(".side") && !e.matches(".bl-link,.bl-mw-end,p .link-button,td button,th button,nav small button") && getComputedStyle(e).display !== "inline")
    .map((e) => [e, e.getBoundingClientRect()])
    .filter(([, r]) => r.width > 0 && (r.height < least - .5 || r.width < Math.min(least, 24) - .5))
    .map(([e, r]) => `${e.id || e.className || e.tagName} "${(e.getAttribute("aria-label") || e.textContent).trim().slice(0, 20)}" ${Math.round(r.width)} × ${Math.round(r.height)}`);
  return [...jumps.map((j) => `headings leave out a level: ${j}`), ...new Set(small.map((e) => `too small: ${e}`))];
};

export const widths = [320, 390, 768, 1024, 1440, 1920];

/** Ways to look at each state: six widths, and letters twice as large, which is half the width. */
export const sizes = [...widths.map((width) => ({ name: String(width), width, height: width < 600 ? 844 : width === 768 ? 1024 : 900 })),
  { name: "200%", width: 720, height: 450 }];
