// The service worker: keeps one version of the page, whole, and serves it
// without a network. The build fills in the version (a hash of all files) and
// the files. A new version waits until the page says so or is closed: nothing
// changes under a run.
"use strict";
const version = "@VERSION@";
const files = ["@FILES@"];
const cacheName = `batchlab-${version}`;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(cacheName);
    try {
      await cache.addAll(files.map((f) => new Request(f, { cache: "no-cache" })));
    } catch (error) {
      await caches.delete(cacheName);
      throw error;
    }
  })());
});

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
  if (!files.includes(file)) return; // short links, and what is not ours
  event.respondWith((async () => {
    const cache = await caches.open(cacheName);
    return await cache.match(new URL(file, scope).href) || fetch(request);
  })());
});
