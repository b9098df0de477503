/**
 * The gate of continuous integration: sizes against their budgets exactly, for they are the same everywhere; speeds only as ratios within
 * one run and with generous slack, for machines and their loads differ. What fails here got much worse than it was.
 */
import process from "node:process";
import { closeBrowser } from "#tests/support/browser.ts";
import { run as candles } from "./candle.ts";
import { openFeed } from "./list-page.ts";
import { rounds, timed } from "./list.ts";
import type { ListPlan } from "./list.ts";
import { Samples } from "./samples.ts";
import { run as search } from "./search.ts";
import { run as sizes } from "./size.ts";
import { keeps, written } from "./table.ts";
import type { Figure, Table } from "./table.ts";

/** A ratio of speeds may be this many times worse than its budget. */
const SLACK = 2;
/** The list against a hand-written page at the same pace: its budget is 1. */
const LIST_LIMIT = 1.6;
const PLAN: ListPlan = { variants: ["ours", "vanilla10"], rates: [2_000], slowdowns: [4], rounds: 3, measureMs: 2_000 };
/** A machine that was busy with something else is asked again. */
const ATTEMPTS = 3;

const withSlack = (figure: Figure): Figure[] =>
  figure.unit === "x" && figure.budget !== undefined
    ? [{ ...figure, budget: figure.least ? figure.budget / SLACK : figure.budget * SLACK }]
    : [];

async function speeds(): Promise<Table> {
  const tables = [...(await candles()), ...(await search())];
  return {
    title: `The worker's sums, with ${SLACK} times their budgets`,
    figures: tables.flatMap(({ figures }) => figures.flatMap(withSlack)),
  };
}

async function list(): Promise<Table> {
  const feed = await openFeed(PLAN.variants);
  const ours = timed("ours", 2_000, 4);
  const vanilla = timed("vanilla10", 2_000, 4);
  try {
    const found: number[] = [];
    while (found.length < ATTEMPTS && !(Math.min(...found) <= LIST_LIMIT)) {
      const samples = new Samples();
      await rounds(feed, PLAN, samples);
      found.push(samples.ratio(ours, vanilla));
    }
    const value = Math.min(...found);
    return { title: "The list while it streams", figures: [{ what: `${ours} / ${vanilla}`, value, unit: "x", budget: LIST_LIMIT }] };
  } finally {
    await closeBrowser();
    feed.close();
  }
}

let missed = 0;
for (const measure of [sizes, speeds, list]) {
  const measured = await measure();
  for (const table of Array.isArray(measured) ? measured : [measured]) {
    const bounded = table.figures.filter((figure) => keeps(figure) !== null);
    missed += bounded.filter((figure) => !keeps(figure)).length;
    if (bounded.length > 0) console.log(`\n${written({ ...table, figures: bounded })}`);
  }
}
console.log(missed === 0 ? "\nEvery budget is kept." : `\n${missed} missed.`);
process.exit(missed === 0 ? 0 : 1);
