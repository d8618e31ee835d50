// A simulation worker of a browser, asked directly, with nothing of the page between.

/**
 * Prepares a page that has the built page open: window.startWorker() then starts a worker with the page's program, or with another that
 * is served under the name wasm; file, a Buffer, goes along with each of its requests. A worker has ask(kind, fields) and stop().
 */
export async function preparePage(page, { wasm = "", file } = {}) {
  await page.evaluate(async ({ wasm, base64 }) => {
    const module = wasm ? await WebAssembly.compileStreaming(fetch(wasm)) : window.batchlabBoot.module;
    const file = base64 && new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]);
    window.startWorker = () => {
      const worker = new Worker("worker.js"), waiting = new Map();
      let last = 0;
      worker.onmessage = ({ data }) => {
        if (data.crash) return waiting.forEach(([, no]) => no(new Error(`the worker crashed: ${data.crash}`)));
        const reply = JSON.parse(data.head);
        if (reply.kind === "progress") return;
        const [yes, no] = waiting.get(reply.id);
        waiting.delete(reply.id);
        if (reply.kind === "error") no(new Error(reply.error));
        else yes({ ...reply, buffers: data.buffers });
      };
      worker.postMessage({ module });
      return {
        ask: (kind, fields = {}) => new Promise((yes, no) => {
          waiting.set(++last, [yes, no]);
          worker.postMessage({ head: JSON.stringify({ kind, id: last, ...fields }), buffers: [], file });
        }),
        stop: () => worker.terminate(),
      };
    };
  }, { wasm, base64: file?.toString("base64") || "" });
}
