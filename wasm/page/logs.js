// Keeps the logs that were opened, in IndexedDB and nowhere else, by the
// SHA-256 of their text: the last ten. All functions answer with a promise
// that is never refused: where storage is off there is simply nothing kept.
"use strict";
(() => {
  const most = 10;
  const patience = 4000; // ms: a store that never answers must not hold the page

  const open = () => new Promise((resolve, reject) => {
    const request = indexedDB.open("batchlab", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("logs", { keyPath: "sha256" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = () => reject(request.error);
  });

  // act runs f on the store of logs and answers with the result of its request
  // once everything is written.
  async function act(mode, f) {
    const db = await open();
    try {
      return await new Promise((resolve, reject) => {
        const change = db.transaction("logs", mode);
        const request = f(change.objectStore("logs"));
        change.oncomplete = () => resolve(request && request.result);
        change.onerror = change.onabort = () => reject(change.error);
      });
    } finally {
      db.close();
    }
  }

  const late = () => new Promise((_, reject) => setTimeout(() => reject(new Error("the browser's storage does not answer")), patience));

  async function quiet(f, otherwise) {
    try {
      return await Promise.race([f(), late()]);
    } catch (error) {
      console.info("logs are not kept:", String(error));
      return otherwise;
    }
  }

  // stamp is the time of a call, later than that of any call before it: a store
  // that is slow may do several calls in one millisecond, out of their order.
  let last = 0;
  const stamp = () => (last = Math.max(last + 1, Date.now()));

  const newest = (a, b) => b.used - a.used;
  const all = async () => (await act("readonly", (s) => s.getAll())).sort(newest);

  window.batchlabLogs = {
    // list answers with JSON, without the logs themselves.
    list: () => quiet(async () => JSON.stringify((await all()).map(({ name, sha256, size, blob, kind }) => ({ name, sha256, size, kind, packed: blob.size }))), "[]"),
    // get answers with a log's file, null without one. The time of its use is written in
    // the same transaction: a file that comes from the store and goes back there later,
    // Firefox can never read again.
    get: (sha256, used = stamp()) => quiet(async () => {
      const found = await act("readwrite", (s) => {
        const request = s.get(sha256);
        request.onsuccess = () => { if (request.result) s.put({ ...request.result, used }); };
        return request;
      });
      return found ? found.blob : null;
    }, null),
    // put answers with why a log is not kept: "full", "off", or "" when it is.
    // Older logs make room first.
    // kind is "needs" for a file of annotations, "predictions" for one of those, "extra" for what stands beside the jobs, "" for a log.
    put: (sha256, name, size, blob, kind, used = stamp()) => quiet(async () => {
      for (;;) {
        try {
          await act("readwrite", (s) => s.put({ sha256, name, size, blob, kind, used }));
          break;
        } catch (error) {
          if (!error || error.name !== "QuotaExceededError") throw error;
          const oldest = (await all()).filter((l) => l.sha256 !== sha256).pop();
          if (!oldest) return "full";
          await act("readwrite", (s) => s.delete(oldest.sha256));
        }
      }
      const old = (await all()).slice(most);
      if (old.length) await act("readwrite", (s) => { old.forEach((l) => s.delete(l.sha256)); });
      return "";
    }, "off"),
    forget: (sha256) => quiet(() => act("readwrite", (s) => s.delete(sha256))),
  };
})();
