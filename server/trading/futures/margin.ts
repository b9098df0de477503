/** The margin account of a member's futures wallet, which futures and sold options share: what it holds, and what may leave it. */
import { futuresMargin } from "#contract/futures-price.ts";
import type { FuturesMargin } from "#contract/futures-price.ts";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import { futuresRuleAt, optionRuleAt } from "#server/rules/rules.ts";
import { optionMargin, unpairedMargin } from "./option-margin.ts";
import type { ExpiryMargin, MarginSources, OpenContracts, OptionMargin } from "./option-margin.ts";
import { optionsOf } from "./options-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { futuresOf, heldOf } from "./futures-in-batch.ts";
import { priceOfHeld } from "./futures-value.ts";

export interface WalletMargin extends FuturesMargin {
  /** What bought options are worth, and what sold ones would cost: the risk indicator counts both. */
  longCents: Cents;
  shortCents: Cents;
  /** What is left for a new position, below zero where margin is lacking. */
  roomCents: Cents;
}

/** The account without its options. */
const futuresAlone = ({ venue, rules }: MarginSources, at: number, walletCents: number, futures: readonly FuturesRecord[]): FuturesMargin =>
  futuresMargin(
    walletCents,
    futures.map((row) => {
      const { product, member_id: memberId } = row;
      return { product, held: heldOf(row), price: priceOfHeld(venue, at, row), terms: futuresRuleAt(rules, memberId, product, at) };
    }),
  );

/** What an account with options is closed below, by the part of their margins and of what they are worth that the rules say. */
function liquidationOf(
  { rules }: MarginSources,
  at: number,
  { options: [first] }: OpenContracts,
  alone: FuturesMargin,
  { initialCents, longCents, shortCents }: Pick<OptionMargin, "initialCents" | "longCents" | "shortCents">,
): number {
  const percent = first === undefined ? 0 : optionRuleAt(rules, first.member_id, at).liquidationPercent;
  return alone.liquidationCents + Math.ceil(((initialCents + longCents - shortCents) * percent) / 100);
}

/** The account of some positions at the prices and by the margins of now; what has expired counts as last settled. */
export function marginOf(
  sources: MarginSources,
  at: number,
  walletCents: number,
  open: OpenContracts,
  margins?: readonly ExpiryMargin[],
): WalletMargin {
  const alone = futuresAlone(sources, at, walletCents, open.futures);
  const sold = optionMargin(sources, at, open, margins);
  const initial = alone.initialCents + sold.initialCents;
  const room = Math.min(walletCents, alone.equityCents) - initial - sold.lockedCents;
  return {
    equityCents: alone.equityCents,
    initialCents: cents(initial),
    maintenanceCents: cents(alone.maintenanceCents + sold.maintenanceCents),
    liquidationCents: cents(liquidationOf(sources, at, open, alone, sold)),
    freeCents: cents(Math.max(0, room)),
    roomCents: cents(room),
    longCents: cents(sold.longCents),
    shortCents: cents(sold.shortCents),
  };
}

/** Whether an account has enough not to be closed whatever its options are paired with. False says nothing: pairs may need less. */
export function hasEnough(sources: MarginSources, at: number, walletCents: number, open: OpenContracts): boolean {
  const alone = futuresAlone(sources, at, walletCents, open.futures);
  const sold = unpairedMargin(sources, at, open);
  return alone.equityCents + sold.longCents - sold.shortCents >= liquidationOf(sources, at, open, alone, sold);
}

/** The exchange's risk indicator: equity with the value of options, of the margins with it. Null where nothing needs margin or has value. */
export function riskOf({ equityCents, initialCents, longCents, shortCents }: WalletMargin): { hasCents: number; ofCents: number } | null {
  const ofCents = initialCents + longCents - shortCents;
  return ofCents > 0 ? { hasCents: equityCents + longCents - shortCents, ofCents } : null;
}

/** The risk indicator as screens show it, in whole per cent. */
export function riskPercentOf(margin: WalletMargin): number | null {
  const risk = riskOf(margin);
  return risk && Math.floor((risk.hasCents * 100) / risk.ofCents);
}

/** Whether margin is called for. */
export const isCalled = ({ futures, options }: OpenContracts): boolean =>
  futures.some(({ status }) => status === "called") || options.some(({ status }) => status === "called");

/**
 * What an account lacks now: of the initial margin while margin is called for, otherwise of what its losses have used up beyond it. What
 * sold options would cost beyond what bought ones are worth is such a loss: at the day's limits nothing can be closed to stop it.
 */
export function lackingOf(margin: WalletMargin, open: OpenContracts): Cents {
  const { equityCents, initialCents, longCents, shortCents } = margin;
  return cents(Math.max(0, (isCalled(open) ? initialCents : Math.max(0, shortCents - longCents)) - equityCents));
}

/** What a member's futures and options lack: money that stays with the broker. */
export async function readLacking(on: Reader, sources: MarginSources, memberId: number, at: number): Promise<Cents> {
  const { walletCents, open } = await readWallet(on, memberId);
  if (open.futures.length + open.options.length === 0) return cents(0);
  return lackingOf(marginOf(sources, at, walletCents, open), open);
}

/** The positions that are open after the decisions so far. */
export const contractsOf = (batch: Batch, memberId: number): OpenContracts => ({
  futures: futuresOf(batch, memberId),
  options: optionsOf(batch, memberId),
});

export const marginIn = (batch: Batch, memberId: number): WalletMargin =>
  marginOf(batch, batch.at, batch.ledger.balance(memberId, "futures"), contractsOf(batch, memberId));

/** The money and the open positions of a wallet. */
export interface Wallet {
  walletCents: number;
  open: OpenContracts;
}

/** A wallet after the decisions so far. */
export const walletOf = (batch: Batch, memberId: number): Wallet => ({
  walletCents: batch.ledger.balance(memberId, "futures"),
  open: contractsOf(batch, memberId),
});

const openOf = (kind: string): string =>
  `(SELECT coalesce(json_agg(held ORDER BY held.id DESC), '[]') FROM ${kind}_position AS held WHERE member_id = $1 AND status IN ('open', 'called'))`;
const WALLET = `SELECT ${openOf("futures")} AS futures, ${openOf("option")} AS options,
  (SELECT balance FROM pocket WHERE member_id = $1 AND kind = 'futures' AND currency = $2) AS balance`;

/** A member's wallet as it is stored, the newest positions first: at one moment, and for what one query costs. */
export async function readWallet(on: Reader, memberId: number): Promise<Wallet> {
  const [row] = await query<OpenContracts & { balance: number | null }>(on, WALLET, [memberId, HOME_CURRENCY]);
  const { futures = [], options = [], balance = null } = row ?? {};
  return { walletCents: balance ?? 0, open: { futures, options } };
}
