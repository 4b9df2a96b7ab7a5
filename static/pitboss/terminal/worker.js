// The terminal's shell, kept in the browser: its page and its files, and nothing of the floor. Without a connection it is
// loaded from here; whatever is asked of the API is never kept, so nothing old is ever taken for an answer.
(() => {
  "use strict";
  const KEPT = "pitboss-terminal-shell";
  const PAGE = "/terminal/";
  const PATIENCE_MS = 5000;

  const isShell = (url) => url.origin === self.location.origin && (url.pathname === PAGE || url.pathname.startsWith("/static/"));

  // The newest first, so that a new version is used as soon as it is there; what was kept where nobody answers.
  const answer = async (request) => {
    const shell = await caches.open(KEPT);
    try {
      const fresh = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (fresh.ok) await shell.put(request, fresh.clone());
      if (fresh.status < 500) return fresh;
      return (await shell.match(request)) ?? fresh;
    } catch (error) {
      const kept = await shell.match(request, { ignoreSearch: request.mode === "navigate" });
      if (kept) return kept;
      throw error;
    }
  };

  // What the page says it is made of; files of an earlier version go.
  const keep = async (addresses) => {
    const shell = await caches.open(KEPT);
    const wanted = new Set(addresses.map((each) => new URL(each, self.location.origin)).filter(isShell).map(String));
    for (const address of wanted) if (!(await shell.match(address))) await shell.add(address);
    for (const request of await shell.keys()) if (!wanted.has(request.url)) await shell.delete(request);
  };

  self.addEventListener("install", () => self.skipWaiting());
  self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener("message", (event) => {
    const done = keep(event.data).then(() => event.source?.postMessage("kept"));
    event.waitUntil(done.catch(() => {}));
  });
  self.addEventListener("fetch", (event) => {
    if (event.request.method === "GET" && isShell(new URL(event.request.url))) event.respondWith(answer(event.request));
  });
})();
