/**
 * Benchmark of the list page while the market streams: ours against a hand-written page and AG Grid community, interleaved in one run on
 * one feed.
 */
import { closeBrowser } from "#tests/support/browser.ts";
import type { BenchOptions } from "./bench.ts";
import { NAMES, nodesOf, openFeed, openPage, scroll, taskTime } from "./list-page.ts";
import type { Feed, ListPage, Variant } from "./list-page.ts";
import { Samples } from "./samples.ts";
import type { Figure, Table } from "./table.ts";

const VARIANTS: readonly Variant[] = ["ours", "vanilla20", "vanilla10", "grid20", "grid10"];
const RATES = [2_000, 10_000];
const SLOWDOWNS = [1, 4, 6];
/** The budgets apply to a phone that is this many times slower. */
const PHONE_SLOWDOWN = 4;
const KNOWN = 2_000;
const MANY_KNOWN = 20_000;
const ROUNDS = 3;
const SETTLE_MS = 500;
const MEASURE_MS = 2_000;

/** What to measure, and how often. */
export interface ListPlan {
  variants: readonly Variant[];
  rates: readonly number[];
  slowdowns: readonly number[];
  rounds: number;
  measureMs: number;
}

/** Name of a measurement. */
export const timed = (variant: Variant, rate: number, slowdown: number): string =>
  `${NAMES[variant]}: ${rate} updates/s, ${slowdown}x slowdown`;

async function scrolled(feed: Feed, listed: ListPage, variant: Variant, { rates, measureMs }: ListPlan, samples: Samples): Promise<void> {
  await listed.slowDown(PHONE_SLOWDOWN);
  for (const rate of rates) {
    await feed.send({ rows: KNOWN, ticksPerSecond: rate });
    const seen = await scroll(listed, measureMs);
    samples.note(`${variant} frames ${rate}`, seen.frames);
    samples.note(`${variant} long ${rate}`, seen.longTasks);
    samples.note(`${variant} scrolling ${rate}`, seen.taskMs);
  }
  samples.note(`${variant} nodes`, await nodesOf(listed.page));
  await listed.slowDown(1);
  samples.note(`${variant} heap`, (await listed.liveObjects()).heapMb);
}

/** Measures every variant once per round, starting with another one in each round; `each` takes further measurements of the open page. */
export async function rounds(
  feed: Feed,
  plan: ListPlan,
  samples: Samples,
  each?: (listed: ListPage, variant: Variant) => Promise<void>,
): Promise<void> {
  const { variants, rates, slowdowns, measureMs } = plan;
  for (let nth = 0; nth < plan.rounds; nth += 1) {
    const first = nth % variants.length;
    for (const variant of [...variants.slice(first), ...variants.slice(0, first)]) {
      await feed.send({ rows: KNOWN, ticksPerSecond: KNOWN });
      const listed = await openPage(feed, variant);
      for (const rate of rates) {
        await feed.send({ rows: KNOWN, ticksPerSecond: rate });
        for (const slowdown of slowdowns) {
          await listed.slowDown(slowdown);
          await listed.page.waitForTimeout(SETTLE_MS);
          samples.note(timed(variant, rate, slowdown), await taskTime(listed, measureMs));
        }
      }
      await each?.(listed, variant);
      await listed.close();
    }
  }
}

/** Our page with ten times as many instruments and the same visible rows. */
async function manyKnown(feed: Feed, { rounds: times, measureMs }: ListPlan, samples: Samples): Promise<void> {
  for (let nth = 0; nth < times; nth += 1) {
    for (const rows of nth % 2 === 0 ? [KNOWN, MANY_KNOWN] : [MANY_KNOWN, KNOWN]) {
      // The same updates per second for each instrument, so that the visible rows change as often.
      await feed.send({ rows, ticksPerSecond: rows });
      const listed = await openPage(feed, "ours");
      await listed.slowDown(PHONE_SLOWDOWN);
      await listed.page.waitForTimeout(2 * SETTLE_MS);
      samples.note(`known ${rows}`, await taskTime(listed, measureMs));
      await listed.close();
    }
  }
}

const STREAMING = `streaming ${KNOWN} instruments, ${PHONE_SLOWDOWN}x slowdown`;

