// @vitest-environment happy-dom
/** Tests device notifications: shown by a ready service worker, by the page where there is none, and never without permission. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { pathTo } from "#src/paths.ts";
import { notificationPermission, showNotification } from "#src/gateway/notification.ts";

const show = (): Promise<void> =>
  showNotification("TSMC: 1,100.00", "At or above 1,100.00", { route: pathTo("/information/msgInfo", { id: "M1" }) });

function allow(permission: NotificationPermission): ReturnType<typeof vi.fn> {
  const shownByPage = vi.fn();
  class Shown extends EventTarget {
    static readonly permission = permission;
    constructor(title: string) {
      super();
      shownByPage(title);
    }
  }
  vi.stubGlobal("Notification", Shown);
  return shownByPage;
}

afterEach(() => vi.unstubAllGlobals());

describe("a notification", () => {
  test("waits for a worker that is still being installed, and opens its route", async () => {
    const shownByPage = allow("granted");
    const installing = { showNotification: () => Promise.reject(new TypeError("No active registration")) };
    const shown = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", {
      serviceWorker: { register: () => Promise.resolve(installing), ready: Promise.resolve({ showNotification: shown }) },
    });
    await show();
    const route = "/information/msgInfo?id=M1";
    const options = { body: "At or above 1,100.00", tag: route, data: { route } };
    expect(shown).toHaveBeenCalledExactlyOnceWith("TSMC: 1,100.00", expect.objectContaining(options));
    expect(shownByPage).not.toHaveBeenCalled();
  });

  test("is shown by the page where no worker is available", async () => {
    const shownByPage = allow("granted");
    vi.stubGlobal("navigator", { serviceWorker: { register: () => Promise.reject(new Error("refused")) } });
    await show();
    expect(shownByPage).toHaveBeenCalledExactlyOnceWith("TSMC: 1,100.00");
  });

  test("is not shown without permission", async () => {
    const shownByPage = allow("default");
    expect(notificationPermission()).toBe("ask");
    await show();
    expect(shownByPage).not.toHaveBeenCalled();
  });
});
