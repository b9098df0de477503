/** Benchmark of a day trader's stories on a phone: the taps each takes, and how long the product keeps a hand waiting that never hesitates. */
import { setTimeout } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import type { Agreement } from "#contract/eligibility.ts";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import { closeBrowser, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import type { ServerProcess } from "#tests/support/process.ts";
import { STROKES } from "#tests/support/signature.ts";
import type { BenchOptions } from "./bench.ts";
import { serveBuilt } from "./client.ts";
import { Samples } from "./samples.ts";
import type { Figure, Table } from "./table.ts";

const ROUNDS = 3;
const WAIT_MS = 20_000;
/** The lock on what was just bought lasts a minute. */
const LOCK_MS = 90_000;
/** How often the review of the margin account is asked for. */
const REVIEW_MS = 500;
const DETAIL = "/market/stockDetail?code=2317";
const TRADE = "/trade/index";

/** A hand: it waits until a control can be used, uses it, and counts. */
class Hand {
  readonly #visitor: Visit;
  taps = 0;

  constructor(visitor: Visit) {
    this.#visitor = visitor;
  }

  get page(): Page {
    return this.#visitor.page;
  }

  get sheet(): Locator {
    return this.page.locator("dialog[open]");
  }

  async tap(what: Locator): Promise<void> {
    this.taps += 1;
    await what.and(this.page.locator(":not([aria-disabled=true])")).first().click({ timeout: WAIT_MS });
  }

  /** A slide counts as one tap. */
  async slide(track: Locator): Promise<void> {
    this.taps += 1;
    const ready = track.and(this.page.locator(":not([aria-disabled=true])"));
    const box = await ready.boundingBox({ timeout: WAIT_MS });
    if (!box) throw new Error("the slide is not shown");
    const y = box.y + box.height / 2;
    await ready.hover({ position: { x: box.height / 2, y: box.height / 2 } });
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + box.width - 2, y, { steps: 4 });
    await this.page.mouse.up();
  }

  async sees(what: Locator): Promise<void> {
    await what.first().waitFor({ timeout: WAIT_MS });
  }
}

/** Before its taps are counted each story stands on its page. */
interface Story {
  name: string;
  from: string;
  /** The most taps it may take. */
  taps: number;
  /** What must be over before it begins; neither counted nor timed. */
  before?: (hand: Hand) => Promise<void>;
  run: (hand: Hand) => Promise<void>;
}

const button = (hand: Hand, name: string | RegExp): Locator =>
  hand.page.locator("main:visible").getByRole("button", { name, exact: typeof name === "string" });
const inSheet = (hand: Hand, name: string | RegExp): Locator => hand.sheet.getByRole("button", { name, exact: typeof name === "string" });
/** The text on a radio button: its input has no size. */
const choice = (hand: Hand, name: string): Locator => hand.sheet.locator("label").filter({ hasText: new RegExp(`^${name}$`) });

async function buyAtMarket(hand: Hand): Promise<void> {
  await hand.tap(choice(hand, "Market"));
  await hand.tap(inSheet(hand, "Review order"));
  await hand.slide(inSheet(hand, /^Confirm buy/));
  await hand.sees(hand.sheet.getByText("Filled", { exact: true }));
  await hand.tap(inSheet(hand, "Done"));
}

async function sellAll(hand: Hand): Promise<void> {
  await hand.tap(inSheet(hand, "Review order"));
  await hand.slide(inSheet(hand, /^Confirm sell/));
  await hand.sees(hand.sheet.getByText("Filled", { exact: true }));
  await hand.tap(inSheet(hand, "Done"));
}

/** What was just bought cannot be sold yet: waits in the open ticket, then closes it. */
async function lockEnds(hand: Hand): Promise<void> {
  await hand.tap(button(hand, "Sell"));
  await hand.sees(inSheet(hand, "Review order"));
  await hand.sheet.getByText(/^Locked/).waitFor({ state: "hidden", timeout: LOCK_MS });
  await hand.page.keyboard.press("Escape");
  await hand.sheet.waitFor({ state: "hidden", timeout: WAIT_MS });
}