function ratios(samples: Samples): Figure[] {
  return RATES.flatMap((rate) =>
    SLOWDOWNS.flatMap((slowdown): Figure[] => {
      const at = `${rate} updates/s, ${slowdown}x slowdown`;
      const of = (variant: Variant): string => timed(variant, rate, slowdown);
      const bounded = slowdown === PHONE_SLOWDOWN;
      const against = (value: number, what: string, budget: number, row: string, least = false): Figure => ({
        what: `${what}, ${at}`,
        value,
        unit: "x",
        ...(bounded ? { budget, least, row } : {}),
      });
      const ours = `main thread ${STREAMING}, against the vanilla floor`;
      const grid = "AG Grid community on the same feed, against ours";
      return [
        against(samples.ratio(of("ours"), of("vanilla10")), "ours / vanilla, both at 10 frames/s", 1, ours),
        against(samples.ratio(of("ours"), of("vanilla20")), "ours at 10 frames/s / vanilla at 20", 0.7, ours),
        against(samples.ratio(of("grid10"), of("ours")), "AG Grid / ours, both at 10 a second", 2.5, grid, true),
        against(samples.ratio(of("grid20"), of("ours")), "AG Grid at 20 a second / ours at 10", 3.5, grid, true),
      ];
    }),
  );
}

function pages(samples: Samples): Figure[] {
  return VARIANTS.flatMap((variant): Figure[] => {
    const ours = variant === "ours";
    const frames = `frames while streaming and scrolling, ${PHONE_SLOWDOWN}x slowdown`;
    return [
      ...RATES.flatMap((rate): Figure[] => [
        {
          what: `${NAMES[variant]}: frames while scrolling, ${rate} updates/s`,
          value: samples.of(`${variant} frames ${rate}`),
          unit: "/s",
          ...(ours ? { budget: 55, least: true, row: frames } : {}),
        },
        {
          what: `${NAMES[variant]}: tasks over 50 ms meanwhile, most of a round`,
          value: samples.most(`${variant} long ${rate}`),
          unit: "",
          ...(ours ? { budget: 0, row: frames } : {}),
        },
        { what: `${NAMES[variant]}: task time meanwhile`, value: samples.of(`${variant} scrolling ${rate}`), unit: "ms/s" },
      ]),
      {
        what: `${NAMES[variant]}: DOM nodes`,
        value: samples.most(`${variant} nodes`),
        unit: "",
        ...(ours ? { budget: 700, row: "DOM nodes on a 2,000-row list" } : {}),
      },
      { what: `${NAMES[variant]}: heap`, value: samples.of(`${variant} heap`), unit: "MB" },
    ];
  });
}

function tables(samples: Samples, { rounds: times }: ListPlan): Table[] {
  const taskTimes = RATES.flatMap((rate) =>
    SLOWDOWNS.flatMap((slowdown) =>
      VARIANTS.map((variant) => ({
        what: timed(variant, rate, slowdown),
        value: samples.of(timed(variant, rate, slowdown)),
        unit: "ms/s",
      })),
    ),
  );
  return [
    { title: `Main thread while streaming, ratios (medians of ${times} interleaved rounds)`, figures: ratios(samples) },
    { title: "Main-thread task time", figures: taskTimes },
    { title: `The page at ${PHONE_SLOWDOWN}x slowdown`, figures: pages(samples) },
    {
      title: `One update a second each, the same rows on screen, ${PHONE_SLOWDOWN}x slowdown`,
      figures: [
        {
          what: `ours with ${MANY_KNOWN} known / with ${KNOWN}`,
          value: samples.ratio(`known ${MANY_KNOWN}`, `known ${KNOWN}`),
          unit: "x",
          budget: 1.1,
          row: `the same with ${MANY_KNOWN} instruments known, same rows on screen`,
        },
      ],
    },
  ];
}

/** Takes about six minutes, a quick run a third of that. */
export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const plan: ListPlan = {
    variants: VARIANTS,
    rates: RATES,
    slowdowns: SLOWDOWNS,
    rounds: quick ? 1 : ROUNDS,
    measureMs: quick ? MEASURE_MS / 2 : MEASURE_MS,
  };
  const feed = await openFeed(VARIANTS);
  const samples = new Samples();
  try {
    await rounds(feed, plan, samples, (listed, variant) => scrolled(feed, listed, variant, plan, samples));
    await manyKnown(feed, plan, samples);
    return tables(samples, plan);
  } finally {
    await closeBrowser();
    feed.close();
  }
}
