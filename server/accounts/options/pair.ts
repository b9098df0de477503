/** Two option positions closed as one order: what it would bring, and the order, both legs at the quotes of the moment or neither. */
import type { Answer, Body } from "#contract/endpoints.ts";
import { cents, formatMoney, grouped } from "#contract/kernel/money.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import type { OptionSide } from "#contract/option.ts";
import { formatPremium } from "#contract/premium.ts";
import type { Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toOptionPosition, toOptionTrade } from "#server/records/option.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { optionRuleAt } from "#server/rules/rules.ts";
import { walletOf } from "#server/trading/futures/margin.ts";
import type { Wallet, WalletMargin } from "#server/trading/futures/margin.ts";
import { expiryIn, seriesIn } from "#server/trading/futures/option-value.ts";
import { chargesOf, dealOption, optionsOf } from "#server/trading/futures/options-in-batch.ts";
import { afterOption, lackingAfterClosing, marginFor } from "#server/trading/futures/trial.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { finish, prepareCloseOption, stepTraded } from "./order.ts";
import type { CloseReads } from "./order.ts";
import { priceOf, quoteOf } from "./quote.ts";
import type { WalletMoment } from "./quote.ts";

type Named = Pick<Body<"closeOptionPair">, "positionNo" | "otherNo">;
const FIELDS = ["positionNo", "otherNo"] as const;

/** A leg of the order: its position, and what closing lots of it takes now. */
interface Leg {
  row: OptionRecord;
  side: OptionSide;
  price: number;
  mark: number;
  fee: number;
  tax: number;
}

/** Both legs, and the account before and after them. */
interface PairCost {
  legs: readonly Leg[];
  /** What a lot of both brings, in tenths of a point. */
  net: number;
  before: WalletMargin;
  after: WalletMargin;
  /** What the wallet must have first. */
  lacking: number;
}

/** What lots of a leg bring after their charges, negative where they cost something. */
const broughtBy = ({ side, price, fee, tax }: Leg, lots: number): number => premiumWorth(price, side === "sell" ? lots : -lots) - fee - tax;

/**
 * The legs in the order they are traded in: what brings money pays for what costs some. What is sold for less than its fee
 * costs some too.
 */
const tradedOrder = (legs: readonly Leg[], lots: number): Leg[] => legs.toSorted((a, b) => broughtBy(b, lots) - broughtBy(a, lots));

/** @throws Refusal where a leg does not trade now */
function legOf(moment: WalletMoment, row: OptionRecord, lots: number): Leg {
  const side = row.lots > 0 ? "sell" : "buy";
  const quote = quoteOf(moment, expiryIn(row), seriesIn(row));
  const price = priceOf(quote, side, null);
  const charges = chargesOf({ side, lots, price, cause: "member" }, optionRuleAt(moment.rules, row.member_id, moment.at));
  return { row, side, price, mark: quote.mark, ...charges };
}

/** What closing lots of some positions together takes. The wallet needs no more than after the last of them: none is alone in between. */
function pairCost(moment: WalletMoment, wallet: Wallet, rows: readonly OptionRecord[], lots: number): PairCost {
  const legs = rows.map((row) => legOf(moment, row, lots));
  const signed = ({ side }: Leg): number => (side === "buy" ? lots : -lots);
  const done = legs.reduce(
    (now, leg) => afterOption(now, leg.row, { signed: signed(leg), price: leg.price, chargesCents: leg.fee + leg.tax }),
    wallet,
  );
  const [before, after] = [marginFor(moment, moment.at, wallet), marginFor(moment, moment.at, done)];
  const lacking = Math.max(lackingAfterClosing(before, after, Math.max(0, 0 - after.roomCents)), 0 - done.walletCents, 0);
  const net = legs.reduce((sum, { side, price }) => sum + (side === "sell" ? price : -price), 0);
  return { legs, net, before, after, lacking };
}

/** What closing lots of two positions together would bring now. */
export function quoteOptionPair(
  moment: WalletMoment,
  { walletCents, open }: Wallet,
  body: Body<"quoteOptionPair">,
): Omit<Answer<"quoteOptionPair">, "at"> {
  const rows = found(open.options, body, [false, false]);
  const lots = Math.min(body.lots, ...rows.map((row) => Math.abs(row.lots)));
  const { legs, net, before, after, lacking } = pairCost(moment, { walletCents, open }, rows, lots);
  return {
    legs: legs.map(({ row, side, price, mark, fee, tax }) => ({
      positionNo: row.position_no,
      side,
      price,
      mark,
      premiumCents: premiumWorth(price, lots),
      feeCents: cents(fee),
      taxCents: cents(tax),
    })),
    net,
    marginCents: cents(after.initialCents - before.initialCents),
    marginAfterCents: after.initialCents,
    lackingCents: cents(lacking),
  };
}

/** Two different positions of those that are open. @throws Refusal of the first that is not one, by whether it has ended */
function found(options: readonly OptionRecord[], named: Named, ended: readonly boolean[]): OptionRecord[] {
  return FIELDS.map((field, nth) => {
    const row = options.find((one) => one.position_no === named[field]);
    if (!row) throw new Refusal(ended[nth] ? "TRD_ALREADY_CLOSED" : "GEN_NOT_FOUND", {}, field);
    if (field === "otherNo" && named.otherNo === named.positionNo) throw new Refusal("GEN_NOT_FOUND", {}, field);
    return row;
  });
}

export async function preparePair(tx: Tx, batch: Batch, memberId: number, { positionNo, otherNo }: Named): Promise<CloseReads[]> {
  const first = await prepareCloseOption(tx, batch, memberId, positionNo);
  return [first, await prepareCloseOption(tx, batch, memberId, otherNo)];
}

/** Closes lots of two positions together. Everything is checked before anything is done. @throws Refusal one of `closeOptionPair`'s */
export function closeOptionPair(
  batch: Batch,
  memberId: number,
  body: Body<"closeOptionPair">,
  reads: readonly CloseReads[],
): Answer<"closeOptionPair"> {
  const { lots, price: limit } = body;
  checkEligible("close", batch.member(memberId));
  const ended = reads.map((one) => one.ended);
  const rows = found(optionsOf(batch, memberId), body, ended);
  const most = Math.min(...rows.map((row) => Math.abs(row.lots)));
  if (lots > most) throw new Refusal("TRD_CLOSE_EXCEEDS", { n: grouped(String(most)) }, "lots");
  const { legs, net, lacking } = pairCost(batch, walletOf(batch, memberId), rows, lots);
  if (net < limit)
    throw new Refusal(net < 0 ? "TRD_OPTION_NET_PAID" : "TRD_OPTION_NET_RECEIVED", { n: formatPremium(Math.abs(net)) }, "price");
  if (lacking > 0) throw new Refusal("TRD_CONTRACT_MARGIN", { n: formatMoney(lacking) }, "lots");
  const dealt = tradedOrder(legs, lots).flatMap((leg) => {
    const nth = legs.indexOf(leg);
    const [own, other] = [reads[nth], reads[1 - nth]];
    if (!own || !other) return [];
    const { row, side, price } = leg;
    const trade = dealOption(batch, row, { tradeNo: own.tradeNo, withNo: other.tradeNo, side, lots, price, cause: "member" });
    stepTraded(batch, row, trade, own.messageNo);
    return [trade];
  });
  finish(batch, memberId);
  const trades = rows.flatMap(({ position_no: no }) => dealt.filter((trade) => trade.position_no === no));
  return { trades: trades.map(toOptionTrade), positions: rows.map(toOptionPosition) };
}
