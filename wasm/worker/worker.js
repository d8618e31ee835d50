// Starts a simulation worker: the first message brings the compiled module.
// Messages that come before the program listens are kept for it.
"use strict";
importScripts("wasm_exec.js");
self.batchlabInbox = [];
self.onmessage = async (event) => {
  if (!event.data || !event.data.module) {
    self.batchlabInbox.push(event);
    return;
  }
  self.onmessage = (later) => self.batchlabInbox.push(later);
  const go = new Go();
  go.env = { GOGC: "400" };
  const instance = await WebAssembly.instantiate(event.data.module, go.importObject);
  await go.run(instance);
  // The program never returns by itself: what ends it is a crash, such as
  // running out of memory. An uncaught error tells the page.
  setTimeout(() => { throw new Error("simulation worker ended"); }, 0);
};
