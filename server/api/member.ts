/** Handler of the member: identity and the account overview, valued at the newest prices. */
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import type { Account } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { borrowingOf } from "#contract/loan.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { readDayProceeds } from "#server/trading/clearing/settlement-due.ts";
import { readMemberFacts } from "#server/accounts/member-facts.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Handlers } from "./handler.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { FROZEN_POCKETS, OWNED_POCKETS } from "#server/ledger/pocket.ts";
import type { MemberPocket } from "#server/ledger/pocket.ts";
import type { Venue } from "#server/venue/venue.ts";
import { maskName } from "#server/accounts/mask-name.ts";
import { countUnread } from "./message.ts";
import { valueInHome } from "#server/trading/clearing/mid-rates.ts";
import { tradedOn, unpaidTogether } from "#server/trading/futures/futures-value.ts";
import { readWallet } from "#server/trading/futures/margin.ts";
import { gainTogether, optionsTradedOn, worthTogether } from "#server/trading/futures/option-value.ts";
import { valueRights } from "#server/trading/clearing/right-value.ts";
import { valuationOf } from "#server/trading/clearing/valuation.ts";
import type { Valuation } from "#server/trading/clearing/valuation.ts";

/** A member's money in each other currency, all pockets together. */
const readForeign = (on: Reader, memberId: number): Promise<{ currency: Currency; owned: number }[]> =>
  query(
    on,
    "SELECT currency, sum(balance)::bigint AS owned FROM pocket WHERE member_id = $1 AND currency <> $2 AND kind = ANY ($3::text[]) GROUP BY currency",
    [memberId, HOME_CURRENCY, OWNED_POCKETS],
  );

/** What is borrowed on credit, without interest. */
async function readBorrowed(on: Reader, memberId: number): Promise<{ principal: number }> {
  const [row] = await query<{ principal: number }>(
    on,
    "SELECT coalesce(sum(principal_cents), 0)::bigint AS principal FROM loan WHERE member_id = $1 AND status IN ('drawn', 'overdue')",
    [memberId],
  );
  return row ?? { principal: 0 };
}

/** What is neither money nor a position: rights to new shares, futures, and options. */
async function readBeside(on: Reader, venue: Venue, memberId: number, at: number) {
  const rightsCents = (await valueRights(on, venue, memberId, at)).get(memberId) ?? cents(0);
  const {
    open: { futures, options },
  } = await readWallet(on, memberId);
  const day = venue.feeDay(at);
  const futuresCents = cents(unpaidTogether(venue, at, futures));
  const futuresTodayCents = cents(futuresCents + (await tradedOn(on, memberId, day)));
  const optionsCents = cents(worthTogether(venue, at, options));
  const optionsTodayCents = cents(gainTogether(venue, at, options) + (await optionsTradedOn(on, memberId, day)));
  const counts = { openFutures: futures.length, openOptions: options.length };
  return { rightsCents, futuresCents, futuresTodayCents, optionsCents, optionsTodayCents, ...counts };
}

/** What is in the wallets beside that for securities. */
const walletsOf = ({ profit, futures, credit }: Awaited<ReturnType<typeof readBalances>>) => ({
  walletsCents: cents(profit + futures + credit),
  profitFundsCents: profit,
  futuresWalletCents: futures,
});

export interface MemberHandlerDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
}

export function memberHandlers({ db, venue, sequencer: { rules }, now }: MemberHandlerDeps): Pick<Handlers, "readMember"> {
  return {
    readMember: ({ caller: { memberId, shared = false } }) =>
      db.transaction(async (tx) => {
        // One snapshot for all reads: otherwise a fill between two of them would be counted as both cash and position, or as neither.
        await query(tx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        const midnight = taipeiMidnight(taipeiDay(now()));
        const member = await tx.selectFrom("member").selectAll().where("id", "=", memberId).executeTakeFirst();
        if (!member) throw new Refusal("ACC_NOT_FOUND_OR_DISABLED");
        const balances = await readBalances(tx, memberId);
        const foreign = await readForeign(tx, memberId);
        const foreignCents = foreign.reduce((total, { currency, owned }) => total + valueInHome(venue, currency, owned), 0);
        const open = await tx
          .selectFrom("order")
          .selectAll()
          .where("member_id", "=", memberId)
          .where("status", "in", ["pending", "holding", "readyToClose"])
          .where("filled_lots", ">", 0)
          .execute();
        const tally = await tx.selectFrom("tally").select("profit_cents").where("member_id", "=", memberId).executeTakeFirst();
        const today = await tx
          .selectFrom("fill")
          .select(({ fn }) => fn.sum<string>("profit_cents").as("cents"))
          .where("member_id", "=", memberId)
          .where("side", "=", "close")
          .where("at", ">=", midnight)
          .executeTakeFirst();
        const valuations = open.map((order) => valuationOf(order, venue, midnight));
        const sum = (of: (valuation: Valuation) => number): number => valuations.reduce((total, one) => total + of(one), 0);
        const sumOf = (pockets: readonly MemberPocket[]): number => pockets.reduce((total, kind) => total + balances[kind], 0);
        const positions = sum((one) => one.net);
        const facts = await readMemberFacts(tx, memberId, { rules, now });
        const beside = await readBeside(tx, venue, memberId, now());
        const { rightsCents, futuresCents, futuresTodayCents, optionsCents, optionsTodayCents } = beside;
        const contracts = futuresCents + optionsCents;
        const totalCents = sumOf(OWNED_POCKETS) + positions + rightsCents + contracts + foreignCents - facts.loanCents;
        const { principal } = await readBorrowed(tx, memberId);
        const borrowing = borrowingOf(rules.of(memberId).credit, member.credit_score, totalCents, principal);
        return {
          account: member.account as Account,
          name: maskName(member.name),
          identity: member.identity,
          facts,
          currency: HOME_CURRENCY,
          totalCents: cents(totalCents),
          availableCents: balances.available,
          frozenCents: cents(sumOf(FROZEN_POCKETS)),
          ...walletsOf(balances),
          foreignCents: cents(foreignCents),
          usdCents: cents(foreign.find(({ currency }) => currency === "USD")?.owned ?? 0),
          borrowedCents: facts.loanCents,
          creditLimitCents: borrowing.freeCents,
          unsettledCents: balances.unsettled,
          dayProceeds: await readDayProceeds(tx, memberId, now()),
          debtCents: cents(0 - balances.debt),
          loanCents: cents(open.reduce((owed, order) => owed + order.loan_cents, 0)),
          positionsCents: cents(positions),
          ...beside,
          realisedCents: cents(tally?.profit_cents ?? 0),
          todayRealisedCents: cents(Number(today?.cents ?? 0)),
          todayProfitCents: cents(Number(today?.cents ?? 0) + sum((one) => one.today) + futuresTodayCents + optionsTodayCents),
          currentProfitCents: cents(sum((one) => one.profit)),
          creditScore: member.credit_score,
          shared,
          unread: await countUnread(tx, memberId),
        };
      }),
  };
}
