// Keep this page and its files in the browser, so that a reload without a connection still opens the terminal.
(() => {
  "use strict";
  // Not on plain http: there the browser keeps nothing, and a reload waits for the connection.
  if (!navigator.serviceWorker) return;
  const parts = () => ["/terminal/", ...performance.getEntriesByType("resource").map((each) => each.name).filter((name) => name.includes("/static/"))];

  addEventListener("load", async () => {
    try {
      await navigator.serviceWorker.register("/terminal/worker.js", { scope: "/terminal/" });
      const { active } = await navigator.serviceWorker.ready;
      navigator.serviceWorker.addEventListener("message", () => { document.documentElement.dataset.kept = "yes"; });
      active.postMessage(parts());
    } catch {
      // A browser that is told to keep nothing: the terminal works as long as it is not reloaded offline.
    }
  });
})();
