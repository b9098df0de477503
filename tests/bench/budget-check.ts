/**
 * Checks the budgets in continuous integration. Sizes must match exactly, because they are the same on every machine. Speeds are checked as
 * ratios within one run and with generous slack, because machines and their load differ; a failure means that something became much slower.
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
import { meetsBudget, formatTable } from "./table.ts";
import type { Figure, Table } from "./table.ts";

/** Factor by which a speed ratio may exceed its budget. */
const SLACK = 2;
/** Limit for the list against a hand-written page at the same update interval; its budget is 1. */
const LIST_LIMIT = 1.6;
const PLAN: ListPlan = { variants: ["ours", "vanilla10"], rates: [2_000], slowdowns: [4], rounds: 3, measureMs: 2_000 };
/** Repeated, because the machine may have been busy. */
const ATTEMPTS = 3;

const withSlack = (figure: Figure): Figure[] =>
  figure.unit === "x" && figure.budget !== undefined
    ? [{ ...figure, budget: figure.least ? figure.budget / SLACK : figure.budget * SLACK }]
    : [];

async function speeds(): Promise<Table> {
  const tables = [...(await candles()), ...(await search())];
  return {
    title: `The worker's calculations, with ${SLACK} times their budgets`,
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
    return { title: "The list while streaming", figures: [{ what: `${ours} / ${vanilla}`, value, unit: "x", budget: LIST_LIMIT }] };
  } finally {
    await closeBrowser();
    feed.close();
  }
}

let missed = 0;
for (const measure of [sizes, speeds, list]) {
  const measured = await measure();
  for (const table of Array.isArray(measured) ? measured : [measured]) {
    const bounded = table.figures.filter((figure) => meetsBudget(figure) !== null);
    missed += bounded.filter((figure) => !meetsBudget(figure)).length;
    if (bounded.length > 0) console.log(`\n${formatTable({ ...table, figures: bounded })}`);
  }
}
console.log(missed === 0 ? "\nAll budgets are met." : `\n${missed} missed.`);
process.exit(missed === 0 ? 0 : 1);
