/** Generates the articles of an edition from the state of the market, the most interesting of each kind first. */
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import type { Category, Instrument } from "#contract/instrument.ts";
import type { NewsFacts, NewsItem, NewsKind } from "#contract/news.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";
import { limitsOf as dayLimitsOf } from "#contract/tick.ts";
import type { SessionReplay } from "#server/venue/venue.ts";
import { CLOSING, MIDDAY, OPENING } from "./edition.ts";

/** An article before publication. `subject` is what it is about: one article per subject and session. */
export type Draft = Pick<NewsItem, "kind" | "codes" | "category" | "facts"> & { subject: string };

/** The market an edition reports on. */
export interface NewsContext {
  instruments: readonly Instrument[];
  categories: readonly Category[];
  replay: SessionReplay;
}

/** Minimum move that is news, in hundredths of a percent. */
const MOVER = 500;
/** Minimum volume that is news, in tenths of an average day, if the price moves less than `CALM`; a larger move is news itself. */
const BUSY = 25;
const CALM = 350;
/** Minimum average daily volume in lots; below it a multiple of the average means nothing. */
const MIN_AVERAGE_LOTS = 50;
/** Minimum number of companies in a sector; a smaller sector moves with a single company. */
const MIN_SECTOR = 5;
/** Maximum number of instruments named in an article about several. */
const MAX_NAMED = 3;

interface Subject {
  instrument: Instrument;
  quote: Quote;
  /** Hundredths of a percent. */
  change: number;
}

const changeOf = (price: number, reference: number): number => Math.round(((price - reference) / reference) * 10_000);

function subjectsOf({ instruments, replay }: NewsContext): Subject[] {
  return instruments.flatMap((instrument) => {
    const quote = quoteAt(replay.quotes, instrument.row * QUOTE_STRIDE);
    return quote.last > 0 && quote.reference > 0 ? [{ instrument, quote, change: changeOf(quote.last, quote.reference) }] : [];
  });
}

function about(kind: NewsKind, { code }: Instrument, facts: NewsFacts): Draft {
  return { subject: `${kind} ${code}`, kind, codes: [code], category: null, facts };
}

/** Stocks and funds that moved far, are at a price limit, or trade much more than usual. */
function movers(subjects: readonly Subject[], { replay }: NewsContext): Draft[] {
  const tradableSubjects = subjects.filter(({ instrument }) => instrument.tradable && instrument.kind !== "crypto");
  const rising = tradableSubjects.toSorted((a, b) => b.change - a.change);
  const byMoney = tradableSubjects.toSorted((a, b) => b.quote.turnover - a.quote.turnover);
  const factsOf = ({ quote, change }: Subject): NewsFacts => ({
    price: quote.last,
    change,
    high: quote.high,
    low: quote.low,
    volume: quote.volume,
    turnover: quote.turnover,
  });
  const limitOf = ({ instrument, quote }: Subject): 1 | 0 | -1 => {
    const limits = dayLimitsOf(instrument, quote.reference, quote.at);
    return !limits ? 0 : quote.last >= limits.up ? 1 : quote.last <= limits.down ? -1 : 0;
  };
  const timesOf = ({ instrument, quote }: Subject): number => {
    const average = replay.averageLots[instrument.row] ?? 0;
    return average < MIN_AVERAGE_LOTS ? 0 : Math.round((quote.volume * 10) / average);
  };
  const busy = tradableSubjects
    .filter((one) => Math.abs(one.change) < CALM && timesOf(one) >= BUSY)
    .toSorted((a, b) => timesOf(b) - timesOf(a));
  return [
    ...rising.filter((one) => one.change >= MOVER && limitOf(one) === 0).map((one) => about("surge", one.instrument, factsOf(one))),
    ...rising
      .toReversed()
      .filter((one) => one.change <= -MOVER && limitOf(one) === 0)
      .map((one) => about("plunge", one.instrument, factsOf(one))),
    ...byMoney.filter((one) => limitOf(one) > 0).map((one) => about("limitUp", one.instrument, factsOf(one))),
    ...byMoney.filter((one) => limitOf(one) < 0).map((one) => about("limitDown", one.instrument, factsOf(one))),
    ...busy.map((one) => about("busy", one.instrument, { ...factsOf(one), times: timesOf(one) })),
  ];
}

