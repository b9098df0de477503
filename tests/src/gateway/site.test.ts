/** Tests which configured addresses of customer service the app links to. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { afterAll, beforeAll, expect, it } from "vitest";
import { contactAddress, currentSite, loadSite } from "#src/gateway/site.ts";
import { accepted, broker, mock } from "#tests/src/gateway/broker.ts";

beforeAll(() => broker.listen({ onUnhandledRequest: "error" }));
afterAll(() => broker.close());

it("customer service is a page or a mailbox, never a script or another scheme", () => {
  expect(contactAddress("https://service.example/chat")).toBe("https://service.example/chat");
  expect(contactAddress("mailto:service@kuroshio.example")).toBe("mailto:service@kuroshio.example");
  for (const other of ["javascript:alert(1)", "http://service.example", "data:text/html,x", "service", "", undefined])
    expect(contactAddress(other)).toBeNull();
});

it("comes from the site's configuration", async () => {
  mock("readConfig", () => accepted([{ name: "customerService", value: "mailto:service@kuroshio.example" }]));
  expect(await loadSite()).toBeNull();
  expect(currentSite().customerService).toBe("mailto:service@kuroshio.example");
});
