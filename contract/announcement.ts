/** Announcements: the facts a member is told about on whichever screen, as one list of kinds with their words, shared by toasts, inbox and push. */
import {
  isAlertFact,
  isAuctionFact,
  isConditionFact,
  isCopyFact,
  isDebtFact,
  isDepositFact,
  isIdentityFact,
  isDerivativeFact,
  isLendingFact,
  isLoanFact,
  isMarginFact,
  isMessageFact,
  isOrderFact,
  isBlockOrderFact,
  isRestrictionFact,
  isReviewFact,
  isSubscriptionFact,
  isRewardFact,
  isSavingsPlanFact,
  isStakeFact,
  isStrategyFact,
  isWithdrawalFact,
} from "./fact-kind.ts";
import { auctionWords } from "./auction-notice.ts";
import type { AuctionText } from "./auction-notice.ts";
import type { AuctionNotice } from "./bid.ts";
import { alertLevel } from "./alert.ts";
import type { Alert, AlertKind } from "./alert.ts";
import type { ConditionFact, Fact, OrderFact } from "./fact.ts";
import { nameIn } from "./instrument.ts";
import type { IdentityDecision, IdentityReason } from "./identity.ts";
import type { Instrument } from "./instrument.ts";
import type { Debt } from "./debt.ts";
import { isOpenDeposit } from "./deposit.ts";
import type { Deposit } from "./deposit.ts";
import { loanWords } from "./loan-words.ts";
import type { LoanText } from "./loan-words.ts";
import type { LoanNotice } from "./loan.ts";
import type { CancelCause } from "./cancel-cause.ts";
import type { CloseCause, Direction, TriggerKind } from "./order.ts";
import { isDelivery, isForced } from "./execution-report.ts";
import type { ExecutionReport, ReportSide } from "./execution-report.ts";
import type { RefusalCode } from "./kernel/refusal.ts";
import { formatMoney, formatPrice, formatUnits, grouped, price } from "./kernel/money.ts";
import type { Price } from "./kernel/money.ts";
import { formatDateTime } from "./kernel/time.ts";
import type { MarginCall } from "./margin.ts";
import { noticeWords } from "./notice.ts";
import type { Notice, NoticeText } from "./notice.ts";
import type { Message } from "./message.ts";
import type { BlockOrder, BlockOrderReason } from "./block-order.ts";
import { restrictionWords } from "./restriction.ts";
import type { RestrictionKey, RestrictionNotice } from "./restriction.ts";
import type { Withdrawal } from "./withdrawal.ts";

export type Announcement =
  | { kind: "report"; report: ExecutionReport }
  | { kind: "alert"; alert: Alert }
  | { kind: "marginCall"; call: MarginCall }
  | { kind: "debt"; debt: Debt }
  | { kind: "identity"; identity: IdentityDecision }
  | { kind: "restriction"; notice: RestrictionNotice }
  | { kind: "deposit"; deposit: Deposit }
  | { kind: "loan"; notice: LoanNotice }
  | { kind: "withdrawal"; withdrawal: Withdrawal }
  | { kind: "block"; block: BlockOrder }
  | { kind: "auction"; notice: AuctionNotice }
  | { kind: "notice"; notice: Notice };

const SIDES: Record<Direction, Record<"open" | "close", ReportSide>> = {
  rise: { open: "buy", close: "sell" },
  fall: { open: "short", close: "cover" },
};

const fractionOf = ({ unitsPerWhole }: Pick<ExecutionReport, "unitsPerWhole">): Pick<ExecutionReport, "unitsPerWhole"> =>
  unitsPerWhole === undefined ? {} : { unitsPerWhole };

/** The average price of fills, rounded to a ten-thousandth. */
function averageOf(fills: OrderFact["fills"], lots: number): Price {
  const value = fills.reduce((sum, fill) => sum + BigInt(fill.price) * BigInt(fill.lots), 0n);
  return price(Number((value + BigInt(lots) / 2n) / BigInt(lots)));
}

