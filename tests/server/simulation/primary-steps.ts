/** The random steps of members in offerings, auctions, raisings, capital increases and savings plans. */
import type { EndpointName } from "#contract/endpoints.ts";
import { toTick } from "#contract/tick.ts";
import { aimAt } from "./aim.ts";
import type { Trader } from "./ledger-check.ts";
import { FUND_PASSWORD } from "./money-steps.ts";
import type { Offered, PrimaryMarket, World } from "./world.ts";

/** Relative frequency of each command. */
export const PRIMARY_COMMANDS = {
  bookOffering: 1,
  applySubscription: 16,
  withdrawSubscription: 3,
  paySubscription: 8,
  waiveSubscription: 2,
  bookAuction: 1,
  placeBid: 16,
  payBid: 5,
  subscribeRaise: 6,
  withdrawStake: 2,
  startSavingsPlan: 2,
  changeSavingsPlan: 1,
  pauseSavingsPlan: 1,
  resumeSavingsPlan: 1,
  endSavingsPlan: 0.3,
} as const satisfies Partial<Record<EndpointName, number>>;
export type PrimaryCommand = keyof typeof PRIMARY_COMMANDS;

export const isPrimary = (command: string): command is PrimaryCommand => command in PRIMARY_COMMANDS;

/** Mostly one whose window is open. */
function pickOffered({ random, clock }: World, { offered }: PrimaryMarket, fits: (one: Offered) => boolean): Offered | null {
  const open = offered.filter((one) => fits(one) && one.opensAt <= clock.now && clock.now < one.closesAt);
  if (open.length > 0 && !random.once(15)) return random.pick(open);
  return offered.length > 0 ? random.pick(offered) : null;
}

function applying(world: World, primary: PrimaryMarket): object | null {
  const { random } = world;
  const one = pickOffered(world, primary, ({ kind }) => kind !== "fund");
  if (!one) return null;
  const lots =
    one.kind === "increase" ? random.int(1, 4_000) : one.kind === "placement" ? random.int(1, 12) : random.int(1, random.once(8) ? 2 : 1);
  return { offeringNo: one.offeringNo, lots };
}

function bidding({ random, clock }: World, { issues }: PrimaryMarket): object | null {
  const auctions = issues.flatMap(({ issue }) => (issue.auction ? [{ code: issue.code, ...issue.auction }] : []));
  const open = auctions.filter(({ opensAt, closesAt }) => opensAt <= clock.now && clock.now < closesAt);
  const one = open.length > 0 ? random.pick(open) : random.once(4) ? auctions.at(-1) : null;
  if (!one) return null;
  const at = toTick("stock", Math.round((one.minimumPrice * random.int(98, 140)) / 100));
  return { code: one.code, price: at, lots: random.int(1, 5) };
}

/** What a command says besides its request and the fund password; null when there is nothing for it. */
function said(world: World, primary: PrimaryMarket, trader: Trader, command: PrimaryCommand): object | null {
  const { random } = world;
  const withNo = <Key extends string>(key: Key, item: Partial<Record<Key, string>> | null, more: object = {}) =>
    item && { [key]: item[key], ...more };
  const plan = (fits: string) =>
    aimAt(
      world,
      trader,
      (view) => view.plans,
      ({ status }) => status === fits,
    );
  const terms = { amount: random.int(1, 20) * 1_000, day: random.int(1, 28) };
  switch (command) {
    case "bookOffering":
      return withNo(
        "offeringNo",
        pickOffered(world, primary, () => true),
      );
    case "applySubscription":
      return applying(world, primary);
    case "withdrawSubscription":
      return withNo(
        "subscriptionNo",
        aimAt(
          world,
          trader,
          (view) => view.subscriptions,
          ({ status }) => status === "subscribing",
        ),
      );
    case "paySubscription":
    case "waiveSubscription":
      return withNo(
        "subscriptionNo",
        aimAt(
          world,
          trader,
          (view) => view.subscriptions,
          ({ status }) => status === "won",
        ),
      );
    case "bookAuction":
      return withNo("code", primary.issues.at(-1)?.issue ?? null);
    case "placeBid":
      return bidding(world, primary);
    case "payBid":
      return withNo(
        "bidNo",
        aimAt(
          world,
          trader,
          (view) => view.bids,
          ({ status }) => status === "won",
        ),
      );
    case "subscribeRaise":
      return withNo(
        "code",
        pickOffered(world, primary, ({ kind }) => kind === "fund"),
        { lots: random.int(1, 12) },
      );
    case "withdrawStake":
      return withNo(
        "stakeNo",
        aimAt(
          world,
          trader,
          (view) => view.stakes,
          ({ status }) => status === "subscribed",
        ),
      );
    case "startSavingsPlan":
      return { code: random.pick(["2330", "2603", "0050", "2454"]), ...terms };
    case "changeSavingsPlan":
      return withNo("planNo", plan("active"), terms);
    case "pauseSavingsPlan":
    case "endSavingsPlan":
      return withNo("planNo", plan("active"));
    case "resumeSavingsPlan":
      return withNo("planNo", plan("paused"));
  }
}

/** Commands that need the fund password. */
const WITH_PASSWORD: ReadonlySet<PrimaryCommand> = new Set([
  "applySubscription",
  "paySubscription",
  "waiveSubscription",
  "placeBid",
  "payBid",
  "subscribeRaise",
]);

/** The body of a command; null when there is nothing for it. */
export function primaryBody(world: World, primary: PrimaryMarket, trader: Trader, command: PrimaryCommand): object | null {
  const body = said(world, primary, trader, command);
  const password = WITH_PASSWORD.has(command) ? { fundPassword: FUND_PASSWORD } : {};
  return body && { requestId: world.random.uuid(), ...body, ...password };
}
