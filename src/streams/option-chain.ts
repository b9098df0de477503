/** The chain of options on screen: a worker of its own prices it with each quote of the index, and its texts are written without renders. */
import { useEffect } from "react";
import type { Subscription } from "rxjs";
import { NOTHING } from "./cells.ts";
import { openOptionPricing, SERIES_FIELDS } from "./option-worker.ts";
import type { OptionPricing, PricedChain, SeriesField } from "./option-worker.ts";
import { quote$ } from "./quotes.ts";

const TAIEX = "IX0001";

/** The newest texts by series, in the order of SERIES_FIELDS, and the nodes that show one. */
const texts = new Map<string, readonly string[]>();
const nodes = new Map<string, Set<{ field: number; text: Text }>>();

interface Pricing extends OptionPricing {
  quotes: Subscription;
  /** The level that is priced next; the newest one alone counts. */
  level: number | null;
  busy: boolean;
}
let pricing: Pricing | null = null;
let viewers = 0;

/** The text of a series' field; `--` before it is priced. */
export const seriesText = (code: string, field: SeriesField): string => texts.get(code)?.[SERIES_FIELDS.indexOf(field)] ?? NOTHING;

/** Let a node, whose only child is its text, show a field from now on. @returns a function that stops it */
export function showSeries(code: string, field: SeriesField, node: HTMLElement): () => void {
  const text = document.createTextNode(seriesText(code, field));
  node.replaceChildren(text);
  const shown = { field: SERIES_FIELDS.indexOf(field), text };
  const all = nodes.get(code) ?? new Set();
  nodes.set(code, all.add(shown));
  return () => {
    all.delete(shown);
    if (all.size === 0) nodes.delete(code);
  };
}

function write(update: readonly string[]): void {
  const stride = SERIES_FIELDS.length + 1;
  for (let at = 0; at + stride <= update.length; at += stride) {
    const code = update[at] ?? "";
    const own = update.slice(at + 1, at + stride);
    texts.set(code, own);
    for (const { field, text } of nodes.get(code) ?? []) if (text.nodeValue !== own[field]) text.nodeValue = own[field] ?? NOTHING;
  }
}

/** Prices the newest level; while the worker is busy, quotes replace each other. */
async function run(own: Pricing): Promise<void> {
  const { level } = own;
  if (own.busy || level === null) return;
  own.busy = true;
  own.level = null;
  // A failure is told, and the next quote is priced.
  const update = await own.api.price(level).finally(() => {
    own.busy = false;
  });
  if (own !== pricing) return;
  write(update);
  await run(own);
}

function open(): Pricing {
  const quotes = quote$(TAIEX).subscribe(({ quote }) => {
    if (!pricing || quote.last <= 0) return;
    pricing.level = quote.last;
    void run(pricing);
  });
  return { ...openOptionPricing(), quotes, level: null, busy: false };
}

function watch(): () => void {
  viewers += 1;
  pricing ??= open();
  return () => {
    viewers -= 1;
    if (viewers > 0) return;
    pricing?.quotes.unsubscribe();
    pricing?.worker.terminate();
    pricing = null;
    texts.clear();
  };
}

/** Prices a chain while a component shows it; null before it is read. */
export function useLiveChain(chain: PricedChain | null): void {
  useEffect(watch, []);
  useEffect(() => {
    if (!pricing || !chain) return;
    void pricing.api.use(chain);
    // Messages arrive in order: this level is priced with the new chain.
    pricing.level ??= chain.index;
    void run(pricing);
  }, [chain]);
}