/** The report of a fill, of either side of a position. */
function fillReport({ order, fills, closeCause }: OrderFact): ExecutionReport | null {
  const side = fills[0]?.side;
  if (side === undefined) return null;
  const lots = fills.reduce((sum, fill) => sum + fill.lots, 0);
  const left = side === "open" ? order.lots - order.filledLots : order.closingLots;
  return {
    kind: left > 0 ? "partlyFilled" : "filled",
    orderNo: order.orderNo,
    code: order.code,
    ...(side === "open" && order.origin !== undefined ? { origin: order.origin } : {}),
    side: SIDES[order.direction][side],
    lots,
    left,
    lotShares: order.lotShares,
    ...fractionOf(order),
    price: averageOf(fills, lots),
    cause: closeCause ?? null,
    exit: null,
  };
}

/** What an order fact reports; null for the member's own instructions, which are answered where they are given. */
function orderReport(fact: OrderFact): ExecutionReport | null {
  const { type, order, ended } = fact;
  const { orderNo, code, lotShares } = order;
  const about = { orderNo, code, lotShares, ...fractionOf(order), left: 0, exit: null };
  if (type === "order.triggered") {
    return { ...about, kind: "triggered", side: SIDES[order.direction].open, lots: order.lots, price: order.price, cause: null };
  }
  if (ended) {
    const side = SIDES[order.direction][type === "order.closeCancelled" ? "close" : "open"];
    const why = ended.refusal ? { refusal: ended.refusal } : {};
    return ended.cause === "member" ? null : { ...about, kind: "ended", side, lots: ended.lots, price: null, cause: ended.cause, ...why };
  }
  return fillReport(fact);
}

function exitReport({ type, condition }: ConditionFact): ExecutionReport | null {
  const { orderNo, code, kind: exit, firedPrice } = condition;
  const about = { orderNo, code, side: null, lots: 0, left: 0, lotShares: 1, cause: null, exit };
  if (type === "condition.fired") return { ...about, kind: "triggered", price: firedPrice };
  return type === "condition.rearmed" ? { ...about, kind: "rearmed", price: condition.price } : null;
}

/** What a fact tells the member; null for facts that are the member's own doing, or that the screens show by themselves. */
export function announcementOf(fact: Fact): Announcement | null {
  if (isOrderFact(fact) || isConditionFact(fact)) {
    const report = isOrderFact(fact) ? orderReport(fact) : exitReport(fact);
    return report && { kind: "report", report };
  }
  if (isAlertFact(fact)) return { kind: "alert", alert: fact.alert };
  if (isMarginFact(fact)) {
    return fact.type === "margin.called" && fact.message?.call ? { kind: "marginCall", call: fact.message.call } : null;
  }
  if (isLoanFact(fact)) return fact.message?.loan ? { kind: "loan", notice: fact.message.loan } : null;
  if (isIdentityFact(fact) || isRestrictionFact(fact) || isMessageFact(fact)) return announcementIn(fact.message);
  if (isDepositFact(fact)) return isOpenDeposit(fact.deposit) ? null : { kind: "deposit", deposit: fact.deposit };
  // What the member did is answered where it was done.
  if (isWithdrawalFact(fact)) return fact.message ? { kind: "withdrawal", withdrawal: fact.withdrawal } : null;
  if (isBlockOrderFact(fact)) return fact.message ? { kind: "block", block: fact.block } : null;
  if (
    isRewardFact(fact) ||
    isReviewFact(fact) ||
    isStakeFact(fact) ||
    isSavingsPlanFact(fact) ||
    isDerivativeFact(fact) ||
    isLendingFact(fact) ||
    isCopyFact(fact) ||
    isStrategyFact(fact) ||
    isAuctionFact(fact) ||
    isSubscriptionFact(fact)
  )
    return "message" in fact && fact.message ? announcementIn(fact.message) : null;
  return isDebtFact(fact) && fact.message?.debt ? { kind: "debt", debt: fact.message.debt } : null;
}

/** What an inbox message tells; null for the welcome message. */
export function announcementIn(message: Message): Announcement | null {
  const { report, alert, call, debt, identity, deposit, withdrawal, loan, notice, restriction, block, auction } = message;
  if (report) return { kind: "report", report };
  if (call) return { kind: "marginCall", call };
  if (debt) return { kind: "debt", debt };
  if (identity) return { kind: "identity", identity };
  if (restriction) return { kind: "restriction", notice: restriction };
  if (deposit) return { kind: "deposit", deposit };
  if (loan) return { kind: "loan", notice: loan };
  if (withdrawal) return { kind: "withdrawal", withdrawal };
  if (block) return { kind: "block", block };
  if (auction) return { kind: "auction", notice: auction };
  if (notice) return { kind: "notice", notice };
  return alert && { kind: "alert", alert };
}