const STORIES: readonly Story[] = [
  {
    name: "limit order",
    from: DETAIL,
    taps: 5,
    run: async (hand) => {
      await hand.tap(button(hand, /^Buy/));
      await hand.tap(inSheet(hand, /^Down /));
      await hand.tap(inSheet(hand, "Review order"));
      await hand.tap(inSheet(hand, "Confirm buy"));
      await hand.sees(hand.sheet.getByText("Order working"));
      await hand.tap(inSheet(hand, "Done"));
    },
  },
  {
    name: "change its price by a tick",
    from: TRADE,
    taps: 5,
    run: async (hand) => {
      await hand.tap(hand.page.getByRole("tab", { name: /^Working/ }));
      await hand.tap(button(hand, /^More for 2317/));
      await hand.tap(inSheet(hand, "Change order"));
      await hand.tap(inSheet(hand, "Increase Price"));
      await hand.tap(inSheet(hand, "Change order"));
      await hand.sees(hand.page.getByText("Order changed"));
    },
  },
  {
    name: "market order",
    from: DETAIL,
    taps: 5,
    run: async (hand) => {
      await hand.tap(button(hand, /^Buy/));
      await buyAtMarket(hand);
    },
  },
  {
    name: "stop-loss",
    from: TRADE,
    taps: 4,
    run: async (hand) => {
      await hand.tap(button(hand, /2317/));
      await hand.tap(button(hand, "Stop-loss and take-profit"));
      await hand.tap(hand.sheet.locator("label").filter({ hasText: /^Stop-loss$/ }));
      await hand.tap(inSheet(hand, "Set the conditions"));
      await hand.sees(hand.page.getByText("The conditions are set"));
    },
  },
  {
    name: "close",
    from: DETAIL,
    taps: 5,
    before: lockEnds,
    run: async (hand) => {
      await hand.tap(button(hand, "Sell"));
      await hand.tap(choice(hand, "Market"));
      await sellAll(hand);
    },
  },
  {
    name: "day trade and back",
    from: DETAIL,
    taps: 11,
    run: async (hand) => {
      await hand.tap(button(hand, /^Buy/));
      await hand.tap(inSheet(hand, "Day trade"));
      await buyAtMarket(hand);
      await hand.tap(button(hand, "Sell"));
      await hand.tap(choice(hand, "Market"));
      await sellAll(hand);
    },
  },
];

/** Signs what day trading needs, as the member's account screens do. */
async function enableDayTrading(server: ServerProcess, member: { token: string; account: string }): Promise<void> {
  const answered = async <Name extends EndpointName>(name: Name, body: Asked<Name>): Promise<Answer<Name>> => {
    const reply = await server.call(name, body, member);
    if (reply?.status !== 1) throw new Error(`${name}: ${reply?.msg ?? "no answer"}`);
    return reply.data;
  };
  const sign = async (kind: Agreement): Promise<void> => {
    const { hash } = await answered("readAgreement", { kind, language: "en" });
    await answered("signAgreement", { kind, language: "en", hash, readToEnd: true, typedName: "", strokes: STROKES });
  };
  await sign("margin");
  await answered("applyMargin", { requestId: crypto.randomUUID(), agreed: true });
  while ((await answered("readMargin", {})).account.status !== "approved") await setTimeout(REVIEW_MS);
  await sign("dayTrading");
  await answered("signDayTrading", { requestId: crypto.randomUUID(), agreed: true });
}

/** Takes about five minutes. */
export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const server = await serveBuilt({ venue: { seed: 1, hours: "always" } });
  const samples = new Samples();
  try {
    const visitor = await newPage({ origin: server.url });
    await enableDayTrading(server, await signIn(visitor));
    for (let nth = 0; nth < (quick ? 1 : ROUNDS); nth += 1) {
      for (const story of STORIES) {
        await visit(visitor, story.from);
        await visitor.page.waitForTimeout(1_000);
        await story.before?.(new Hand(visitor));
        const hand = new Hand(visitor);
        const from = performance.now();
        await story.run(hand);
        samples.note(`${story.name} s`, (performance.now() - from) / 1_000);
        samples.note(`${story.name} taps`, hand.taps);
      }
    }
    const figures = STORIES.flatMap(({ name, taps }): Figure[] => [
      { what: name, value: samples.most(`${name} taps`), unit: "taps", budget: taps, row: `taps: ${name}` },
      { what: name, value: samples.of(`${name} s`), unit: "s" },
    ]);
    return [{ title: `A day trader's stories on a phone (medians of ${quick ? 1 : ROUNDS} rounds)`, figures }];
  } finally {
    await closeBrowser();
    await server.stop();
  }
}
