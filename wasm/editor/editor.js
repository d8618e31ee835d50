// The editor for schedulers that users write: CodeMirror with what a program may
// name. Bundled by the build into editor.js, and loaded when a program is first
// opened. Colours are variables of the style sheet; only keywords and comments
// have one, so that an error is the only red.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, gutter, GutterMarker, highlightActiveLine, keymap, lineNumbers, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.operatorKeyword, tags.moduleKeyword], color: "var(--accent)" },
  { tag: tags.comment, color: "var(--ink-3)" },
  { tag: [tags.function(tags.definition(tags.variableName))], fontWeight: "600" },
]);

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "transparent", fontSize: "12.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 8px 0 6px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "none" },
  ".cm-gutters.cm-gutters-after": { backgroundColor: "var(--panel)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "36px", padding: "0 8px 0 4px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 60%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent-line, var(--line-2))" },
  ".cm-wrong": { textDecoration: "underline wavy var(--bad)", textUnderlineOffset: "3px" },
  ".cm-fault": { boxSizing: "border-box", padding: "3px 12px 4px 12px", margin: "2px 0", color: "var(--bad)", backgroundColor: "var(--bad-soft)", font: "12px/1.45 var(--font)", whiteSpace: "pre-wrap", maxWidth: "calc(100cqw - 64px)" },
  ".cm-count": { padding: "0 10px 0 6px", color: "var(--ink-3)", font: "11px/18.75px var(--font)", fontVariantNumeric: "tabular-nums" },
  ".cm-count .own-count": { display: "flex", gap: "8px", alignItems: "center", justifyContent: "flex-end", minWidth: "118px" },
  ".cm-count i": { display: "block", width: "44px", height: "7px" },
  ".cm-count b": { display: "block", height: "7px", background: "var(--line-3)", opacity: ".65" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line-2)", borderRadius: "6px", boxShadow: "var(--lift-2)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--ink)" },
  ".cm-completionInfo": { font: "12px/1.45 var(--font)", maxWidth: "280px", padding: "6px 10px" },
  ".cm-completionDetail": { color: "var(--ink-3)", fontStyle: "normal" },
});

/** Keys that do in the editor what they do on all of the page: run. */
const pageKeys = ["Mod-Enter"];

/** A message under its line. */
class Message extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const el = document.createElement("div");
    el.className = "cm-fault";
    el.setAttribute("role", "alert");
    el.textContent = this.text;
    return el;
  }
}

const setFaults = StateEffect.define(), setCounts = StateEffect.define();

