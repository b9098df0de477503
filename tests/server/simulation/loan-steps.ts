/** The random steps of credit loans: offers, drawing, and repayment of a part, of all, or of more than is owed. */
import { isUnpaid, owedOn } from "#contract/loan.ts";
import type { Loan } from "#contract/loan.ts";
import type { Trader } from "./ledger-check.ts";
import type { Random } from "./random.ts";
import type { Ask, World } from "./world.ts";

/** Mostly a loan in this state of the member's own, sometimes any, and occasionally another member's. */
function aimLoan({ random, traders }: World, trader: Trader, fits: (loan: Loan) => boolean): Loan | null {
  const loans = [...(random.once(40) ? random.pick(traders) : trader).view.loans.values()];
  const fitting = loans.filter(fits);
  if (fitting.length > 0 && !random.once(12)) return random.pick(fitting);
  return loans.length > 0 ? random.pick(loans) : null;
}

/** A repayment of a part, of the interest, of everything owed, or of a cent more. */
export function repaying(world: World, trader: Trader): object | null {
  const { random } = world;
  const loan = aimLoan(world, trader, isUnpaid);
  if (!loan) return null;
  const owed = Math.max(1, owedOn(loan));
  const amount = random.pick([owed, Math.max(1, loan.interestCents), random.int(1, owed), owed + 1]);
  return { requestId: random.uuid(), loanNo: loan.loanNo, amount };
}

/** Amounts around the smallest loan and the limit, and sometimes a term that the rule does not have. */
export function offering(random: Random): object {
  const amount = random.int(900_000, random.once(3) ? 60_000_000 : 5_000_000);
  return { requestId: random.uuid(), amount, termDays: random.pick([7, 7, 30, 90, 8]) };
}

export function drawing(world: World, trader: Trader): object | null {
  const loan = aimLoan(world, trader, ({ status }) => status === "signed");
  return loan && { requestId: world.random.uuid(), loanNo: loan.loanNo };
}

/** The drawing of an offer that still holds, sometimes by two devices; offers hold for minutes only. */
export function drawDrawing({ random, traders, clock }: World): Ask[] {
  const trader = traders.find(({ view }) => [...view.loans.values()].some((loan) => isOpenOffer(loan, clock.now)));
  const loan = [...(trader?.view.loans.values() ?? [])].find((one) => isOpenOffer(one, clock.now));
  if (!trader || !loan || !random.once(3)) return [];
  const draw = (): Ask => ({ trader, name: "drawLoan", body: { requestId: random.uuid(), loanNo: loan.loanNo } });
  return random.once(3) ? [draw(), draw()] : [draw()];
}

const isOpenOffer = ({ status, offerEndsAt }: Loan, now: number): boolean => status === "signed" && now <= offerEndsAt;
