// @vitest-environment happy-dom
/** Tests local storage: five keys, validated on reading, cleared except rembInfo, and usable where it is forbidden. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clearExceptRemembered, read, remove, write } from "#src/gateway/storage.ts";

const stored = (): string[] => Array.from({ length: window.localStorage.length }, (_, at) => window.localStorage.key(at) ?? "").toSorted();

describe("local storage", () => {
  beforeEach(() => window.localStorage.clear());
  afterEach(() => vi.unstubAllGlobals());

  test("stores values under the specification's keys", () => {
    write("tokend", "secret");
    write("account", "KS1");
    write("rembInfo", { idNumber: "A123456789" });
    write("language", "zh-TW");
    expect(stored()).toEqual(["account", "language", "rembInfo", "tokend"]);
    expect(read("tokend")).toBe("secret");
    expect(read("rembInfo")).toEqual({ idNumber: "A123456789" });
    remove("tokend");
    expect(read("tokend")).toBeNull();
  });

  test("reads null from missing or invalid values", () => {
    window.localStorage.setItem("rembInfo", "{broken");
    window.localStorage.setItem("stockDetail", JSON.stringify({ code: 2330 }));
    window.localStorage.setItem("tokend", "");
    expect([read("rembInfo"), read("stockDetail"), read("tokend"), read("account")]).toEqual([null, null, null, null]);
  });

  test("keeps only rembInfo after a forced logout", () => {
    write("tokend", "secret");
    write("language", "af");
    write("rembInfo", { idNumber: "A123456789" });
    window.localStorage.setItem("left by somebody", "x");
    clearExceptRemembered();
    expect(stored()).toEqual(["rembInfo"]);
    expect(read("rembInfo")).toEqual({ idNumber: "A123456789" });
  });

  test("keeps values in memory where the browser refuses storage", () => {
    const full = (): never => {
      throw new DOMException("no room", "QuotaExceededError");
    };
    vi.stubGlobal("localStorage", { getItem: () => null, setItem: full, removeItem: full, clear: full });
    write("tokend", "secret");
    expect(read("tokend")).toBe("secret");
    clearExceptRemembered();
    expect(read("tokend")).toBeNull();
  });
});