const faults = StateField.define({
  create: () => Decoration.none,
  update(shown, tr) {
    shown = shown.map(tr.changes);
    for (const e of tr.effects) if (e.is(setFaults)) {
      const doc = tr.state.doc, marks = [];
      for (const f of e.value) {
        const line = doc.line(Math.max(1, Math.min(doc.lines, f.line || 1)));
        const from = Math.min(line.to, line.from + Math.max(0, (f.column || 1) - 1));
        const word = /^\.?\w+|^\S/.exec(doc.sliceString(from, line.to));
        if (f.line && word) marks.push(Decoration.mark({ class: "cm-wrong" }).range(from, from + word[0].length));
        marks.push(Decoration.widget({ widget: new Message(f.text), block: true, side: 1 }).range(line.to));
      }
      shown = Decoration.set(marks, true);
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** How often a line ran, with a bar of the square root. */
class Count extends GutterMarker {
  constructor(words, share) { super(); this.words = words; this.share = share; }
  eq(other) { return other.words === this.words && other.share === this.share; }
  toDOM() {
    const el = document.createElement("div"), track = document.createElement("i"), bar = document.createElement("b");
    el.className = "own-count";
    el.append(this.words, track);
    track.append(bar);
    bar.style.width = `${Math.max(2, this.share * 100)}%`;
    return el;
  }
}

const counts = StateField.define({
  create: () => RangeSet.empty,
  update(shown, tr) {
    shown = shown.map(tr.changes);
    for (const e of tr.effects) if (e.is(setCounts)) {
      const doc = tr.state.doc;
      shown = RangeSet.of(e.value.filter((c) => c.line >= 1 && c.line <= doc.lines)
        .map((c) => new Count(c.words, c.share).range(doc.line(c.line).from)), true);
    }
    return shown;
  },
});

const keywords = ["and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "not", "or", "pass", "return", "while", "True", "False", "None"]
  .map((label) => ({ label, type: "keyword" }));
const functions = ["abs", "all", "any", "bool", "dict", "enumerate", "fail", "float", "int", "len", "list", "max", "min", "range", "repr", "reversed", "set", "sorted", "str", "tuple", "type", "zip"]
  .map((label) => ({ label, type: "function" }));

/** Completion of the names that there are: of what stands before a dot, or of any. */
function completing(words) {
  const of = new Map();
  for (const w of words) {
    if (!of.has(w.of)) of.set(w.of, []);
    of.get(w.of).push({ label: w.name, detail: w.args || w.kind, info: w.help, type: w.args ? "function" : "property" });
  }
  return (context) => {
    const dotted = context.matchBefore(/\b\w+\.\w*/);
    if (dotted) {
      const [name, part] = dotted.text.split(".");
      const known = of.get(name) || of.get(name.replace(/s$/, "")) || of.get("job");
      return { from: dotted.to - part.length, options: known, validFor: /^\w*$/ };
    }
    const word = context.matchBefore(/\w+/);
    if (!word && !context.explicit) return null;
    const own = [...new Set(context.state.doc.toString().match(/\b[a-z_]\w{2,}\b/g) || [])].map((label) => ({ label, type: "variable", boost: -1 }));
    const known = [...of.get("") || [], ...keywords, ...functions];
    return { from: word ? word.from : context.pos, options: [...known, ...own.filter((o) => !known.some((k) => k.label === o.label) && o.label !== word?.text)], validFor: /^\w*$/ };
  };
}

window.batchlabEditor = {
  /** Makes an editor in an element. words are names to complete; changed is called with the text. */
  create(parent, words, changed) {
    const locked = new Compartment(), lock = [EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.contentAttributes.of({ tabindex: "0", "aria-readonly": "true" })];
    let telling = false;
    const extensions = [
      lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(),
      indentUnit.of("    "), EditorState.tabSize.of(4), pythonLanguage, syntaxHighlighting(colours), look,
      faults, counts, gutter({ class: "cm-count", side: "after", markers: (v) => v.state.field(counts) }),
      autocompletion({ override: [completing(JSON.parse(words))], icons: false }),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab].filter((k) => !pageKeys.includes(k.key))),
      EditorView.contentAttributes.of({ "aria-label": "Program", spellcheck: "false", id: "own-code" }),
      EditorView.updateListener.of((u) => { if (u.docChanged && !telling) changed(u.state.doc.toString()); }),
    ];
    const begin = (doc, kept) => EditorState.create({ doc, extensions: [...extensions, locked.of(kept)] });
    const view = new EditorView({ parent, state: begin("", []) });
    return {
      /** Puts another program in; it can be undone unless it is another one than the reader's, as another scheduler's is. */
      set(text, other) {
        if (other) {
          view.setState(begin(text, locked.get(view.state)));
          return;
        }
        telling = true;
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, effects: setFaults.of([]) });
        telling = false;
      },
      faults: (list) => view.dispatch({ effects: setFaults.of(JSON.parse(list)) }),
      counts: (list) => view.dispatch({ effects: setCounts.of(JSON.parse(list)) }),
      lock: (on) => { if (on !== (locked.get(view.state) === lock)) view.dispatch({ effects: locked.reconfigure(on ? lock : []) }); },
      focus: () => view.focus(),
      go(line) {
        const at = view.state.doc.line(Math.max(1, Math.min(view.state.doc.lines, line))).from;
        view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
        view.focus();
      },
      destroy: () => view.destroy(),
    };
  },
};