/** Why an order can end without its member's doing. */
type EndCause = Exclude<CancelCause, "member">;

/** Every text an announcement uses; the client's typed dictionary must have them all. */
export type AnnouncementKey =
  | `report.${"filled" | "redeemed" | "delivered" | "partlyFilled" | "forced" | "forcedPartly" | "triggered" | "order" | "many"}`
  | `report.side.${ReportSide}`
  | `report.exit.${TriggerKind}`
  | `report.rearmed.${TriggerKind}`
  | `report.ended.${EndCause}`
  | `order.cause.${CloseCause}`
  | `refusal.${RefusalCode}`
  | `order.${"lots" | "shares"}`
  | "alert.fired"
  | `alert.says.${AlertKind}`
  | `message.marginCall.${"title" | "text"}`
  | `message.debt.${"title" | "text" | "sold"}`
  | `message.identity.${"verified" | "verifiedText" | "rejected"}`
  | `message.identity.reason.${IdentityReason}`
  | RestrictionKey
  | `message.deposit.${"credited" | "rejected" | "expired"}`
  | `message.deposit.text`
  | LoanText
  | NoticeText
  | AuctionText
  | `message.withdrawal.${"paid" | "failed" | "text"}`
  | `message.block.${"rejected" | "cancelled" | `reason.${BlockOrderReason}`}`;

/** Looks a text up in the reader's language. */
export type Translate = (key: AnnouncementKey, values?: Record<string, string | number>) => string;

/** What the words need besides the announcement. */
export interface Reader {
  language: string;
  /** The instrument it is about; its code is used while it is unknown. */
  instrument: Instrument | undefined;
  t: Translate;
}

export interface AnnouncementWords {
  /** One line that says it all. */
  title: string;
  /** More about it. */
  text: string;
  /** `danger` also for what must interrupt the member. */
  tone: "info" | "success" | "danger";
}

const isCloseCause = (cause: ExecutionReport["cause"]): cause is "condition" | Exclude<CloseCause, "member"> =>
  cause === "condition" || cause === "copy" || cause === "strategy" || cause === "redemption" || isForced(cause);

/** How much a report is about: lots, single shares, or coins. */
function sizeOf(count: number, { lotShares, unitsPerWhole }: ExecutionReport, t: Translate): string {
  if (unitsPerWhole !== undefined) return formatUnits(count, unitsPerWhole);
  return t(lotShares === 1 ? "order.shares" : "order.lots", { count, n: grouped(String(count)) });
}

function reportTitle(report: ExecutionReport, name: string, { instrument, t }: Reader): string {
  const { kind, side, lots, left, cause, exit } = report;
  const units = (count: number): string => sizeOf(count, report, t);
  const at = formatPrice(report.price, instrument?.decimals ?? 2);
  if (side === null) return t(`report.${kind === "rearmed" ? "rearmed" : "exit"}.${exit ?? "stop"}`, { name, price: at });
  const values = { name, side: t(`report.side.${side}`), size: units(lots), left: units(left), price: at };
  if (kind === "triggered") return t("report.triggered", values);
  if (kind === "ended") return t(`report.ended.${isEndCause(cause) ? cause : "broker"}`, values);
  if (isDelivery(report)) return t("report.delivered", values);
  if (cause === "redemption") return t("report.redeemed", values);
  if (kind === "partlyFilled") return t(isForced(cause) ? "report.forcedPartly" : "report.partlyFilled", values);
  return t(isForced(cause) ? "report.forced" : "report.filled", values);
}

const isEndCause = (cause: ExecutionReport["cause"]): cause is EndCause => cause !== null && cause !== "member" && !isCloseCause(cause);

