/** The random steps of money: deposits in TWD and USDT with their proofs, withdrawals, check-ins, vouchers and block purchases. */
import { buyingBlock, cancellingBlock } from "./block-steps.ts";
import type { Trader } from "./ledger-check.ts";
import type { Ask, World } from "./world.ts";

export const FUND_PASSWORD = "135790";

const of = (values: Map<number, string>, { id }: Trader): string => values.get(id) ?? "";

/** Mostly a proof of the member's own that is new; sometimes none, another's, or one that a deposit has named. */
function proof({ random, funding, traders }: World, trader: Trader): string | null {
  if (random.once(15)) return null;
  if (random.once(15) && funding.named.length > 0) return random.pick(funding.named);
  const whose = random.once(20) ? random.pick(traders) : trader;
  const taken = funding.fresh.get(whose.id)?.shift() ?? null;
  if (taken !== null) funding.named.push(taken);
  return taken;
}

/** A deposit in TWD around the channel's bounds, on any channel. */
function depositing(world: World, trader: Trader): object {
  const { random } = world;
  return {
    requestId: random.uuid(),
    channelId: random.weighted({ transfer: 8, counter: 3, password: 1, usdtErc20: 1 }),
    amount: random.int(60, random.once(20) ? 6_000_000 : 60_000),
    channelPassword: null,
    proofId: proof(world, trader),
  };
}

const askingQuote = ({ random }: World): object => ({
  channelId: random.weighted({ usdtErc20: 10, usdtTrc20: 1, transfer: 1 }),
  amount: random.int(40, random.once(20) ? 120_000 : 3_000),
});

function transaction({ random, funding }: World): string {
  if (random.once(12) && funding.hashes.length > 0) return random.pick(funding.hashes);
  const hash = `0x${random.uuid().replaceAll("-", "")}${random.uuid().replaceAll("-", "")}`;
  funding.hashes.push(hash);
  return hash;
}

/** A transaction reported for the member's newest quote, sometimes for another's, or from another's wallet. */
function reporting(world: World, trader: Trader): object {
  const { random, funding, traders } = world;
  return {
    requestId: random.uuid(),
    quoteId: funding.quotes.get(random.once(30) ? random.pick(traders).id : trader.id) ?? random.uuid(),
    addressId: of(funding.addresses, random.once(30) ? random.pick(traders) : trader),
    txHash: transaction(world),
    proofId: proof(world, trader),
  };
}

/** The transaction for a quote just made, sometimes reported by two devices; quotes hold for seconds only. */
export function drawReport(world: World): Ask[] {
  const { random, funding, traders } = world;
  const trader = traders.find(({ id }) => id === funding.quoted);
  funding.quoted = null;
  if (!trader || random.once(6)) return [];
  const report = (): Ask => ({ trader, name: "submitCryptoDeposit", body: reporting(world, trader) });
  return random.once(4) ? [report(), report()] : [report()];
}

/** The most that may be typed, NT$: the rule's maximum is far below it, a member may have more. */
const MOST = 1_000_000_000;

/** A withdrawal around the bounds, sometimes of everything there could be, or to another's account. */
function withdrawing({ random, funding, traders }: World, trader: Trader): object {
  const free = Math.min(MOST - 1, Math.max(100, Math.floor((trader.view.money?.availableCents ?? 0) / 100)));
  return {
    requestId: random.uuid(),
    amount: random.once(6) ? free + random.int(0, 1) : random.int(60, random.once(3) ? 1_000_000 : 50_000),
    cardId: of(funding.cards, random.once(30) ? random.pick(traders) : trader),
    fundPassword: FUND_PASSWORD,
  };
}

function cancelling({ random, traders }: World, trader: Trader): object | null {
  const known = [...(random.once(20) ? random.pick(traders) : trader).view.withdrawals.values()];
  const open = known.filter(({ status }) => status === "requested");
  const aimed = open.length > 0 && !random.once(10) ? open : known;
  return aimed.length === 0 ? null : { requestId: random.uuid(), withdrawalNo: random.pick(aimed).withdrawalNo };
}

/** Relative frequency of each command, beside those of trading. */
export const MONEY_COMMANDS = {
  submitDeposit: 3,
  quoteDeposit: 3,
  submitCryptoDeposit: 1,
  requestWithdrawal: 4,
  cancelWithdrawal: 2,
  checkIn: 2,
  redeemVoucher: 2,
  buyBlock: 5,
  cancelBlock: 1,
} as const;
export type MoneyCommand = keyof typeof MONEY_COMMANDS;
export const isMoneyCommand = (command: string): command is MoneyCommand => Object.hasOwn(MONEY_COMMANDS, command);

/** The body of a command; null when there is nothing it applies to. */
export function moneyBody(world: World, trader: Trader, command: MoneyCommand): object | null {
  switch (command) {
    case "submitDeposit":
      return depositing(world, trader);
    case "quoteDeposit":
      return askingQuote(world);
    case "submitCryptoDeposit":
      return reporting(world, trader);
    case "requestWithdrawal":
      return withdrawing(world, trader);
    case "cancelWithdrawal":
      return cancelling(world, trader);
    case "checkIn":
    case "redeemVoucher":
      return { requestId: world.random.uuid() };
    case "buyBlock":
      return buyingBlock(world);
    case "cancelBlock":
      return cancellingBlock(world, trader);
  }
}
