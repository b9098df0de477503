// @vitest-environment happy-dom
/** The window's title: the route's name and the site, or what the screen shows. */
import { expect, test } from "vitest";
import { titlePage, titleRoute } from "#src/ui/page-title.ts";

test("a page's own title replaces its route's name until it is gone", () => {
  titleRoute("Stock", "Kuroshio");
  expect(document.title).toBe("Stock · Kuroshio");
  titlePage("2330 TSMC 1,035.00");
  expect(document.title).toBe("2330 TSMC 1,035.00 · Kuroshio");
  titleRoute("Home", "Kuroshio");
  titlePage(null);
  expect(document.title).toBe("Home · Kuroshio");
  titleRoute("", "Kuroshio");
  expect(document.title).toBe("Kuroshio");
});
