/** Shows the app's notifications where a page cannot, and leads a tap on one back into the app. It keeps and fetches nothing. */
// Only pages it controls can be led to another route, also those that were open before it.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const to = `/#${event.notification.data?.route ?? "/"}`;
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then(async (pages) => {
      const page = pages.find(({ focused }) => focused) ?? pages[0];
      if (!page) return self.clients.openWindow(to);
      await page.navigate(to).catch(() => undefined);
      return page.focus();
    }),
  );
});
