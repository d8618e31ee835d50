// The page's simulation worker in Node: the same programs and worker.js as in
// the browser, in a worker thread that plays the browser's worker.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** The name of the second program, which can do everything. */
export const studies = (dist) => readdirSync(dist).find((f) => /^studies-\w+\.wasm$/.test(f));

/** Starts a worker from a folder of built files: with the page's program, or with another. */
export function startWorker(dist, wasm = "app.wasm") {
  const thread = new Worker(fileURLToPath(import.meta.url), { workerData: { dist } });
  const waiting = new Map();
  let last = 0;
  const failAll = (error) => {
    for (const w of waiting.values()) w.reject(error);
    waiting.clear();
  };
  thread.on("error", failAll);
  thread.on("message", (m) => {
    if (m.crash) return failAll(new Error(`the worker crashed: ${m.crash}`));
    const reply = JSON.parse(m.head), w = waiting.get(reply.id);
    if (!w) return;
    if (reply.kind === "progress") return w.progress?.(reply);
    waiting.delete(reply.id);
    if (reply.kind === "error") w.reject(Object.assign(new Error(reply.error), { code: reply.code }));
    else w.resolve({ ...reply, buffers: m.buffers });
  });
  thread.postMessage({ module: new WebAssembly.Module(readFileSync(join(dist, wasm))) });
  return {
    /** Sends a request; file is a Blob, progress is called with each progress reply. */
    ask(kind, fields = {}, { file, buffers = [], progress } = {}) {
      const id = ++last;
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, progress }));
      thread.postMessage({ head: JSON.stringify({ kind, id, ...fields }), buffers, file }, buffers);
      answer.id = id;
      return answer;
    },
    cancel: (id) => thread.postMessage({ head: JSON.stringify({ kind: "cancel", id }), buffers: [] }),
    stop: () => thread.terminate(),
  };
}

/** Runs a whole experiment as the page does and returns its digest. */
export async function digestInNode(dist, document, file, wasm) {
  const worker = startWorker(dist, wasm);
  try {
    const experiment = typeof document === "string" ? document : JSON.stringify(document);
    const blocks = [];
    for (const [scheduler, line] of JSON.parse(experiment).schedulers.entries()) {
      for (let repetition = 0; repetition < (line.repeat ?? 1); repetition++) {
        const { buffers } = await worker.ask("run", { experiment, scheduler, repetition }, { file });
        blocks.push(buffers[1]);
      }
    }
    return (await worker.ask("fold", {}, { buffers: blocks })).digest;
  } finally {
    await worker.stop();
  }
}

if (!isMainThread && workerData?.dist) {
  globalThis.self = globalThis;
  const load = (name) => (0, eval)(readFileSync(join(workerData.dist, name), "utf8"));
  globalThis.importScripts = load;
  // Node serves one port up to a thousand times before it looks at another;
  // a browser takes turns, and so does this channel.
  globalThis.MessageChannel = class {
    port1 = { postMessage: (data) => setImmediate(() => this.port2.onmessage({ data })) };
    port2 = {};
  };
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  load("worker.js");
  parentPort.on("message", (data) => globalThis.onmessage?.({ data }));
}
