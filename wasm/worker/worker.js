// Starts a simulation worker: the first message brings the compiled module,
// later ones are kept for the program until it listens.
"use strict";
importScripts("wasm_exec.js");

self.batchlabInbox = [];
self.onmessage = async (event) => {
  if (!event.data || !event.data.module) {
    self.batchlabInbox.push(event.data);
    return;
  }
  self.onmessage = (later) => self.batchlabInbox.push(later.data);
  // Held until the worker ends, so that the page learns of an end without a word.
  // Pages without TLS from another computer have no locks.
  const lock = event.data.lock;
  if (lock && navigator.locks) {
    navigator.locks.request(lock, () => {
      self.postMessage({ lock });
      return new Promise(() => {});
    }).catch(() => {});
  }
  // The program never returns: what ends it is a crash, such as running out of
  // memory. Its last words go to the page.
  let words = "";
  const write = globalThis.fs.writeSync;
  globalThis.fs.writeSync = (fd, bytes) => {
    words = (words + new TextDecoder().decode(bytes)).slice(0, 400);
    return write(fd, bytes);
  };
  const go = new Go();
  go.env = { GOGC: "400" };
  try {
    await go.run(await WebAssembly.instantiate(event.data.module, go.importObject));
  } catch (error) {
    words = String(error);
  }
  const reason = /out of memory|cannot allocate|Memory/i.test(words) ? "out of memory" : words.split("\n")[0] || "it ended";
  self.postMessage({ crash: reason });
};

// unpacked gives the pieces of what a gzip file holds.
async function* unpacked(blob) {
  const reader = blob.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let next; !(next = await reader.read()).done;) yield next.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

// batchlabRead reads a log: the text, unpacked when it is a gzip file, and its
// SHA-256 when the page is a secure context. A gzip file that the browser
// cannot unpack comes as it is, so that the program can say what is wrong.
self.batchlabRead = async (blob, limit) => {
  const start = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  let text;
  if (start[0] === 0x1f && start[1] === 0x8b) {
    try {
      // What unpacks to more than a little is counted to its end before there is
      // memory for it: a file that is refused has taken little then.
      const atOnce = 32 << 20;
      const chunks = [];
      let size = 0;
      for await (const value of unpacked(blob)) {
        size += value.byteLength;
        if (size > limit) return { tooLarge: true };
        if (size <= atOnce) chunks.push(value);
        else chunks.length = 0;
      }
      const all = new Uint8Array(size);
      let at = 0;
      for await (const chunk of size > atOnce ? unpacked(blob) : chunks) {
        all.set(chunk, at);
        at += chunk.byteLength;
      }
      text = all.buffer;
    } catch {
      return { packed: await blob.arrayBuffer() };
    }
  } else {
    if (blob.size > limit) return { tooLarge: true };
    text = await blob.arrayBuffer();
  }
  return { text, sha256: await self.batchlabHash([text]) };
};

// batchlabHash hashes buffers one after the other, "" where the browser does
// not offer it.
self.batchlabHash = async (buffers) => {
  if (!self.crypto || !self.crypto.subtle) return "";
  const whole = buffers.length === 1 ? buffers[0] : await new Blob(buffers).arrayBuffer();
  const hash = new Uint8Array(await self.crypto.subtle.digest("SHA-256", whole));
  return Array.from(hash, (b) => b.toString(16).padStart(2, "0")).join("");
};
