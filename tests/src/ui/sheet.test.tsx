// @vitest-environment happy-dom
/** Sheets: closed by Esc and Back, and one after another, while the browser takes its time to leave a history entry. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { useLocation } from "react-router-dom";
import { SIGN_IN } from "#src/paths.ts";
import { Navigate } from "#src/ui/link.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { doing, one, show } from "./render.tsx";
import type { Shown } from "./render.tsx";

let shown: Shown | null = null;
afterEach(async () => {
  await shown?.gone();
  shown = null;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a sheet", () => {
  const sheet = (open: boolean, locked: boolean, onClose: () => void) => (
    <Sheet open={open} locked={locked} onClose={onClose} title="Ticket">
      <p>Inside</p>
    </Sheet>
  );

  it("closes by Esc and Back, unless it is locked", async () => {
    const closed = vi.fn();
    shown = await show(sheet(true, true, closed));
    const dialog = one(document, "dialog");
    const cancel = () => doing(() => dialog.dispatchEvent(new Event("cancel", { cancelable: true })));
    const back = () => doing(() => window.dispatchEvent(new PopStateEvent("popstate", { state: null })));
    expect(dialog.open).toBe(true);
    await cancel();
    await back();
    expect(closed).not.toHaveBeenCalled();
    await shown.again(sheet(true, false, closed));
    await cancel();
    await back();
    expect(closed).toHaveBeenCalledTimes(2);
    await shown.again(sheet(false, false, closed));
    expect(dialog.open).toBe(false);
  });

  it("holds clicks until the browser has left its history entry, which would undo a navigation", async () => {
    vi.useFakeTimers();
    const back = vi.spyOn(window.history, "back").mockReturnValue();
    const pressed = vi.fn();
    const page = (open: boolean) => (
      <>
        <button type="button" onClick={(event) => pressed(event.detail, event.ctrlKey)}>
          Next page
        </button>
        {sheet(open, false, vi.fn())}
      </>
    );
    const press = () =>
      doing(() => one(document, "button").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1, ctrlKey: true })));
    shown = await show(page(true));
    await shown.again(page(false));
    await doing(() => vi.advanceTimersByTime(1));
    expect(back).toHaveBeenCalledTimes(1);
    await press();
    expect(pressed).not.toHaveBeenCalled();
    await doing(() => window.dispatchEvent(new PopStateEvent("popstate", { state: null })));
    expect(pressed.mock.calls).toEqual([[1, true]]);
    await press();
    expect(pressed).toHaveBeenCalledTimes(2);
  });

  it("acts on the last of the clicks that wait, and on none where an overlay opens meanwhile", async () => {
    vi.useFakeTimers();
    vi.spyOn(window.history, "back").mockReturnValue();
    const pressed = vi.fn();
    const page = (first: boolean, second: boolean) => (
      <>
        {["Buy", "Sell"].map((name) => (
          <button key={name} type="button" className={name} onClick={() => pressed(name)}>
            {name}
          </button>
        ))}
        {sheet(first, false, vi.fn())}
        {sheet(second, false, vi.fn())}
      </>
    );
    const press = (name: string) => doing(() => one(document, `button.${name}`).click());
    const popped = () => doing(() => window.dispatchEvent(new PopStateEvent("popstate", { state: null })));
    const close = async () => {
      await shown?.again(page(true, false));
      await shown?.again(page(false, false));
      await doing(() => vi.advanceTimersByTime(1));
    };
    shown = await show(page(false, false));
    await close();
    for (const name of ["Buy", "Buy", "Sell", "Sell"]) await press(name);
    await popped();
    expect(pressed.mock.calls).toEqual([["Sell"]]);
    await close();
    await press("Buy");
    await shown.again(page(false, true));
    await press("Buy");
    await popped();
    expect(pressed).toHaveBeenCalledTimes(1);
    // It is not kept for the next time either.
    await shown.again(page(false, false));
    await doing(() => vi.advanceTimersByTime(1));
    await popped();
    expect(pressed).toHaveBeenCalledTimes(1);
  });

  it("opens another overlay while the browser leaves the entry of the last, and keeps it when it has", async () => {
    vi.useFakeTimers();
    const back = vi.spyOn(window.history, "back").mockReturnValue();
    const push = vi.spyOn(window.history, "pushState");
    const closed = vi.fn();
    const page = (first: boolean, second: boolean) => (
      <>
        {sheet(first, false, vi.fn())}
        {sheet(second, false, closed)}
      </>
    );
    const popped = () => doing(() => window.dispatchEvent(new PopStateEvent("popstate", { state: null })));
    shown = await show(page(true, false));
    await shown.again(page(false, false));
    await doing(() => vi.advanceTimersByTime(1));
    expect(back).toHaveBeenCalledTimes(1);
    push.mockClear();
    await shown.again(page(false, true));
    const opened = () => [...document.querySelectorAll("dialog")].map(({ open }) => open);
    // An entry made now would be the one that is left, and the overlay would close with it. Without an entry, Back would leave the page.
    expect(push).not.toHaveBeenCalled();
    expect(opened()).toEqual([false, false]);
    // A slow phone takes its time.
    await doing(() => vi.advanceTimersByTime(2_000));
    push.mockImplementation(() => expect(opened()).toEqual([false, false]));
    await popped();
    expect(closed).not.toHaveBeenCalled();
    expect(push).toHaveBeenCalledTimes(1);
    expect(opened()).toEqual([false, true]);
    await popped();
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it("lets a redirect wait until the browser has left its history entry, unless it is withdrawn", async () => {
    vi.useFakeTimers();
    vi.spyOn(window.history, "back").mockReturnValue();
    const Where = () => <output>{useLocation().pathname}</output>;
    const page = (open: boolean, redirects: boolean) => (
      <>
        <Where />
        {redirects && <Navigate to={SIGN_IN} replace />}
        {sheet(open, false, vi.fn())}
      </>
    );
    const popped = () => doing(() => window.dispatchEvent(new PopStateEvent("popstate", { state: null })));
    const close = async () => {
      await shown?.again(page(true, false));
      await shown?.again(page(false, false));
      await doing(() => vi.advanceTimersByTime(1));
      await shown?.again(page(false, true));
    };
    const where = () => one(document, "output").textContent;
    shown = await show(page(false, false), "/home");
    await close();
    expect(where()).toBe("/home");
    await shown.again(page(false, false));
    await popped();
    expect(where()).toBe("/home");
    await close();
    expect(where()).toBe("/home");
    await popped();
    expect(where()).toBe(SIGN_IN);
  });

  it("gives an overlay that was closed before the browser had left the entry of the last none of its own", async () => {
    vi.useFakeTimers();
    const back = vi.spyOn(window.history, "back").mockReturnValue();
    const push = vi.spyOn(window.history, "pushState");
    shown = await show(sheet(true, false, vi.fn()));
    await shown.again(sheet(false, false, vi.fn()));
    await doing(() => vi.advanceTimersByTime(1));
    push.mockClear();
    await shown.again(sheet(true, false, vi.fn()));
    await shown.again(sheet(false, false, vi.fn()));
    await doing(() => window.dispatchEvent(new PopStateEvent("popstate", { state: null })));
    await doing(() => vi.advanceTimersByTime(1));
    expect(push).not.toHaveBeenCalled();
    expect(back).toHaveBeenCalledTimes(1);
  });
});
