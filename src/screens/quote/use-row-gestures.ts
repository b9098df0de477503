/** Swipe and long press on any quote row of the page, by its `data-quote`: listeners on the document, none per row. */
import { useEffect, useRef, useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { instrumentOf } from "#src/streams/instruments.ts";
import { haptic } from "#src/gateway/shell.ts";
import { gestureOf, LONG_PRESS_MS, restOf, shiftOf } from "./row-gesture.ts";
import type { Point } from "./row-gesture.ts";
import { openRowMenu } from "./row-menu-request.ts";

/** A row moved aside from its keys. */
export interface SwipedRow {
  row: HTMLElement;
  instrument: Instrument;
}

interface Press extends SwipedRow {
  from: Point;
  pointer: number;
  /** How far it was moved aside already. */
  before: number;
  shift: number;
  timer: number;
  gesture: "undecided" | "swipe" | "held";
}

function rowOf(target: EventTarget | null): SwipedRow | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-quote]") : null;
  const instrument = row && instrumentOf(row.dataset["quote"] ?? "");
  return row && instrument ? { row, instrument } : null;
}

function move(row: HTMLElement, shift: number, dragged: boolean): void {
  row.style.setProperty("--swiped", `${shift}px`);
  row.toggleAttribute("data-dragged", dragged);
}

/** The click that ends a gesture must not follow the row's link; the next touch is free again. */
function swallowClick(): void {
  const stop = new AbortController();
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    stop.abort();
  };
  window.addEventListener("click", swallow, { capture: true, signal: stop.signal });
  window.addEventListener("pointerdown", () => stop.abort(), { capture: true, signal: stop.signal });
}

class Gestures {
  #press: Press | null = null;
  #swiped: SwipedRow | null = null;
  readonly #onSwiped: (swiped: SwipedRow | null) => void;

  constructor(onSwiped: (swiped: SwipedRow | null) => void) {
    this.#onSwiped = onSwiped;
  }

  /** Moves the swiped row back over its keys. */
  close(): void {
    if (!this.#swiped) return;
    move(this.#swiped.row, 0, false);
    this.#swiped.row.removeAttribute("data-swiped");
    this.#swiped = null;
    this.#onSwiped(null);
  }

  down(event: PointerEvent): void {
    this.#end();
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("[data-row-keys]")) return;
    const at = rowOf(target);
    if (this.#swiped && this.#swiped.row !== at?.row) this.close();
    // A mouse has the context menu and hovering; dragging a link with it means something else.
    if (!at || !event.isPrimary || event.pointerType === "mouse" || target?.closest("button")) return;
    const before = this.#swiped ? restOf(Infinity, 0) : 0;
    const timer = window.setTimeout(() => this.#hold(), LONG_PRESS_MS);
    const from = { x: event.clientX, y: event.clientY };
    this.#press = { ...at, from, pointer: event.pointerId, before, shift: before, timer, gesture: "undecided" };
  }

  #hold(): void {
    if (this.#press?.gesture !== "undecided") return;
    this.#press.gesture = "held";
    swallowClick();
    haptic("tick");
    this.#press.row.querySelector<HTMLElement>("a")?.focus({ preventScroll: true });
    openRowMenu(this.#press.instrument);
  }

  moved(event: PointerEvent): void {
    const press = this.#press;
    if (!press || press.pointer !== event.pointerId || press.gesture === "held") return;
    const to = { x: event.clientX, y: event.clientY };
    if (press.gesture === "undecided") {
      const gesture = gestureOf(press.from, to);
      if (gesture === "undecided") return;
      if (gesture === "scroll" || !press.instrument.tradable) return this.#end();
      press.gesture = "swipe";
      window.clearTimeout(press.timer);
      this.#show(press);
    }
    press.shift = shiftOf(press.from, to, press.before);
    move(press.row, press.shift, true);
  }

  #show({ row, instrument }: SwipedRow): void {
    if (this.#swiped?.row === row) return;
    this.#swiped = { row, instrument };
    row.setAttribute("data-swiped", "");
    this.#onSwiped(this.#swiped);
  }

  up(event: PointerEvent): void {
    const press = this.#press;
    if (!press || press.pointer !== event.pointerId) return;
    this.#end();
    if (press.gesture === "undecided" && press.before > 0) {
      // A tap on the moved row only moves it back.
      swallowClick();
      return this.close();
    }
    if (press.gesture !== "swipe") return;
    swallowClick();
    const rest = restOf(press.shift, press.before);
    if (rest === 0) this.close();
    else move(press.row, rest, false);
  }

  /** The browser took over: it scrolls. */
  cancelled(): void {
    const swiping = this.#press?.gesture === "swipe";
    this.#end();
    if (swiping) this.close();
  }

  #end(): void {
    if (this.#press) window.clearTimeout(this.#press.timer);
    this.#press = null;
  }

  /** A right click, the context menu key, or the browser's own long press. With a modifier the browser's menu opens. */
  menu(event: MouseEvent): void {
    const at = event.ctrlKey || event.shiftKey ? null : rowOf(event.target);
    if (!at) return;
    event.preventDefault();
    // The long press has opened the menu already.
    if (this.#press?.gesture === "held") return;
    this.#end();
    openRowMenu(at.instrument);
  }
}

/** @returns the row whose keys are uncovered, and how to cover them again */
export function useRowGestures(): [SwipedRow | null, () => void] {
  const [swiped, setSwiped] = useState<SwipedRow | null>(null);
  const close = useRef<() => void>(() => undefined);
  useEffect(() => {
    const gestures = new Gestures(setSwiped);
    close.current = () => gestures.close();
    const listeners = {
      pointerdown: (event: PointerEvent) => gestures.down(event),
      pointermove: (event: PointerEvent) => gestures.moved(event),
      pointerup: (event: PointerEvent) => gestures.up(event),
      pointercancel: () => gestures.cancelled(),
      contextmenu: (event: MouseEvent) => gestures.menu(event),
      scroll: () => gestures.close(),
      hashchange: () => gestures.close(),
      keydown: (event: KeyboardEvent) => event.key === "Escape" && gestures.close(),
    };
    const passive = { capture: true, passive: true };
    for (const [name, listener] of Object.entries(listeners)) {
      window.addEventListener(name, listener as EventListener, name === "contextmenu" ? { capture: true } : passive);
    }
    return () => {
      gestures.close();
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener, { capture: true });
    };
  }, []);
  return [swiped, () => close.current()];
}
