// Makes the whole page one file that runs from file://: node .ci/single.mjs DIST OUT.html
// Nothing can be fetched there, so styles and scripts stand in the page, the
// programs as packed text, and workers start from a Blob.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [dist, out] = process.argv.slice(2);
const read = (f) => readFileSync(join(dist, f), "utf8");
// Inside a script element "</script" would end it; in the scripts' own strings
// and comments a backslash changes nothing.
const script = (text, attributes = "") => `<script${attributes}>${text.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--")}</script>`;

const runtime = read("wasm_exec.js");
const worker = read("worker.js").replace(/importScripts\([^)]*\)[;,]?/, "");
const single = `"use strict";
window.batchlabSingle = {
  async program(name) {
    const text = document.getElementById(name === "app.wasm" ? "batchlab-program" : "batchlab-studies");
    const packed = Uint8Array.from(atob(text.textContent), (c) => c.charCodeAt(0));
    text.remove();
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  },
  worker() {
    const parts = ["batchlab-runtime", "batchlab-worker"].map((id) => document.getElementById(id).textContent + "\\n");
    return URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
  },
  glossary: ${JSON.stringify(read("glossary.json"))},
  papers(what) {
    return document.getElementById("batchlab-" + what).textContent;
  },
  licences() {
    return URL.createObjectURL(new Blob([document.getElementById("batchlab-licences").textContent], { type: "text/plain" }));
  },
  script(name) {
    return URL.createObjectURL(new Blob([document.getElementById("batchlab-" + name).textContent], { type: "text/javascript" }));
  },
};
document.addEventListener("click", (e) => {
  const link = e.target.closest && e.target.closest('a[href="licences.txt"]');
  if (link) link.href = window.batchlabSingle.licences();
});`;

let html = read("index.html");
const replace = (from, to) => {
  if (!(from instanceof RegExp ? from.test(html) : html.includes(from))) throw new Error(`index.html has no ${from}`);
  html = html.replace(from, () => to);
};
for (const f of ["boot.css", "app.css"]) replace(`<link rel="stylesheet" href="${f}">`, `<style>${read(f)}</style>`);
replace('<link rel="icon" href="icon.svg"', `<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(read("icon.svg")).toString("base64")}"`);
replace(/<link rel="manifest"[^>]*>\n?/, "");
replace(/<link rel="preload"[^>]*>\n?/, "");
const packed = (f) => gzipSync(readFileSync(join(dist, f)), { level: 9 }).toString("base64");
const studies = readdirSync(dist).find((f) => /^studies-\w+\.wasm$/.test(f));
replace('<script src="wasm_exec.js"></script>',
  `<script type="text/plain" id="batchlab-program">${packed("app.wasm")}</script>\n` +
  `<script type="text/plain" id="batchlab-studies">${packed(studies)}</script>\n` +
  script(runtime, ' type="text/plain" id="batchlab-runtime"') + "\n" + script(worker, ' type="text/plain" id="batchlab-worker"') + "\n" +
  script(read("papers.json"), ' type="text/plain" id="batchlab-papers"') + "\n" +
  script(read("results.json"), ' type="text/plain" id="batchlab-results"') + "\n" +
  script(read("demo.json"), ' type="text/plain" id="batchlab-demo"') + "\n" +
  script(read("licences.txt"), ' type="text/plain" id="batchlab-licences"') + "\n" +
  script(read("editor.js"), ' type="text/plain" id="batchlab-editor"') + "\n" +
  script(read("qr.js"), ' type="text/plain" id="batchlab-qr"') + "\n" +
  script(runtime) + "\n" + script(single));
for (const [tag, file, attributes] of [...html.matchAll(/<script src="([^"]+)"([^>]*)><\/script>/g)]) {
  replace(tag, script(read(file), attributes));
}
if (/ (src|href)="(?!data:|#)/.test(html.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, ""))) throw new Error("the one file still refers to another");
writeFileSync(out, html);
console.log(`  ${out}: ${(html.length / 1e6).toFixed(2)} MB`);
