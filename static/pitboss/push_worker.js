// Shows what the house tells this device while no page of it is open: a table and two words, nothing else.
"use strict";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const told = event.data.json();
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((pages) => {
      // Whoever looks at the board sees it there. Some browsers still ask that each one is shown.
      const isSeen = pages.some((page) => page.visibilityState === "visible");
      return self.registration.showNotification(told.title, {
        tag: told.tag,
        data: told.url,
        silent: isSeen,
        requireInteraction: !isSeen,
        ...(isSeen ? {} : { vibrate: [120, 80, 120] }),
      });
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then(async (pages) => {
      const [open] = pages;
      if (!open) return self.clients.openWindow(event.notification.data);
      await open.focus();
      return open.navigate(event.notification.data);
    }),
  );
});
