/** The best five levels a side, coloured against the reference price, with bars for their size, and the day's volume by side; a tap puts the price into the ticket, or sends a flash order. */
import { unitsPerWhole } from "#contract/instrument.ts";
import { sizeLabel } from "#src/screens/quote/units.ts";
import { useCallback, useEffect, useRef, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { formatPrice, grouped, price } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Depth as Book } from "#contract/quote.ts";
import { depth$ } from "#src/streams/depths.ts";
import { useVenue } from "#src/streams/instruments.ts";
import { trendOf } from "#src/ui/direction.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import { EmptyState, useSkeleton, Skeleton } from "#src/ui/state.tsx";
import { flowOf, levelsOf, SIDES } from "./depth-level.ts";
import type { Flow, Side } from "./depth-level.ts";
import { FlashArea, FlashKey } from "./flash-button.tsx";
import { useCallAuction } from "#src/streams/call-auctions.ts";
import { useReference } from "./use-reference.ts";
import styles from "./depth.module.css";

const PLACES = [0, 1, 2, 3, 4] as const;

/** A held key is one press. */
const oncePerPress = (event: KeyboardEvent): void => {
  if (event.repeat) event.preventDefault();
};

/** What a tap on a price does while flash orders are on: it sends one instead of opening the ticket. */
function useArmed() {
  const [open, setOpen] = useState(false);
  const flash = useRef<((at: Price) => void) | null>(null);
  const [flashing, setFlashing] = useState(false);
  const arm = useCallback((send: ((at: Price) => void) | null): void => {
    flash.current = send;
    setFlashing(send !== null);
  }, []);
  const off = useCallback(() => setOpen(false), []);
  return { flash, flashing, arm, open, setOpen, off };
}

/** The book changes ten times a second, so its texts are written to the DOM, not rendered. */
export function Depth({ instrument, onPick }: { instrument: Instrument; onPick: ((at: Price) => void) | null }) {
  const { t } = useTranslation();
  const { code, decimals } = instrument;
  const host = useRef<HTMLDivElement>(null);
  const flow = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"waiting" | "empty" | "there">("waiting");
  const reference = useReference(code);
  useEffect(() => {
    const subscription = depth$(code).subscribe((book) => {
      setState(book.bids.length + book.asks.length === 0 ? "empty" : "there");
      if (host.current) writeLevels(host.current, book, { decimals, reference });
      if (flow.current) writeFlow(flow.current, flowOf(book));
    });
    return () => subscription.unsubscribe();
  }, [code, decimals, reference]);
  const { trial } = useCallAuction(code);
  const phase = useVenue()?.phase;
  const isLate = phase === "oddLot" || phase === "fixedPrice";
  const skeleton = useSkeleton(state === "waiting");
  const { flash, flashing, arm, open, setOpen, off } = useArmed();
  const pick = (at: Price): void => (flash.current ?? onPick)?.(at);
  return (
    <section className={styles.depth} aria-labelledby="best-five">
      <h2 id="best-five" className={styles.title}>
        {t("market.bestFive")}
      </h2>
      {open && onPick && <FlashArea instrument={instrument} onArm={arm} onOff={off} />}
      {trial && (
        <p className={styles.trial}>
          <b>{t("market.trial.line", { price: formatPrice(trial.price, decimals), lots: grouped(String(trial.lots)) })}</b>
          {t("market.trial.note")}
        </p>
      )}
      {state === "empty" && <EmptyState why={t(isLate ? "market.noBookLate" : "market.noBook")} />}
      {skeleton && state === "waiting" && <Skeleton rows={5} shape="text" />}
      <div ref={host} className={styles.sides} data-live data-long={instrument.kind === "crypto" || undefined} hidden={state === "empty"}>
        {SIDES.map((side) => (
          <p key={side} className={styles.heads} data-side={side} aria-hidden>
            <span>{t(sizeLabel({ lotShares: instrument.lotShares, unitsPerWhole: unitsPerWhole(instrument) }))}</span>
            <span>{t(`market.side.${side}`)}</span>
          </p>
        ))}
        <Levels enabled={onPick !== null} flashing={flashing} onPick={pick} />
      </div>
      <div className={styles.foot} hidden={state === "empty"}>
        <FlowLine host={flow} />
        {onPick && !open && instrument.kind !== "crypto" && <FlashKey onOpen={() => setOpen(true)} />}
      </div>
    </section>
  );
}

