/** The window's title: what the screen shows, else its route's name, and the site. Written to the document, without a render. */
let site = "";
let route = "";
let shown: string | null = null;

function write(): void {
  document.title = [shown ?? route, site].filter((part) => part !== "").join(" · ");
}

/** Name the route and the site, in the app's language. */
export function titleRoute(routeName: string, siteName: string): void {
  route = routeName;
  site = siteName;
  write();
}

/** Name what the screen shows instead of its route: `2330 台積電 1,035`; null names the route again. */
export function titlePage(text: string | null): void {
  if (text === shown) return;
  shown = text;
  write();
}