function reportWords(report: ExecutionReport, name: string, reader: Reader): AnnouncementWords {
  const { kind, cause, orderNo, refusal } = report;
  const order = reader.t("report.order", { orderNo });
  if (refusal) {
    const why = reader.t(`refusal.${refusal.code as RefusalCode}`, refusal.params);
    return { title: reportTitle(report, name, reader), text: `${order} · ${why}`, tone: "danger" };
  }
  return {
    title: reportTitle(report, name, reader),
    text: isCloseCause(cause) ? `${order} · ${reader.t(`order.cause.${cause}`)}` : order,
    tone: isForced(cause) ? "danger" : kind === "filled" || kind === "partlyFilled" ? "success" : "info",
  };
}

function depositWords({ depositNo, status, currency, creditCents }: Deposit, t: Translate): AnnouncementWords {
  const values = { amount: `${currency} ${formatMoney(creditCents)}`, depositNo };
  const ended = status === "credited" || status === "rejected" ? status : "expired";
  const tone = ended === "credited" ? "success" : "danger";
  return { title: t(`message.deposit.${ended}`, values), text: t("message.deposit.text", values), tone };
}

/** A notice with the name of its instrument before the code. */
function named(notice: Notice, { language, instrument }: Reader): Notice {
  const { values } = notice;
  return instrument && values["code"] === instrument.code
    ? { ...notice, values: { ...values, code: `${nameIn(language, instrument)} ${instrument.code}` } }
    : notice;
}

/** Title and text of an announcement in the reader's language. */
export function announcementWords(announcement: Announcement, reader: Reader): AnnouncementWords {
  const { language, instrument, t } = reader;
  switch (announcement.kind) {
    case "report":
      return reportWords(announcement.report, instrument ? nameIn(language, instrument) : announcement.report.code, reader);
    case "alert": {
      const { alert } = announcement;
      const decimals = instrument?.decimals ?? 2;
      const name = instrument ? nameIn(language, instrument) : alert.code;
      const title = t("alert.fired", { name, price: formatPrice(alert.firedPrice, decimals) });
      return { title, text: t(`alert.says.${alert.kind}`, { level: alertLevel(alert, decimals) }), tone: "info" };
    }
    case "marginCall": {
      const { requiredCents, dueAt } = announcement.call;
      const values = { amount: formatMoney(requiredCents), until: formatDateTime(dueAt) };
      return { title: t("message.marginCall.title"), text: t("message.marginCall.text", values), tone: "danger" };
    }
    case "debt": {
      const { incurredCents, owedCents, cancelled } = announcement.debt;
      const values = { incurred: formatMoney(incurredCents), orders: cancelled.length, owed: formatMoney(owedCents) };
      const sold = owedCents > 0 ? ` ${t("message.debt.sold")}` : "";
      return { title: t("message.debt.title"), text: `${t("message.debt.text", values)}${sold}`, tone: "danger" };
    }
    case "identity": {
      const { status, reason } = announcement.identity;
      if (status === "verified")
        return { title: t("message.identity.verified"), text: t("message.identity.verifiedText"), tone: "success" };
      return { title: t("message.identity.rejected"), text: t(`message.identity.reason.${reason ?? "operator"}`), tone: "danger" };
    }
    case "restriction":
      return restrictionWords(announcement.notice, t);
    case "deposit":
      return depositWords(announcement.deposit, t);
    case "loan":
      return loanWords(announcement.notice, t);
    case "notice":
      return noticeWords(named(announcement.notice, reader), t);
    case "auction":
      return auctionWords(announcement.notice, t);
    case "withdrawal": {
      const { status, amountCents, withdrawalNo, number } = announcement.withdrawal;
      const values = { amount: `TWD ${formatMoney(amountCents)}`, withdrawalNo, number };
      const paid = status === "paid";
      return {
        title: t(`message.withdrawal.${paid ? "paid" : "failed"}`, values),
        text: t("message.withdrawal.text", values),
        tone: paid ? "success" : "danger",
      };
    }
    case "block": {
      const { status, shares, code, reason } = announcement.block;
      const title = t(`message.block.${status === "rejected" ? "rejected" : "cancelled"}`, { shares: grouped(String(shares)), code });
      return { title, text: t(`message.block.reason.${reason ?? "operator"}`), tone: "danger" };
    }
  }
}
