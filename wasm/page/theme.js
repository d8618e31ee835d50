// Sets the theme before the first paint: the stored choice, else what the
// system prefers. The page's own toggle writes the same key.
"use strict";
(() => {
  let theme = "";
  try { theme = localStorage.getItem("batchlab-theme") || ""; } catch { /* storage is off */ }
  if (theme !== "light" && theme !== "dark") {
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  document.documentElement.dataset.theme = theme;
})();
