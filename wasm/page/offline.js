// Offline use: registers the service worker once the page is drawn,
// and tells the page how it stands: "ready", "update" (a newer version waits),
// "file" (the page is one file), "insecure" (plain http: browsers offer no
// offline use there), "" (not yet, or not offered). A version that could not be
// kept whole, since the server sent files of two versions or lost the network, is
// asked for again after a while.
"use strict";
(() => {
  const offline = window.batchlabOffline = { state: "", listen, update };
  let listener = () => {}, registration = null, asked = false, patience = 5e3, trying = 0;

  function listen(f) {
    listener = f;
    f(offline.state);
  }

  function tell(state) {
    offline.state = state;
    document.documentElement.dataset.offline = state;
    listener(state);
  }

  // update lets the waiting version take over and loads the page again.
  function update() {
    if (!registration || !registration.waiting) return;
    asked = true;
    registration.waiting.postMessage("take over");
  }

  function look() {
    if (registration.waiting && registration.active) tell("update");
    else if (registration.active) tell("ready");
  }

  async function start() {
    if (location.protocol === "file:") return tell("file");
    if (!window.isSecureContext) return tell("insecure");
    if (!("serviceWorker" in navigator)) return;
    navigator.serviceWorker.addEventListener("controllerchange", () => { if (asked) location.reload(); });
    try {
      registration = await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" });
    } catch (error) {
      console.info("offline use is not available:", String(error));
      return;
    }
    follow(registration.installing);
    follow(registration.waiting);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    look();
    setInterval(() => registration.update().catch(() => { /* no network */ }), 3600e3);
  }

  function follow(worker) {
    if (!worker) return;
    let installed = worker.state !== "installing";
    worker.addEventListener("statechange", () => {
      if (worker.state === "redundant" && !installed) return again();
      installed = true;
      look();
    });
  }

  // again asks for a version that was refused, ever more seldom.
  function again() {
    clearTimeout(trying);
    trying = setTimeout(async () => {
      try {
        const now = await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" });
        if (now !== registration) {
          registration = now;
          now.addEventListener("updatefound", () => follow(now.installing));
          follow(now.installing);
        } else await now.update();
      } catch { // no network, or refused again before it was followed
        again();
      }
    }, patience);
    patience = Math.min(3600e3, 2 * patience);
  }

  // Not before the page is drawn: its download comes first.
  const html = document.documentElement;
  const wait = new MutationObserver(() => {
    if (!html.dataset.ready) return;
    wait.disconnect();
    if (location.hash === "#demo") return; // which asks for nothing
    setTimeout(start, 1500);
  });
  wait.observe(html, { attributes: true, attributeFilter: ["data-ready"] });
})();
