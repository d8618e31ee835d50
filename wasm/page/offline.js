// Offline use: registers the service worker once the page is drawn,
// and tells the page how it stands: "ready", "update" (a newer version waits),
// "file" (the page is one file), "insecure" (plain http: browsers offer no
// offline use there), "" (not yet, or not offered).
"use strict";
(() => {
  const offline = window.batchlabOffline = { state: "", listen, update };
  let listener = () => {}, registration = null, asked = false;

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
    const follow = (worker) => worker && worker.addEventListener("statechange", look);
    follow(registration.installing);
    follow(registration.waiting);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    look();
    setInterval(() => registration.update().catch(() => { /* no network */ }), 3600e3);
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