/** Both boards as a whole: their index, its breadth, and the constituents that moved it most in its direction. */
function boards(kind: "open" | "midday" | "wrap", { instruments, replay }: NewsContext): Draft[] {
  return replay.contributions.flatMap(({ row, up, down, limitUp, limitDown, leaders, laggards }): Draft[] => {
    const index = instruments[row];
    const quote = quoteAt(replay.quotes, row * QUOTE_STRIDE);
    const price = kind === "open" ? quote.open : quote.last;
    if (!index || price === 0) return [];
    const change = changeOf(price, quote.reference);
    const named = (change < 0 ? laggards : leaders).slice(0, MAX_NAMED).flatMap(([one]) => instruments[one]?.code ?? []);
    const facts: NewsFacts = { price, change, high: quote.high, low: quote.low, turnover: quote.turnover, up, down, limitUp, limitDown };
    return [{ ...about(kind, index, facts), codes: [index.code, ...named] }];
  });
}

/** The best and the worst industry of each board, and the companies that moved it most. */
function sectors(subjects: readonly Subject[], { categories, replay }: NewsContext): Draft[] {
  const heats = Array.from({ length: replay.heat.length / HEAT_STRIDE }, (_, nth) => sectorHeatAt(replay.heat, nth * HEAT_STRIDE));
  const draft = (kind: "sectorUp" | "sectorDown", heat: (typeof heats)[number], { board, code }: Category): Draft => {
    const { change, up, down, limitUp, limitDown, turnover } = heat;
    const growth = ({ instrument, quote }: Subject): number =>
      (quote.last - quote.reference) * instrument.issuedThousands * (kind === "sectorUp" ? 1 : -1);
    const named = subjects
      .filter((one) => one.instrument.board === board && one.instrument.category === code && growth(one) > 0)
      .toSorted((a, b) => growth(b) - growth(a))
      .slice(0, MAX_NAMED);
    return {
      subject: `${kind} ${board}`,
      kind,
      codes: named.map(({ instrument }) => instrument.code),
      category: { board, code },
      facts: { change, up, down, limitUp, limitDown, turnover },
    };
  };
  return ["listed", "otc"].flatMap((board) => {
    const own = heats
      .filter(({ category }) => {
        const one = categories[category];
        return one?.board === board && /^\d+$/.test(one.code) && one.count >= MIN_SECTOR;
      })
      .toSorted((a, b) => b.change - a.change);
    const best = own[0];
    const worst = own.at(-1);
    const up = best && categories[best.category];
    const down = worst && categories[worst.category];
    return [
      ...(up && best.change > 0 ? [draft("sectorUp", best, up)] : []),
      ...(down && worst.change < 0 ? [draft("sectorDown", worst, down)] : []),
    ];
  });
}

/** Instruments with an ex-date today, the largest first. The subscription price is given as `price`. */
function exEvents({ instruments, replay }: NewsContext): Draft[] {
  const drafts = replay.actions.flatMap(({ row, action }): (Draft & { size: number })[] => {
    const instrument = instruments[row];
    if (!instrument) return [];
    const { cash, freeMillionths, rightsMillionths, rightsPrice, reference } = action;
    const facts: NewsFacts = {
      ...(cash > 0 ? { cash } : {}),
      ...(freeMillionths > 0 ? { freeMillionths } : {}),
      ...(rightsMillionths > 0 ? { rightsMillionths, price: rightsPrice } : {}),
      reference,
    };
    return [{ ...about("exEvent", instrument, facts), size: reference * instrument.issuedThousands }];
  });
  return drafts.toSorted((a, b) => b.size - a.size).map(({ size: _size, ...draft }) => draft);
}

/** Instruments with their first trading day today. */
function listings(subjects: readonly Subject[], { replay }: NewsContext): Draft[] {
  const today = taipeiDay(replay.opensAt);
  return subjects
    .filter(({ instrument }) => instrument.listedDay === today)
    .map(({ instrument, quote, change }) =>
      about("listing", instrument, { price: quote.last, change, reference: quote.reference, volume: quote.volume }),
    );
}

/** Funds that trade for the last time today, and those that have ended since the session before. */
function endings({ instruments, replay }: NewsContext): Draft[] {
  return replay.endings.flatMap(({ row, price }) => {
    const instrument = instruments[row];
    if (!instrument) return [];
    return [price === null ? about("lastDay", instrument, {}) : about("maturity", instrument, { price })];
  });
}

/** All articles an edition could publish, in the order of their kinds and within each the most interesting first. */
export function reportsOf(context: NewsContext, nth: number): Draft[] {
  const subjects = subjectsOf(context);
  if (nth === OPENING) return [...boards("open", context), ...listings(subjects, context), ...endings(context), ...exEvents(context)];
  const moved = movers(subjects, context);
  if (nth === MIDDAY) return [...boards("midday", context), ...moved];
  if (nth === CLOSING) return [...boards("wrap", context), ...sectors(subjects, context), ...moved];
  return moved;
}