interface LevelsProps {
  enabled: boolean;
  flashing: boolean;
  onPick: (at: Price) => void;
}

/** A level's price is the one that was under the finger when it came down: the book may be redrawn before it is lifted. */
export function Levels({ enabled, flashing, onPick }: LevelsProps) {
  const { t } = useTranslation();
  const pick = ({ dataset }: HTMLButtonElement): void => {
    const units = Number(dataset["pressed"] ?? dataset["price"] ?? 0);
    delete dataset["pressed"];
    if (units > 0) onPick(price(units));
  };
  return SIDES.map((side) => (
    <ul key={side} role="list" className={styles.side} data-side={side} aria-label={t(`market.side.${side}`)}>
      {PLACES.map((place) => (
        <li key={place}>
          <button
            type="button"
            className={styles.level}
            data-level={`${side}${place}`}
            disabled={!enabled}
            aria-describedby={flashing ? "flash-state" : undefined}
            onPointerDown={({ currentTarget: { dataset } }) => (dataset["pressed"] = dataset["price"] ?? "0")}
            onKeyDown={(event) => {
              delete event.currentTarget.dataset["pressed"];
              oncePerPress(event);
            }}
            onClick={(event) => pick(event.currentTarget)}
          >
            <span className={styles.bar} aria-hidden />
            <Hidden>{t(`market.level.${side}`, { n: place + 1 })}</Hidden>
            <span className={styles.price}>--</span>
            <span className={styles.lots} />
          </button>
        </li>
      ))}
    </ul>
  ));
}

/** The day's volume at the bid and at the ask. */
function FlowLine({ host }: { host: RefObject<HTMLDivElement | null> }) {
  const { t } = useTranslation();
  return (
    <div ref={host} className={styles.flow} data-live role="group" aria-label={t("market.flow.title")}>
      <p className={styles.traded}>
        {t("market.flow.atBid")} <b data-flow="atBid">--</b>
      </p>
      <p className={styles.traded}>
        {t("market.flow.atAsk")} <b data-flow="atAsk">--</b>
      </p>
      <div className={styles.whole} aria-hidden>
        <span data-flow="part" />
      </div>
    </div>
  );
}

function writeFlow(host: HTMLElement, { atBid, atAsk, part }: Flow): void {
  for (const [name, text] of [
    ["atBid", atBid],
    ["atAsk", atAsk],
  ] as const) {
    const node = host.querySelector(`[data-flow=${name}]`);
    if (node) setText(node, text);
  }
  const bar = host.querySelector<HTMLElement>("[data-flow=part]");
  host.toggleAttribute("data-traded", part !== null);
  if (bar) bar.style.scale = `${(part ?? 0).toFixed(3)} 1`;
}

/** How the prices of a book are written. */
interface PriceFormat {
  decimals: number;
  /** The price that is neither above nor below; null while it is not known. */
  reference: number | null;
}

/** Writes a book into the levels on screen. */
export function writeLevels(host: HTMLElement, book: Pick<Book, Side>, format: PriceFormat): void {
  for (const side of SIDES) levelsOf(book, side).forEach((level, place) => writeLevel(host, side, place, level, format));
}

function writeLevel(
  host: HTMLElement,
  side: Side,
  place: number,
  level: ReturnType<typeof levelsOf>[number],
  { decimals, reference }: PriceFormat,
): void {
  const button = host.querySelector<HTMLElement>(`[data-level=${side}${place}]`);
  const [bar, , at, lots] = button ? Array.from(button.children) : [];
  if (!button || !(at instanceof HTMLElement) || !lots || !(bar instanceof HTMLElement)) return;
  button.dataset["price"] = String(level.price);
  bar.style.scale = `${level.part.toFixed(3)} 1`;
  setText(at, formatPrice(level.price, decimals));
  at.dataset["d"] = reference === null || level.price === 0 ? "none" : trendOf(level.price - reference);
  setText(lots, level.lots > 0 ? grouped(String(level.lots)) : "");
}

function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
