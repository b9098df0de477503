/** Shows the app's notifications where a page cannot, also those the server pushes, and leads a tap on one back into the app. It keeps and fetches nothing. */
// Only pages it controls can be led to another route, also those that were open before it.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** The notification in a push message; null when it has none. */
function contentOf(data) {
  try {
    const content = data?.json();
    return typeof content?.title === "string" ? content : null;
  } catch {
    return null;
  }
}

self.addEventListener("push", (event) => {
  const content = contentOf(event.data);
  if (!content) return;
  const { title, text, route, tag, urgent } = content;
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((pages) => {
      // A page the member looks at shows a toast.
      if (pages.some(({ visibilityState }) => visibilityState === "visible")) return undefined;
      const options = { body: text, icon: "/logo.svg", tag, renotify: true, requireInteraction: urgent === true, data: { route } };
      return self.registration.showNotification(title, options);
    }),
  );
});

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
