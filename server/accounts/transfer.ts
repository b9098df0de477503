/** Transfers between a member's wallets of one currency. */
import type { Answer, Body } from "#contract/endpoints.ts";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { cents, formatMoney } from "#contract/kernel/money.ts";
import type { Wallet } from "#contract/wallet.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { MemberPocket } from "#server/ledger/pocket.ts";
import { checkOwnFunds } from "#server/trading/order-entry/own-funds.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { marginIn } from "#server/trading/futures/margin.ts";

const POCKET_OF: Record<Wallet, MemberPocket> = { securities: "available", futures: "futures", profit: "profit" };

/** Moves the amount at once; both wallets are open. @throws Refusal FUND_TRANSFER_INSUFFICIENT, FUND_LOAN_NOT_COLLATERAL */
export function transfer(batch: Batch, memberId: number, body: Body<"transferFunds">): Answer<"transferFunds"> {
  const { currency, amount } = body;
  const [from, to] = [POCKET_OF[body.from], POCKET_OF[body.to]];
  if (from === to) throw new Refusal("GEN_PARAM_ERROR", {}, "to");
  if (batch.ledger.balance(memberId, from, currency) < amount) throw new Refusal("FUND_TRANSFER_INSUFFICIENT", {}, "amount");
  if (from === "futures" && currency === HOME_CURRENCY) {
    const { freeCents } = marginIn(batch, memberId);
    if (amount > freeCents) throw new Refusal("FUND_FUTURES_MARGIN", { n: formatMoney(freeCents) }, "amount");
  }
  // Whatever the way, the futures wallet gets nothing while borrowed money may be part of it.
  if (to === "futures") {
    const home = batch.ledger.balance(memberId, "available");
    const left = currency === HOME_CURRENCY && from === "available" ? amount : 0;
    checkOwnFunds(batch, memberId, left, home, "amount");
    if (home - left < batch.member(memberId).credit_cents) throw new Refusal("FUND_LOAN_NOT_COLLATERAL", { n: "0.00" }, "amount");
  }
  batch.ledger.post({ memberId, kind: "transfer", orderNo: null, moves: [{ from, to, amount, currency }] });
  batch.emit(memberId, { type: "wallet.changed", kind: "transfer", currencies: [currency] });
  const balance = (pocket: MemberPocket) => batch.ledger.balance(memberId, pocket, currency);
  const { from: source, to: target } = body;
  return { currency, from: source, to: target, amountCents: cents(amount), fromCents: balance(from), toCents: balance(to), at: batch.at };
}
