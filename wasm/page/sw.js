// The service worker: keeps one version of the page, whole, and serves it
// without a network. The build fills in the version (a hash of all files) and
// the files with their SHA-256: what a server sends is kept only if all of it is
// this version, so that a deploy that is seen half done is refused, the version
// before it stays, and offline.js has it tried again. A new version waits until the page says so or is closed: nothing
// changes under a run.
"use strict";
const version = "@VERSION@";
const files = { "@FILES@": "" };
const cacheName = `batchlab-${version}`;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(cacheName);
    try {
      await Promise.all(Object.keys(files).map((f) => keep(cache, f)));
    } catch (error) {
      await caches.delete(cacheName);
      throw error;
    }
  })());
});

// keep puts a file into the cache if it is the one of this version.
async function keep(cache, file) {
  const request = new Request(file, { cache: "no-cache" });
  const response = await fetch(request);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  const hash = await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer());
  const hex = Array.from(new Uint8Array(hash), (b) => b.toString(16).padStart(2, "0")).join("");
  if (hex !== files[file]) throw new Error(`${file} is of another version than ${version}`);
  await cache.put(request, response);
}

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("batchlab-") && name !== cacheName) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== "GET" || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const path = url.pathname.slice(scope.pathname.length);
  const file = path === "" || path === "index.html" ? "./" : path;
  if (!Object.hasOwn(files, file)) return; // short links, and what is not ours
  event.respondWith((async () => {
    const cache = await caches.open(cacheName);
    return await cache.match(new URL(file, scope).href) || fetch(request);
  })());
});
