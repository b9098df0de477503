// @vitest-environment happy-dom
/** UI kit components under pointer and keyboard: busy buttons, bound errors, two-press confirmation and held keys. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Direction } from "#src/ui/direction.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { GUARD_MS, SlideToConfirm } from "#src/ui/slide-to-confirm.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { TabBar } from "#src/ui/tab-bar.tsx";
import { Badge } from "#src/ui/badge.tsx";
import { Toaster } from "#src/ui/toast.tsx";
import type { ToastContent } from "#src/ui/toast.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { doing, one, show } from "./render.tsx";
import type { Shown } from "./render.tsx";

let shown: Shown | null = null;
afterEach(async () => {
  await shown?.gone();
  shown = null;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const key = (target: HTMLElement, name: string): Promise<void> =>
  doing(() => target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true })));

describe("a toast", () => {
  it("is in one live region: the polite one, or the one that interrupts when it is urgent", async () => {
    let say = (_content: ToastContent): void => undefined;
    const source = (show: (content: ToastContent) => void) => {
      say = show;
      return () => undefined;
    };
    shown = await show(<Toaster source={source} stayMs={60_000} />);
    const region = (role: string): string[] => [...document.querySelectorAll(`[role=${role}] p`)].map((line) => line.textContent ?? "");
    await doing(() => say({ text: "2 lots", tone: "success", key: "K1" }));
    await doing(() => say({ text: "forced", tone: "danger", urgent: true }));
    await doing(() => say({ text: "4 lots", tone: "success", key: "K1" }));
    expect([region("status"), region("alert")]).toEqual([["4 lots"], ["forced"]]);
  });

  it("is at the top over an open sheet, whose keys are at the bottom", async () => {
    let say = (_content: ToastContent): void => undefined;
    const source = (show: (content: ToastContent) => void) => {
      say = show;
      return () => undefined;
    };
    shown = await show(<Toaster source={source} stayMs={60_000} />);
    const atTop = (): boolean | undefined => document.querySelector("[popover]")?.hasAttribute("data-top");
    await doing(() => say({ text: "before", tone: "info" }));
    expect(atTop()).toBe(false);
    const sheet = document.createElement("dialog");
    sheet.setAttribute("open", "");
    document.body.append(sheet);
    await doing(() => say({ text: "filled", tone: "success" }));
    expect(atTop()).toBe(true);
    sheet.remove();
    await doing(() => say({ text: "after", tone: "info" }));
    expect(atTop()).toBe(false);
  });
});

describe("a tab with a badge", () => {
  it("shows a number and is named by words", async () => {
    const tab = {
      to: "/trade/index" as const,
      label: "Trade",
      icon: () => null,
      current: false,
      badge: <Badge count={120} label="120 orders changed" />,
    };
    shown = await show(<TabBar label="Tabs" tabs={[tab]} />);
    const link = one(shown.place, "a");
    expect(link.querySelector("[aria-hidden]")?.textContent).toBe("99+");
    const named = [...link.children].filter((child) => !child.hasAttribute("aria-hidden")).map((child) => child.textContent);
    expect(named).toEqual(["Trade", "(120 orders changed)"]);
  });
});

describe("a button", () => {
  it("ignores presses while busy, and stays in the tab order", async () => {
    const pressed = vi.fn();
    shown = await show(
      <Button busy onClick={pressed}>
        Send
      </Button>,
    );
    const button = one(shown.place, "button");
    await doing(() => button.click());
    expect(pressed).not.toHaveBeenCalled();
    expect([button.disabled, button.getAttribute("aria-busy"), button.getAttribute("aria-disabled")]).toEqual([false, "true", "true"]);
    await shown.again(<Button onClick={pressed}>Send</Button>);
    await doing(() => one(document, "button").click());
    expect(pressed).toHaveBeenCalledTimes(1);
  });
});

describe("a text field", () => {
  it("binds label, error and hint", async () => {
    shown = await show(<TextField label="ID" value="" onText={() => undefined} error="Wrong" hint="Ten signs" />);
    const input = one(shown.place, "input");
    const described = (input.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent);
    expect(input.labels?.[0]?.textContent).toBe("ID");
    expect(input.getAttribute("aria-invalid")).toBe("true");
    expect(described).toEqual(["Wrong", "Ten signs"]);
  });
});

describe("a stepper", () => {
  it("steps by key, by arrow, and repeats while held", async () => {
    vi.useFakeTimers();
    const stepped = vi.fn();
    shown = await show(<NumberStepper label="Lots" value="1" onType={() => undefined} onStep={stepped} />);
    await key(one(shown.place, "input"), "ArrowUp");
    await key(one(shown.place, "input"), "PageDown");
    expect(stepped.mock.calls).toEqual([
      [1, 1],
      [-1, 10],
    ]);
    stepped.mockClear();
    const plus = one(shown.place, "button[aria-label='Increase Lots']");
    await doing(() => plus.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })));
    await doing(() => vi.advanceTimersByTime(1000));
    await doing(() => plus.dispatchEvent(new PointerEvent("pointerup", { bubbles: true })));
    await doing(() => plus.click());
    const held = stepped.mock.calls.length;
    expect(held).toBeGreaterThan(4);
    await doing(() => vi.advanceTimersByTime(1000));
    expect(stepped.mock.calls.length).toBe(held);
  });
});

describe("slide to confirm", () => {
  it("requires two key presses, none of them too early", async () => {
    vi.useFakeTimers();
    const confirmed = vi.fn();
    shown = await show(<SlideToConfirm label="Buy" onConfirm={confirmed} />);
    const track = one(shown.place, "button");
    await key(track, "Enter");
    await key(track, "Enter");
    expect(confirmed).not.toHaveBeenCalled();
    await doing(() => vi.advanceTimersByTime(GUARD_MS));
    await key(track, "Enter");
    expect(confirmed).not.toHaveBeenCalled();
    expect(track.textContent).toContain("press again");
    await key(track, "Enter");
    expect(confirmed).toHaveBeenCalledTimes(1);
  });

  it("confirms at the second tap, not at the second of a double tap or at the end of a short drag", async () => {
    vi.useFakeTimers();
    const confirmed = vi.fn();
    shown = await show(<SlideToConfirm label="Buy" onConfirm={confirmed} />);
    await doing(() => vi.advanceTimersByTime(GUARD_MS));
    const track = one(shown.place, "button");
    track.setPointerCapture = () => undefined;
    let now = 10_000;
    const tap = (dragPx = 0): Promise<void> =>
      doing(() => {
        const at = (type: string, clientX: number) => new PointerEvent(type, { bubbles: true, isPrimary: true, pointerId: 1, clientX });
        track.dispatchEvent(at("pointerdown", 50));
        track.dispatchEvent(at("pointermove", 50 + dragPx));
        track.dispatchEvent(at("pointercancel", 50 + dragPx));
        const click = new MouseEvent("click", { bubbles: true, detail: 1 });
        Object.defineProperty(click, "timeStamp", { value: now });
        track.dispatchEvent(click);
      });
    await tap(40);
    expect(track.textContent).not.toContain("press again");
    await tap();
    expect(track.textContent).toContain("press again");
    now += GUARD_MS - 1;
    await tap();
    expect(confirmed).not.toHaveBeenCalled();
    now += 1;
    await tap(40);
    expect(confirmed).not.toHaveBeenCalled();
    await tap();
    expect(confirmed).toHaveBeenCalledTimes(1);
  });

  it("counts a held key once: its repeats neither confirm nor arm again, and its release is no click", async () => {
    vi.useFakeTimers();
    const confirmed = vi.fn();
    shown = await show(<SlideToConfirm label="Buy" onConfirm={confirmed} />);
    await doing(() => vi.advanceTimersByTime(GUARD_MS));
    const track = one(shown.place, "button");
    for (const held of ["Enter", " "]) {
      const press = async (type: string, repeat: boolean): Promise<boolean> => {
        const event = new KeyboardEvent(type, { key: held, repeat, bubbles: true, cancelable: true });
        await doing(() => track.dispatchEvent(event));
        return event.defaultPrevented;
      };
      // Held since another element had the focus: not even a first press.
      await press("keydown", true);
      expect(track.textContent).not.toContain("press again");
      await press("keydown", false);
      for (let nth = 0; nth < 20; nth += 1) expect(await press("keydown", true)).toBe(true);
      expect(await press("keyup", false)).toBe(true);
      expect(track.textContent).toContain("press again");
      expect(confirmed).not.toHaveBeenCalled();
      await doing(() => track.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
    }
  });

  it("drops the first press when it loses the focus, and does nothing while busy", async () => {
    vi.useFakeTimers();
    const confirmed = vi.fn();
    shown = await show(<SlideToConfirm label="Buy" onConfirm={confirmed} />);
    await doing(() => vi.advanceTimersByTime(GUARD_MS));
    const track = one(shown.place, "button");
    await key(track, "Enter");
    await doing(() => track.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
    await key(track, "Enter");
    expect(confirmed).not.toHaveBeenCalled();
    await shown.again(<SlideToConfirm label="Buy" busy onConfirm={confirmed} />);
    await key(track, "Enter");
    expect(confirmed).not.toHaveBeenCalled();
  });
});

describe("choices", () => {
  it("are native radios in a named group", async () => {
    const chosen = vi.fn();
    const options = [
      { value: "rise" as const, label: "Rise" },
      { value: "fall" as const, label: "Fall" },
    ];
    shown = await show(<Segmented label="Direction" options={options} value="rise" onChoose={chosen} />);
    const radios = [...shown.place.querySelectorAll<HTMLInputElement>("input[type=radio]")];
    expect(radios.map(({ checked }) => checked)).toEqual([true, false]);
    await doing(() => radios[1]?.click());
    expect(chosen).toHaveBeenCalledWith("fall");
  });

  it("tabs move with the arrow keys, wrapping at the end", async () => {
    const chosen = vi.fn();
    const tabs = [
      { value: "a" as const, label: "A" },
      { value: "b" as const, label: "B" },
    ];
    shown = await show(<Tabs label="Lists" tabs={tabs} value="b" onChoose={chosen} />);
    await key(one(shown.place, "[role=tablist]"), "ArrowRight");
    expect(chosen).toHaveBeenCalledWith("a");
  });
});

describe("a direction", () => {
  it("has a screen-reader word and an arrow", async () => {
    shown = await show(<Direction trend="down" text="−0.70%" />);
    expect(shown.place.textContent).toContain("down 0.70%");
    expect(one(shown.place, "[data-trend=down]").hasAttribute("data-arrow")).toBe(true);
  });
});

describe("a virtual list", () => {
  const items = Array.from({ length: 2000 }, (_, at) => ({ code: String(at) }));
  const rendered = vi.fn<(code: string) => void>();
  const Row = ({ item }: { item: { code: string } }) => {
    rendered(item.code);
    return <a href={`#${item.code}`}>{item.code}</a>;
  };

  it("mounts a window of rows, announces the total, and renders no row twice while scrolling", async () => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(640);
    const sections = [{ id: "all", items }];
    shown = await show(<VirtualList label="Stocks" sections={sections} keyOf={({ code }) => code} Row={Row} />);
    const rows = () => [...document.querySelectorAll("[role=listitem]")];
    expect(rows().length).toBeLessThanOrEqual(25);
    expect(rows()[0]?.getAttribute("aria-setsize")).toBe("2000");
    const scroller = one(shown.place, "[role=region]");
    rendered.mockClear();
    scroller.scrollTop = 128;
    await doing(() => scroller.dispatchEvent(new Event("scroll")));
    expect(rendered.mock.calls.length).toBeLessThanOrEqual(4);
    scroller.scrollTop = 64_000;
    await doing(() => scroller.dispatchEvent(new Event("scroll")));
    expect(rows().some((row) => row.textContent === "1000")).toBe(true);
    expect(rows().length).toBeLessThanOrEqual(25);
  });
});
