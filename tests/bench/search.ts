/** Benchmark of search while typing: every key over 2,400 instruments, in CPU time. */
import process from "node:process";
import { listReferenceData } from "#server/venue/reference-data/listings.ts";
import { SearchIndex } from "#workers/table/search.ts";
import { median } from "./samples.ts";
import type { Table } from "./table.ts";

const INSTRUMENTS = 2_400;
const ROUNDS = 15;
const SHOWN = 30;
/** The budget is 16 ms per key on a phone four times slower than this machine. */
const SLOWER = 4;
const BUDGET_MS = 16;

const TYPED = ["2330", "台積電", "台积电", "semicondctor", "taiwan 50", "evergreen marine", "國泰金", "中鋼", "zzzz", "tsm"];

/** CPU time of some work in milliseconds, the median of a few runs. */
function ownMs(work: () => void): number {
  return median(
    Array.from({ length: ROUNDS }, () => {
      const from = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(from);
      return (user + system) / 1000;
    }),
  );
}

/** Takes a second. */
export async function run(): Promise<Table[]> {
  const listed = listReferenceData().listings.map(({ instrument }) => instrument);
  const instruments = Array.from({ length: INSTRUMENTS }, (_, row) => ({ ...listed[row % listed.length], row })) as typeof listed &
    { row: number }[];
  const index = new SearchIndex(instruments);
  const weights = Float64Array.from({ length: INSTRUMENTS }, (_, row) => (row * 7919) % 10_007);
  for (const text of TYPED) for (let warm = 0; warm < 30; warm++) index.find(text, SHOWN);
  const keys = TYPED.flatMap((text) => Array.from({ length: text.length }, (_, key) => text.slice(0, key + 1)));
  const texts = [...new Set(keys)];
  const times = texts
    .map((text) => ({ text, ms: ownMs(() => void index.find(text, SHOWN, (row) => weights[row] ?? 0)) }))
    .toSorted((a, b) => b.ms - a.ms);
  // The simplest possible search, without ranking, scripts, initials or typo tolerance.
  const scan = (text: string): void =>
    void instruments
      .filter(({ code, zh, en }) => code.includes(text) || zh.includes(text) || en.toLowerCase().includes(text))
      .slice(0, SHOWN);
  for (const text of TYPED) for (let warm = 0; warm < 30; warm++) scan(text);
  const plainly = texts.reduce((sum, text) => sum + ownMs(() => scan(text)), 0);
  const [slowest = { text: "", ms: Number.NaN }] = times;
  const all = times.reduce((sum, { ms }) => sum + ms, 0);
  return [
    {
      title: `Search over ${INSTRUMENTS} instruments, each key of ${TYPED.length} searches`,
      figures: [
        { what: "per key, mean", value: all / times.length, unit: "ms" },
        { what: "ratio to a plain text scan of codes and names", value: all / plainly, unit: "x", budget: 5 },
        { what: `slowest, "${slowest.text}"`, value: slowest.ms, unit: "ms" },
        {
          what: `slowest on a phone ${SLOWER} times slower`,
          value: slowest.ms * SLOWER,
          unit: "ms",
          budget: BUDGET_MS,
          row: "search, a key",
        },
      ],
    },
  ];
}
