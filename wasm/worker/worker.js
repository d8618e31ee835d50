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

// sliced gives a file in pieces, each asked for while the one before is worked on.
async function* sliced(blob, size, read) {
  const part = (at) => blob.slice(at, at + size).arrayBuffer();
  for (let at = 0, next = part(0); at < blob.size; at += size) {
    const piece = new Uint8Array(await next);
    next = part(at + size);
    next.catch(() => {}); // told by the turn that waits for it
    read(piece.byteLength);
    yield piece;
  }
}

// unpacked gives the pieces of what a gzip file holds.
async function* unpacked(blob, read) {
  const counted = new TransformStream({ transform(piece, to) { read(piece.byteLength); to.enqueue(piece); } });
  const reader = blob.stream().pipeThrough(counted).pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let next; !(next = await reader.read()).done;) yield next.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

// batchlabOpen gives a file's text in pieces, unpacked when it is a gzip file: next
// returns some of them in a list, or null, hash the SHA-256 of all, "" where the page is
// no secure context or the text longer than limit. at is how many of the file's bytes
// were read, size how many the text will have, by which room is made for it.
self.batchlabOpen = async (blob, limit) => {
  const start = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const packed = blob.size > 18 && start[0] === 0x1f && start[1] === 0x8b;
  const read = (n) => { text.at += n; };
  const piece = 1 << 20, kept = [];
  const text = { packed, at: 0, size: blob.size };
  let hash = "", pieces, all = 0;
  if (packed) {
    // A gzip file ends with the size of what it holds, which may be no more than a claim.
    const end = new DataView(await blob.slice(-4).arrayBuffer()).getUint32(0, true);
    text.size = Math.min(end, 1032 * blob.size, 64 * piece);
    pieces = unpacked(blob, read);
  } else {
    pieces = sliced(blob, piece, read);
    if (blob.size <= limit) hash = blob.arrayBuffer().then((all) => self.batchlabHash([all])).catch(() => "");
  }
  text.next = async () => {
    const some = [];
    let size = 0;
    for (let next; size < piece && !(next = await pieces.next()).done; size += next.value.byteLength) some.push(next.value);
    if (packed && (all += size) <= limit) kept.push(...some);
    else kept.length = 0;
    return size ? some : null;
  };
  text.hash = async () => (packed && all <= limit ? self.batchlabHash(kept) : hash);
  text.close = () => { pieces.return(); };
  return text;
};

// batchlabHash hashes buffers one after the other, "" where the browser does
// not offer it.
self.batchlabHash = async (buffers) => {
  if (!self.crypto || !self.crypto.subtle) return "";
  const whole = buffers.length === 1 ? buffers[0] : await new Blob(buffers).arrayBuffer();
  const hash = new Uint8Array(await self.crypto.subtle.digest("SHA-256", whole));
  return Array.from(hash, (b) => b.toString(16).padStart(2, "0")).join("");
};
