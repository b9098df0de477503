/** What there is to report of a market at a moment: articles with their numbers, the most interesting of each kind first. */
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import type { Category, Instrument } from "#contract/instrument.ts";
import type { NewsFacts, NewsItem, NewsKind } from "#contract/news.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";
import { limitsOf as dayLimitsOf } from "#contract/tick.ts";
import type { Review } from "#server/venue/venue.ts";
import { CLOSING, MIDDAY, OPENING } from "./edition.ts";

/** An article before it is printed. `subject` is what it is about: nothing is written about twice in a session. */
export type Draft = Pick<NewsItem, "kind" | "codes" | "category" | "facts"> & { subject: string };

/** The market an edition is about. */
export interface Scene {
  instruments: readonly Instrument[];
  categories: readonly Category[];
  review: Review;
}

/** A move from here on is news, in hundredths of a percent. */
const MOVER = 500;
/** A volume from here on is news, in tenths of an ordinary day, where the price does not move enough to be the news itself. */
const BUSY = 25;
const CALM = 350;
/** Below this many lots an ordinary day, a multiple of it says nothing. */
const LEAST_ORDINARY = 50;
/** Smaller sectors move with a single company. */
const LEAST_SECTOR = 5;
/** How many instruments an article about many names. */
const NAMED = 3;

interface Subject {
  instrument: Instrument;
  quote: Quote;
  /** Hundredths of a percent. */
  change: number;
}

const changeOf = (price: number, reference: number): number => Math.round(((price - reference) / reference) * 10_000);

function subjectsOf({ instruments, review }: Scene): Subject[] {
  return instruments.flatMap((instrument) => {
    const quote = quoteAt(review.quotes, instrument.row * QUOTE_STRIDE);
    return quote.last > 0 && quote.reference > 0 ? [{ instrument, quote, change: changeOf(quote.last, quote.reference) }] : [];
  });
}

function about(kind: NewsKind, { code }: Instrument, facts: NewsFacts): Draft {
  return { subject: `${kind} ${code}`, kind, codes: [code], category: null, facts };
}

/** Stocks and funds that moved far, stand at a limit, or are traded much more than usual. */
function movers(subjects: readonly Subject[], { review }: Scene): Draft[] {
  const traded = subjects.filter(({ instrument }) => instrument.tradable);
  const rising = traded.toSorted((a, b) => b.change - a.change);
  const byMoney = traded.toSorted((a, b) => b.quote.turnover - a.quote.turnover);
  const told = ({ quote, change }: Subject): NewsFacts => ({
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
    const ordinary = review.ordinary[instrument.row] ?? 0;
    return ordinary < LEAST_ORDINARY ? 0 : Math.round((quote.volume * 10) / ordinary);
  };
  const busy = traded.filter((one) => Math.abs(one.change) < CALM && timesOf(one) >= BUSY).toSorted((a, b) => timesOf(b) - timesOf(a));
  return [
    ...rising.filter((one) => one.change >= MOVER && limitOf(one) === 0).map((one) => about("surge", one.instrument, told(one))),
    ...rising
      .toReversed()
      .filter((one) => one.change <= -MOVER && limitOf(one) === 0)
      .map((one) => about("plunge", one.instrument, told(one))),
    ...byMoney.filter((one) => limitOf(one) > 0).map((one) => about("limitUp", one.instrument, told(one))),
    ...byMoney.filter((one) => limitOf(one) < 0).map((one) => about("limitDown", one.instrument, told(one))),
    ...busy.map((one) => about("busy", one.instrument, { ...told(one), times: timesOf(one) })),
  ];
}

/** Both boards as a whole: their index, its breadth, and who moved it most the way it went. */
function boards(kind: "open" | "midday" | "wrap", { instruments, review }: Scene): Draft[] {
  return review.contributions.flatMap(({ row, up, down, limitUp, limitDown, leaders, laggards }): Draft[] => {
    const index = instruments[row];
    const quote = quoteAt(review.quotes, row * QUOTE_STRIDE);
    const price = kind === "open" ? quote.open : quote.last;
    if (!index || price === 0) return [];
    const change = changeOf(price, quote.reference);
    const named = (change < 0 ? laggards : leaders).slice(0, NAMED).flatMap(([one]) => instruments[one]?.code ?? []);
    const facts: NewsFacts = { price, change, high: quote.high, low: quote.low, turnover: quote.turnover, up, down, limitUp, limitDown };
    return [{ ...about(kind, index, facts), codes: [index.code, ...named] }];
  });
}

/** The best and the worst industry of each board, and who moved it most. */
function sectors(subjects: readonly Subject[], { categories, review }: Scene): Draft[] {
  const heats = Array.from({ length: review.heat.length / HEAT_STRIDE }, (_, nth) => sectorHeatAt(review.heat, nth * HEAT_STRIDE));
  const draft = (kind: "sectorUp" | "sectorDown", heat: (typeof heats)[number], { board, code }: Category): Draft => {
    const { change, up, down, limitUp, limitDown, turnover } = heat;
    const growth = ({ instrument, quote }: Subject): number =>
      (quote.last - quote.reference) * instrument.issuedThousands * (kind === "sectorUp" ? 1 : -1);
    const named = subjects
      .filter((one) => one.instrument.board === board && one.instrument.category === code && growth(one) > 0)
      .toSorted((a, b) => growth(b) - growth(a))
      .slice(0, NAMED);
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
        return one?.board === board && /^\d+$/.test(one.code) && one.count >= LEAST_SECTOR;
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

/** Who goes ex today, the largest first. What a paid-for share costs is told as the price. */
function exEvents({ instruments, review }: Scene): Draft[] {
  const drafts = review.actions.flatMap(({ row, action }): (Draft & { size: number })[] => {
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

/** Who is traded for the first time today. */
function listings(subjects: readonly Subject[], { review }: Scene): Draft[] {
  const today = taipeiDay(review.opensAt);
  return subjects
    .filter(({ instrument }) => instrument.listedDay === today)
    .map(({ instrument, quote, change }) =>
      about("listing", instrument, { price: quote.last, change, reference: quote.reference, volume: quote.volume }),
    );
}

/** Everything an edition could print, in the order of its kinds and within each the most interesting first. */
export function reportsOf(scene: Scene, nth: number): Draft[] {
  const subjects = subjectsOf(scene);
  if (nth === OPENING) return [...boards("open", scene), ...listings(subjects, scene), ...exEvents(scene)];
  const moved = movers(subjects, scene);
  if (nth === MIDDAY) return [...boards("midday", scene), ...moved];
  if (nth === CLOSING) return [...boards("wrap", scene), ...sectors(subjects, scene), ...moved];
  return moved;
}
